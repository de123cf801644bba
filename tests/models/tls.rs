//! A server that is reached by TLS, or is not: what is wrong is named.
//!
//! `tests/data/tls` holds three certificates of one key for servers, signed by an authority whose key was thrown away: `valid.pem` for
//! 127.0.0.1 until 2120, `expired.pem` for it until 2020, `other_host.pem` for models.example.org.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::fixtures::cli::{Server, Told, ended, program, text};
use crate::fixtures::faulty;
use crate::fixtures::trial::{repository, write_config};

fn pem(name: &str) -> PathBuf {
    repository().join("tests/data/tls").join(name)
}

/// A server with this certificate, which answers every request with the same choice.
fn serve_tls(certificate: &str) -> SocketAddr {
    let chain = vec![CertificateDer::from_pem_file(pem(certificate)).unwrap()];
    let key = PrivateKeyDer::from_pem_file(pem("key.pem")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = Arc::new(config.with_no_client_auth().with_single_cert(chain, key).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let config = Arc::clone(&config);
            thread::spawn(move || answer(StreamOwned::new(ServerConnection::new(config).unwrap(), stream)));
        }
    });
    address
}

/// Answers the requests of a connection until the other side or TLS ends it.
fn answer(mut stream: StreamOwned<ServerConnection, TcpStream>) {
    let (mut bytes, mut some) = (Vec::new(), [0; 4096]);
    while let Ok(length @ 1..) = stream.read(&mut some) {
        bytes.extend_from_slice(&some[..length]);
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
        if bytes.len() < end + 4 + length {
            continue;
        }
        let body = bytes[end + 4..end + 4 + length].to_vec();
        bytes.clear();
        let reply = match serde_json::from_slice(&body) {
            Ok(request) => {
                faulty::response(200, &[], &faulty::completion(&faulty::words(&request), "stop").to_string())
            }
            Err(_) => faulty::response(404, &[], ""),
        };
        if stream.write_all(&reply).is_err() {
            return;
        }
    }
}

/// Runs a small experiment on a server; only the authority of the tests is trusted, or none that matters.
fn run(place: &Path, base_url: &str, authority: &Path) -> Told {
    let config = write_config(
        place,
        &format!(
            "
models: {{ m: {{ openai: {{ base_url: \"{base_url}\", model: m, max_tokens: 60, context_window: 9000, answers: json_schema, retry_for_s: 0 }} }} }}
seat_defaults: {{ model: m }}
seats: [{{ name: Alice }}, {{ name: Bob }}]
discussion: {{ rounds: 1, vote: at_end }}
"
        ),
    );
    let out = place.join("out");
    ended(
        program(&["run", text(&config), "--out", text(&out)])
            .env("SSL_CERT_FILE", authority)
            .env_remove("SSL_CERT_DIR"),
    )
}

/// A server that closes every connection at once.
fn serve_nothing() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // What was sent is read first: else the connection would be reset.
            assert!(stream.read(&mut [0; 4096]).unwrap_or(0) > 0, "a client of TLS speaks first");
        }
    });
    address
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn an_error_of_tls_says_what_it_is() {
    let (authority, other) = (pem("authority.pem"), pem("valid.pem"));
    let plain = Server::start();
    let plain = plain.base_url().replace("http://", "https://");
    let tls = |certificate: &str| format!("https://{}/v1", serve_tls(certificate));
    let cases = [
        (tls("expired.pem"), &authority, "TLS certificate has expired"),
        (tls("other_host.pem"), &authority, "TLS certificate is for another host: models.example.org"),
        (tls("valid.pem"), &other, "not signed by an authority that this machine trusts"),
        (plain, &authority, "does not speak TLS on this port; write http://"),
        (format!("http://{}/v1", serve_tls("valid.pem")), &authority, "if the server expects TLS, write https://"),
        (format!("https://{}/v1", serve_nothing()), &authority, "closed the connection during the TLS handshake"),
    ];
    for (base_url, authority, words) in cases {
        let place = tempfile::tempdir().unwrap();
        let told = run(place.path(), &base_url, authority);
        told.says(1, &[words, "the same command again goes on"]);
        assert!(!told.stderr.contains("start the model server"), "{words}: {told:#?}");
    }
    let place = tempfile::tempdir().unwrap();
    run(place.path(), &tls("valid.pem"), &authority).says(0, &["1 of 1 sessions"]);
}
