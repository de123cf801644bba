//! Log events of calls: numbers and kinds, named after OpenTelemetry's conventions for generative AI (in development, as of
//! 2026-11).
//!
//! Events never contain a key, prompt, reply, thinking or error text, which may quote them. The only texts from servers are the
//! model's name and the finish reason, both bounded. The span around a call names session and question.

use std::time::Duration;

use super::Request;
use super::failure::RequestFailure;
use crate::plan::Server;
use crate::store::calls::Call;
use crate::text::acts_unseen;

/// The maximum length of a model's name, in characters.
const NAME_CHARS: usize = 100;

/// The maximum length of a finish reason, in bytes.
const REASON_BYTES: usize = 40;

/// A server's host and port, without credentials.
#[derive(Debug)]
pub(super) struct ServerAddress {
    address: Option<String>,
    port: Option<u16>,
}

pub(super) struct CallLog<'c> {
    place: &'c ServerAddress,
    request: &'c Request,
}

/// Emits an event with the fields that all events of a call share.
macro_rules! tell {
    ($level:ident, $log:expr, $attempt:expr, $($more:tt)*) => {
        tracing::$level!(
            gen_ai.operation.name = "chat",
            gen_ai.provider.name = provider_name($log.request.server),
            gen_ai.request.model = $log.request.model,
            gen_ai.request.max_tokens = $log.request.reply_tokens_max(),
            gen_ai.request.temperature = $log.request.temperature,
            server.address = $log.place.address,
            server.port = $log.place.port,
            ekklesia.attempt = $attempt,
            $($more)*
        )
    };
}

impl ServerAddress {
    pub(super) fn from_base_url(base_url: &str) -> Self {
        let url = reqwest::Url::parse(base_url).ok();
        let address = url.as_ref().and_then(|url| url.host_str()).map(str::to_owned);
        Self { address, port: url.and_then(|url| url.port_or_known_default()) }
    }

    /// No call begins until the server answers.
    pub(super) fn log_server_down(&self, failure: &RequestFailure) {
        tracing::warn!(
            server.address = self.address,
            server.port = self.port,
            http.response.status_code = failure.status,
            error.type = failure_label(failure),
            "server down"
        );
    }

    pub(super) fn log_server_back(&self) {
        tracing::info!(server.address = self.address, server.port = self.port, "server back");
    }

    /// A call might exceed the budget, so it was not sent.
    pub(super) fn log_budget_stop(&self) {
        tracing::warn!(
            server.address = self.address,
            server.port = self.port,
            error.type = "budget_exhausted",
            "budget stop"
        );
    }
}

impl<'c> CallLog<'c> {
    pub(super) fn new(place: &'c ServerAddress, request: &'c Request) -> Self {
        Self { place, request }
    }

    /// Attempts count from 1.
    pub(super) fn log_attempt(&self, attempt: usize) {
        tell!(debug, self, attempt, "call begun");
    }

    pub(super) fn log_answer(&self, attempt: usize, call: &Call, wall_ms: u64) {
        let (model, reason) =
            (call.model.as_deref().map(bounded_model_name), call.finish_reason.as_deref().map(finish_reasons));
        tell!(
            debug,
            self,
            attempt,
            gen_ai.response.model = model,
            gen_ai.response.finish_reasons = reason,
            gen_ai.usage.input_tokens = call.usage.map(|usage| usage.prompt_tokens),
            gen_ai.usage.output_tokens = call.usage.map(|usage| usage.completion_tokens),
            http.response.status_code = 200,
            ekklesia.wall_ms = wall_ms,
            "call answered"
        );
    }

    pub(super) fn log_failure(&self, attempt: usize, failure: &RequestFailure, wall_ms: u64) {
        tell!(
            warn,
            self,
            attempt,
            http.response.status_code = failure.status,
            error.type = failure_label(failure),
            ekklesia.wall_ms = wall_ms,
            "attempt failed"
        );
    }

    pub(super) fn log_retry(&self, attempt: usize, wait: Duration) {
        let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        tell!(info, self, attempt, ekklesia.retry_in_ms = wait_ms, "will retry");
    }

    pub(super) fn log_give_up(&self, attempt: usize, failure: &RequestFailure) {
        tell!(
            error,
            self,
            attempt,
            http.response.status_code = failure.status,
            error.type = failure_label(failure),
            "call given up"
        );
    }
}

/// The provider's name in the conventions, or in the config if the conventions have none. A server of unknown kind is `other`,
/// even though it uses OpenAI's protocol.
fn provider_name(server: Server) -> &'static str {
    if server == Server::Gemini { "gcp.gemini" } else { server.as_str() }
}

/// The error type: the status if there is one, as in the conventions.
fn failure_label(failure: &RequestFailure) -> String {
    match failure.kind() {
        (Some(200..=299), _) => "no_completion".to_owned(),
        (Some(status), _) => status.to_string(),
        (None, true) => "no_connection".to_owned(),
        (None, false) => "no_response".to_owned(),
    }
}

/// A model's name, bounded, without characters that act on a terminal.
fn bounded_model_name(model: &str) -> String {
    model.chars().filter(|c| !acts_unseen(*c)).take(NAME_CHARS).collect()
}

/// The finish reason as a list; anything but a single word is `other`.
fn finish_reasons(reason: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let is_told = !reason.is_empty() && reason.len() <= REASON_BYTES && reason.chars().all(is_word);
    format!("[\"{}\"]", if is_told { reason } else { "other" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_servers_are_bounded() {
        assert_eq!(
            bounded_model_name(&format!("gpt\n\u{1b}[31m\u{202e}{}", "x".repeat(500))),
            format!("gpt[31m{}", "x".repeat(93))
        );
        assert_eq!(finish_reasons("max_tokens"), "[\"max_tokens\"]");
        for reason in ["", "I am done\"]", &"a".repeat(41)] {
            assert_eq!(finish_reasons(reason), "[\"other\"]");
        }
    }

    #[test]
    fn a_place_has_no_credentials() {
        let place = ServerAddress::from_base_url("https://me:secret@models.example.org/v1?key=secret");
        assert_eq!((place.address.as_deref(), place.port), (Some("models.example.org"), Some(443)));
        assert_eq!(ServerAddress::from_base_url("http://[::1]:8000/v1").port, Some(8000));
        assert!(ServerAddress::from_base_url("nowhere").address.is_none());
    }
}
