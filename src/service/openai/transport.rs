//! One attempt at one request. Only this module knows the key.
//!
//! The client library's service retries silently and loses the status of unreadable errors. This service sends once, keeps the
//! status, and removes the key from a server's texts.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_openai::config::Config;
use async_openai::error::OpenAIError;
use async_openai::middleware::HttpRequestFactory;
use bytes::Bytes;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use secrecy::SecretString;
use serde_json::Value;
use tokio::sync::OnceCell;

use super::failure::{CONNECT_TIMEOUT, RequestFailure, in_words, one_line};
use super::redaction::Redaction;
use super::{Request, reply, retries};
use crate::plan::{OpenAiModel, is_on_this_machine};
use crate::service::stopwatch::Stopwatch;
use crate::store::calls::Call;

/// The maximum body in bytes, ten times a reply of a million tokens.
const BODY_BYTES_MAX: u64 = 64 << 20;

/// Sends requests to one server with one key.
pub(super) struct Transport {
    library: async_openai::Client<Endpoint>,
    way: Arc<TransportContext>,
}

struct TransportContext {
    http: reqwest::Client,
    base: String,
    redaction: Redaction,
    headers: HeaderMap,
    /// The library's first request, reused as a template; only bodies and headers differ.
    pattern: OnceCell<reqwest::Request>,
}

/// The endpoint for the library, which reads nothing from the environment.
#[derive(Clone)]
struct Endpoint(Arc<TransportContext>);

/// Opens the transport to a model's server.
///
/// # Errors
/// If the key is missing or invalid in a header, or the network stack cannot be set up.
#[expect(clippy::disallowed_methods, reason = "a key is read from the environment, here and nowhere else")]
pub(super) fn open_transport(model: &OpenAiModel) -> Result<Transport, String> {
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
    install_cryptography();
    let mut http = reqwest::Client::builder();
    if is_on_this_machine(&model.base_url) {
        // Proxies in the environment do not apply to this machine.
        http = http.no_proxy();
    }
    let http = http
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(Duration::from_secs(model.timeout_s))
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| in_words(&error))?;
    let base = model.base_url.trim_end_matches('/').to_owned();
    let redaction = Redaction::new(SecretString::from(key));
    let way = TransportContext { http, base, redaction, headers, pattern: OnceCell::new() };
    let way = Arc::new(way);
    let library = async_openai::Client::build(way.http.clone(), Endpoint(Arc::clone(&way)));
    Ok(Transport { library, way })
}

/// Installs `ring` as the process's TLS cryptography, unless an embedding program has installed another.
fn install_cryptography() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // If another thread has installed it meanwhile, that is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}

impl Transport {
    pub(super) async fn send(&self, request: &Request) -> Result<Call, RequestFailure> {
        let (way, body, headers) = (Arc::clone(&self.way), request.body().clone(), request.headers.clone());
        let service = tower::service_fn(move |factory: HttpRequestFactory| {
            send_once(Arc::clone(&way), body.clone(), headers.clone(), factory)
        });
        // The library serialises nothing: the service sends the digested bytes.
        let library = self.library.clone().with_http_service(service);
        let completion: Result<Value, OpenAIError> = library.chat().create_byot(()).await;
        let call = completion.map_err(RequestFailure::of_library).and_then(reply::call_of);
        match call {
            Ok(call) => Ok(self.without_key(call)),
            Err(failure) => {
                Err(RequestFailure { reason: one_line(&self.way.redaction.redact(&failure.reason)), ..failure })
            }
        }
    }

    fn without_key(&self, call: Call) -> Call {
        // Avoids copying long replies if the key is not redacted.
        let redaction = &self.way.redaction;
        if !redaction.is_secret() {
            return call;
        }
        let word = |word: Option<String>| word.map(|word| redaction.redact(&word));
        Call {
            raw: redaction.redact(&call.raw),
            thinking: word(call.thinking),
            finish_reason: word(call.finish_reason),
            model: word(call.model),
            fingerprint: word(call.fingerprint),
            ..call
        }
    }

    /// Fetches a URL of the server; `None` if it does not exist or is not accessible.
    ///
    /// # Errors
    /// If a retry may succeed, or the key is refused.
    pub(super) async fn fetch_url(&self, url: &str) -> Result<Option<String>, RequestFailure> {
        let TransportContext { http, redaction, headers, .. } = &*self.way;
        let response =
            http.get(url).headers(headers.clone()).send().await.map_err(|error| at_fault(error, redaction))?;
        let (status, asked) = (response.status().as_u16(), retries::requested_wait(response.headers(), current_time()));
        let body = text_of(response, redaction).await?;
        let failure = RequestFailure { asked, ..RequestFailure::of_status(status, &redaction.redact(&body)) };
        match status {
            200..=299 if redaction.is_secret() => Ok(Some(redaction.redact(&body))),
            200..=299 => Ok(Some(body)),
            // A refused key fails everywhere.
            _ if failure.may_pass() || status == 401 => Err(failure),
            _ => Ok(None),
        }
    }
}

fn at_fault(error: reqwest::Error, redaction: &Redaction) -> RequestFailure {
    let failure = RequestFailure::of_network(error);
    RequestFailure { reason: one_line(&redaction.redact(&failure.reason)), ..failure }
}

/// Sends the bytes once; an error status is a [`RequestFailure`].
async fn send_once(
    way: Arc<TransportContext>,
    body: Bytes,
    headers: HeaderMap,
    factory: HttpRequestFactory,
) -> Result<reqwest::Response, OpenAIError> {
    let pattern = way.pattern.get_or_try_init(|| factory.build()).await?;
    let mut request = pattern.try_clone().expect("invariant: a request without a stream can be copied");
    *request.body_mut() = Some(body.into());
    request.headers_mut().extend(headers);
    let response = way.http.execute(request).await.map_err(OpenAIError::Reqwest)?;
    let status = response.status();
    let known = response.content_length();
    if status.is_success() && known.is_some_and(|bytes| bytes <= BODY_BYTES_MAX) {
        return Ok(response);
    }
    let boxed = |failure: RequestFailure| OpenAIError::Boxed(Box::new(failure));
    let asked = retries::requested_wait(response.headers(), current_time());
    if status.is_success() {
        let body = bytes_of(response, &way.redaction).await.map_err(boxed)?;
        return Ok(http::Response::new(body).into());
    }
    let body = text_of(response, &way.redaction).await.map_err(boxed)?;
    // Before any text is cut, since half a key would not be found.
    let body = way.redaction.redact(&body);
    Err(boxed(RequestFailure { asked, ..RequestFailure::of_status(status.as_u16(), &body) }))
}

/// A body as text, with invalid UTF-8 replaced.
async fn text_of(response: reqwest::Response, redaction: &Redaction) -> Result<String, RequestFailure> {
    Ok(String::from_utf8_lossy(&bytes_of(response, redaction).await?).into_owned())
}

async fn bytes_of(mut response: reqwest::Response, redaction: &Redaction) -> Result<Vec<u8>, RequestFailure> {
    let status = response.status().as_u16();
    let endless = || RequestFailure {
        status: Some(status),
        ..RequestFailure::without_response(format!("its body has more than {} MB", BODY_BYTES_MAX >> 20))
    };
    if response.content_length().is_some_and(|bytes| bytes > BODY_BYTES_MAX) {
        return Err(endless());
    }
    let mut body = Vec::new();
    while let Some(some) = response.chunk().await.map_err(|error| at_fault(error, redaction))? {
        body.extend_from_slice(&some);
        if body.len() as u64 > BODY_BYTES_MAX {
            return Err(endless());
        }
    }
    Ok(body)
}

/// The time of day, for dates in `Retry-After`.
fn current_time() -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(Stopwatch::start().started_unix_ms)
}

impl Config for Endpoint {
    fn headers(&self) -> HeaderMap {
        self.0.headers.clone()
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.0.base)
    }

    fn query(&self) -> Vec<(&str, &str)> {
        Vec::new()
    }

    fn api_base(&self) -> &str {
        &self.0.base
    }

    fn api_key(&self) -> &SecretString {
        self.0.redaction.key()
    }
}

/// A base URL without user name and password.
pub fn without_credentials(base_url: &str) -> String {
    match reqwest::Url::parse(base_url) {
        Ok(mut url) if !url.username().is_empty() || url.password().is_some() => {
            // Both setters fail only for URLs that cannot have credentials.
            let _ = url.set_username("");
            let _ = url.set_password(None);
            url.to_string()
        }
        _ => base_url.to_owned(),
    }
}
