//! One attempt at one request: the only place that knows the key.
//!
//! The client library's own service retries without a word and forgets the status of an error it cannot read; this one
//! sends once, keeps the status, and takes the key out of whatever a server echoes.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_openai::config::Config;
use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use super::failure::{CONNECT_TIMEOUT, Failure, in_words, one_line};
use super::{Call, Request, reply, waits};
use crate::adapters::stopwatch::Stopwatch;
use crate::plan::OpenAiModel;

/// How long a key is at the least, in bytes; those of services have 30 and more.
const SECRET_BYTES_MIN: usize = 16;

/// Sends requests to one server with one key.
pub(super) struct Transport {
    library: async_openai::Client<Endpoint>,
    http: reqwest::Client,
    headers: HeaderMap,
    key: SecretString,
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
    let library = async_openai::Client::build(http.clone(), endpoint);
    Ok(Transport { library, http, headers, key })
}

impl Transport {
    /// Sends a request once.
    pub(super) async fn send(&self, request: &Request) -> Result<Call, Failure> {
        let (http, key, body) = (self.http.clone(), self.key.clone(), request.body().clone());
        let service = tower::service_fn(move |factory: HttpRequestFactory| {
            send_once(http.clone(), key.clone(), body.clone(), factory)
        });
        // The library is given nothing to write: the service sends the very bytes that are digested.
        let library = self.library.clone().with_http_service(service);
        let completion: Result<Value, OpenAIError> = library.chat().create_byot(()).await;
        let call = completion.map_err(Failure::of_library).and_then(reply::call_of);
        match call {
            Ok(call) => Ok(self.without_key(call)),
            Err(failure) => Err(Failure { reason: one_line(&redacted(&failure.reason, &self.key)), ..failure }),
        }
    }

    /// The same, should the server have echoed the key.
    fn without_key(&self, call: Call) -> Call {
        // Long replies are not copied for a key that is not looked for.
        if self.key.expose_secret().len() < SECRET_BYTES_MIN {
            return call;
        }
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
            200..=299 => Ok(Some(redacted(&body, &self.key))),
            _ if failure.may_pass() => Err(redact(failure)),
            _ => Ok(None),
        }
    }
}

/// Sends these bytes once and turns every status but success into a [`Failure`].
async fn send_once(
    http: reqwest::Client,
    key: SecretString,
    body: Bytes,
    factory: HttpRequestFactory,
) -> Result<reqwest::Response, OpenAIError> {
    let mut request = factory.build().await?;
    *request.body_mut() = Some(body.into());
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

/// Words without the key. One that is as short as a word of a reply is no secret but what a server without keys is given (`none`, `test`):
/// looking for it would change what was answered.
fn redacted(words: &str, key: &SecretString) -> String {
    match key.expose_secret() {
        key if key.len() < SECRET_BYTES_MIN => words.to_owned(),
        key => words.replace(key, "[key]"),
    }
}
