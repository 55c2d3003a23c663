//! Certificates nobody should trust, and the root that the others come from.

use super::server::Site;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::sync::Arc;

pub(crate) fn sites(authority: &Authority) -> Vec<Site> {
    let page = |name| Site::new(name, |talk| talk.page("<title>Trust me</title>"));
    vec![
        page("certificate-in-order").over_tls(authority.honest("http/1.1")),
        page("certificate-of-another").over_tls(authority.another_name()),
        page("certificate-expired").over_tls(authority.expired()),
        page("certificate-of-nobody").over_tls(self_signed()),
        page("no-certificate").instead_of_tls(),
    ]
}

/// Who signs the certificates here; a crawl can be told to trust it.
pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    pub(crate) fn new() -> Authority {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let issuer = CertifiedIssuer::self_signed(params, key).unwrap();
        Authority { issuer }
    }

    /// The root certificate, as a file of roots has it.
    pub(crate) fn pem(&self) -> String {
        self.issuer.pem()
    }

    /// A server that speaks this protocol and is who it says it is.
    pub(crate) fn honest(&self, protocol: &str) -> Arc<ServerConfig> {
        self.sign(&loopback(), &[protocol])
    }

    fn another_name(&self) -> Arc<ServerConfig> {
        let names = vec!["www.example.org".to_owned()];
        self.sign(&CertificateParams::new(names).unwrap(), &[])
    }

    fn expired(&self) -> Arc<ServerConfig> {
        let mut params = loopback();
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 1, 1);
        self.sign(&params, &[])
    }

    fn sign(&self, params: &CertificateParams, protocols: &[&str]) -> Arc<ServerConfig> {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        config(certificate.der().clone(), &key, protocols)
    }
}

fn self_signed() -> Arc<ServerConfig> {
    let key = KeyPair::generate().unwrap();
    let certificate = loopback().self_signed(&key).unwrap();
    config(certificate.der().clone(), &key, &[])
}

/// A certificate for every address that a site may get.
fn loopback() -> CertificateParams {
    let names = (2..=u8::MAX).map(|last| format!("127.0.0.{last}"));
    CertificateParams::new(names.collect::<Vec<String>>()).unwrap()
}

fn config(
    certificate: CertificateDer<'static>,
    key: &KeyPair,
    protocols: &[&str],
) -> Arc<ServerConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    config.alpn_protocols = protocols
        .iter()
        .map(|name| name.as_bytes().into())
        .collect();
    Arc::new(config)
}
