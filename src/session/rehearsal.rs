//! Rehearses a session: runs the real engine with invented answers, to see what would be asked.
//!
//! Nothing is minuted, written or sent to a model. Questions, prompts and procedure are real; only the words of seats are
//! placeholders.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::course::{OptionalPhases, Player, RehearsalCourse, ReplyLength};
use super::wording::QuestionWording;
use crate::domain::{Agent, Answer, Fault, Query, SeatId, Verdict};
use crate::engine::{Deliberation, Next, Supposed};
use crate::plan::{AssumedSeats, Condition, ConvergenceAction, Formula, Phase, PhaseKind, Plan, Respondent};
use crate::prompt::{LineCache, PromptError};

/// The most questions of a rehearsal. It leaves out later ones and reports that.
pub const QUESTIONS_MAX: u64 = 100_000;

/// A question in a rehearsal.
#[derive(Debug)]
pub struct RehearsedQuestion<'q> {
    /// The question.
    pub query: &'q Query<'q>,
    /// The question as a model gets it; `None` if no model answers it.
    pub wording: Option<&'q QuestionWording>,
    /// The lines of the rehearsed session so far.
    pub lines: &'q LineCache,
    /// The number of its ask. The questions of one ask are put together.
    pub ask: u64,
    /// Whether it exceeds the model's window. Then it is not put, and the seat is asked again with less.
    pub is_too_long: bool,
}

impl RehearsedQuestion<'_> {
    /// Whether the seat reads this question for the first time.
    pub fn is_first_try(&self) -> bool {
        !self.is_too_long && matches!(self.query.retry, None | Some(Fault::ContextTooLong))
    }
}

/// How a rehearsal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RehearsalEnd {
    /// The session adjourned.
    Whole(Verdict),
    /// The witness stopped it.
    Left,
    /// It was cut off after [`QUESTIONS_MAX`] questions.
    Cut,
}

/// The agents with the longest personas that may be drawn.
pub fn longest_agents(plan: &Plan) -> Vec<Agent> {
    plan.longest_agents()
}

/// Rehearses a session of a plan by a course, with values as they are supposed. `witness` gets every question, re-asks included.
///
/// # Errors
/// When a template fails on one of the questions.
pub fn rehearse_session(
    plan: &Plan,
    agents: &[Agent],
    (course, supposed): (RehearsalCourse, Supposed),
    witness: &mut dyn FnMut(&RehearsedQuestion<'_>) -> ControlFlow<()>,
) -> Result<RehearsalEnd, PromptError> {
    let plan = &*plan_for_course(plan, course);
    let mut deliberation = Deliberation::convene(plan, 1).dealing(plan.deal_longest_case()).supposing(supposed);
    let mut player = Player::new(plan, course, *deliberation.seed());
    let lines = LineCache::default();
    let (mut put, mut ask) = (0, 0);
    loop {
        let drafts = match deliberation.next() {
            Next::Adjourned(verdict) => return Ok(RehearsalEnd::Whole(verdict)),
            Next::Undefined { .. } => return Ok(RehearsalEnd::Cut),
            Next::Declare(draft) => vec![*draft],
            Next::Ask(queries) => {
                put += queries.len() as u64;
                ask += 1;
                if put > QUESTIONS_MAX {
                    return Ok(RehearsalEnd::Cut);
                }
                let mut drafts = Vec::with_capacity(queries.len());
                player.note_callers(deliberation.count_callers());
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

/// The plan for a course. Placeholders cannot converge as statements do, so convergence ends the talk as early as it may in a
/// short course, and never in a long one. Conditions and sets of seats that read answers follow the course.
fn plan_for_course(plan: &Plan, course: RehearsalCourse) -> Cow<'_, Plan> {
    let stops = |phase: &Phase| matches!(&phase.kind, PhaseKind::Discussion(talk) if talk.stops_when_alike());
    let has_conditions =
        plan.agenda.iter().any(|phase| phase.when.is_some() || phase.who.is_some() || phase.heard_by.is_some())
            || plan.blocks.iter().any(|block| block.when.is_some() || block.until.is_some() || block.who.is_some());
    let has_sets = plan.agenda.iter().any(|phase| !phase.seat_sets().is_empty());
    if !has_conditions && !has_sets && !plan.agenda.iter().any(stops) {
        return Cow::Borrowed(plan);
    }
    let mut supposed = plan.clone();
    let is_long = course.words == ReplyLength::Long;
    let (takes_place, taking_part) = match course.optional {
        OptionalPhases::All => (true, AssumedSeats::All),
        OptionalPhases::None => (false, AssumedSeats::None),
        OptionalPhases::Votes => (true, AssumedSeats::First),
    };
    for (place, phase) in supposed.agenda.iter_mut().enumerate() {
        if course.optional == OptionalPhases::Votes && plan.depends_on_answers(place) && !phase.kind.holds_votes() {
            phase.when = Some(Condition { formula: Formula::never(), assumed: Some(false) });
        }
    }
    let phases = supposed.agenda.iter_mut().map(|phase| &mut phase.when);
    for when in phases.chain(supposed.blocks.iter_mut().map(|block| &mut block.when)).flatten() {
        when.assumed = when.assumed.or((!when.formula.is_fixed()).then_some(takes_place));
    }
    let phases = supposed.agenda.iter_mut().map(|phase| &mut phase.who);
    for who in phases.chain(supposed.blocks.iter_mut().map(|block| &mut block.who)).flatten() {
        who.assume_selected(taking_part);
    }
    let selected = if taking_part == AssumedSeats::None { AssumedSeats::None } else { AssumedSeats::All };
    for (place, phase) in supposed.agenda.iter_mut().enumerate() {
        let is_in_group = phase.group.is_some();
        // Who has company may be by lot.
        let is_alone = phase.group.as_ref().is_some_and(|group| least_group(plan, &group.assignment) < 2);
        let is_limited = is_alone || plan.who(place).next().is_some();
        for set in phase.seat_sets_mut() {
            match (is_in_group, is_limited) {
                (true, true) => set.assume_always(selected),
                (true, false) => set.assume_selected_in_group(selected),
                (false, _) => set.assume_selected(selected),
            }
        }
    }
    for heard_by in supposed.agenda.iter_mut().filter_map(|phase| phase.heard_by.as_mut()) {
        heard_by.assume_selected(if is_long { AssumedSeats::All } else { AssumedSeats::None });
    }
    for until in supposed.blocks.iter_mut().filter_map(|block| block.until.as_mut()) {
        until.assumed = (!until.formula.is_fixed()).then_some(!is_long);
    }
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

/// The number of seats that a group of an assignment has at the least; 0 if not everyone is put into groups.
fn least_group(plan: &Plan, assignment: &str) -> usize {
    let seats: Vec<SeatId> = (0..plan.seats.len() as u32).map(SeatId).collect();
    let of_phase = |place: usize| match &plan.agenda[place].kind {
        PhaseKind::Assign(rules) => {
            let own = rules.iter().filter(|rule| rule.name == assignment);
            let sizes = own.flat_map(|rule| rule.size.split_seats(&seats)).map(|group| group.len());
            sizes.min().map(|least| if plan.takes_all(place) { least } else { 0 })
        }
        _ => None,
    };
    (0..plan.agenda.len()).filter_map(of_phase).min().unwrap_or(0)
}

fn too_long_answer(query: &Query<'_>) -> Answer {
    let parsed = Err(Fault::ContextTooLong);
    Answer { raw: String::new(), parsed, field: None, usage: None, model_served: None, state: query.state.clone() }
}
