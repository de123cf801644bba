//! A session rehearsed: the real engine, driven with answers that nobody gave, to see what would be asked.
//!
//! Nothing of it is minuted, written, or asked of a model. Questions, prompts and procedure are the real ones; the words of
//! other seats in them stand for what is not known yet.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::course::{Player, RehearsalCourse, ReplyLength};
use super::wording::QuestionWording;
use crate::domain::{Agent, Answer, Fault, Query, Verdict};
use crate::engine::{Deliberation, Next};
use crate::plan::{ConvergenceAction, Phase, PhaseKind, Plan, Respondent};
use crate::prompt::{LineCache, PromptError};

/// A rehearsal puts no more questions than this; what would come after is left out, and told.
pub const QUESTIONS_MAX: u64 = 100_000;

/// A question as it is put in a rehearsal.
#[derive(Debug)]
pub struct RehearsedQuestion<'q> {
    /// The question.
    pub query: &'q Query<'q>,
    /// The same as a model gets it; `None` where the seat is simulated.
    pub wording: Option<&'q QuestionWording>,
    /// The lines of the rehearsed session so far.
    pub lines: &'q LineCache,
    /// The number of the ask that it is part of: its questions are put together.
    pub ask: u64,
    /// Whether it would not fit the model's window: it is not put then, and the seat is asked again with less.
    pub is_too_long: bool,
}

impl RehearsedQuestion<'_> {
    /// Whether this is the first time that the seat gets to read this question.
    pub fn is_first_try(&self) -> bool {
        !self.is_too_long && matches!(self.query.retry, None | Some(Fault::ContextTooLong))
    }
}

/// How a rehearsal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RehearsalEnd {
    /// The session adjourned.
    Whole(Verdict),
    /// The witness had seen enough.
    Left,
    /// After [`QUESTIONS_MAX`] questions.
    Cut,
}

/// Who sits at the table in a rehearsal: where personas are drawn, whoever of the pool has the most to read.
pub fn longest_agents(plan: &Plan) -> Vec<Agent> {
    plan.longest_agents()
}

/// Rehearses a session of a plan by a course; `witness` sees each question as it is put, re-asks too.
///
/// # Errors
/// When a template fails on one of the questions.
pub fn rehearse_session(
    plan: &Plan,
    agents: &[Agent],
    course: RehearsalCourse,
    witness: &mut dyn FnMut(&RehearsedQuestion<'_>) -> ControlFlow<()>,
) -> Result<RehearsalEnd, PromptError> {
    let plan = &*plan_for_course(plan, course);
    let mut deliberation = Deliberation::convene(plan, 1).dealing(plan.deal_longest_case());
    let mut player = Player::new(plan, course, *deliberation.seed());
    let lines = LineCache::default();
    let (mut put, mut ask) = (0, 0);
    loop {
        let drafts = match deliberation.next() {
            Next::Adjourned(verdict) => return Ok(RehearsalEnd::Whole(verdict)),
            Next::Declare(draft) => vec![*draft],
            Next::Ask(queries) => {
                put += queries.len() as u64;
                ask += 1;
                if put > QUESTIONS_MAX {
                    return Ok(RehearsalEnd::Cut);
                }
                let mut drafts = Vec::with_capacity(queries.len());
                for query in &queries {
                    let wording = match plan.respondent(query.seat, query.id.at.step) {
                        Respondent::Mind(_) | Respondent::Rule | Respondent::Person(_) => None,
                        Respondent::Model(place) => {
                            let model = &plan.models[place];
                            let wording = QuestionWording::with_lines(&lines, (plan, agents), query, model)?;
                            let is_too_long = wording.is_too_long(model);
                            Some((wording, is_too_long))
                        }
                    };
                    let is_too_long = wording.as_ref().is_some_and(|(_, is_too_long)| *is_too_long);
                    let wording = wording.as_ref().map(|(wording, _)| wording);
                    if witness(&RehearsedQuestion { query, wording, lines: &lines, ask, is_too_long }).is_break() {
                        return Ok(RehearsalEnd::Left);
                    }
                    let answer = if is_too_long { too_long_answer(query) } else { player.answer(query) };
                    drafts.push(deliberation.admit(query, answer));
                }
                drafts
            }
        };
        for draft in drafts {
            let record = deliberation.minute(draft);
            deliberation.evolve(&record);
        }
    }
}

/// The plan as a course supposes it: where convergence may end the talk, it does so as soon as it can in a short course, and never
/// in a long one. What is rehearsed are no words of anybody's, so that nothing follows from how alike they are.
fn plan_for_course(plan: &Plan, course: RehearsalCourse) -> Cow<'_, Plan> {
    let stops = |phase: &Phase| matches!(&phase.kind, PhaseKind::Discussion(talk) if talk.stops_when_alike());
    if !plan.agenda.iter().any(stops) {
        return Cow::Borrowed(plan);
    }
    let mut supposed = plan.clone();
    for phase in &mut supposed.agenda {
        if let PhaseKind::Discussion(talk) = &mut phase.kind
            && let Some(convergence) = &mut talk.convergence
        {
            match course.words {
                ReplyLength::Short => convergence.threshold = 0,
                ReplyLength::Long => convergence.action = ConvergenceAction::Continue,
            }
        }
    }
    Cow::Owned(supposed)
}

/// What a question comes to that does not fit the model's window.
fn too_long_answer(query: &Query<'_>) -> Answer {
    let parsed = Err(Fault::ContextTooLong);
    Answer { raw: String::new(), parsed, usage: None, model_served: None, state: query.state.clone() }
}
