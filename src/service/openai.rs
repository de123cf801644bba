//! Calls an OpenAI-compatible server, with retries.
//!
//! A fault of the seat (a reply that was cut or refused, or a question that is too long) is a [`Call`]. A failure of the service
//! is an [`Outage`] after the retries. Nothing here reads replies or writes files.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::domain::{Outage, Usage};
use crate::plan::{OpenAiModel, Price};
use crate::service::stopwatch::Stopwatch;
use crate::store::calls::{Attempt, Call, ServedModel, Spending};

mod batch;
mod body;
mod budget;
mod concurrency;
mod failure;
mod form;
mod log;
mod model_identity;
mod pause;
mod rate;
mod redaction;
mod reply;
mod reply_limit;
mod request;
mod retries;
mod thinking;
mod tls;
mod transport;
mod version;
mod window;

pub use batch::BatchReply;
pub use budget::Budget;
use budget::Reservation;
use concurrency::Lanes;
use failure::RequestFailure;
pub use form::{FoundForm, Probe};
use log::{CallLog, ServerAddress};
pub use model_identity::{OnModelChange, ServedModels};
use pause::{Pause, PriorServerState};
use rate::Rate;
pub use request::Request;
use retries::CallFailures;
pub use retries::Retries;
use transport::open_transport;
pub use transport::without_credentials;

/// How often a wait checks for an interrupt.
const LOOK: Duration = Duration::from_millis(100);

/// The time-out of [`Patience::Short`].
const SHORT_WAIT: Duration = Duration::from_secs(3);

/// How patiently a server is asked for a context window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// With the time-out and retries of a call.
    OfACall,
    /// Once, for three seconds.
    Short,
}

/// The clients of all model servers, shared by all sessions. Clones share their state.
#[derive(Clone)]
pub struct Clients {
    retries: Retries,
    budget: Arc<Budget>,
    open: Arc<Mutex<BTreeMap<Access, Arc<Client>>>>,
    /// The state of each server, by base URL.
    servers: Arc<Mutex<BTreeMap<String, Arc<Pause>>>>,
    answered: Arc<AtomicU64>,
    served: Arc<ServedModels>,
    /// The number of runs that share a server's rate limits.
    runs: u32,
}

/// The key of a client: server, API key variable, and limits.
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
    place: ServerAddress,
    base_url: String,
    api_key_env: Option<String>,
    model: String,
    /// The context window from the server; unset until it was asked.
    window: OnceCell<Option<u32>>,
    /// The server's version; unset until it was asked.
    version: OnceCell<Option<String>>,
    form: form::KnownForm,
    lanes: Lanes,
    requests: Option<Rate>,
    tokens: Option<Rate>,
    /// The pause of this model and key.
    pause: Pause,
    /// The pause of the server.
    server: Arc<Pause>,
    retries: Retries,
    budget: Arc<Budget>,
    retry_for: Duration,
    answered: Arc<AtomicU64>,
    served: Arc<ServedModels>,
}

/// A call without an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnansweredCall {
    /// The reason.
    pub outage: Outage,
    /// The failed attempts.
    pub attempts: Vec<Attempt>,
}

impl Default for Clients {
    fn default() -> Self {
        Self::new()
    }
}

impl Clients {
    /// Clients with default retries.
    pub fn new() -> Self {
        Self::with_retries(Retries::default())
    }

    /// Clients with these retries.
    pub fn with_retries(retries: Retries) -> Self {
        Self {
            retries,
            budget: Arc::default(),
            open: Arc::default(),
            servers: Arc::default(),
            answered: Arc::default(),
            served: Arc::default(),
            runs: 1,
        }
    }

    /// Limits what is spent.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget: Arc::new(budget), ..self }
    }

    /// Divides each rate limit by the number of runs that share it.
    #[must_use]
    pub fn with_shared_rates(self, runs: u32) -> Self {
        Self { runs, ..self }
    }

    /// Compares the models that answer with earlier ones.
    #[must_use]
    pub fn with_served_models(self, served: Arc<ServedModels>) -> Self {
        Self { served, ..self }
    }

    /// Fails if a model of a session changed and changes stop the session.
    ///
    /// # Errors
    /// [`Outage::ModelChanged`].
    pub fn check_model_changes<'m>(&self, models: impl Iterator<Item = &'m OpenAiModel>) -> Result<(), Outage> {
        self.served.check_model_changes(models.map(|model| model.name.as_str()))
    }

    /// The spending so far, including earlier runs that the budget counts.
    pub fn total_spent(&self) -> Spending {
        self.budget.total_spent()
    }

    /// Unreported messages for the user: servers that are down or up again, changed models, and unclear reply forms.
    pub fn take_news(&self) -> Vec<String> {
        let servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let forms = open.values().filter_map(|client| client.form.take_news(&client.model));
        servers.values().flat_map(|server| server.take_news()).chain(self.served.take_news()).chain(forms).collect()
    }

    /// Why one of these models is not called any more; `None` if all may be called. A model or server that exhausted its retries,
    /// refuses every call or has no usable key is not called again before the program ends.
    pub fn given_up_outage<'m>(&self, mut models: impl Iterator<Item = &'m OpenAiModel>) -> Option<Outage> {
        models.find_map(|model| self.client_for(model).given_up_outage())
    }

    /// The number of answered calls in all sessions.
    pub fn answered_calls(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }

    /// The client of a model. Sessions with equal server, model and limits share one.
    ///
    /// The API key is read from its environment variable now; a missing key is an outage when it is needed.
    pub fn client_for(&self, model: &OpenAiModel) -> Arc<Client> {
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
        let server = {
            let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(servers.entry(model.base_url.clone()).or_default())
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let client = open.entry(access).or_insert_with(|| {
            Arc::new(Client {
                transport: open_transport(model),
                url: transport::without_credentials(&model.base_url),
                place: ServerAddress::from_base_url(&model.base_url),
                base_url: model.base_url.clone(),
                api_key_env: model.api_key_env.clone(),
                model: model.model.clone(),
                window: OnceCell::new(),
                version: OnceCell::new(),
                form: form::KnownForm::default(),
                lanes: Lanes::new(model.concurrency),
                requests: model.requests_per_minute.map(|most| Rate::new(u64::from(most / self.runs))),
                tokens: model.tokens_per_minute.map(|most| Rate::new(most / u64::from(self.runs))),
                pause: Pause::default(),
                server,
                retries: self.retries,
                budget: Arc::clone(&self.budget),
                retry_for: Duration::from_secs(model.retry_for_s),
                answered: Arc::clone(&self.answered),
                served: Arc::clone(&self.served),
            })
        });
        client.clone()
    }
}

impl Client {
    /// Calls the model. Retries if there is no response, if the response is not a completion, and for the status codes 408, 409,
    /// 429 and all outside 400–499. Once a call is given up for a reason that affects others, no call of the model or server
    /// begins any more. A call waits for a free lane, for the server's pauses, for the rate limits and for the budget; none of
    /// these changes the question or the answer.
    ///
    /// `begun` gets the call's maximum usage before the first attempt; its error ends the call.
    ///
    /// # Errors
    /// [`UnansweredCall`] with [`Outage::Unreachable`] if the service failed for the model's `retry_for_s`, or a few times
    /// without ever answering; with [`Outage::Unaffordable`] if the budget may be too small; with [`Outage::Interrupted`] if
    /// `stop` was set before an attempt began.
    pub async fn call(
        &self,
        request: &Request,
        stop: &AtomicBool,
        mut begun: impl FnMut(Usage) -> Result<(), Outage> + Send,
    ) -> Result<Call, UnansweredCall> {
        let mut attempts = Vec::new();
        match self.try_call(request, &mut attempts, stop, &mut begun).await {
            Ok(call) => Ok(Call { attempts, ..call }),
            Err(outage) => Err(UnansweredCall { outage, attempts }),
        }
    }

    /// Counts the usage of an answer that was not called for here.
    pub fn count_spent(&self, usage: Usage, price: Option<Price>) {
        self.budget.add_spent(Spending::from_usage(usage, price));
    }

    async fn try_call(
        &self,
        request: &Request,
        attempts: &mut Vec<Attempt>,
        stop: &AtomicBool,
        begun: &mut (impl FnMut(Usage) -> Result<(), Outage> + Send),
    ) -> Result<Call, Outage> {
        let transport = self.transport.as_ref().map_err(|reason| self.unreachable_outage(reason.clone()))?;
        let _lane = self.lanes.enter().await;
        let (at_most, price) = (request.usage_at_most(), request.price);
        let taken = if self.tokens.is_some() { Spending::from_usage(at_most, None).tokens } else { 0 };
        let (log, mut failing, mut failures) = (CallLog::new(&self.place, request), None, CallFailures::default());
        loop {
            self.wait_until_allowed(taken, stop).await?;
            let turn = self.server.wait_for_turn().await;
            self.check_given_up()?;
            let most =
                if self.budget.is_limited() { Spending::from_usage(at_most, price) } else { Spending::default() };
            let reservation = self.reserve_budget(most, stop).await?;
            if attempts.is_empty()
                && let Err(outage) = begun(at_most)
            {
                reservation.settle(Spending::default());
                return Err(outage);
            }
            let (clock, sent) = (Stopwatch::start(), Instant::now());
            log.log_attempt(attempts.len() + 1);
            let outcome = transport.send(request).await;
            drop(turn);
            let failure = match outcome {
                Ok(call) => {
                    reservation.settle(Spending::from_usage(call.usage.unwrap_or(at_most), price));
                    let unsaid = call.usage.is_none().then_some(at_most);
                    attempts.push(clock.timed_attempt(Some(200), None, unsaid));
                    log.log_answer(attempts.len(), &call, clock.elapsed_ms());
                    self.settle_tokens(taken, call.usage);
                    self.lanes.widen();
                    self.note_answer();
                    self.answered.fetch_add(1, Ordering::Relaxed);
                    return Ok(call);
                }
                Err(failure) => failure,
            };
            let unsaid = failure.may_have_cost().then_some(at_most);
            reservation.settle(unsaid.map_or(Spending::default(), |usage| Spending::from_usage(usage, price)));
            attempts.push(clock.timed_attempt(failure.status, Some(failure.reason.clone()), unsaid));
            log.log_failure(attempts.len(), &failure, clock.elapsed_ms());
            let failure = match self.answer_from_failure(request, failure) {
                Ok(call) => return Ok(call),
                Err(failure) => failure,
            };
            if failure.is_of_haste() {
                self.server.mark_proven();
                self.lanes.narrow(sent);
            }
            let lot = lot_of(request.digest().to_string().as_bytes(), attempts.len());
            let since = *failing.get_or_insert(sent);
            match self.wait_after_failure(&failure, failures.add(&failure), lot, since.elapsed()) {
                Some(wait) => {
                    log.log_retry(attempts.len(), wait);
                    self.wait_unless_stopped(wait, stop).await;
                }
                None => {
                    log.log_give_up(attempts.len(), &failure);
                    return Err(self.give_up(&failure, attempts.len(), since));
                }
            }
        }
    }

    /// Turns a failure that concerns the question into an answer; else returns the failure.
    fn answer_from_failure(&self, request: &Request, failure: RequestFailure) -> Result<Call, RequestFailure> {
        let is_of_model = failure.is_context_overflow && !request.has_more_room();
        let call = failure.into_answer(request)?;
        if is_of_model {
            self.note_answer();
        } else {
            self.note_server_answer();
        }
        Ok(call)
    }

    fn note_answer(&self) {
        self.note_server_answer();
        self.pause.mark_answered(&self.url);
    }

    fn note_server_answer(&self) {
        if self.server.mark_answered(&self.url) == PriorServerState::Down {
            self.place.log_server_back();
        }
    }

    /// The outage of a call that has failed since `since`. Also gives up other calls that would fail alike.
    fn give_up(&self, failure: &RequestFailure, attempts: usize, since: Instant) -> Outage {
        let words = format!("{}{}", failure.in_words(attempts), self.access_advice(failure));
        // Equal failures at one time share the first one's reason.
        let all = if failure.is_of_server() { &*self.server } else { &self.pause };
        let words = if failure.is_of_question() { words } else { all.shared_reason(failure.kind(), words) };
        // If the server answered other questions meanwhile, only this question failed.
        if failure.is_of_access() || !failure.is_of_question() && !all.has_answered_since(since) {
            all.give_up(&words);
        }
        self.unreachable_outage(words)
    }

    /// Advice to check the key, the model's name or the address.
    fn access_advice(&self, failure: &RequestFailure) -> String {
        match (failure.is_of_access(), failure.status, &self.api_key_env) {
            (true, Some(401 | 403), Some(variable)) => {
                format!("; check the key in the environment variable {variable}")
            }
            (true, Some(401 | 403), None) => "; the config names no key: set the model's api_key_env".to_owned(),
            (true, Some(404), _) => format!("; check base_url and the model's name, {}", self.model),
            _ => String::new(),
        }
    }

    fn given_up_outage(&self) -> Option<Outage> {
        let no_way = self.transport.as_ref().err().cloned();
        let why = no_way.or_else(|| self.server.give_up_reason()).or_else(|| self.pause.give_up_reason());
        why.map(|why| self.unreachable_outage(why))
    }

    fn check_given_up(&self) -> Result<(), Outage> {
        self.given_up_outage().map_or(Ok(()), Err)
    }

    /// Records which model answered; `asked` is the model's name in the config.
    ///
    /// # Errors
    /// [`Outage::ModelChanged`] if another model answered before and a change stops the run.
    pub fn note_identity(&self, asked: &str, identity: ServedModel) -> Result<(), Outage> {
        self.served.note_identity(asked, identity)
    }

    async fn reserve_budget(&self, most: Spending, stop: &AtomicBool) -> Result<Reservation<'_>, Outage> {
        let reserved = self.budget.reserve(most).await;
        let reservation = reserved.map_err(|reason| {
            self.place.log_budget_stop();
            Outage::Unaffordable { reason }
        })?;
        if stop.load(Ordering::Relaxed) {
            reservation.settle(Spending::default());
            return Err(Outage::Interrupted);
        }
        Ok(reservation)
    }

    /// Waits until no pause is left and the rate limits allow a call with this many tokens.
    async fn wait_until_allowed(&self, tokens: u64, stop: &AtomicBool) -> Result<(), Outage> {
        let mut takes: Vec<(&Rate, u64)> = Vec::new();
        takes.extend(self.requests.as_ref().map(|rate| (rate, 1)));
        takes.extend(self.tokens.as_ref().map(|rate| (rate, tokens)));
        let mut takes = takes.into_iter().peekable();
        loop {
            if stop.load(Ordering::Relaxed) {
                return Err(Outage::Interrupted);
            }
            self.check_given_up()?;
            let wait = match (self.server.time_left().max(self.pause.time_left()), takes.peek()) {
                (Some(left), _) => left,
                (None, None) => return Ok(()),
                (None, Some((rate, amount))) => match rate.take_amount(*amount) {
                    Ok(()) => {
                        takes.next();
                        continue;
                    }
                    Err(wait) => wait,
                },
            };
            self.wait_unless_stopped(wait, stop).await;
        }
    }

    /// Waits, unless the run is interrupted or the model is given up.
    async fn wait_unless_stopped(&self, wait: Duration, stop: &AtomicBool) {
        let until = Instant::now() + wait;
        while !stop.load(Ordering::Relaxed) && Instant::now() < until && self.check_given_up().is_ok() {
            tokio::time::sleep_until(until.min(Instant::now() + LOOK)).await;
        }
    }

    /// Corrects the reserved tokens to those used, if the server reports them.
    fn settle_tokens(&self, taken: u64, usage: Option<Usage>) {
        if let (Some(rate), Some(usage)) = (&self.tokens, usage) {
            rate.settle(taken, usage.prompt_tokens + usage.completion_tokens);
        }
    }

    /// The wait before the next attempt; `None` to give up. `since` is the time since the call's first failure. A failure that
    /// concerns other calls also pauses them.
    fn wait_after_failure(
        &self,
        failure: &RequestFailure,
        failures: &CallFailures,
        lot: u64,
        since: Duration,
    ) -> Option<Duration> {
        let wait = self.retries.wait_after(u32::try_from(failures.count).unwrap_or(u32::MAX), lot, failure.asked);
        let is_hopeless = !self.server.is_proven() && failures.alike >= self.retries.tries_unproven;
        if !failure.may_pass() || is_hopeless || since.saturating_add(wait) > self.retry_for {
            return None;
        }
        if failure.is_of_server() && self.server.is_proven() {
            self.server.mark_down(wait, || {
                self.place.log_server_down(failure);
                let most = self.retry_for.as_secs();
                let why = failure.in_words(1);
                format!("{}: {why}; no call begins until it answers, for {most} s at most", self.url)
            });
        } else if failure.is_of_model() {
            self.pause.pause_for(wait);
        }
        Some(wait)
    }

    fn unreachable_outage(&self, reason: String) -> Outage {
        Outage::Unreachable { url: self.url.clone(), reason }
    }
}

/// A pseudo-random number for the wait after an attempt. It differs between calls, and affects only when they are made.
fn lot_of(request: &[u8], attempt: usize) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(request).update(&(attempt as u64).to_le_bytes());
    let mut lot = [0; 8];
    hasher.finalize_xof().fill(&mut lot);
    u64::from_le_bytes(lot)
}
