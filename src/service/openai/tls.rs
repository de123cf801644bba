//! Explains TLS failures and suggests a remedy.

use std::error::Error;
use std::io;

use rustls::{CertificateError, InvalidMessage};

/// HTTP parser errors for a TLS server's response to plain HTTP.
const NO_HTTP: [&str; 2] = ["invalid HTTP version", "invalid HTTP status"];

/// Connection errors if a TLS server closes without a response.
const CUT: [&str; 2] = ["reset by peer", "closed before message completed"];

/// Advice if a TLS server may have been called without TLS.
pub(super) const IF_EXPECTED: &str = "; if the server expects TLS, write https:// in the model's base_url";

const WRITE_HTTP: &str = "write http:// in the model's base_url";

/// Why TLS failed; `None` for another failure.
pub(super) fn explain_tls_failure(error: &(dyn Error + 'static)) -> Option<String> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(io) = error.downcast_ref::<io::Error>().map(innermost_error) {
            if let Some(tls) = io.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
                return Some(describe_error(tls));
            }
            if io.kind() == io::ErrorKind::UnexpectedEof && io.to_string().contains("tls handshake") {
                return Some(format!(
                    "the server closed the connection during the TLS handshake; if it has no TLS, {WRITE_HTTP}"
                ));
            }
        }
        let words = error.to_string();
        if NO_HTTP.iter().any(|no_http| words.contains(no_http)) {
            return Some(format!("the server's answer is not HTTP{IF_EXPECTED}"));
        }
        cause = error.source();
    }
    None
}

/// Whether a connection without TLS ended as TLS servers end it.
pub(super) fn may_be_expected(words: &str) -> bool {
    CUT.iter().any(|cut| words.contains(cut))
}

/// The innermost I/O error; `source` does not return it.
fn innermost_error(mut error: &io::Error) -> &io::Error {
    while let Some(inner) = error.get_ref().and_then(|inner| inner.downcast_ref::<io::Error>()) {
        error = inner;
    }
    error
}

fn describe_error(error: &rustls::Error) -> String {
    match error {
        rustls::Error::InvalidCertificate(error) => describe_certificate(error),
        rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            format!("the server does not speak TLS on this port; {WRITE_HTTP}")
        }
        rustls::Error::AlertReceived(alert) => format!("the server ended the TLS handshake ({alert:?})"),
        other => format!("TLS failed: {other}"),
    }
}

fn describe_certificate(error: &CertificateError) -> String {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "the server's TLS certificate has expired; renew it, or set this machine's clock right".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "the server's TLS certificate is not valid yet; set this machine's clock right".to_owned()
        }
        CertificateError::UnknownIssuer => {
            "the server's TLS certificate is unknown: it is not signed by an authority that this machine trusts; add the authority's \
             certificate to the system's, or name its file in SSL_CERT_FILE"
                .to_owned()
        }
        CertificateError::NotValidForName => "the server's TLS certificate is for another host".to_owned(),
        CertificateError::NotValidForNameContext { presented, .. } => {
            let names: Vec<&str> = presented.iter().map(|name| name.split('"').nth(1).unwrap_or(name)).collect();
            format!("the server's TLS certificate is for another host: {}", names.join(", "))
        }
        CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
            "the server's TLS certificate is unknown: it is self-signed as an authority's; give the server one that an authority signed, and \
             name the authority's file in SSL_CERT_FILE"
                .to_owned()
        }
        other => format!("the server's TLS certificate is not accepted: {other}"),
    }
}
