//! The seats of one session that language models answer for: prompt, record, call, parse.
//!
//! A question that the record holds is answered from it, and its words are parsed anew. Only a question that it does not
//! hold makes a call, whose words are recorded before they are returned. Simulated seats are not answered here.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use futures::future::BoxFuture;

use crate::adapters::calls::{CallLine, CallRecord};
use crate::adapters::openai::{Client, Clients, Request};
use crate::domain::{Agent, Answer, Digest, Fault, MindState, Outage, Query};
use crate::plan::{OpenAiModel, Plan, Sitter};
use crate::ports::Backend;
use crate::prompt::{AnswerForm, parse, schema};

/// The share of a model's context window that prompt and reply may fill, as a ratio: the model's own tokenizer is not known.
const CONTEXT_MARGIN: (u64, u64) = (4, 5);

/// What may be reused beside the session's own record.
#[derive(Debug)]
pub enum Reuse {
    /// Nothing.
    Own,
    /// In a fork, the answers of the parent session to the very requests that the fork makes; others are asked anew.
    Fork(CallRecord),
}

/// The language models' seats in one session.
pub struct ModelSeats {
    plan: Arc<Plan>,
    agents: Vec<Agent>,
    clients: Option<Vec<Arc<Client>>>,
    record: Mutex<CallRecord>,
    reuse: Reuse,
    stop: Arc<AtomicBool>,
    live: AtomicU64,
    recorded: AtomicU64,
}

impl ModelSeats {
    /// The models' seats of a session of a plan. Without clients only recorded answers are given; once `stop` is set, no call begins.
    pub fn new(
        plan: Arc<Plan>,
        replicate: u32,
        clients: Option<&Clients>,
        record: CallRecord,
        reuse: Reuse,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let clients = clients.map(|clients| plan.models.iter().map(|model| clients.client(model)).collect());
        Self {
            agents: plan.agents(replicate),
            plan,
            clients,
            record: Mutex::new(record),
            reuse,
            stop,
            live: AtomicU64::new(0),
            recorded: AtomicU64::new(0),
        }
    }

    /// How many answers were had from a model by calling it.
    pub fn calls_live(&self) -> u64 {
        self.live.load(Ordering::Relaxed)
    }

    /// How many answers were served from a record.
    pub fn answers_recorded(&self) -> u64 {
        self.recorded.load(Ordering::Relaxed)
    }

    /// How many calls the session's own record holds.
    pub fn calls_recorded(&self) -> u64 {
        self.record().len() as u64
    }

    /// Whether a question is answered without a call: by the session's own record, or because it is never put.
    pub fn needs_no_call(&self, query: &Query<'_>) -> bool {
        self.record().find(&query.id).is_some()
            || self.request(query).is_ok_and(|request| self.is_too_long(query, &request))
    }

    /// The request that puts a query to the model of its seat.
    ///
    /// # Errors
    /// [`Outage::Unaskable`] when a template fails on this very question.
    ///
    /// # Panics
    /// When the seat is simulated.
    pub fn request(&self, query: &Query<'_>) -> Result<Request, Outage> {
        let plan = &self.plan;
        let model = self.model(query).1;
        let agents: Vec<&Agent> = self.agents.iter().collect();
        let messages = plan
            .prompts
            .messages(&plan.motion, &agents, query, model.answers)
            .map_err(|error| Outage::Unaskable { question: Box::new(query.id.clone()), reason: error.to_string() })?;
        let schema = match model.answers {
            AnswerForm::JsonSchema => Some(schema(&query.ask, &plan.motion, model.max_tokens)),
            AnswerForm::Anchored => None,
        };
        Ok(Request::new(model, messages, schema))
    }

    async fn respond(&self, query: &Query<'_>) -> Result<Answer, Outage> {
        let request = self.request(query)?;
        let digest = request.digest();
        if let Some(line) = self.recall(query, &digest)? {
            self.recorded.fetch_add(1, Ordering::Relaxed);
            return Ok(self.read(query, line));
        }
        if self.is_too_long(query, &request) {
            return Ok(unasked());
        }
        let Some(clients) = &self.clients else {
            return Err(Outage::NotRecorded { question: Box::new(query.id.clone()) });
        };
        let call = clients[self.model(query).0].call(&request, &self.stop).await?;
        let line = CallLine::new(query.id.clone(), digest, call);
        self.record().append(line.clone())?;
        self.live.fetch_add(1, Ordering::Relaxed);
        Ok(self.read(query, line))
    }

    /// Whether the request cannot fit the model's window, as far as that is known. What is estimated errs high, and only
    /// [`CONTEXT_MARGIN`] of the window is used.
    fn is_too_long(&self, query: &Query<'_>, request: &Request) -> bool {
        let model = self.model(query).1;
        let Some(window) = model.context_window else { return false };
        let usable = u64::from(window) * CONTEXT_MARGIN.0 / CONTEXT_MARGIN.1;
        request.tokens_at_most() + u64::from(model.max_tokens) > usable
    }

    /// The recorded answer to this request, if there is one. A parent's is copied into the session's own record.
    fn recall(&self, query: &Query<'_>, digest: &Digest) -> Result<Option<CallLine>, Outage> {
        let mut record = self.record();
        if let Some(line) = record.find(&query.id) {
            if line.request == *digest {
                return Ok(Some(line.clone()));
            }
            return Err(Outage::Diverged {
                question: Box::new(query.id.clone()),
                recorded: line.request.to_string(),
                now: digest.to_string(),
            });
        }
        let Reuse::Fork(parent) = &self.reuse else {
            return Ok(None);
        };
        match parent.find(&query.id) {
            Some(line) if line.request == *digest => {
                record.append(line.clone())?;
                Ok(Some(line.clone()))
            }
            _ => Ok(None),
        }
    }

    /// The answer that a line holds; the words are parsed anew each time.
    fn read(&self, query: &Query<'_>, line: CallLine) -> Answer {
        let parsed = match line.fault {
            Some(fault) => Err(fault),
            None => parse(&query.ask, &self.plan.motion, self.model(query).1.answers, &line.raw),
        };
        Answer { raw: line.raw, parsed, usage: line.usage, model_served: line.model, state: MindState::default() }
    }

    /// The position and the settings of the model that answers for a query's seat.
    fn model(&self, query: &Query<'_>) -> (usize, &OpenAiModel) {
        let seat = &self.plan.seats[query.seat.index()];
        match seat.sitter {
            Sitter::Model(place) => (place, &self.plan.models[place]),
            Sitter::Mind(_) => panic!("invariant: {} is simulated and asked as a model", seat.name),
        }
    }

    fn record(&self) -> MutexGuard<'_, CallRecord> {
        // A panic while the record was held leaves it whole: a line counts only after it is written.
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question that was not put, because it is too long for the model. It is found again from the plan, not from the record.
fn unasked() -> Answer {
    let parsed = Err(Fault::ContextTooLong);
    Answer { raw: String::new(), parsed, usage: None, model_served: None, state: MindState::default() }
}

impl Backend for ModelSeats {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        self.respond(query).boxed()
    }
}
