//! Whom to believe that it is who it says: certificates and their roots.

use super::HttpError;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Who vouches for certificates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Roots {
    /// Those the system trusts; a bare container has none, and then the bundled ones do.
    #[default]
    System,
    /// Mozilla's, as they were when this program was built.
    Bundled,
    /// Those in a PEM file and no others: for tests and companies.
    File(PathBuf),
}

/// What every encrypted connection shares. HTTP/2 is offered first.
pub(super) fn config(roots: &Roots) -> Result<Arc<ClientConfig>, HttpError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(HttpError::Tls)?
        .with_root_certificates(store(roots)?)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn store(roots: &Roots) -> Result<RootCertStore, HttpError> {
    let store = match roots {
        Roots::System => collect(rustls_native_certs::load_native_certs().certs),
        Roots::Bundled => RootCertStore::empty(),
        Roots::File(path) => return from_file(path),
    };
    if store.is_empty() {
        let bundled = webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().cloned();
        return Ok(collect(bundled));
    }
    Ok(store)
}

/// Systems carry roots that are too odd to be read; the others do.
fn collect(certificates: impl IntoIterator<Item = CertificateDer<'static>>) -> RootCertStore {
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(certificates);
    store
}

fn from_file(path: &Path) -> Result<RootCertStore, HttpError> {
    let bad = |why: String| HttpError::Roots {
        path: path.to_owned(),
        why,
    };
    let read = CertificateDer::pem_file_iter(path).map_err(|error| bad(error.to_string()))?;
    let certificates = read
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| bad(error.to_string()))?;
    let store = collect(certificates);
    if store.is_empty() {
        return Err(bad("no certificate in it".to_owned()));
    }
    Ok(store)
}
