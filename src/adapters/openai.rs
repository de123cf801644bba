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
use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::adapters::stopwatch::Stopwatch;
use crate::domain::{Digest, Fault, Outage, Usage};
use crate::plan::{OpenAiModel, Price};
use crate::prompt::Message;
use crate::text;

mod budget;
mod lanes;
mod pause;
mod rate;
mod thinking;
mod transport;
mod waits;
mod window;

use budget::Reservation;
pub use budget::{Budget, Dollars, Spent};
use lanes::Lanes;
use pause::Pause;
use rate::Rate;
use transport::{Failure, transport};
pub use waits::Retries;

/// How often a wait looks whether the user has interrupted the run.
const LOOK: Duration = Duration::from_millis(100);

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
    retries: Retries,
    budget: Arc<Budget>,
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
    requests_per_minute: Option<u32>,
    tokens_per_minute: Option<u64>,
    retry_for_s: u64,
}

/// A client of one model.
pub struct Client {
    transport: Result<transport::Transport, String>,
    url: String,
    base_url: String,
    model: String,
    /// What the server says of the model's context window, once it was asked.
    window: OnceCell<Option<u32>>,
    lanes: Lanes,
    requests: Option<Rate>,
    tokens: Option<Rate>,
    pause: Pause,
    retries: Retries,
    budget: Arc<Budget>,
    /// How long a call is tried again.
    retry_for: Duration,
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
    /// What its tokens cost, where that is known; nothing that is sent.
    #[serde(skip)]
    price: Option<Price>,
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
    /// What a reasoning model thought before it replied, where the server told: nobody else's, and no part of the reply.
    pub thinking: Option<String>,
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
    /// What it may have used at the most, where the server may have answered and did not say what that took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<Usage>,
}

/// A call that brought no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unanswered {
    /// Why.
    pub outage: Outage,
    /// Every attempt, all of which failed.
    pub attempts: Vec<Attempt>,
}

impl Attempt {
    /// The attempt that a stopwatch was started for, and that is over now.
    fn since(clock: &Stopwatch, status: Option<u16>, failure: Option<String>, at_most: Option<Usage>) -> Self {
        Self { started_unix_ms: clock.started_unix_ms, wall_ms: clock.elapsed_ms(), status, failure, at_most }
    }
}

impl Default for Clients {
    fn default() -> Self {
        Self::new()
    }
}

impl Clients {
    /// Clients that try failed calls again as usual.
    pub fn new() -> Self {
        Self::retrying(Retries::default())
    }

    /// Clients that try them again in another way.
    pub fn retrying(retries: Retries) -> Self {
        Self { retries, budget: Arc::default(), open: Arc::default(), answered: Arc::default() }
    }

    /// The same, which spend no more than a budget.
    #[must_use]
    pub fn within(self, budget: Budget) -> Self {
        Self { budget: Arc::new(budget), ..self }
    }

    /// What calls took so far, with what the budget knows of earlier ones.
    pub fn spent(&self) -> Spent {
        self.budget.spent()
    }

    /// What the user is to be told of the servers and was not yet: that one is waited for, and that it answers again.
    pub fn news(&self) -> Vec<String> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.values().flat_map(|client| client.pause.news()).collect()
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
            requests_per_minute: model.requests_per_minute,
            tokens_per_minute: model.tokens_per_minute,
            retry_for_s: model.retry_for_s,
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let client = open.entry(access).or_insert_with(|| {
            Arc::new(Client {
                transport: transport(model),
                url: transport::without_credentials(&model.base_url),
                base_url: model.base_url.clone(),
                model: model.model.clone(),
                window: OnceCell::new(),
                lanes: Lanes::new(model.concurrency),
                requests: model.requests_per_minute.map(|most| Rate::new(most.into())),
                tokens: model.tokens_per_minute.map(Rate::new),
                pause: Pause::default(),
                retries: self.retries,
                budget: Arc::clone(&self.budget),
                retry_for: Duration::from_secs(model.retry_for_s),
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
            price: model.price,
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

impl Request {
    /// What it may use at the most: the tokens of its words, by an estimate that errs high, with the frame of each message, and
    /// those of the longest reply.
    fn usage_at_most(&self) -> Usage {
        /// Tokens that a server puts around a message.
        const FRAME: u64 = 8;
        let words = self.messages.iter().map(|message| FRAME + text::tokens_at_most(&message.content));
        let schema = self.response_format.as_ref().map_or(0, |format| text::tokens_at_most(&format.to_string()));
        Usage { prompt_tokens: words.sum::<u64>() + schema, completion_tokens: self.max_tokens.into() }
    }
}

impl Client {
    /// Calls the model, and again while the service fails in a way that may pass: no response, a response that is not a
    /// completion, or a status that is 408, 409, 429 or not of the 400s. It waits for a place among the calls under way, for
    /// the server's pauses, for what a minute may hold, and for what the budget leaves; none of it changes what is asked or
    /// answered.
    ///
    /// # Errors
    /// [`Unanswered`] with [`Outage::Unreachable`] when the service failed for as long as the model's `retry_for_s`, or a few times
    /// if it has never answered; with [`Outage::Unaffordable`] when the budget may not suffice; with [`Outage::Interrupted`]
    /// when `stop` was set before an attempt began.
    pub async fn call(&self, request: &Request, stop: &AtomicBool) -> Result<Call, Unanswered> {
        let mut attempts = Vec::new();
        match self.try_on(request, &mut attempts, stop).await {
            Ok(call) => Ok(Call { attempts, ..call }),
            Err(outage) => Err(Unanswered { outage, attempts }),
        }
    }

    async fn try_on(&self, request: &Request, attempts: &mut Vec<Attempt>, stop: &AtomicBool) -> Result<Call, Outage> {
        let transport = self.transport.as_ref().map_err(|reason| self.unreachable(reason.clone()))?;
        let _lane = self.lanes.enter().await;
        let (at_most, price) = (request.usage_at_most(), request.price);
        let taken = if self.tokens.is_some() { Spent::of(at_most, None).tokens } else { 0 };
        let begun = Instant::now();
        loop {
            self.may_begin(taken, stop).await?;
            let turn = self.pause.alone().await;
            let reservation = self.reserve(Spent::of(at_most, price), stop).await?;
            let (clock, sent) = (Stopwatch::start(), Instant::now());
            let outcome = transport.send(request).await;
            drop(turn);
            let failure = match outcome {
                Ok(call) => {
                    reservation.settle(Spent::of(call.usage.unwrap_or(at_most), price));
                    let unsaid = call.usage.is_none().then_some(at_most);
                    attempts.push(Attempt::since(&clock, Some(200), None, unsaid));
                    self.took(taken, call.usage);
                    self.lanes.widen();
                    self.pause.answered(&self.url);
                    self.answered.fetch_add(1, Ordering::Relaxed);
                    return Ok(call);
                }
                Err(failure) => failure,
            };
            let unsaid = failure.may_have_cost().then_some(at_most);
            reservation.settle(unsaid.map_or(Spent::default(), |usage| Spent::of(usage, price)));
            attempts.push(Attempt::since(&clock, failure.status, Some(failure.reason.clone()), unsaid));
            if failure.is_context_overflow {
                self.pause.answered(&self.url);
                return Ok(too_long(failure));
            }
            if failure.status == Some(429) {
                self.pause.prove();
                self.lanes.narrow(sent);
            }
            let lot = lot_of(request.digest().to_string().as_bytes(), attempts.len());
            match self.wait(&failure, attempts.len(), lot, begun.elapsed()) {
                Some(wait) => rest(wait, stop).await,
                None => return Err(self.unreachable(failure.in_words(attempts.len()))),
            }
        }
    }

    /// Sets aside what an attempt may come to.
    async fn reserve(&self, most: Spent, stop: &AtomicBool) -> Result<Reservation<'_>, Outage> {
        let reserved = self.budget.reserve(most).await;
        let reservation = reserved.map_err(|exhausted| Outage::Unaffordable { reason: exhausted.words })?;
        if stop.load(Ordering::Relaxed) {
            reservation.settle(Spent::default());
            return Err(Outage::Interrupted);
        }
        Ok(reservation)
    }

    /// Waits until the server is not paused and a minute holds one more call of so many tokens.
    async fn may_begin(&self, tokens: u64, stop: &AtomicBool) -> Result<(), Outage> {
        let mut takes: Vec<(&Rate, u64)> = Vec::new();
        takes.extend(self.requests.as_ref().map(|rate| (rate, 1)));
        takes.extend(self.tokens.as_ref().map(|rate| (rate, tokens)));
        let mut takes = takes.into_iter().peekable();
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Outage::Interrupted);
            }
            let wait = match (self.pause.left(), takes.peek()) {
                (Some(left), _) => left,
                (None, None) => return Ok(()),
                (None, Some((rate, amount))) => match rate.take(*amount) {
                    Ok(()) => {
                        takes.next();
                        continue;
                    }
                    Err(wait) => wait,
                },
            };
            rest(wait, stop).await;
        }
    }

    /// Corrects the tokens taken to those used, where the server says how many that were.
    fn took(&self, taken: u64, usage: Option<Usage>) {
        if let (Some(rate), Some(usage)) = (&self.tokens, usage) {
            rate.settle(taken, usage.prompt_tokens + usage.completion_tokens);
        }
    }

    /// How long to wait after a failure, so many failures into a call that began so long ago; `None` to give up. A failure
    /// that concerns all calls of the server pauses them all.
    fn wait(&self, failure: &Failure, failures: usize, lot: u64, since: Duration) -> Option<Duration> {
        let wait = self.retries.wait(u32::try_from(failures).unwrap_or(u32::MAX), lot, failure.asked);
        let is_hopeless = !self.pause.is_proven() && failures >= self.retries.tries_unproven;
        if !failure.may_pass() || is_hopeless || since.saturating_add(wait) > self.retry_for {
            return None;
        }
        if failure.concerns_all() && self.pause.is_proven() {
            self.pause.rest(wait, || {
                let most = self.retry_for.as_secs();
                let why = failure.in_words(1);
                format!("{}: {why}; no call begins until it answers, for {most} s at most", self.url)
            });
        }
        Some(wait)
    }

    /// The model's context window in tokens, as its server tells it; `None` where it does not. The server is asked once.
    ///
    /// # Errors
    /// [`Outage::Unreachable`] when the service failed as long as patience lasts; [`Outage::Interrupted`].
    pub async fn window(&self, stop: &AtomicBool, patience: Patience) -> Result<Option<u32>, Outage> {
        let ask = async || {
            let list = format!("{}/models", self.base_url.trim_end_matches('/'));
            let listed = self.look(&list, patience, stop).await?;
            if let Some(told) = listed.and_then(|body| window::listed(&body, &self.model)) {
                return Ok(Some(told));
            }
            let Some(properties) = window::properties_url(&self.base_url) else { return Ok(None) };
            Ok(self.look(&properties, patience, stop).await?.and_then(|body| window::of_properties(&body)))
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
    async fn look(&self, url: &str, patience: Patience, stop: &AtomicBool) -> Result<Option<String>, Outage> {
        let transport = self.transport.as_ref().map_err(|reason| self.unreachable(reason.clone()))?;
        let _lane = self.lanes.enter().await;
        let begun = Instant::now();
        for attempt in 1.. {
            self.may_begin(0, stop).await?;
            let failure = match transport.look(url).await {
                Ok(body) => return Ok(body),
                Err(failure) => failure,
            };
            let lot = lot_of(url.as_bytes(), attempt);
            let wait = match patience {
                Patience::OfACall => self.wait(&failure, attempt, lot, begun.elapsed()),
                Patience::Short => None,
            };
            match wait {
                Some(wait) => rest(wait, stop).await,
                None => return Err(self.unreachable(failure.in_words(attempt))),
            }
        }
        unreachable!("invariant: attempts come to an end")
    }

    fn unreachable(&self, reason: String) -> Outage {
        Outage::Unreachable { url: self.url.clone(), reason }
    }
}

/// Waits, but not on after the user has interrupted the run.
async fn rest(wait: Duration, stop: &AtomicBool) {
    let until = Instant::now() + wait;
    while !stop.load(Ordering::Relaxed) && Instant::now() < until {
        tokio::time::sleep_until(until.min(Instant::now() + LOOK)).await;
    }
}

/// A number for the wait after an attempt: calls that failed together have different ones. It decides when, never what.
fn lot_of(request: &[u8], attempt: usize) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(request).update(&(attempt as u64).to_le_bytes());
    let mut lot = [0; 8];
    hasher.finalize_xof().fill(&mut lot);
    u64::from_le_bytes(lot)
}

/// A question that did not fit the model is the seat's affair, whatever status it came with.
fn too_long(failure: Failure) -> Call {
    Call {
        raw: failure.reason,
        thinking: None,
        fault: Some(Fault::ContextTooLong),
        finish_reason: None,
        usage: None,
        model: None,
        fingerprint: None,
        attempts: Vec::new(),
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
