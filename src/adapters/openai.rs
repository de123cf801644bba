//! Calls to an OpenAI-compatible server: one request, what came back, and every attempt it took.
//!
//! A fault of the seat (its reply was cut, refused, or the question did not fit) comes back as a [`Call`]; a failure of the
//! service is an [`Outage`] after the retries. Nothing here reads a reply's words or writes a file.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_openai::error::OpenAIError;
use serde::{Deserialize, Serialize};
use tokio::sync::{OnceCell, Semaphore};

use crate::adapters::stopwatch::Stopwatch;
use crate::domain::{Digest, Fault, Outage, Usage};
use crate::plan::OpenAiModel;
use crate::prompt::Message;

mod transport;
mod window;

use transport::{Failure, transport};

/// How long is waited before each retry, unless [`Clients::with_waits`] says otherwise.
const WAITS: [Duration; 3] = [Duration::from_millis(500), Duration::from_millis(1_000), Duration::from_millis(2_000)];

/// How long a server is asked for a window, where that is to take a moment only.
const SHORT: Duration = Duration::from_secs(3);

/// How patiently a server is asked for a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// As a call is made: with its time-out, and again after each wait.
    OfACall,
    /// Once, and for three seconds.
    Short,
}

/// The clients of all model servers, shared by all sessions. Cloning shares them.
#[derive(Clone)]
pub struct Clients {
    waits: Arc<[Duration]>,
    open: Arc<Mutex<BTreeMap<Access, Arc<Client>>>>,
    answered: Arc<AtomicU64>,
}

/// What tells one client from another: where it calls, with which key, and how patiently.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Access {
    model: String,
    base_url: String,
    api_key_env: Option<String>,
    timeout_s: u64,
    concurrency: usize,
}

/// A client of one model.
pub struct Client {
    transport: Result<transport::Transport, String>,
    url: String,
    base_url: String,
    model: String,
    /// What the server says of the model's context window, once it was asked.
    window: OnceCell<Option<u32>>,
    slots: Semaphore,
    waits: Arc<[Duration]>,
    answered: Arc<AtomicU64>,
}

/// The body of a request; its bytes are what is digested and sent.
#[derive(Debug, Clone, Serialize)]
pub struct Request {
    model: String,
    messages: Vec<RequestMessage>,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<serde_json::Value>,
}

#[derive(Debug, Clone, Serialize)]
struct RequestMessage {
    role: &'static str,
    content: String,
}

/// What a call brought, and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The words as they came: the content, the words of a refusal, or what the server said of a question too long for it.
    pub raw: String,
    /// What is wrong with the reply before its words are read; `None` leaves that to the words.
    pub fault: Option<Fault>,
    /// Why the model stopped, in the server's spelling.
    pub finish_reason: Option<String>,
    /// What the call used.
    pub usage: Option<Usage>,
    /// The model the server says it used.
    pub model: Option<String>,
    /// The server's fingerprint of model and settings.
    pub fingerprint: Option<String>,
    /// Every attempt, the last of which succeeded.
    pub attempts: Vec<Attempt>,
}

/// One attempt at a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// When it began, in milliseconds since 1970 (UTC).
    pub started_unix_ms: u64,
    /// How long it took, in milliseconds.
    pub wall_ms: u64,
    /// The HTTP status; absent when no response came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// What failed; absent when it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl Default for Clients {
    fn default() -> Self {
        Self::new()
    }
}

impl Clients {
    /// Clients that retry an outage three times, after 0.5, 1 and 2 seconds.
    pub fn new() -> Self {
        Self::with_waits(&WAITS)
    }

    /// Clients that retry an outage once after each of these waits.
    pub fn with_waits(waits: &[Duration]) -> Self {
        Self { waits: waits.into(), open: Arc::default(), answered: Arc::default() }
    }

    /// How many calls were answered so far, over all sessions.
    pub fn answered(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }

    /// The client of a model; sessions that name the same server, model and limits share one.
    ///
    /// The key is read from the model's environment variable now. One that is not set is an outage when it is needed.
    pub fn client(&self, model: &OpenAiModel) -> Arc<Client> {
        let access = Access {
            model: model.model.clone(),
            base_url: model.base_url.clone(),
            api_key_env: model.api_key_env.clone(),
            timeout_s: model.timeout_s,
            concurrency: model.concurrency,
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let client = open.entry(access).or_insert_with(|| {
            Arc::new(Client {
                transport: transport(model),
                url: transport::without_credentials(&model.base_url),
                base_url: model.base_url.clone(),
                model: model.model.clone(),
                window: OnceCell::new(),
                slots: Semaphore::new(model.concurrency.clamp(1, Semaphore::MAX_PERMITS)),
                waits: self.waits.clone(),
                answered: Arc::clone(&self.answered),
            })
        });
        client.clone()
    }
}

impl Request {
    /// The request for messages to a model. With a schema the server is asked to enforce it.
    pub fn new(model: &OpenAiModel, messages: Vec<Message>, schema: Option<serde_json::Value>) -> Self {
        let messages = messages
            .into_iter()
            .map(|message| RequestMessage { role: message.role.as_str(), content: message.content });
        Self {
            model: model.model.clone(),
            messages: messages.collect(),
            max_tokens: model.max_tokens,
            temperature: model.temperature,
            response_format: schema.map(|schema| {
                serde_json::json!({
                    "type": "json_schema",
                    "json_schema": { "name": "reply", "strict": true, "schema": schema },
                })
            }),
        }
    }

    /// The digest of the bytes that are sent: it changes with the prompt and the sampling, not with the server's address.
    ///
    /// # Panics
    /// Never: a request holds nothing that JSON cannot.
    pub fn digest(&self) -> Digest {
        Digest::of(&serde_json::to_vec(self).expect("invariant: a request serialises"))
    }
}

impl Client {
    /// Calls the model, and again after each wait while the service fails in a way that may pass: no response, a response
    /// that is not a completion, or a status that is 408, 409, 429 or not of the 400s.
    ///
    /// # Errors
    /// [`Outage::Unreachable`] when the service failed; [`Outage::Interrupted`] when `stop` was set before an attempt began.
    pub async fn call(&self, request: &Request, stop: &AtomicBool) -> Result<Call, Outage> {
        let transport = self.transport.as_ref().map_err(|reason| self.unreachable(reason.clone()))?;
        let _slot = self.slots.acquire().await.expect("invariant: a client's slots are never closed");
        let mut attempts = Vec::new();
        let mut waits = self.waits.iter();
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Outage::Interrupted);
            }
            let clock = Stopwatch::start();
            let outcome = transport.send(request).await;
            let mut attempt = Attempt {
                started_unix_ms: clock.started_unix_ms,
                wall_ms: clock.elapsed_ms(),
                status: Some(200),
                failure: None,
            };
            let failure = match outcome {
                Ok(call) => {
                    attempts.push(attempt);
                    self.answered.fetch_add(1, Ordering::Relaxed);
                    return Ok(Call { attempts, ..call });
                }
                Err(failure) => failure,
            };
            attempt.status = failure.status;
            attempt.failure = Some(failure.reason.clone());
            attempts.push(attempt);
            if failure.is_context_overflow {
                return Ok(too_long(failure, attempts));
            }
            match waits.next() {
                Some(wait) if failure.may_pass() => tokio::time::sleep(*wait).await,
                _ => return Err(self.unreachable(failure.in_words(attempts.len()))),
            }
        }
    }

    /// The model's context window in tokens, as its server tells it; `None` where it does not. The server is asked once.
    ///
    /// # Errors
    /// [`Outage::Unreachable`] when the service failed as long as patience lasts; [`Outage::Interrupted`].
    pub async fn window(&self, stop: &AtomicBool, patience: Patience) -> Result<Option<u32>, Outage> {
        let waits: &[Duration] = match patience {
            Patience::OfACall => &self.waits,
            Patience::Short => &[],
        };
        let ask = async || {
            let list = format!("{}/models", self.base_url.trim_end_matches('/'));
            if let Some(told) = self.look(&list, waits, stop).await?.and_then(|body| window::listed(&body, &self.model))
            {
                return Ok(Some(told));
            }
            let Some(properties) = window::properties_url(&self.base_url) else { return Ok(None) };
            Ok(self.look(&properties, waits, stop).await?.and_then(|body| window::of_properties(&body)))
        };
        let asking = self.window.get_or_try_init(ask);
        match patience {
            Patience::OfACall => asking.await.copied(),
            Patience::Short => match tokio::time::timeout(SHORT, asking).await {
                Ok(told) => told.copied(),
                Err(_) => Err(self.unreachable(format!("no answer in {} s", SHORT.as_secs()))),
            },
        }
    }

    /// What stands at an address of the server, if anything does.
    async fn look(&self, url: &str, waits: &[Duration], stop: &AtomicBool) -> Result<Option<String>, Outage> {
        let transport = self.transport.as_ref().map_err(|reason| self.unreachable(reason.clone()))?;
        let _slot = self.slots.acquire().await.expect("invariant: a client's slots are never closed");
        let mut waits = waits.iter();
        for attempt in 1.. {
            if stop.load(Ordering::Relaxed) {
                return Err(Outage::Interrupted);
            }
            match transport.look(url).await {
                Ok(body) => return Ok(body),
                Err(failure) => match waits.next() {
                    Some(wait) => tokio::time::sleep(*wait).await,
                    None => return Err(self.unreachable(failure.in_words(attempt))),
                },
            }
        }
        unreachable!("invariant: waits come to an end")
    }

    fn unreachable(&self, reason: String) -> Outage {
        Outage::Unreachable { url: self.url.clone(), reason }
    }
}

/// A question that did not fit the model is the seat's affair, whatever status it came with.
fn too_long(failure: Failure, attempts: Vec<Attempt>) -> Call {
    Call {
        raw: failure.reason,
        fault: Some(Fault::ContextTooLong),
        finish_reason: None,
        usage: None,
        model: None,
        fingerprint: None,
        attempts,
    }
}

/// What the client library makes of a failure, in this module's terms.
fn failure(error: OpenAIError) -> Failure {
    match error {
        OpenAIError::Boxed(inner) => match inner.downcast::<Failure>() {
            Ok(failure) => *failure,
            Err(other) => Failure::silent(other.to_string()),
        },
        OpenAIError::Reqwest(error) => Failure::of_network(error),
        OpenAIError::JSONDeserialize(error, _) => {
            Failure { status: Some(200), ..Failure::silent(format!("the response is not a chat completion: {error}")) }
        }
        other => Failure::silent(other.to_string()),
    }
}
