//! The answers of language models and people in one session: prompt, record, call, parse.
//!
//! A recorded answer is parsed again. Only a question without a recorded answer makes a call or goes to a person, and the answer
//! is recorded before it is returned.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use futures::future::BoxFuture;
use tracing::Instrument;

use crate::chance::{DrawPurpose, SessionSeed};
use crate::domain::{Agent, Answer, Digest, Outage, Query, Usage};
use crate::plan::{OpenAiModel, Person, Plan, Respondent};
use crate::ports::Backend;
use crate::prompt::{AnswerForm, LineCache, UnfitReply, read};
use crate::service::deferred::{self, Deferred};
use crate::service::human_console::{self, Desk, PosedQuestion, TerminalSharing};
use crate::service::openai::{Client, Clients, Request, UnansweredCall};
use crate::service::stopwatch::Stopwatch;
use crate::session::QuestionWording;
use crate::store::calls::{Attempt, BegunLine, CallLine, CallRecord, DeferredLine, UnansweredLine};

/// Which answers are reused besides the session's own record.
#[derive(Debug)]
pub enum Reuse {
    /// None.
    Own,
    /// For a fork: the parent session's answers to identical requests.
    Fork(CallRecord),
}

/// Who answers, if answers are recorded.
enum RecordedRespondent<'p> {
    /// A language model and its index in the plan's `models`.
    Model(usize, &'p OpenAiModel),
    /// A person at the terminal.
    Person(&'p Person),
}

/// The seats of language models and people in one session.
pub struct ModelSeats {
    plan: Arc<Plan>,
    agents: Vec<Agent>,
    seed: SessionSeed,
    /// The seed of what models draw since a fork departed from its parent; `None` if that is the parent's.
    departed: Option<SessionSeed>,
    /// The clients of the plan's models, and of those of a fork since it departed.
    clients: Option<[Vec<Arc<Client>>; 2]>,
    deferred: Option<Arc<Deferred>>,
    desk: Option<Arc<Desk>>,
    session: String,
    /// The lines of earlier questions: by the plan, and by that of a fork since it departed.
    lines: [Mutex<LineCache>; 2],
    record: Mutex<CallRecord>,
    reuse: Reuse,
    stop: Arc<AtomicBool>,
    live: AtomicU64,
    recorded: AtomicU64,
}

impl ModelSeats {
    /// Without `clients`, only recorded answers are used. Once `stop` is set, no call begins.
    pub fn new(
        plan: Arc<Plan>,
        replicate: u32,
        clients: Option<&Clients>,
        record: CallRecord,
        reuse: Reuse,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let client_list = |plan: &Plan, clients: &Clients| -> Vec<Arc<Client>> {
            plan.models.iter().map(|model| clients.client_for(model)).collect()
        };
        let clients = clients.map(|clients| {
            let after = plan.plan_after().map(|(after, _)| client_list(after, clients));
            [client_list(&plan, clients), after.unwrap_or_default()]
        });
        Self {
            agents: plan.agents(replicate),
            session: plan.session_name(replicate),
            seed: plan.session_seed(replicate),
            departed: plan.is_redrawn(replicate).then(|| plan.departed_seed(replicate)),
            plan,
            clients,
            deferred: None,
            desk: None,
            lines: Default::default(),
            record: Mutex::new(record),
            reuse,
            stop,
            live: AtomicU64::new(0),
            recorded: AtomicU64::new(0),
        }
    }

    /// Sets the desk for questions to people. Without a desk, only their recorded answers are used.
    #[must_use]
    pub fn with_desk(self, desk: Option<Arc<Desk>>) -> Self {
        Self { desk, ..self }
    }

    /// Sets the files of replies and deferred questions.
    #[must_use]
    pub fn with_deferred(self, deferred: Option<Arc<Deferred>>) -> Self {
        Self { deferred, ..self }
    }

    /// The number of new answers by models (called or by file) and people.
    pub fn calls_live(&self) -> u64 {
        self.live.load(Ordering::Relaxed)
    }

    /// The number of answers served from a record.
    pub fn answers_recorded(&self) -> u64 {
        self.recorded.load(Ordering::Relaxed)
    }

    /// The number of model calls in the session's own record.
    pub fn calls_recorded(&self) -> u64 {
        self.lock_record().calls_of_models() as u64
    }

    /// Whether the session's record answers the question, or the question is too long to be asked.
    pub fn needs_no_call(&self, query: &Query<'_>) -> bool {
        let is_never_put = || match self.respondent_of(query) {
            RecordedRespondent::Model(_, model) => {
                self.render_wording(query, model).is_ok_and(|wording| wording.is_too_long(model))
            }
            RecordedRespondent::Person(_) => false,
        };
        self.lock_record().find_call(&query.id).is_some() || is_never_put()
    }

    fn render_wording(&self, query: &Query<'_>, model: &OpenAiModel) -> Result<QuestionWording, Outage> {
        // A panic leaves the cached lines complete.
        let lines = self.lines[usize::from(query.departed)].lock().unwrap_or_else(PoisonError::into_inner);
        QuestionWording::with_lines(&lines, (self.plan.plan_at(query), &self.agents), query, model)
            .map_err(|error| unaskable_outage(query, &error))
    }

    /// The request for a rendered question. Its seed has 31 bits, so every server accepts it as a non-negative number.
    fn request_of(&self, query: &Query<'_>, model: &OpenAiModel, wording: QuestionWording) -> Request {
        let request = Request::new(model, wording.messages, wording.schema, wording.reply_tokens_max);
        let request = request.with_origin(&self.plan.experiment, &self.session, &query.id);
        let seed = self.departed.as_ref().filter(|_| query.departed).unwrap_or(&self.seed);
        match model.sampling.seed {
            true => request.with_seed((seed.draw_lot(DrawPurpose::ModelSeed, &query.id) >> 33) as u32),
            false => request,
        }
    }

    /// Asks a model, unless the record holds the answer.
    async fn ask_model(&self, query: &Query<'_>, (place, model): (usize, &OpenAiModel)) -> Result<Answer, Outage> {
        let wording = self.render_wording(query, model)?;
        let is_too_long = wording.is_too_long(model);
        let request = self.request_of(query, model, wording);
        let digest = request.digest();
        if let Some(answer) = self.find_recorded_answer(query, &digest)? {
            return Ok(answer);
        }
        if is_too_long {
            // This follows from the plan, so it is not recorded.
            return Ok(Answer::too_long(query.state.clone()));
        }
        if let Some(answer) = self.reply_by_file(query, (place, model), &request)? {
            return Ok(answer);
        }
        let Some(client) = self.client_of(query, place) else {
            return Err(Outage::NotRecorded { question: Box::new(query.id.clone()) });
        };
        let mut is_begun = false;
        let begun = |at_most| {
            is_begun = true;
            self.record_begun(query, &model.name, &digest, Some(at_most))
        };
        // Adds the session and the question to the call's log events.
        let span = tracing::error_span!("call", ekklesia.session = self.session, ekklesia.question = %query.id);
        let call = match client.call(&request, &self.stop, begun).instrument(span).await {
            Ok(call) => call,
            Err(UnansweredCall { outage, attempts }) => {
                // A call that was recorded as begun gets an end, even without an attempt.
                if is_begun || !attempts.is_empty() {
                    self.record_unanswered(query, &model.name, digest, attempts)?;
                }
                return Err(outage);
            }
        };
        let line = self.record_call(CallLine::new(query.id.clone(), &model.name, digest, call))?;
        // After recording, so that the answer is kept if a model change stops the run.
        client.note_identity(&model.name, line.served_model())?;
        Ok(self.parse_answer(query, line))
    }

    /// Records and parses the reply that a file holds to this request; `None` if there is none and the model may be called.
    ///
    /// # Errors
    /// [`Outage::Deferred`] if the question is written to a file instead.
    fn reply_by_file(
        &self,
        query: &Query<'_>,
        (place, model): (usize, &OpenAiModel),
        request: &Request,
    ) -> Result<Option<Answer>, Outage> {
        let Some(deferred) = &self.deferred else { return Ok(None) };
        let digits = deferred::id_digits(&self.plan.experiment, &self.plan.digest);
        let (id, digest) = (deferred::write_id(&self.session, &query.id, &digits), request.digest());
        // Replies count only for questions that were deferred with this request.
        let is_put = self.lock_record().deferred_request(&query.id) == Some(&digest);
        if let Some(call) = is_put.then(|| deferred.take_reply(&id, request)).flatten() {
            let line = self.record_call(CallLine::new(query.id.clone(), &model.name, digest, call))?;
            // Reduces the budget of later calls.
            if let Some(client) = self.client_of(query, place) {
                client.count_spent(line.usage.unwrap_or_default(), model.price);
            }
            deferred.served_models().note_identity(&model.name, line.served_model())?;
            return Ok(Some(self.parse_answer(query, line)));
        }
        if !deferred.writes_questions() {
            return Ok(None);
        }
        let (question, asked) = (query.id.clone(), model.name.clone());
        deferred.queue_question(&self.session, &id, (model, request))?;
        // Recorded first: questions are written after all sessions have stopped.
        self.lock_record().keep_deferred(DeferredLine { deferred: question.clone(), asked, request: digest })?;
        Err(Outage::Deferred { question: Box::new(question) })
    }

    /// Records that a call to a model, or a question to a person, begins.
    fn record_begun(
        &self,
        query: &Query<'_>,
        asked: &str,
        request: &Digest,
        at_most: Option<Usage>,
    ) -> Result<(), Outage> {
        self.lock_record().append_begun(&BegunLine {
            begun: query.id.clone(),
            asked: asked.to_owned(),
            request: request.clone(),
            started_unix_ms: Stopwatch::start().started_unix_ms,
            at_most,
        })
    }

    /// Records an answer that this run brought.
    fn record_call(&self, line: CallLine) -> Result<CallLine, Outage> {
        self.lock_record().append_call(line.clone())?;
        self.live.fetch_add(1, Ordering::Relaxed);
        Ok(line)
    }

    /// Records that a call to a model, or a question to a person, brought no answer.
    fn record_unanswered(
        &self,
        query: &Query<'_>,
        asked: &str,
        request: Digest,
        attempts: Vec<Attempt>,
    ) -> Result<(), Outage> {
        let (unanswered, asked) = (query.id.clone(), asked.to_owned());
        self.lock_record().append_unanswered(UnansweredLine { unanswered, asked, request, attempts })
    }

    /// Asks a person, unless the record holds the answer.
    async fn ask_person(&self, query: &Query<'_>, person: &Person) -> Result<Answer, Outage> {
        let wording = QuestionWording::for_person(self.plan.plan_at(query), &self.agents, query)
            .map_err(|error| unaskable_outage(query, &error))?;
        let digest = human_console::digest_messages(&wording.messages);
        if let Some(answer) = self.find_recorded_answer(query, &digest)? {
            return Ok(answer);
        }
        let Some(desk) = &self.desk else {
            return Err(Outage::NotRecorded { question: Box::new(query.id.clone()) });
        };
        let posed = PosedQuestion {
            session: &self.session,
            query,
            motion: self.plan.plan_at(query).motion_asked(query),
            messages: &wording.messages,
            company: if self.plan.people_count() > 1 { TerminalSharing::Several } else { TerminalSharing::Alone },
        };
        // So that whoever follows the run sees whom it waits for.
        self.record_begun(query, &person.name, &digest, None)?;
        let call = match desk.ask_person(&posed, &self.stop).await {
            Ok(call) => call,
            Err(outage) => {
                self.record_unanswered(query, &person.name, digest, Vec::new())?;
                return Err(outage);
            }
        };
        let line = CallLine::new(query.id.clone(), &person.name, digest, call).typed_by(person.id.clone());
        Ok(self.parse_answer(query, self.record_call(line)?))
    }

    /// The recorded answer to this request, if there is one.
    fn find_recorded_answer(&self, query: &Query<'_>, digest: &Digest) -> Result<Option<Answer>, Outage> {
        let line = self.find_recorded_line(query, digest)?;
        self.recorded.fetch_add(u64::from(line.is_some()), Ordering::Relaxed);
        Ok(line.map(|line| self.parse_answer(query, line)))
    }

    /// The recorded call with this request, if there is one. A parent's call is copied into the session's own record.
    fn find_recorded_line(&self, query: &Query<'_>, digest: &Digest) -> Result<Option<CallLine>, Outage> {
        let mut record = self.lock_record();
        if let Some(line) = record.find_call(&query.id) {
            if line.request == *digest {
                return Ok(Some(line.clone()));
            }
            return Err(Outage::Diverged {
                question: Box::new(query.id.clone()),
                recorded: line.request.to_string(),
                now: digest.to_string(),
            });
        }
        let Reuse::Fork(parent) = &self.reuse else { return Ok(None) };
        // A replicate of a fork is a draw of its own: it asks again even where its parent was asked the same.
        if query.departed && self.departed.is_some() {
            return Ok(None);
        }
        match parent.find_call(&query.id) {
            Some(line) if line.request == *digest => {
                let line = CallLine { taken_over: true, ..line.clone() };
                record.append_call(line.clone())?;
                Ok(Some(line))
            }
            _ => Ok(None),
        }
    }

    fn parse_answer(&self, query: &Query<'_>, line: CallLine) -> Answer {
        let form = match self.respondent_of(query) {
            RecordedRespondent::Model(_, model) => model.answer_form(),
            RecordedRespondent::Person(_) => AnswerForm::Typed,
        };
        let read = match line.fault {
            Some(fault) => Err(UnfitReply { fault, field: None }),
            None => read(query.offer, &query.ask, self.plan.plan_at(query).motion_asked(query), form, &line.raw),
        };
        let (parsed, field) = match read {
            Ok(reply) => (Ok(reply), None),
            Err(UnfitReply { fault, field }) => (Err(fault), field),
        };
        let (usage, model_served) = (line.usage, line.model);
        Answer { raw: line.raw, parsed, field, usage, model_served, state: query.state.clone() }
    }

    /// The client of the model at a position in the plan by which a question is answered; `None` if no model is called.
    fn client_of(&self, query: &Query<'_>, place: usize) -> Option<&Arc<Client>> {
        let [own, after] = self.clients.as_ref()?;
        let is_after = !std::ptr::eq(self.plan.plan_at(query), &*self.plan);
        Some(if is_after { &after[place] } else { &own[place] })
    }

    fn respondent_of(&self, query: &Query<'_>) -> RecordedRespondent<'_> {
        let plan = self.plan.plan_at(query);
        match plan.respondent(query.seat, query.id.at.step) {
            Respondent::Model(place) => RecordedRespondent::Model(place, &plan.models[place]),
            Respondent::Person(person) => RecordedRespondent::Person(person),
            Respondent::Mind(_) | Respondent::Rule => {
                panic!("invariant: {} is simulated and asked as a model", query.id)
            }
        }
    }

    fn lock_record(&self) -> MutexGuard<'_, CallRecord> {
        // A panic leaves the record consistent: a line counts only after it is written.
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend for ModelSeats {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        async move {
            match self.respondent_of(query) {
                RecordedRespondent::Model(place, model) => self.ask_model(query, (place, model)).await,
                RecordedRespondent::Person(person) => self.ask_person(query, person).await,
            }
        }
        .boxed()
    }
}

fn unaskable_outage(query: &Query<'_>, error: &impl std::fmt::Display) -> Outage {
    Outage::Unaskable { question: Box::new(query.id.clone()), reason: error.to_string() }
}
