//! Why an attempt at a call failed, for the error formats of all known servers. It never holds the key.
//!
//! Formats (2026-11): OpenAI's object with a textual or numeric code, also without its `error` frame (vLLM) or in a list
//! (Gemini); a string (Ollama); `detail` (FastAPI); the upstream provider's error (OpenRouter); HTML; nothing. Unknown formats
//! are quoted. The status is always kept.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use super::{Request, reply_limit, tls};
use crate::store::calls::Call;
use crate::text::join_lines;
use async_openai::error::OpenAIError;
use serde_json::Value;

pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Advice if no server listens.
const START: &str = "start the model server, or set the model's base_url to where it listens";

/// The maximum length of a quoted error, in characters.
const REASON_CHARS: usize = 300;

/// Error types and codes for questions that are too long: OpenAI and most others, llama.cpp, Anthropic.
const TOO_LONG_NAMES: [&str; 3] = ["context_length_exceeded", "exceed_context_size_error", "request_too_large"];

/// Lower-case error texts for questions that are too long: OpenAI, vLLM, DeepSeek and OpenRouter; vLLM; Gemini; Anthropic, twice;
/// llama.cpp.
const TOO_LONG_WORDS: [&str; 6] = [
    "maximum context length",
    "longer than the maximum model length",
    "exceeds the maximum number of tokens",
    "prompt is too long",
    "exceed context limit",
    "exceeds the available context size",
];

/// Why an attempt failed. It never holds the key.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub(super) struct RequestFailure {
    /// The HTTP status; `None` without a response.
    pub status: Option<u16>,
    /// The error status in the body of a successful response.
    pub told: Option<u16>,
    /// A description, possibly in the server's words.
    pub reason: String,
    /// Whether the question exceeds the model's context window.
    pub is_context_overflow: bool,
    /// The wait that the server requests.
    pub asked: Option<Duration>,
    /// Whether there was no connection.
    pub is_unconnected: bool,
}

/// The status (`None` without a response), and whether there was no connection.
pub(super) type FailureKind = (Option<u16>, bool);

#[derive(Debug, Default)]
struct ErrorBody {
    words: Option<String>,
    /// The type and code, if they are strings.
    names: Vec<String>,
    /// The code, if it is a status.
    status: Option<u16>,
}

impl RequestFailure {
    pub(super) fn without_response(reason: String) -> Self {
        Self { status: None, told: None, reason, is_context_overflow: false, asked: None, is_unconnected: false }
    }

    /// A network failure. The URL is left out: it may hold credentials, and the outage names the server.
    pub(super) fn of_network(error: reqwest::Error) -> Self {
        let (status, is_unconnected) = (error.status().map(|status| status.as_u16()), error.is_connect());
        let reason = match (error.is_timeout(), error.is_connect()) {
            _ if let Some(why) = tls::explain_tls_failure(&error) => why,
            (true, true) => format!("no connection in {} s; {START}", CONNECT_TIMEOUT.as_secs()),
            (true, false) => "no response in time".to_owned(),
            (false, true) => format!("no connection ({}); {START}", first_cause(&error.without_url())),
            (false, false) => {
                let is_plain = error.url().is_some_and(|url| url.scheme() == "http");
                let words = in_words(&error.without_url());
                let hint = if is_plain && tls::may_be_expected(&words) { tls::IF_EXPECTED } else { "" };
                format!("{words}{hint}")
            }
        };
        Self { status, is_unconnected, ..Self::without_response(reason) }
    }

    /// A response with an error status and any body.
    pub(super) fn of_status(status: u16, body: &str) -> Self {
        let said = serde_json::from_str(body).ok().and_then(|body| ErrorBody::from_body(&body));
        let is_context_overflow = said.as_ref().is_some_and(|said| said.is_too_long(status));
        let words = said.and_then(|said| said.words).unwrap_or_else(|| body.to_owned());
        Self { status: Some(status), is_context_overflow, ..Self::without_response(one_line(&words)) }
    }

    /// A successful response with an error in its body. The reason is not shortened, because the key must be redacted first.
    pub(super) fn within_success(error: &Value) -> Self {
        let said = ErrorBody::from_object(error);
        let told = said.status.filter(|status| *status >= 400);
        let is_context_overflow = told.is_some_and(|status| said.is_too_long(status));
        let words = said.words.unwrap_or_else(|| error.to_string());
        Self { status: Some(200), told, is_context_overflow, ..Self::without_response(words) }
    }

    pub(super) fn no_completion(why: impl fmt::Display) -> Self {
        Self { status: Some(200), ..Self::without_response(format!("the response is not a chat completion: {why}")) }
    }

    pub(super) fn of_library(error: OpenAIError) -> Self {
        match error {
            OpenAIError::Boxed(inner) => match inner.downcast::<RequestFailure>() {
                Ok(failure) => *failure,
                Err(other) => RequestFailure::without_response(other.to_string()),
            },
            OpenAIError::Reqwest(error) => RequestFailure::of_network(error),
            OpenAIError::JSONDeserialize(error, _) => RequestFailure::no_completion(error),
            other => RequestFailure::without_response(other.to_string()),
        }
    }

    /// Turns a failure into an answer if the server refuses the schema of a probe, refuses a longer reply, or finds the question
    /// too long.
    ///
    /// # Errors
    /// The failure otherwise.
    pub(super) fn into_answer(self, request: &Request) -> Result<Call, RequestFailure> {
        if request.is_probe() && self.refuses_schema() {
            return Ok(Call::no_schemas(self.reason));
        }
        if request.has_more_room() && reply_limit::is_refused(&self) {
            return Ok(Call::cut_again(self.reason));
        }
        if self.is_context_overflow {
            return Ok(Call::too_long(self.reason));
        }
        Err(self)
    }

    /// The status of the error, in the body of a successful response or of the response itself; `None` without a response.
    pub(super) fn error_status(&self) -> Option<u16> {
        self.told.or(self.status)
    }

    pub(super) fn kind(&self) -> FailureKind {
        (self.error_status(), self.is_unconnected)
    }

    /// Whether a retry may succeed.
    pub(super) fn may_pass(&self) -> bool {
        match self.error_status() {
            Some(status @ 400..=499) => matches!(status, 408 | 409 | 429),
            _ => true,
        }
    }

    /// Whether all calls of the server would fail now: no connection, or a gateway error. An error within a successful response
    /// concerns one model.
    pub(super) fn is_of_server(&self) -> bool {
        match self.status {
            None => self.is_unconnected,
            Some(status) => matches!(status, 502..=504),
        }
    }

    /// Whether the server reports too many calls.
    pub(super) fn is_of_haste(&self) -> bool {
        self.error_status() == Some(429)
    }

    /// Whether all calls with this model and key would fail: the server asks them to wait.
    pub(super) fn is_of_model(&self) -> bool {
        self.is_of_haste() || self.asked.is_some()
    }

    /// Whether the server refuses this question but may answer others.
    pub(super) fn is_of_question(&self) -> bool {
        matches!(self.error_status(), Some(400 | 413 | 422))
    }

    /// Whether every question would fail: the key, the account, the model's name or the address is wrong.
    pub(super) fn is_of_access(&self) -> bool {
        matches!(self.error_status(), Some(401..=405 | 410))
    }

    /// Whether the server may charge for the attempt: the request reached it, but the response is unreadable, or a time-out,
    /// server error or gateway error interrupted it.
    pub(super) fn may_have_cost(&self) -> bool {
        match self.status {
            None => !self.is_unconnected,
            Some(status) => matches!(status, 200..=299 | 408 | 500 | 502 | 504),
        }
    }

    /// The failure in words, after this many attempts.
    pub(super) fn in_words(&self, attempts: usize) -> String {
        let status = self.status.map_or(String::new(), |status| format!("HTTP {status}: "));
        let told = self.told.map_or(String::new(), |told| format!("error {told}: "));
        let tries = if attempts > 1 { format!(" (after {attempts} attempts)") } else { String::new() };
        let asked = self.asked.filter(|asked| !asked.is_zero());
        let asked = asked.map_or(String::new(), |asked| format!("; it asks to wait {} s", asked.as_secs_f64().ceil()));
        let hint = self.way_out().map_or(String::new(), |hint| format!("; {hint}"));
        format!("{status}{told}{}{asked}{hint}{tries}", self.reason)
    }

    /// Whether the error text says that the server refuses schemas.
    pub(super) fn refuses_schema(&self) -> bool {
        let words = self.reason.to_lowercase();
        let names_it = ["response_format", "json_schema", "structured output"].iter().any(|name| words.contains(name));
        names_it && matches!(self.error_status(), Some(400 | 422))
    }

    /// What to change in the config if the error text names a part of the request.
    fn way_out(&self) -> Option<&'static str> {
        if !matches!(self.error_status(), Some(400 | 422)) {
            return None;
        }
        let words = self.reason.to_lowercase();
        let says = |part: &str| words.contains(part);
        if says("max_completion_tokens") {
            Some("write server: openai into the model, which has the length limited by max_completion_tokens")
        } else if self.refuses_schema() {
            Some("if the server enforces no schemas, write answers: anchored into the model")
        } else if says("temperature") {
            Some("leave temperature out of the model, or write one that the server takes")
        } else {
            None
        }
    }
}

impl ErrorBody {
    /// Parses a body; `None` for an unknown format.
    fn from_body(body: &Value) -> Option<Self> {
        let body = first_of_list(body)?;
        if let Some(error) = body.get("error").or_else(|| first_of_list(body.get("errors")?)) {
            return Some(Self::from_object(error));
        }
        if body.get("message").is_some() {
            return Some(Self::from_object(body));
        }
        let detail = words_of(body.get("detail")?);
        Some(Self { words: Some(detail), ..Self::default() })
    }

    /// Parses an error string or object, with the upstream provider's error if there is one.
    fn from_object(error: &Value) -> Self {
        let text = |key: &str| error.get(key).and_then(Value::as_str).map(str::to_owned);
        let behind = error.get("metadata").and_then(|told| told.get("raw")).map(words_of);
        let words = match (error.as_str().map(str::to_owned).or_else(|| text("message")), behind) {
            (Some(words), Some(behind)) => Some(format!("{words}: {behind}")),
            (words, behind) => words.or(behind),
        };
        let code = error.get("code");
        let number = code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
        Self {
            words,
            names: [text("type"), text("code")].into_iter().flatten().collect(),
            status: number.and_then(|number| u16::try_from(number).ok()),
        }
    }

    fn is_too_long(&self, status: u16) -> bool {
        let words = self.words.as_deref().unwrap_or_default().to_lowercase();
        matches!(status, 400 | 413 | 422)
            && (self.names.iter().any(|name| TOO_LONG_NAMES.contains(&name.as_str()))
                || TOO_LONG_WORDS.iter().any(|part| words.contains(part)))
    }
}

/// The first element of a list, or the value itself.
fn first_of_list(value: &Value) -> Option<&Value> {
    match value {
        Value::Array(all) => all.first(),
        other => Some(other),
    }
}

/// A string as it is, the messages of a list, anything else as JSON.
fn words_of(value: &Value) -> String {
    match value {
        Value::String(words) => words.clone(),
        Value::Array(all) => {
            let each = all.iter().map(|one| one.get("msg").map_or_else(|| words_of(one), words_of));
            each.collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

/// Joins a text into one line of at most `REASON_CHARS` characters.
pub(super) fn one_line(words: &str) -> String {
    let line = join_lines(words);
    match line.char_indices().nth(REASON_CHARS) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None if line.is_empty() => "the response is empty".to_owned(),
        None => line,
    }
}

fn first_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// An error with its causes, each once.
pub(super) fn in_words(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !words.contains(&more) {
            words.push_str(": ");
            words.push_str(&more);
        }
        cause = error.source();
    }
    words
}
