//! Rehearses a session: runs the real engine with invented answers, to see what would be asked.
//!
//! Nothing is minuted, written or sent to a model. Questions, prompts and procedure are real; only the words of seats are
//! placeholders.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::course::{OptionalPhases, Player, RehearsalCourse, ReplyLength};
use super::wording::QuestionWording;
use crate::domain::{Agent, Answer, Draft, Fault, Query, SeatId, Verdict};
use crate::engine::{Deliberation, Next, Supposed};
use crate::plan::{
    AssumedSeats, BlockSpan, Condition, ConditionReader, ConvergenceAction, Discussion, Formula, GroupPlace, Pass,
    PhaseKind, Plan, SeatSet, Thing, VoteOver, WinnersPart,
};
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
    let ends = rehearse_courses(plan, agents, (&[course], supposed), (), &mut |(), put| witness(put))?;
    Ok(ends[0].1)
}

/// Rehearses several courses that have the length of replies and the optional phases in common. Courses share a session until they
/// answer differently; `tally` is what the witness collects of each. Returns tallies and ends in the order of the courses.
///
/// # Errors
/// When a template fails on one of the questions.
pub(super) fn rehearse_courses<T: Clone>(
    plan: &Plan,
    agents: &[Agent],
    (courses, supposed): (&[RehearsalCourse], Supposed),
    tally: T,
    witness: &mut dyn FnMut(&mut T, &RehearsedQuestion<'_>) -> ControlFlow<()>,
) -> Result<Vec<(T, RehearsalEnd)>, PromptError> {
    let plan = &*plan_for_course(plan, courses[0]);
    let deliberation = Deliberation::convene(plan, 1).dealing(plan.deal_longest_case()).supposing(supposed);
    let player = |(place, course): (usize, &RehearsalCourse)| (place, Player::new(plan, *course, *deliberation.seed()));
    let players = courses.iter().enumerate().map(player).collect();
    let lines = LineCache::default();
    let mut branches = vec![Branch { players, deliberation, tally, put: 0, ask: 0 }];
    let mut ends: Vec<Option<(T, RehearsalEnd)>> = courses.iter().map(|_| None).collect();
    while let Some(mut branch) = branches.pop() {
        let end = loop {
            match branch.take_step((plan, agents), &lines, witness)? {
                ControlFlow::Continue(parted) => branches.extend(parted),
                ControlFlow::Break(end) => break end,
            }
        };
        for (place, _) in &branch.players {
            ends[*place] = Some((branch.tally.clone(), end));
        }
    }
    Ok(ends.into_iter().map(|end| end.expect("invariant: every course has come to an end")).collect())
}

/// Who plays courses, each with the place of its course.
type Players<'p> = Vec<(usize, Player<'p>)>;

/// A rehearsed session under way, and the courses that have answered alike so far, by their places.
struct Branch<'p, T> {
    deliberation: Deliberation<'p>,
    players: Players<'p>,
    tally: T,
    put: u64,
    ask: u64,
}

impl<'p, T: Clone> Branch<'p, T> {
    /// Takes one step. Returns the branches of courses that have answered differently from this one's, or the end.
    fn take_step(
        &mut self,
        (plan, agents): (&Plan, &[Agent]),
        lines: &LineCache,
        witness: &mut dyn FnMut(&mut T, &RehearsedQuestion<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<RehearsalEnd, Vec<Self>>, PromptError> {
        let queries = match self.deliberation.next() {
            Next::Adjourned(verdict) => return Ok(ControlFlow::Break(RehearsalEnd::Whole(verdict))),
            Next::Undefined { .. } => return Ok(ControlFlow::Break(RehearsalEnd::Cut)),
            Next::Declare(draft) => {
                self.deliberation.take_drafts(vec![*draft]);
                return Ok(ControlFlow::Continue(Vec::new()));
            }
            Next::Ask(queries) => queries,
        };
        self.put += queries.len() as u64;
        self.ask += 1;
        if self.put > QUESTIONS_MAX {
            return Ok(ControlFlow::Break(RehearsalEnd::Cut));
        }
        let callers = self.deliberation.count_callers();
        self.players.iter_mut().for_each(|(_, player)| player.note_callers(callers));
        // One list of answers per course.
        let mut answers: Vec<Vec<Answer>> = self.players.iter().map(|_| Vec::with_capacity(queries.len())).collect();
        for query in &queries {
            let model = plan.model_asked(query.seat, query.id.at.step).map(|place| &plan.models[place]);
            let wording =
                model.map(|model| QuestionWording::with_lines(lines, (plan, agents), query, model)).transpose()?;
            let is_too_long = wording.as_ref().zip(model).is_some_and(|(wording, model)| wording.is_too_long(model));
            let put = RehearsedQuestion { query, wording: wording.as_ref(), lines, ask: self.ask, is_too_long };
            if witness(&mut self.tally, &put).is_break() {
                return Ok(ControlFlow::Break(RehearsalEnd::Left));
            }
            for (given, (_, player)) in answers.iter_mut().zip(&mut self.players) {
                given.push(if is_too_long { Answer::too_long(query.state.clone()) } else { player.answer(query) });
            }
        }
        let admit = |given: Vec<Answer>| -> Vec<Draft> {
            queries.iter().zip(given).map(|(query, answer)| self.deliberation.admit(query, answer)).collect()
        };
        let mut parted: Vec<(Vec<Answer>, Players<'p>)> = Vec::new();
        for (player, given) in std::mem::take(&mut self.players).into_iter().zip(answers) {
            match parted.iter_mut().find(|(alike, _)| *alike == given) {
                Some((_, players)) => players.push(player),
                None => parted.push((given, vec![player])),
            }
        }
        let mut parted = parted.into_iter().map(|(given, players)| (admit(given), players)).collect::<Vec<_>>();
        drop(queries);
        let (drafts, players) = parted.remove(0);
        let others = parted.into_iter().map(|(drafts, players)| {
            let mut other = Branch {
                deliberation: self.deliberation.clone(),
                players,
                tally: self.tally.clone(),
                put: self.put,
                ask: self.ask,
            };
            other.deliberation.take_drafts(drafts);
            other
        });
        let others = others.collect();
        self.players = players;
        self.deliberation.take_drafts(drafts);
        Ok(ControlFlow::Continue(others))
    }
}

/// The plan for a course. Placeholders cannot converge as statements do, so convergence ends the talk as early as it may in a
/// short course, and never in a long one. Conditions and sets of seats that read answers follow the course.
fn plan_for_course(plan: &Plan, course: RehearsalCourse) -> Cow<'_, Plan> {
    if !depends_on_course(plan) {
        return Cow::Borrowed(plan);
    }
    let mut supposed = plan.clone();
    suppose_conditions(&mut supposed, plan, course);
    leave_out_unreachable(&mut supposed, plan);
    suppose_seats(&mut supposed, plan, course);
    for (place, phase) in supposed.agenda.iter_mut().enumerate() {
        if let PhaseKind::Discussion(talk) = &mut phase.kind {
            let who = if has_same_participants(plan, place) { Speakers::Fixed } else { Speakers::Vary };
            suppose_talk(talk, who, course.words);
        }
    }
    Cow::Owned(supposed)
}

/// Whether as many seats take part in the phase at a place in every session.
pub(super) fn has_same_participants(plan: &Plan, place: usize) -> bool {
    !plan.may_lose_seats() && plan.agenda[place].group.is_none() && plan.who(place).all(SeatSet::is_fixed)
}

/// Whether a session may be shorter or longer for another reason than the answers to votes, calls and tests.
fn depends_on_course(plan: &Plan) -> bool {
    let stops = |talk: &Discussion| talk.stops_when_alike() || talk.until.is_some() || talk.speakers.is_some();
    let has_conditions =
        plan.agenda.iter().any(|phase| phase.when.is_some() || phase.who.is_some() || phase.heard_by.is_some())
            || plan.blocks.iter().any(|block| block.when.is_some() || block.until.is_some() || block.who.is_some());
    let is_live = |pass: &Pass| matches!(pass.thing, Some(Thing::Times { .. }));
    let has_sets = plan.agenda.iter().any(|phase| !phase.seat_sets().is_empty() || phase.passes.iter().any(is_live));
    let has_winners = plan.vote_phases().any(|(_, vote)| matches!(vote.over, VoteOver::Winners(_)));
    has_conditions || has_sets || has_winners || plan.discussions().any(stops)
}

/// Has phases take place, and repetitions end, by the course where that depends on answers.
fn suppose_conditions(supposed: &mut Plan, plan: &Plan, course: RehearsalCourse) {
    for (place, phase) in supposed.agenda.iter_mut().enumerate() {
        if course.optional == OptionalPhases::Votes && plan.depends_on_answers(place) && !phase.kind.holds_votes() {
            phase.when = Some(Condition::never());
        }
    }
    let takes_place = course.optional != OptionalPhases::None;
    for (place, when) in (0..).zip(supposed.agenda.iter_mut().map(|phase| &mut phase.when)) {
        if let Some(when) = when {
            when.assumed = when.assumed.or((!when.formula.is_fixed()).then_some(takes_place));
            when.set_at = list_setting_places(plan, &when.formula, read_at_phase(plan, place));
        }
    }
    for (block, supposed) in plan.blocks.iter().zip(&mut supposed.blocks) {
        let reader = read_at_block(plan, block);
        if let Some(when) = &mut supposed.when {
            when.assumed = (!when.formula.is_fixed()).then_some(takes_place);
            when.set_at = list_setting_places(plan, &when.formula, reader);
        }
        if let Some(until) = &mut supposed.until {
            until.assumed = (!until.formula.is_fixed()).then_some(course.words == ReplyLength::Short);
            until.set_at = list_setting_places(plan, &until.formula, reader);
        }
    }
    let passes = supposed.agenda.iter_mut().flat_map(|phase| &mut phase.passes);
    for (thing, of) in passes.filter_map(|pass| Some((pass.thing.as_mut()?, pass.of))) {
        if let Thing::Times { assumed, .. } = thing {
            *assumed = Some(match course.optional {
                OptionalPhases::None => 0,
                OptionalPhases::Votes => 1,
                OptionalPhases::All => of,
            });
        }
    }
}

/// Leaves out the phases that certainly never take place, whatever a course takes their conditions to be. A fork may go on by other
/// settings, under which they do.
fn leave_out_unreachable(supposed: &mut Plan, plan: &Plan) {
    if plan.plan_after().is_some() {
        return;
    }
    for (phase, may_open) in supposed.agenda.iter_mut().zip(plan.find_reach().may_open) {
        if !may_open {
            phase.when = Some(Condition::never());
        }
    }
}

/// The places of the phases that set what a condition reads; `None` if it may hold from the beginning. In groups whose members follow from
/// answers, it may.
fn list_setting_places(plan: &Plan, formula: &Formula, reader: ConditionReader<'_>) -> Option<Vec<usize>> {
    let has_known_members = |group: &GroupPlace| plan.has_known_members(&group.assignment);
    reader.group.is_none_or(has_known_members).then(|| plan.sources.places_read(formula, &reader))?
}

/// Where the condition of a phase is read.
fn read_at_phase(plan: &Plan, place: usize) -> ConditionReader<'_> {
    let phase = &plan.agenda[place];
    ConditionReader {
        agenda: &plan.agenda,
        variables: &plan.variables,
        seats: plan.seats.len(),
        passes: &phase.passes,
        group: phase.group.as_ref(),
    }
}

/// Where the conditions of a block are read, without its own passes.
fn read_at_block<'p>(plan: &'p Plan, block: &BlockSpan) -> ConditionReader<'p> {
    let at_start = read_at_phase(plan, block.start);
    let passes = &at_start.passes[..block.around.min(at_start.passes.len())];
    ConditionReader { passes, group: at_start.group.filter(|_| block.group.is_some()), ..at_start }
}

/// Has sets of seats select by the course where that depends on answers.
fn suppose_seats(supposed: &mut Plan, plan: &Plan, course: RehearsalCourse) {
    let (taking_part, selected, winning) = match course.optional {
        OptionalPhases::All => (AssumedSeats::All, AssumedSeats::All, WinnersPart::Options),
        OptionalPhases::Votes => (AssumedSeats::First, AssumedSeats::All, WinnersPart::Options),
        OptionalPhases::None => (AssumedSeats::None, AssumedSeats::None, WinnersPart::None),
    };
    let hearing = match course.words {
        ReplyLength::Short => AssumedSeats::None,
        ReplyLength::Long => AssumedSeats::All,
    };
    let phases = supposed.agenda.iter_mut().map(|phase| &mut phase.who);
    for who in phases.chain(supposed.blocks.iter_mut().map(|block| &mut block.who)).flatten() {
        who.assume_selected(taking_part);
    }
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
    for winners in supposed.agenda.iter_mut().filter_map(|phase| phase.kind.winners_mut()) {
        winners.assumed = Some(winning);
    }
    for heard_by in supposed.agenda.iter_mut().filter_map(|phase| phase.heard_by.as_mut()) {
        heard_by.assume_selected(hearing);
    }
}

/// Whether the same seats take part in a discussion in every session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speakers {
    Fixed,
    Vary,
}

/// Has a discussion end as early as it may in a short course, and never in a long one; likewise with who speaks in it, where that is drawn.
fn suppose_talk(talk: &mut Discussion, who: Speakers, words: ReplyLength) {
    if let Some(convergence) = &mut talk.convergence {
        match words {
            ReplyLength::Short => convergence.threshold = 0,
            ReplyLength::Long => convergence.action = ConvergenceAction::Continue,
        }
    }
    if let Some(until) = talk.until.as_mut().filter(|until| !until.formula.is_fixed()) {
        until.assumed = Some(words == ReplyLength::Short);
    }
    if who == Speakers::Vary || talk.draws_speakers() {
        talk.speakers = match words {
            ReplyLength::Short => talk.speakers.map(|_| 0),
            ReplyLength::Long => None,
        };
    }
}

/// The number of seats that a group of an assignment has at the least; 0 if not everyone is put into groups.
fn least_group(plan: &Plan, assignment: &str) -> usize {
    let seats: Vec<SeatId> = plan.seat_ids().collect();
    let of_phase = |place: usize| {
        let own = plan.agenda[place].kind.group_rules().iter().filter(|rule| rule.name == assignment);
        let least = own.map(|rule| rule.size.least_group(&seats)).min()?;
        Some(if plan.takes_all(place) { least } else { 0 })
    };
    (0..plan.agenda.len()).filter_map(of_phase).min().unwrap_or(0)
}
