//! What the web did, from what the network layers say about it.

use super::meter::Excess;
use crate::fetch::Fetched;
use rustls::CertificateError;
use std::error::Error;
use std::io;

/// Why a connection could not be made.
pub(super) fn of_connect(error: &io::Error) -> Fetched {
    if error.kind() == io::ErrorKind::TimedOut {
        return Fetched::TimedOut;
    }
    Fetched::Unreachable(error.to_string())
}

/// Why a connection could not be encrypted.
pub(super) fn of_tls(error: &io::Error) -> Fetched {
    let Some(tls) = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<rustls::Error>())
    else {
        return of_broken_off(error).unwrap_or_else(|| Fetched::Garbled(error.to_string()));
    };
    match tls {
        rustls::Error::InvalidCertificate(why) => Fetched::Untrusted(distrust(why)),
        rustls::Error::NoCertificatesPresented => Fetched::Untrusted("no certificate".to_owned()),
        other => Fetched::Garbled(other.to_string()),
    }
}

/// What is wrong with a certificate, in a few words.
fn distrust(why: &CertificateError) -> String {
    let said = match why {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "the certificate has expired"
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "the certificate is not valid yet"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "the certificate is for another name"
        }
        CertificateError::UnknownIssuer => "the certificate's issuer is unknown",
        CertificateError::Revoked => "the certificate was revoked",
        CertificateError::BadSignature => "the certificate's signature is wrong",
        CertificateError::BadEncoding => "the certificate cannot be read",
        other => return format!("bad certificate: {other}"),
    };
    said.to_owned()
}

/// Why an exchange over a connection came to nothing.
pub(super) fn of_exchange(error: &hyper::Error) -> Fetched {
    let causes = causes(error);
    if causes.iter().any(|cause| cause.is::<Excess>()) {
        return Fetched::Garbled(Excess.to_string());
    }
    let io_errors = causes
        .iter()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    let mut broken_off = io_errors.filter_map(of_broken_off);
    broken_off.next().unwrap_or_else(|| {
        let said = causes.last().map(ToString::to_string);
        Fetched::Garbled(said.unwrap_or_else(|| error.to_string()))
    })
}

fn of_broken_off(error: &io::Error) -> Option<Fetched> {
    let is_broken_off = matches!(
        error.kind(),
        io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::NotConnected
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
    );
    if error.kind() == io::ErrorKind::TimedOut {
        return Some(Fetched::TimedOut);
    }
    is_broken_off.then(|| Fetched::Unreachable(error.to_string()))
}

/// The error's causes, outermost first. What an `io::Error` wraps is among
/// them, although it is no `source` of it.
fn causes(error: &hyper::Error) -> Vec<&(dyn Error + 'static)> {
    let mut causes = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause);
        let wrapped = cause
            .downcast_ref::<io::Error>()
            .and_then(|error| error.get_ref());
        next = match wrapped {
            Some(wrapped) => Some(wrapped),
            None => cause.source(),
        };
    }
    causes
}
