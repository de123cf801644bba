//! Seats that minds and rules answer for, and sessions of only these seats in memory: no file, no model, no person.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use futures::FutureExt;
use futures::executor::block_on;
use futures::future::BoxFuture;

use super::conduct::{Halt, conduct_deliberation};
use super::visibility::Visibility;
use crate::chance::SessionSeed;
use crate::domain::{Answer, Draft, FieldKind, FieldValue, Outage, Query, Record, Reply};
use crate::engine::{Deliberation, Next};
use crate::minds::{self, Mind};
use crate::plan::{Plan, Respondent};
use crate::ports::{Backend, Minutes};

/// The simulated seats of one session. Each answers at once, from its mind and its own draws.
pub struct SimulatedSeats {
    plan: Arc<Plan>,
    seed: SessionSeed,
    /// The seed of what seats draw since a fork departed from its parent.
    departed: SessionSeed,
}

impl SimulatedSeats {
    /// The simulated seats of a plan, for the session of this seed.
    pub fn new(plan: Arc<Plan>, seed: SessionSeed) -> Self {
        Self { plan, seed, departed: seed }
    }

    /// The same with another seed of what seats draw since a fork departed from its parent.
    #[must_use]
    pub fn take_departed_seed(self, departed: SessionSeed) -> Self {
        Self { departed, ..self }
    }

    /// The answer of a simulated seat; `None` if a model or a person answers.
    pub fn answer_at_once(&self, query: &Query<'_>) -> Option<Result<Answer, Outage>> {
        let plan = self.plan.plan_at(query);
        let seed = if query.departed { &self.departed } else { &self.seed };
        match plan.respondent(query.seat, query.id.at.step) {
            Respondent::Mind(mind) => Some(answer_by_mind(plan, mind, seed, query)),
            Respondent::Rule => Some(Ok(minds::rewrite_memory(plan.motion_asked(query), query))),
            Respondent::Model(_) | Respondent::Person(_) => None,
        }
    }
}

/// The answer of a mind to a question of a plan.
pub(super) fn answer_by_mind(
    plan: &Plan,
    mind: &Mind,
    seed: &SessionSeed,
    query: &Query<'_>,
) -> Result<Answer, Outage> {
    let motion = plan.motion_asked(query);
    match plan.votes_on_own_options(&query.id.at) {
        true => mind.answer_own_vote((plan.motion_at(query.seat, &query.id.at), motion), seed, query),
        false => mind.answer(motion, seed, query),
    }
}

impl Backend for SimulatedSeats {
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>> {
        let answer = self.answer_at_once(query).expect("invariant: a model or a person is asked by a service");
        std::future::ready(answer).boxed()
    }
}

/// Minutes in memory.
impl Minutes for Vec<Record> {
    type Error = Infallible;

    fn append(&mut self, record: &Record) -> Result<(), Infallible> {
        self.push(record.clone());
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Who answers in the place of models and people.
const STAND_IN: Mind = Mind::Random { malformed_ppm: 0, abstain_ppm: 0 };

/// What a stand-in says and writes.
const PLAIN_WORDS: &str = "(what this seat writes)";

/// The answer of a stand-in with plain words, of a length that the question allows.
fn with_plain_words(query: &Query<'_>, mut answer: Answer) -> Answer {
    let words = |least: u32, most: u32| {
        let said = PLAIN_WORDS.chars().take(most as usize).collect::<String>();
        let missing = (least as usize).saturating_sub(said.chars().count());
        said + &".".repeat(missing)
    };
    match (query.ask.form_asked(), &mut answer.parsed) {
        (_, Ok(Reply::Statement { text, .. })) => *text = words(query.ask.chars_min(), u32::MAX).into(),
        (Some(asked), Ok(Reply::Form(values))) => {
            for (field, value) in asked.form.fields.iter().zip(values) {
                match (&field.kind, value) {
                    (FieldKind::Text { chars_min, chars_max, .. }, Some(FieldValue::Words(text))) => {
                        *text = words(*chars_min, *chars_max).into();
                    }
                    (FieldKind::Texts { chars_min, chars_max, .. }, Some(FieldValue::Options(texts))) => {
                        texts.fill(words(*chars_min, *chars_max));
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
    answer
}

/// Plays one session of an arm in memory, with random minds in the place of models and people. `witness` gets every question
/// before it is answered, and may stop the session.
///
/// It gives the session nothing from other sessions, as [`run_simulated`] does.
///
/// # Errors
/// [`Outage::ScriptEnded`] when a script of a seat ends before the session does.
pub fn play_session(
    plan: &Arc<Plan>,
    replicate: u32,
    witness: &mut dyn FnMut(&Query<'_>) -> ControlFlow<()>,
) -> Result<(), Outage> {
    let mut deliberation = Deliberation::convene(plan, replicate);
    let seed = *deliberation.seed();
    let seats = SimulatedSeats::new(Arc::clone(plan), seed);
    let answer = |query: &Query<'_>| {
        let in_place = || {
            let motion = seats.plan.plan_at(query).motion_asked(query);
            STAND_IN.answer(motion, &seed, query).map(|answer| with_plain_words(query, answer))
        };
        seats.answer_at_once(query).unwrap_or_else(in_place)
    };
    loop {
        let drafts: Vec<Draft> = match deliberation.next() {
            Next::Adjourned(_) | Next::Undefined { .. } => return Ok(()),
            Next::Declare(draft) => vec![*draft],
            Next::Ask(queries) => {
                let mut drafts = Vec::with_capacity(queries.len());
                for query in &queries {
                    if witness(query).is_break() {
                        return Ok(());
                    }
                    drafts.push(deliberation.admit(query, answer(query)?));
                }
                drafts
            }
        };
        deliberation.take_drafts(drafts);
    }
}

/// Runs one session of an arm in memory and returns its records. `replicate` counts from 1.
///
/// # Errors
/// When a script of a seat ends before the session does.
///
/// # Panics
/// When the plan seats a model or a person.
///
/// It gives the session nothing from other sessions and does not check whether the session needs any: use it only if
/// [`Plan::needed_sessions`] is empty.
pub fn run_simulated(plan: &Arc<Plan>, replicate: u32) -> Result<Vec<Record>, Halt<Infallible>> {
    let mut deliberation = Deliberation::convene(plan, replicate);
    let mut visibility = Visibility::new(plan);
    let seats =
        SimulatedSeats::new(Arc::clone(plan), *deliberation.seed()).take_departed_seed(plan.departed_seed(replicate));
    let mut records = Vec::new();
    block_on(conduct_deliberation(
        (&mut deliberation, &mut visibility),
        &seats,
        &mut records,
        &AtomicBool::new(false),
    ))?;
    Ok(records)
}
