//! Counts the turns of talks in which only some seats speak in each round.
//!
//! It may be any seat's turn, so nobody speaks in a short course, and everybody in a long one. How many turns a session has is known all the
//! same.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::CourseTally;
use super::bounds::CountBounds;
use crate::domain::{Agent, SeatId, Step};
use crate::engine::Supposed;
use crate::plan::{Discussion, PhaseKind, Plan, Respondent, SpeakingOrder};
use crate::prompt::PromptError;
use crate::session::course::{OptionalPhases, RehearsalCourse, ReplyLength};
use crate::session::rehearsal::{RehearsalEnd, has_same_participants, rehearse_courses};

/// A number of questions, as a course asks them and as a session may.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TurnCount {
    rehearsed: u64,
    possible: u64,
}

impl TurnCount {
    /// A sum that holds the questions as the course asks them, with as many as a session may ask, if each adds `each`.
    pub fn correct_sum(self, sum: u64, each: u64) -> u64 {
        let possible = self.possible.saturating_mul(each);
        sum.saturating_add(possible).saturating_sub(self.rehearsed.saturating_mul(each))
    }

    fn plus(self, other: Self) -> Self {
        Self { rehearsed: self.rehearsed + other.rehearsed, possible: self.possible + other.possible }
    }
}

/// Questions of turns by the written name of their phase and their step.
type TurnCounts = BTreeMap<(String, Step), u64>;

/// The turns of the talks of one written phase at a step, in all passes and groups.
struct PartialTalk {
    /// The written name of the phase.
    phase: String,
    /// The step.
    step: Step,
    /// The most questions of a session.
    most: u64,
    /// Whether it is known how many seats speak in each round, whichever they are.
    is_known: bool,
    /// Who answers; `None` if seats differ in that.
    respondent: Option<SameRespondent>,
}

/// Who answers all turns of a talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SameRespondent {
    /// A model, by its position.
    Model(usize),
    /// Simulated seats.
    Simulated,
}

/// Replaces in rehearsed courses the turns of talks in which only some seats speak by as many as a session may have.
///
/// # Errors
/// When a template fails on one of the questions.
pub(super) fn correct_turns(
    plan: &Plan,
    agents: &[Agent],
    courses: &[RehearsalCourse],
    rehearsed: &mut [(CourseTally, RehearsalEnd)],
) -> Result<(), PromptError> {
    let talks = list_partial_talks(plan);
    if talks.is_empty() {
        return Ok(());
    }
    let counted = match talks.iter().any(|talk| talk.is_known) {
        true => count_turns(plan, agents, courses)?,
        false => vec![TurnCounts::new(); courses.len()],
    };
    for ((tally, _), counted) in rehearsed.iter_mut().zip(counted) {
        for talk in &talks {
            talk.correct_tally(plan, tally, &counted);
        }
    }
    Ok(())
}

/// The talks in which it is not known which seats speak.
fn list_partial_talks(plan: &Plan) -> Vec<PartialTalk> {
    let mut talks: Vec<PartialTalk> = Vec::new();
    for (place, phase) in plan.agenda.iter().enumerate() {
        let Some((talk, speakers)) = phase.kind.as_discussion().and_then(|talk| Some((talk, talk.speakers?))) else {
            continue;
        };
        let is_same = has_same_participants(plan, place);
        if is_same && !talk.draws_speakers() {
            continue;
        }
        let most = u64::from(speakers).saturating_mul(talk.rounds.get().into());
        for step in [Step::Statement, Step::Reasoning] {
            let is_known = is_same && is_drawn_by_lot(talk) && (step == Step::Statement || think_alike(plan, talk));
            let respondent = find_same_respondent(plan, place, step);
            let phase = phase.name.written().to_owned();
            match talks.iter_mut().find(|own| own.phase == phase && own.step == step) {
                Some(own) => {
                    own.most = own.most.saturating_add(most);
                    own.is_known &= is_known;
                    own.respondent = own.respondent.filter(|same| Some(*same) == respondent);
                }
                None => talks.push(PartialTalk { phase, step, most, is_known, respondent }),
            }
        }
    }
    talks
}

/// Whether lots alone decide which seats speak in a round.
fn is_drawn_by_lot(talk: &Discussion) -> bool {
    matches!(talk.order, SpeakingOrder::Random | SpeakingOrder::Williams)
}

/// Whether all seats think before they speak, or none does.
fn think_alike(plan: &Plan, talk: &Discussion) -> bool {
    let mut speaking = plan.seats.iter().filter(|seat| seat.speaks()).map(|seat| seat.thinks_before(talk));
    let first = speaking.next();
    speaking.all(|thinks| Some(thinks) == first)
}

/// Who answers for all seats that may speak in the phase at a place; `None` if seats differ in that, or people answer.
fn find_same_respondent(plan: &Plan, place: usize, step: Step) -> Option<SameRespondent> {
    let may_speak = |seat: &SeatId| plan.seats[seat.index()].speaks() && plan.who(place).all(|set| set.may_hold(*seat));
    let mut respondents = plan.seat_ids().filter(may_speak).map(|seat| match plan.respondent(seat, step) {
        Respondent::Model(model) => Some(SameRespondent::Model(model)),
        Respondent::Mind(_) | Respondent::Rule => Some(SameRespondent::Simulated),
        Respondent::Person(_) => None,
    });
    let first = respondents.next()??;
    respondents.all(|other| other == Some(first)).then_some(first)
}

/// The turns of courses if the same seats speak in every round, as many as the talk has speakers.
fn count_turns(plan: &Plan, agents: &[Agent], courses: &[RehearsalCourse]) -> Result<Vec<TurnCounts>, PromptError> {
    let mut fixed = plan.clone();
    for phase in &mut fixed.agenda {
        if let PhaseKind::Discussion(talk) = &mut phase.kind
            && is_drawn_by_lot(talk)
        {
            talk.order = SpeakingOrder::Fixed;
        }
    }
    let RehearsalCourse { words, optional, .. } = courses[0];
    let supposed = if words == ReplyLength::Long { Supposed::Long } else { Supposed::Short };
    let rehearsed = rehearse_courses(&fixed, agents, (courses, supposed), TurnCounts::new(), &mut |counts, put| {
        let at = &put.query.id.at;
        let place = || plan.agenda.iter().position(|phase| phase.name == at.phase);
        let need_not_be =
            optional == OptionalPhases::Votes && place().is_some_and(|place| plan.depends_on_answers(place));
        if put.is_first_try() && !need_not_be {
            *counts.entry((at.phase.written().to_owned(), at.step)).or_default() += 1;
        }
        ControlFlow::Continue(())
    })?;
    Ok(rehearsed.into_iter().map(|(counts, _)| counts).collect())
}

impl PartialTalk {
    /// Corrects the tally of a course.
    fn correct_tally(&self, plan: &Plan, tally: &mut CourseTally, counted: &TurnCounts) {
        let of_talk =
            tally.counts.iter().filter(|((_, phase, step), _)| *step == self.step && phase.written() == self.phase);
        let rehearsed: u64 = of_talk.map(|(_, questions)| questions).sum();
        let possible = match self.is_known {
            true => counted.get(&(self.phase.clone(), self.step)).copied().unwrap_or(0),
            false => rehearsed.min(self.most),
        };
        let turns = TurnCount { rehearsed, possible };
        let of_phase = tally.turns.entry(self.phase.clone()).or_default();
        *of_phase = of_phase.plus(turns);
        let Some(respondent) = self.respondent else { return };
        // With several models, or people, it may be that each is asked most.
        tally.turns_in_sum = tally.turns_in_sum.plus(turns);
        let SameRespondent::Model(place) = respondent else { return };
        let model = &plan.models[place];
        let reply = CountBounds { low: super::least_reply_tokens(model), high: model.max_tokens.into() };
        let told = &mut tally.models[place];
        told.questions = turns.correct_sum(told.questions, 1);
        told.reply = CountBounds {
            low: turns.correct_sum(told.reply.low, reply.low),
            high: turns.correct_sum(told.reply.high, reply.high),
        };
        if self.is_known {
            tally.batches = turns.correct_sum(tally.batches, 1);
        }
    }
}
