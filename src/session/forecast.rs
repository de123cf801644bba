//! Forecasts what one session of a plan may ask of its seats and models: bounds on counts, found by rehearsals.
//!
//! Nothing here knows the number of sessions, the price of tokens, or how numbers are printed.

mod bounds;
mod full;
mod heard;
mod matched;
mod surplus;
mod turns;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::course::{OptionalPhases, RehearsalCourse, RehearsedAgreement, ReplyLength};
use super::rehearsal::{RehearsalEnd, RehearsedQuestion, rehearse_courses};
use crate::engine::Supposed;
use surplus::{CONFIRMATION, JOINT};
use turns::TurnCount;

use super::wording::QuestionWording;
use crate::domain::{Agent, Fault, PhaseName, SeatId, Step, Verdict};
use crate::plan::{ArmPlan, Network, OpenAiModel, OverfullSeat, PhaseKind, Plan, Sitter, SpeakingOrder, VoteEnds};
use crate::prompt::{AnswerForm, PromptError, TextShown};
pub use bounds::{CountBounds, Forecast, Load, Spans, TightestPrompt};
pub use heard::StatementsShown;

/// The faults whose reasons are measured. Reasons of other faults are assumed to be no longer.
const REASONS: [Fault; 7] = [
    Fault::Unreadable,
    Fault::AmountOutOfRange,
    Fault::NotARanking,
    Fault::TooShort,
    Fault::CutByLength,
    Fault::NameTaken,
    Fault::NotOnce,
];
/// The most tokens of a statement of a person or a simulated seat.
const TYPED_TOKENS_MAX: u64 = 4_000;
/// The fewest tokens of a reply under a schema: a brace, a key, a value, a brace.
const SCHEMA_TOKENS_MIN: u64 = 4;

#[derive(Debug, Clone, Default)]
struct CourseTally {
    counts: BTreeMap<(u32, PhaseName, Step), u64>,
    /// The turns of talks in which only some seats speak, by the written names of phases.
    turns: BTreeMap<String, TurnCount>,
    /// Those that change the sum over all questions.
    turns_in_sum: TurnCount,
    /// The number of asks with questions to models, and the last of these asks.
    batches: u64,
    last_ask: u64,
    /// One entry per model.
    models: Vec<ModelTally>,
    tightest: Vec<Option<TightestPrompt>>,
    too_full: Vec<OverfullSeat>,
    /// The most tokens that the reason for asking again adds.
    reason: u64,
    /// Seats that were asked in the current round whether they call a vote, but not to confirm one, with the tokens of that
    /// prompt.
    unconfirmed: BTreeMap<u32, u64>,
    /// Tokens of one statement as other seats read it.
    remark: CountBounds,
    ordinary: surplus::OrdinaryPrompts,
    inquiries: surplus::Inquiries,
    statements: StatementsShown,
    cut: heard::CutTokens,
}

/// The counts of one course for one model.
#[derive(Debug, Clone, Copy, Default)]
struct ModelTally {
    questions: u64,
    prompt: CountBounds,
    /// Tokens that prompts gain, at most, because the public history shows statements in full.
    in_full: u64,
    reply: CountBounds,
    /// Over all turns whose place is drawn: the number of seats that spoke before it in the round, and after it. In another
    /// session, either may speak on the other side of the turn.
    before: u64,
    after: u64,
    /// Confirmations that its seats were spared because they called the vote, and the tokens of their prompts. In another
    /// session, another seat calls it.
    spared: (u64, u64),
    /// How much more its prompts may hold of the summary of the talk and of marked statements.
    told: surplus::PromptSurplus,
}

/// The ratio by which prompts may be longer because figures in them are drawn in each session.
const DRAWN: (u64, u64) = (51, 50);

impl ModelTally {
    /// The tokens of all prompts, wherever in its rounds the model's turns come.
    fn prompt_anywhere(&self, remark: CountBounds) -> CountBounds {
        let high = self.prompt.high.saturating_add(self.after.saturating_mul(remark.high));
        let high = high.saturating_add(self.spared.1).saturating_add(self.told.in_tokens(remark.high));
        CountBounds {
            low: self.prompt.low.saturating_sub(self.before.saturating_mul(remark.high)),
            high: high.saturating_mul(DRAWN.0) / DRAWN.1,
        }
    }
}

impl CourseTally {
    fn for_plan(plan: &Plan) -> Self {
        let models = plan.models.len();
        Self { models: vec![Default::default(); models], tightest: vec![None; models], ..Self::default() }
    }

    fn count_question(
        &mut self,
        plan: &Plan,
        agents: &[Agent],
        put: &RehearsedQuestion<'_>,
    ) -> Result<(), PromptError> {
        let (query, id) = (put.query, &put.query.id);
        self.measure_remarks(plan, agents, put);
        match id.at.step {
            Step::VoteCall => {}
            Step::Confirmation => drop(self.unconfirmed.remove(&query.seat.0)),
            step => self.count_spared(plan, step),
        }
        let key = (query.seat.0, id.at.phase.clone(), id.at.step);
        let is_new = !self.counts.contains_key(&key);
        if put.is_first_try() {
            *self.counts.entry(key).or_default() += 1;
        }
        let Some((wording, place)) = put.wording.zip(plan.model_asked(query.seat, id.at.step)) else { return Ok(()) };
        let model = &plan.models[place];
        // Other words may have more tokens than these, so the estimate counts even if the tokenizer is known.
        let (fitted, estimated) = (wording.tokens_at_most(), wording.tokens_estimated());
        let most = fitted.max(estimated);
        let tightest = &mut self.tightest[place];
        // A prompt that was too long outranks every prompt that fitted.
        if tightest.as_ref().is_none_or(|t| (t.is_too_long, t.prompt_tokens) < (put.is_too_long, fitted)) {
            *tightest = Some(TightestPrompt {
                question: id.clone(),
                model: place,
                prompt_tokens: fitted,
                usable: model.usable_window(),
                is_too_long: put.is_too_long,
            });
        }
        if !put.is_first_try() {
            return Ok(());
        }
        if id.at.step == Step::VoteCall {
            self.unconfirmed.insert(query.seat.0, most);
        }
        let most_reply = u64::from(model.max_tokens);
        let slack = surplus::prompt_slack(plan, agents, put, (model, self.remark.high))?;
        let stands = self.ordinary.standing_surplus(plan, agents, query, most);
        self.count_batch(put.ask);
        let told = &mut self.models[place];
        told.told = told.told.plus(stands).plus(surplus::marked_surplus(plan, query));
        self.inquiries.count_offer(query, place);
        told.questions += 1;
        let low = wording.tokens_at_least().min(fitted).saturating_sub(slack.low);
        told.prompt = told.prompt.plus(CountBounds { low, high: most.saturating_add(slack.high) });
        told.in_full = told.in_full.saturating_add(self.cut.count_in_full(&query.brief));
        told.reply = told.reply.plus(CountBounds { low: least_reply_tokens(model), high: most_reply });
        let is_turn = matches!(id.at.step, Step::Statement | Step::Reasoning);
        if is_turn && id.at.turn > 0 && is_place_drawn(plan, &id.at.phase) {
            told.before += u64::from(id.at.turn - 1);
            told.after += (plan.seats.len() as u64).saturating_sub(id.at.turn.into());
        }
        if id.at.step == Step::Compression && is_place_drawn(plan, &id.at.phase) {
            // The statements that a rewrite leaves out may be any seat's.
            let kept = plan.memory.policy.terms().rewrites.map_or(0, |rewrites| rewrites.keep.into());
            told.before += kept;
            told.after += kept;
        }
        if is_new {
            let reason = QuestionWording::reason_tokens(&REASONS, put.lines, (plan, agents), query, model)?;
            self.reason = self.reason.max(reason);
        }
        Ok(())
    }

    /// The tokens of one statement as other seats read it. If none was heard in the course, it is at most as long as a reply.
    fn remark_span(&self, plan: &Plan) -> CountBounds {
        /// Tokens around the words of a statement: its number and its speaker's name.
        const AROUND: u64 = 60;
        let replies = plan.seats.iter().map(|seat| match seat.sitter {
            Sitter::Model(place) => u64::from(plan.models[place].max_tokens),
            Sitter::Mind(_) | Sitter::Person(_) => TYPED_TOKENS_MAX,
        });
        match self.remark.high {
            0 => CountBounds { low: 0, high: replies.max().unwrap_or(0) + AROUND },
            _ => self.remark,
        }
    }

    /// Asks with questions to models. In another session, seats that were spared a question may be asked one by one.
    fn batch_span(&self) -> CountBounds {
        let spared = self.models.iter().map(|told| told.spared.0).sum::<u64>();
        CountBounds { low: self.batches, high: self.batches + spared }
    }

    fn count_batch(&mut self, ask: u64) {
        if self.last_ask != ask {
            (self.batches, self.last_ask) = (self.batches + 1, ask);
        }
    }

    /// Counts the seats that were spared the confirmation because they called the vote, and clears the list.
    fn count_spared(&mut self, plan: &Plan, step: Step) {
        for (seat, tokens) in std::mem::take(&mut self.unconfirmed) {
            if let (Step::Ballot, Some(place)) = (step, plan.model_asked(SeatId(seat), Step::VoteCall)) {
                let (questions, prompts) = &mut self.models[place].spared;
                *questions += 1;
                *prompts += tokens + CONFIRMATION;
            }
        }
    }

    /// Notes how statements are shown, and measures the newest remark shown.
    fn measure_remarks(&mut self, plan: &Plan, agents: &[Agent], put: &RehearsedQuestion<'_>) {
        self.statements.note_question(plan, put);
        let query = put.query;
        let Some(remark) = query.brief.remarks.last() else { return };
        let Some(speaker) = remark.speaker else { return };
        let chosen = query.chosen.get(speaker.index()).and_then(Option::as_deref);
        let name = chosen.unwrap_or(&agents[speaker.index()].public_name);
        let extent = TextShown::of(remark, &query.brief);
        let line = put.lines.write_remark((remark, extent), Some(name), query.brief.style, plan.motion_for(query.seat));
        let heard = CountBounds { low: line.words(), high: line.tokens_at_most() + JOINT };
        self.remark = if self.remark.high == 0 { heard } else { self.remark.merge_bounds(heard) };
    }
}

/// The fewest tokens of a model's reply.
fn least_reply_tokens(model: &OpenAiModel) -> u64 {
    let least = if model.answer_form() == AnswerForm::JsonSchema { SCHEMA_TOKENS_MIN } else { 1 };
    least.min(model.max_tokens.into())
}

/// Whether a phase's speaking order is drawn, or changes between rounds.
fn is_place_drawn(plan: &Plan, phase: &PhaseName) -> bool {
    let Some(place) = plan.agenda.iter().position(|other| other.name == *phase) else { return false };
    let Some(discussion) = plan.agenda[place].kind.as_discussion() else { return false };
    // How many of those who take part are in one group may be by lot.
    let is_of_some = plan.agenda[place].group.is_some() && plan.who(place).next().is_some();
    is_of_some || !matches!(discussion.order, SpeakingOrder::Fixed | SpeakingOrder::Simultaneous)
}

/// The bounds of one session of a plan, over all courses.
///
/// # Errors
/// When a template fails on one of the questions.
pub fn forecast_session(plan: &Plan) -> Result<Forecast, PromptError> {
    let is_drawn = |network: &Network| network.is_drawn();
    if !plan.network.is_drawn() && !plan.agenda.iter().any(|phase| phase.kind.own_network().is_some_and(is_drawn)) {
        return forecast_courses(plan);
    }
    // A drawn network lies between a complete one and none.
    let with = |network: Network| {
        let mut plan = plan.clone();
        let talks = plan.agenda.iter_mut().filter_map(|phase| match &mut phase.kind {
            PhaseKind::Discussion(talk) => talk.network.as_mut(),
            _ => None,
        });
        talks.filter(|own| own.is_drawn()).for_each(|own| own.clone_from(&network));
        if plan.network.is_drawn() {
            plan.shared = Arc::new(ArmPlan { network, ..(*plan.shared).clone() });
        }
        forecast_courses(&plan)
    };
    Ok(with(Network::Complete)?.merge_bounds(with(Network::Alone)?))
}

/// The bounds for a network that is not drawn.
fn forecast_courses(plan: &Plan) -> Result<Forecast, PromptError> {
    let agents = plan.longest_agents();
    let (mut tallies, mut is_cut) = (Vec::new(), false);
    let may_end_early = plan.vote_phases().any(|(_, vote)| vote.ends != VoteEnds::Nothing);
    let decides_besides = plan.vote_phases().any(|(_, vote)| vote.is_binding && !vote.decides);
    let mut optional = (0..plan.agenda.len()).filter(|place| plan.depends_on_answers(*place));
    let early = optional.any(|place| plan.agenda[place].kind.holds_votes()).then_some(RehearsalCourse::EARLY);
    let may_end = |kind: &PhaseKind| kind.holds_votes() && !kind.votes_without_end();
    let has_both = plan.agenda.iter().any(|phase| phase.kind.votes_without_end())
        && plan.agenda.iter().any(|phase| may_end(&phase.kind));
    let direct = has_both.then_some(RehearsalCourse::DIRECT);
    let courses: Vec<RehearsalCourse> = RehearsalCourse::ALL.into_iter().chain(early).chain(direct).collect();
    for alike in courses.chunk_by(|one, other| (one.words, one.optional) == (other.words, other.optional)) {
        let spoiled = alike.iter().filter_map(|course| course.with_spoiled_ballots());
        let all: Vec<RehearsalCourse> = alike.iter().copied().chain(spoiled).collect();
        let mut rehearsed = tally_courses(plan, &agents, &all)?;
        turns::correct_turns(plan, &agents, &all, &mut rehearsed)?;
        let mut spoiled = rehearsed.split_off(alike.len()).into_iter();
        for (course, (tally, mut ended)) in alike.iter().zip(rehearsed) {
            tallies.push(tally);
            // If ballots that differ still decide, there is a longer course: no ballot counts.
            let may_decide = match course.vote.agree {
                RehearsedAgreement::ToEnd => true,
                RehearsedAgreement::Nowhere => {
                    may_end_early || decides_besides || ended == RehearsalEnd::Whole(Verdict::Carried)
                }
                RehearsedAgreement::Late | RehearsedAgreement::Everywhere => may_end_early,
            };
            let without_ballots = course.with_spoiled_ballots().and_then(|_| spoiled.next());
            if let (true, RehearsalEnd::Whole(_), Some((tally, rehearsed))) = (may_decide, ended, without_ballots) {
                tallies.push(tally);
                ended = rehearsed;
            }
            is_cut |= ended == RehearsalEnd::Cut;
        }
    }
    matched::forecast_samples(plan, Forecast { is_cut, ..combine_tallies(plan, &tallies) })
}

/// Counts the questions of courses that have the length of replies and the optional phases in common.
fn tally_courses(
    plan: &Plan,
    agents: &[Agent],
    courses: &[RehearsalCourse],
) -> Result<Vec<(CourseTally, RehearsalEnd)>, PromptError> {
    let RehearsalCourse { words, optional, .. } = courses[0];
    let mut failure = None;
    // A seat need not choose an alternative with an amount, so the lower bound leaves out the questions for amounts.
    let is_free = words == ReplyLength::Short && plan.motion.alternatives.iter().any(|other| !other.takes_amount);
    let supposed = if words == ReplyLength::Long { Supposed::Long } else { Supposed::Short };
    let tally = CourseTally::for_plan(plan);
    let rehearsed = rehearse_courses(plan, agents, (courses, supposed), tally, &mut |tally, put| {
        let place = || plan.agenda.iter().position(|phase| phase.name == put.query.id.at.phase);
        let need_not_be =
            optional == OptionalPhases::Votes && place().is_some_and(|place| plan.depends_on_answers(place));
        if is_free && put.query.id.at.step == Step::Amount || need_not_be {
            return ControlFlow::Continue(());
        }
        full::note_overfull_seat(&mut tally.too_full, plan, put);
        match tally.count_question(plan, agents, put) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    match failure {
        Some(error) => Err(error),
        None => Ok(rehearsed),
    }
}

/// The questions of each phase by its written name. Of calls of votes, whose seats are drawn, those of all seats are added up.
fn bound_phases(tallies: &[CourseTally], steps: &[Spans]) -> BTreeMap<String, CountBounds> {
    let is_call = |step: Step| matches!(step, Step::VoteCall | Step::Confirmation);
    let mut phases: BTreeMap<String, CountBounds> = BTreeMap::new();
    for asked in steps.iter().filter(|asked| !asked.step.rewrites_memory()) {
        let called = if is_call(asked.step) { asked.questions } else { CountBounds::default() };
        let phase = phases.entry(asked.phase.written().to_owned()).or_default();
        *phase = phase.plus(called);
    }
    for (name, span) in &mut phases {
        let is_counted =
            |phase: &PhaseName, step: Step| phase.written() == name && !step.rewrites_memory() && !is_call(step);
        let of_course = |tally: &CourseTally| {
            let counts = tally.counts.iter().filter(|((_, phase, step), _)| is_counted(phase, *step));
            let turns = tally.turns.get(name).copied().unwrap_or_default();
            CountBounds::from_number(turns.correct_sum(counts.map(|(_, questions)| questions).sum(), 1))
        };
        *span = span.plus(tallies.iter().map(of_course).reduce(CountBounds::merge_bounds).unwrap_or_default());
    }
    phases
}

fn combine_tallies(plan: &Plan, tallies: &[CourseTally]) -> Forecast {
    let bounds = |of: &dyn Fn(&CourseTally) -> CountBounds| {
        tallies.iter().map(of).reduce(CountBounds::merge_bounds).expect("invariant: there is at least one course")
    };
    let mut keys: Vec<&(u32, PhaseName, Step)> = tallies.iter().flat_map(|tally| tally.counts.keys()).collect();
    let place_of = |phase: &PhaseName| plan.agenda.iter().position(|other| other.name == *phase);
    keys.sort_by_key(|(seat, phase, step)| (*seat, place_of(phase), *step));
    keys.dedup();
    let count = |(seat, phase, step): &(u32, PhaseName, Step)| {
        let key = (*seat, phase.clone(), *step);
        bounds(&|tally| CountBounds::from_number(tally.counts.get(&key).copied().unwrap_or(0)))
    };
    let steps = keys.into_iter().map(|key| {
        let (seat, phase, step) = key;
        let calls = || count(&(*seat, phase.clone(), Step::VoteCall)).high;
        // The order of asking is drawn, and the seat that calls a vote is not asked to confirm it.
        let questions = match step {
            Step::VoteCall | Step::Confirmation => CountBounds { low: 0, high: calls() },
            _ => count(key),
        };
        Spans { seat: SeatId(*seat), phase: phase.clone(), step: *step, questions }
    });
    let steps: Vec<Spans> = steps.collect();
    let phases = bound_phases(tallies, &steps);
    let remark = tallies.iter().map(|tally| tally.remark.high).max().unwrap_or(0);
    let (inquiry, found) = surplus::inquiry_bounds(plan, remark);
    let (tries_max, tries) = (u64::from(plan.tries_max), u64::from(plan.tries_max) + inquiry);
    let reason = tallies.iter().map(|tally| tally.reason).max().unwrap_or(0);
    let load = |place: usize| {
        let questions = bounds(&|tally| {
            let told = &tally.models[place];
            CountBounds { low: told.questions, high: told.questions + told.spared.0 }
        });
        let prompt_tokens = bounds(&|tally| tally.models[place].prompt_anywhere(tally.remark_span(plan)));
        let longest = u64::from(plan.models[place].max_tokens);
        let completion_tokens = bounds(&|tally| {
            let told = &tally.models[place];
            told.reply.plus(CountBounds { low: 0, high: told.spared.0.saturating_mul(longest) })
        });
        let asks =
            tallies.iter().map(|tally| tally.inquiries.count_for_model(plan, place, tally.models[place].spared.0));
        let inquiries = asks.max().unwrap_or(0);
        let again = questions.high.saturating_mul(tries - 1).saturating_mul(reason.saturating_add(found));
        // After a cut reply, the question is asked again with twice the room.
        let longer = 2 * (completion_tokens.high * (tries_max - 1) + inquiries * longest);
        Load {
            questions,
            prompt_tokens,
            full_statement_tokens: tallies.iter().map(|tally| tally.models[place].in_full).max().unwrap_or(0),
            completion_tokens,
            calls_at_most: questions.high.saturating_mul(tries_max).saturating_add(inquiries),
            prompt_tokens_at_most: prompt_tokens.high.saturating_mul(tries).saturating_add(again),
            completion_tokens_at_most: completion_tokens.high.saturating_add(longer),
        }
    };
    let tightest = |place: usize| {
        let found = tallies.iter().filter_map(|tally| tally.tightest[place].as_ref());
        found.max_by_key(|tightest| (tightest.is_too_long, tightest.prompt_tokens)).cloned()
    };
    Forecast {
        questions: bounds(&|tally| {
            CountBounds::from_number(tally.turns_in_sum.correct_sum(tally.counts.values().sum(), 1))
        }),
        batches: bounds(&CourseTally::batch_span),
        steps,
        phases,
        models: (0..plan.models.len()).map(load).collect(),
        tightest: (0..plan.models.len()).map(tightest).collect(),
        too_full: tallies.iter().flat_map(|tally| tally.too_full.clone()).collect(),
        is_cut: false,
        statements: tallies
            .iter()
            .map(|tally| tally.statements.clone())
            .fold(StatementsShown::default(), StatementsShown::merge_with),
    }
}
