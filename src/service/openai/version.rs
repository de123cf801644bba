//! The version of a server's program, which vLLM, Ollama and llama.cpp report. Hosted services report only a fingerprint per
//! answer. Nothing depends on the version.

use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::{Client, Patience, SHORT_WAIT};
use crate::plan::Server;

/// The maximum length of a version, in characters.
const CHARS_MAX: usize = 64;

impl Client {
    /// The server's version, asked once; `None` if the server reports none or does not answer in time.
    pub async fn server_version(&self, server: Server, stop: &AtomicBool) -> Option<String> {
        let ask = async || {
            let (url, field) = version_address(server, &self.base_url)?;
            let asked = tokio::time::timeout(SHORT_WAIT, self.fetch_url(&url, Patience::Short, stop)).await;
            parse_version(&asked.ok()?.ok()??, field)
        };
        self.version.get_or_init(ask).await.clone()
    }
}

/// The URL and field of the version, as documented in 2026-11.
fn version_address(server: Server, base: &str) -> Option<(String, &'static str)> {
    let base = base.trim_end_matches('/');
    let root = base.strip_suffix("/v1").unwrap_or(base);
    match server {
        Server::Vllm => Some((format!("{root}/version"), "version")),
        Server::Ollama => Some((format!("{root}/api/version"), "version")),
        Server::LlamaCpp => Some((format!("{root}/props"), "build_info")),
        Server::Openai | Server::Anthropic | Server::Gemini | Server::Openrouter | Server::Other => None,
    }
}

/// Parses the version; `None` if it is long or contains unusual characters.
fn parse_version(body: &str, field: &str) -> Option<String> {
    let body: Value = serde_json::from_str(body).ok()?;
    let version = body.get(field)?.as_str()?.trim();
    let is_written_so = |c: char| c.is_ascii_alphanumeric() || "._-+() ".contains(c);
    let fits = !version.is_empty() && version.chars().count() <= CHARS_MAX && version.chars().all(is_written_so);
    fits.then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_tells_it_at_its_own_place() {
        for (server, base, url) in [
            (Server::Vllm, "http://h:1/v1", "http://h:1/version"),
            (Server::Ollama, "http://h:1/v1/", "http://h:1/api/version"),
            (Server::LlamaCpp, "http://h:1", "http://h:1/props"),
        ] {
            assert_eq!(version_address(server, base).map(|(url, _)| url).as_deref(), Some(url));
        }
        assert_eq!(version_address(Server::Openai, "http://h:1/v1"), None);
    }

    #[test]
    fn what_is_no_version_is_none() {
        for (body, version) in [
            (r#"{"version": " 0.11.2 "}"#, Some("0.11.2")),
            (r#"{"version": "b6123 (abc+dirty)"}"#, Some("b6123 (abc+dirty)")),
            (r#"{"version": ""}"#, None),
            (r#"{"version": 3}"#, None),
            (r#"{"version": "\u001b[2J"}"#, None),
            (r#"{"other": "1"}"#, None),
            ("<html>", None),
        ] {
            assert_eq!(parse_version(body, "version").as_deref(), version, "{body}");
        }
        assert_eq!(parse_version(&format!("{{\"version\": \"{}\"}}", "1".repeat(65)), "version"), None);
    }
}
