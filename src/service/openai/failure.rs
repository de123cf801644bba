//! Why an attempt at a call failed, whatever shape a server gives to its errors. It reads no reply and never holds the key.
//!
//! There is no one shape: OpenAI's object with a text or a number for a code, the same without its frame (vLLM), in a list (Gemini),
//! a text alone (Ollama), `detail` (servers made with FastAPI), the words of whoever stands behind (OpenRouter), a page in HTML,
//! nothing. Shapes and words are as looked up in 2026-11; a body of no known shape is told as it is. The status is never lost.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use super::{Request, room, tls};
use crate::store::calls::Call;
use async_openai::error::OpenAIError;
use serde_json::Value;

/// How long a connection may take to open.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// What to do where nobody listens.
const START: &str = "start the model server, or set the model's base_url to where it listens";

/// How much of a server's words an error repeats, in characters.
const REASON_CHARS: usize = 300;

/// The names by which an error says that a question is too long: OpenAI and most others, llama.cpp, Anthropic.
const TOO_LONG_NAMES: [&str; 3] = ["context_length_exceeded", "exceed_context_size_error", "request_too_large"];

/// The words by which others say so, in small letters: OpenAI, vLLM, DeepSeek and OpenRouter; vLLM; Gemini; Anthropic, twice; llama.cpp.
const TOO_LONG_WORDS: [&str; 6] = [
    "maximum context length",
    "longer than the maximum model length",
    "exceeds the maximum number of tokens",
    "prompt is too long",
    "exceed context limit",
    "exceeds the available context size",
];

/// Why an attempt failed. It never holds the key.
#[derive(Debug)]
pub(super) struct Failure {
    /// The HTTP status; `None` when no response came.
    pub status: Option<u16>,
    /// The status that the body of a success tells in its place.
    pub told: Option<u16>,
    /// What happened, on one line.
    pub reason: String,
    /// Whether the server says that the question does not fit the model's context.
    pub is_context_overflow: bool,
    /// How long the server asks to wait.
    pub asked: Option<Duration>,
    /// Whether there was no connection at all.
    pub is_unconnected: bool,
}

/// What failures of one kind have in common: a status, `None` where no response came, and whether there was no connection at all.
pub(super) type FailureKind = (Option<u16>, bool);

/// What the body of an error says.
#[derive(Debug, Default)]
struct ErrorBody {
    words: Option<String>,
    /// Its type and code, where these are texts.
    names: Vec<String>,
    /// Its code, where it is a status.
    status: Option<u16>,
}

impl Failure {
    /// A failure without a response.
    pub(super) fn without_response(reason: String) -> Self {
        Self { status: None, told: None, reason, is_context_overflow: false, asked: None, is_unconnected: false }
    }

    /// A failure of the network. The address is left out: it may hold credentials, and the outage names it.
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

    /// A response whose status is an error. Its body may be an error in any shape or anything else.
    pub(super) fn of_status(status: u16, body: &str) -> Self {
        let said = serde_json::from_str(body).ok().and_then(|body| ErrorBody::from_body(&body));
        let is_context_overflow = said.as_ref().is_some_and(|said| said.is_too_long(status));
        let words = said.and_then(|said| said.words).unwrap_or_else(|| body.to_owned());
        Self { status: Some(status), is_context_overflow, ..Self::without_response(one_line(&words)) }
    }

    /// A success whose body holds an error: its code says what it is worth. Its words are whole, for they were not yet searched for
    /// the key.
    pub(super) fn within_success(error: &Value) -> Self {
        let said = ErrorBody::from_object(error);
        let told = said.status.filter(|status| *status >= 400);
        let is_context_overflow = told.is_some_and(|status| said.is_too_long(status));
        let words = said.words.unwrap_or_else(|| error.to_string());
        Self { status: Some(200), told, is_context_overflow, ..Self::without_response(words) }
    }

    /// A success whose body is no completion.
    pub(super) fn no_completion(why: impl fmt::Display) -> Self {
        Self { status: Some(200), ..Self::without_response(format!("the response is not a chat completion: {why}")) }
    }

    /// What the client library makes of a failure.
    pub(super) fn of_library(error: OpenAIError) -> Self {
        match error {
            OpenAIError::Boxed(inner) => match inner.downcast::<Failure>() {
                Ok(failure) => *failure,
                Err(other) => Failure::without_response(other.to_string()),
            },
            OpenAIError::Reqwest(error) => Failure::of_network(error),
            OpenAIError::JSONDeserialize(error, _) => Failure::no_completion(error),
            other => Failure::without_response(other.to_string()),
        }
    }

    /// What it says of the question, which is an answer of a kind: that the server refuses schemas where that was asked, that a reply
    /// may not be longer, or that the question is too long for the model.
    ///
    /// # Errors
    /// The failure, where it says nothing of it.
    pub(super) fn into_answer(self, request: &Request) -> Result<Call, Failure> {
        if request.is_probe() && self.refuses_schema() {
            return Ok(Call::no_schemas(self.reason));
        }
        if request.has_more_room() && room::is_refused(&self) {
            return Ok(Call::cut_again(self.reason));
        }
        if self.is_context_overflow {
            return Ok(Call::too_long(self.reason));
        }
        Err(self)
    }

    /// Its kind: its status, and whether there was no connection at all.
    pub(super) fn kind(&self) -> FailureKind {
        (self.told.or(self.status), self.is_unconnected)
    }

    /// Whether the same request may succeed later.
    pub(super) fn may_pass(&self) -> bool {
        match self.told.or(self.status) {
            Some(status @ 400..=499) => matches!(status, 408 | 409 | 429),
            _ => true,
        }
    }

    /// Whether all calls of the server would fail alike now: nobody listens, or what stands before it says that it is away. An
    /// error within a success is of one model.
    pub(super) fn is_of_server(&self) -> bool {
        match self.status {
            None => self.is_unconnected,
            Some(status) => matches!(status, 502..=504),
        }
    }

    /// Whether there are too many calls.
    pub(super) fn is_of_haste(&self) -> bool {
        self.told.or(self.status) == Some(429)
    }

    /// Whether all calls of the same model and key would fail alike: the server asks them to wait.
    pub(super) fn is_of_model(&self) -> bool {
        self.is_of_haste() || self.asked.is_some()
    }

    /// Whether other questions may be answered all the same: the server does not take this one.
    pub(super) fn is_of_question(&self) -> bool {
        matches!(self.told.or(self.status), Some(400 | 413 | 422))
    }

    /// Whether no question would be answered: the key, the account, the model's name or the address is wrong.
    pub(super) fn is_of_access(&self) -> bool {
        matches!(self.told.or(self.status), Some(401..=405 | 410))
    }

    /// Whether the server may have answered for all that, and charges for it: the request reached it, and what came back is no
    /// error, but nothing that can be read; or somebody between gave up waiting, or failed, while it may have been answering.
    pub(super) fn may_have_cost(&self) -> bool {
        match self.status {
            None => !self.is_unconnected,
            Some(status) => matches!(status, 200..=299 | 408 | 500 | 502 | 504),
        }
    }

    /// The failure in words, after so many attempts.
    pub(super) fn in_words(&self, attempts: usize) -> String {
        let status = self.status.map_or(String::new(), |status| format!("HTTP {status}: "));
        let told = self.told.map_or(String::new(), |told| format!("error {told}: "));
        let tries = if attempts > 1 { format!(" (after {attempts} attempts)") } else { String::new() };
        let asked = self.asked.filter(|asked| !asked.is_zero());
        let asked = asked.map_or(String::new(), |asked| format!("; it asks to wait {} s", asked.as_secs_f64().ceil()));
        let hint = self.way_out().map_or(String::new(), |hint| format!("; {hint}"));
        format!("{status}{told}{}{asked}{hint}{tries}", self.reason)
    }

    /// Whether the server refuses the request for its schema, as far as its words name that.
    pub(super) fn refuses_schema(&self) -> bool {
        let words = self.reason.to_lowercase();
        let names_it = ["response_format", "json_schema", "structured output"].iter().any(|name| words.contains(name));
        names_it && matches!(self.told.or(self.status), Some(400 | 422))
    }

    /// What to write into the config where the server refuses a part of the request by its name.
    fn way_out(&self) -> Option<&'static str> {
        if !matches!(self.told.or(self.status), Some(400 | 422)) {
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

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl Error for Failure {}

impl ErrorBody {
    /// What a body says, if it has a known shape.
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

    /// What an error says, as a text or as an object; with it, what somebody behind the server said.
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

    /// Whether an error of this status says that the question is too long for the model.
    fn is_too_long(&self, status: u16) -> bool {
        let words = self.words.as_deref().unwrap_or_default().to_lowercase();
        matches!(status, 400 | 413 | 422)
            && (self.names.iter().any(|name| TOO_LONG_NAMES.contains(&name.as_str()))
                || TOO_LONG_WORDS.iter().any(|part| words.contains(part)))
    }
}

/// The first of a list, or what is no list.
fn first_of_list(value: &Value) -> Option<&Value> {
    match value {
        Value::Array(all) => all.first(),
        other => Some(other),
    }
}

/// A text as it is; of a list of complaints the words of each; anything else as JSON.
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

/// Words on one line, and no more of them than an error should repeat.
pub(super) fn one_line(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(REASON_CHARS) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None if line.is_empty() => "the response is empty".to_owned(),
        None => line,
    }
}

/// The cause that all others go back to.
fn first_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// An error with its causes.
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
