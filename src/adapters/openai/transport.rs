//! One attempt at one request: the only place that knows the key.
//!
//! The client library's own service retries without a word and forgets the status of an error it cannot read; this one
//! sends once, keeps the status, and takes the key out of whatever a server echoes.

use std::error::Error;
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_openai::config::Config;
use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use super::{Call, Request, failure, thinking, waits};
use crate::adapters::stopwatch::Stopwatch;
use crate::domain::{Fault, Usage};
use crate::plan::OpenAiModel;

/// How long a connection may take to open.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// What to do where nobody listens.
const START: &str = "start the model server, or set the model's base_url to where it listens";

/// How much of a server's words an error repeats, in characters.
const REASON_CHARS: usize = 300;

/// Sends requests to one server with one key.
pub(super) struct Transport {
    library: async_openai::Client<Endpoint>,
    http: reqwest::Client,
    headers: HeaderMap,
    key: SecretString,
}

/// Why an attempt failed. It never holds the key.
#[derive(Debug)]
pub(super) struct Failure {
    /// The HTTP status; `None` when no response came.
    pub status: Option<u16>,
    /// What happened, on one line.
    pub reason: String,
    /// Whether the server says that the question does not fit the model's context.
    pub is_context_overflow: bool,
    /// How long the server asks to wait.
    pub asked: Option<Duration>,
    /// Whether there was no connection at all.
    pub is_unconnected: bool,
}

/// Where requests go; nothing of it is read from the environment by the library.
#[derive(Clone)]
struct Endpoint {
    base: String,
    key: SecretString,
    headers: HeaderMap,
}

/// Opens the way to a model's server.
///
/// # Errors
/// When the key is not there, cannot be sent, or the network stack cannot be set up; in words.
#[expect(clippy::disallowed_methods, reason = "a key is read from the environment, here and nowhere else")]
pub(super) fn transport(model: &OpenAiModel) -> Result<Transport, String> {
    let key = match &model.api_key_env {
        None => String::new(),
        Some(variable) => match std::env::var(variable) {
            Ok(key) if !key.trim().is_empty() => key.trim().to_owned(),
            _ => return Err(format!("the environment variable {variable} holds no key")),
        },
    };
    let mut headers = HeaderMap::new();
    if !key.is_empty() {
        let mut bearer = HeaderValue::from_str(&format!("Bearer {key}"))
            .map_err(|_| "the key holds characters that cannot be sent".to_owned())?;
        bearer.set_sensitive(true);
        headers.insert(AUTHORIZATION, bearer);
    }
    let http = reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(Duration::from_secs(model.timeout_s))
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| in_words(&error))?;
    let key = SecretString::from(key);
    let endpoint =
        Endpoint { base: model.base_url.trim_end_matches('/').to_owned(), key: key.clone(), headers: headers.clone() };
    let service_key = key.clone();
    let service_http = http.clone();
    let service = tower::service_fn(move |factory: HttpRequestFactory| {
        send_once(service_http.clone(), service_key.clone(), factory)
    });
    let library = async_openai::Client::build(http.clone(), endpoint).with_http_service(service);
    Ok(Transport { library, http, headers, key })
}

impl Transport {
    /// Sends a request once.
    pub(super) async fn send(&self, request: &Request) -> Result<Call, Failure> {
        let completion: Result<Completion, OpenAIError> = self.library.chat().create_byot(request).await;
        let call = completion.map_err(failure).and_then(Completion::into_call);
        match call {
            Ok(call) => Ok(self.without_key(call)),
            Err(failure) => Err(Failure { reason: one_line(&redacted(&failure.reason, &self.key)), ..failure }),
        }
    }

    /// The same, should the server have echoed the key.
    fn without_key(&self, call: Call) -> Call {
        let word = |word: Option<String>| word.map(|word| redacted(&word, &self.key));
        Call {
            raw: redacted(&call.raw, &self.key),
            thinking: word(call.thinking),
            finish_reason: word(call.finish_reason),
            model: word(call.model),
            fingerprint: word(call.fingerprint),
            ..call
        }
    }
}

impl Transport {
    /// Reads an address of the server; `None` where it has no such thing, or nothing to tell us.
    pub(super) async fn look(&self, url: &str) -> Result<Option<String>, Failure> {
        let redact = |failure: Failure| Failure { reason: one_line(&redacted(&failure.reason, &self.key)), ..failure };
        let response = self.http.get(url).headers(self.headers.clone()).send().await;
        let response = response.map_err(|error| redact(Failure::of_network(error)))?;
        let (status, asked) = (response.status().as_u16(), waits::asked(response.headers(), now()));
        let body = response.text().await.map_err(|error| redact(Failure::of_network(error)))?;
        let failure = Failure { asked, ..Failure::of_status(status, &body) };
        match status {
            200..=299 => Ok(Some(body)),
            _ if failure.may_pass() => Err(redact(failure)),
            _ => Ok(None),
        }
    }
}

/// Sends once and turns every status but success into a [`Failure`].
async fn send_once(
    http: reqwest::Client,
    key: SecretString,
    factory: HttpRequestFactory,
) -> Result<reqwest::Response, OpenAIError> {
    let request = factory.build().await?;
    let response = http.execute(request).await.map_err(OpenAIError::Reqwest)?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let asked = waits::asked(response.headers(), now());
    let body = response.text().await.map_err(OpenAIError::Reqwest)?;
    let body = redacted(&body, &key);
    Err(OpenAIError::Boxed(Box::new(Failure { asked, ..Failure::of_status(status.as_u16(), &body) })))
}

/// The time of day, to which a server's dates are compared.
fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(Stopwatch::start().started_unix_ms)
}

impl Config for Endpoint {
    fn headers(&self) -> HeaderMap {
        self.headers.clone()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn query(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    fn api_base(&self) -> &str {
        &self.base
    }

    fn api_key(&self) -> &SecretString {
        &self.key
    }
}

impl Failure {
    /// A failure without a response.
    pub(super) fn silent(reason: String) -> Self {
        Self { status: None, reason, is_context_overflow: false, asked: None, is_unconnected: false }
    }

    /// A failure of the network. The address is left out: it may hold credentials, and the outage names it.
    pub(super) fn of_network(error: reqwest::Error) -> Self {
        let (status, is_unconnected) = (error.status().map(|status| status.as_u16()), error.is_connect());
        let reason = match (error.is_timeout(), error.is_connect()) {
            (true, true) => format!("no connection in {} s; {START}", CONNECT_TIMEOUT.as_secs()),
            (true, false) => "no response in time".to_owned(),
            (false, true) => format!("no connection ({}); {START}", first_cause(&error.without_url())),
            (false, false) => in_words(&error.without_url()),
        };
        Self { status, is_unconnected, ..Self::silent(reason) }
    }

    /// A response whose status is an error. Its body may be the protocol's error object or anything else.
    fn of_status(status: u16, body: &str) -> Self {
        let said = serde_json::from_str::<ErrorBody>(body).ok().map(|body| body.error);
        let is_context_overflow = status == 400 && said.as_ref().is_some_and(ErrorObject::is_context_overflow);
        let words = said.and_then(|said| said.message).unwrap_or_else(|| body.to_owned());
        Self { status: Some(status), is_context_overflow, ..Self::silent(one_line(&words)) }
    }

    /// Whether the same request may succeed later.
    pub(super) fn may_pass(&self) -> bool {
        match self.status {
            Some(status @ 400..=499) => matches!(status, 408 | 409 | 429),
            _ => true,
        }
    }

    /// Whether all calls of the server would fail alike now: nobody listens, or what stands before it says that it is away.
    pub(super) fn is_of_server(&self) -> bool {
        match self.status {
            None => self.is_unconnected,
            Some(status) => matches!(status, 502..=504),
        }
    }

    /// Whether all calls of the same model and key would: the server asks them to wait.
    pub(super) fn is_of_model(&self) -> bool {
        self.status == Some(429) || self.asked.is_some()
    }

    /// Whether the server may have answered for all that, and charges for it: the request reached it, and what came back is no
    /// error, but nothing that can be read.
    pub(super) fn may_have_cost(&self) -> bool {
        match self.status {
            None => !self.is_unconnected,
            Some(status) => (200..300).contains(&status),
        }
    }

    /// The failure in words, after so many attempts.
    pub(super) fn in_words(&self, attempts: usize) -> String {
        let status = self.status.map_or(String::new(), |status| format!("HTTP {status}: "));
        let tries = if attempts > 1 { format!(" (after {attempts} attempts)") } else { String::new() };
        let asked = self.asked.filter(|asked| !asked.is_zero());
        let asked = asked.map_or(String::new(), |asked| format!("; it asks to wait {} s", asked.as_secs_f64().ceil()));
        format!("{status}{}{asked}{tries}", self.reason)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl Error for Failure {}

/// A base URL without user name and password.
pub(super) fn without_credentials(base_url: &str) -> String {
    match reqwest::Url::parse(base_url) {
        Ok(mut url) if !url.username().is_empty() || url.password().is_some() => {
            // Both setters fail only on addresses that cannot have credentials.
            let _ = url.set_username("");
            let _ = url.set_password(None);
            url.to_string()
        }
        _ => base_url.to_owned(),
    }
}

fn redacted(words: &str, key: &SecretString) -> String {
    match key.expose_secret() {
        "" => words.to_owned(),
        key => words.replace(key, "[key]"),
    }
}

/// Words on one line, and no more of them than an error should repeat.
fn one_line(words: &str) -> String {
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
fn in_words(error: &dyn Error) -> String {
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

/// A completion, as far as it is used. Servers differ in the rest, and in what they leave out.
#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    system_fingerprint: Option<String>,
    #[serde(default)]
    usage: Option<UsageObject>,
}

#[derive(Deserialize)]
struct Choice {
    message: ChoiceMessage,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct ChoiceMessage {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
    /// The thinking, in the spelling of llama.cpp and DeepSeek.
    #[serde(default)]
    reasoning_content: Option<serde_json::Value>,
    /// The same in that of vLLM and OpenRouter; some send both.
    #[serde(default)]
    reasoning: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct UsageObject {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
}

#[derive(Deserialize)]
struct ErrorBody {
    error: ErrorObject,
}

/// Some servers write `code` as a number, some as a string.
#[derive(Deserialize)]
struct ErrorObject {
    #[serde(default)]
    message: Option<String>,
    #[serde(default, rename = "type")]
    kind: Option<serde_json::Value>,
    #[serde(default)]
    code: Option<serde_json::Value>,
}

impl ErrorObject {
    fn is_context_overflow(&self) -> bool {
        let names = [&self.kind, &self.code];
        names
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str())
            .any(|name| name == "exceed_context_size_error" || name == "context_length_exceeded")
    }
}

impl Completion {
    /// The first choice. A refusal or a filtered reply is the seat's refusal; a cut one is a fault whatever its words are.
    fn into_call(self) -> Result<Call, Failure> {
        let Some(choice) = self.choices.into_iter().next() else {
            let empty = Failure::silent("the completion holds no choice".to_owned());
            return Err(Failure { status: Some(200), ..empty });
        };
        let refusal = choice.message.refusal.filter(|words| !words.trim().is_empty());
        let fault = match choice.finish_reason.as_deref() {
            _ if refusal.is_some() => Some(Fault::Refused),
            Some("content_filter") => Some(Fault::Refused),
            Some("length") => Some(Fault::CutByLength),
            _ => None,
        };
        let (in_line, content) = thinking::apart(choice.message.content.unwrap_or_default());
        let told = [choice.message.reasoning_content, choice.message.reasoning].into_iter().flatten();
        let mut told =
            told.filter_map(|words| words.as_str().map(str::to_owned)).filter(|words| !words.trim().is_empty());
        Ok(Call {
            raw: refusal.unwrap_or(content),
            thinking: told.next().or(in_line),
            fault,
            finish_reason: choice.finish_reason,
            usage: self
                .usage
                .map(|usage| Usage { prompt_tokens: usage.prompt_tokens, completion_tokens: usage.completion_tokens }),
            model: self.model,
            fingerprint: self.system_fingerprint,
            attempts: Vec::new(),
        })
    }
}
