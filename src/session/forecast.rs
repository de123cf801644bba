//! What one session of a plan may ask of its seats and models: counts with their bounds, found by rehearsing it.
//!
//! Nothing here knows how many sessions there are, what tokens cost, or how numbers are printed.

mod bounds;
mod full;
mod heard;
mod matched;
mod surplus;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::course::{RehearsalCourse, ReplyLength};
use super::rehearsal::{RehearsalEnd, RehearsedQuestion, longest_agents, rehearse_session};
use surplus::{CONFIRMATION, JOINT};

use super::wording::QuestionWording;
use crate::domain::{Agent, Fault, PhaseName, Query, SeatId, Step, Verdict};
use crate::memory::MemoryPolicy;
use crate::plan::{ArmPlan, Network, OverfullSeat, PhaseKind, Plan, Respondent, SpeakingOrder};
use crate::prompt::{AnswerForm, PromptError, TextShown};
pub use bounds::{Forecast, Load, Span, Spans, TightestPrompt};
pub use heard::StatementsShown;

/// Every fault after which a seat may be asked again with a reason.
const REASONS: [Fault; 7] = [
    Fault::Unreadable,
    Fault::AmountOutOfRange,
    Fault::NotARanking,
    Fault::TooShort,
    Fault::CutByLength,
    Fault::NameTaken,
    Fault::NotOnce,
];
/// Tokens that a reply under a schema has at the least: a brace, a key, a value, a brace.
const SCHEMA_TOKENS_MIN: u64 = 4;

/// What one course of a session came to.
#[derive(Debug, Default)]
struct CourseTally {
    counts: BTreeMap<(u32, PhaseName, Step), u64>,
    /// Asks with questions to models, and the number of the last one.
    batches: u64,
    last_ask: u64,
    /// One entry a model.
    models: Vec<ModelTally>,
    tightest: Vec<Option<TightestPrompt>>,
    too_full: Vec<OverfullSeat>,
    /// Tokens that the reason for asking again adds at the most.
    reason: u64,
    /// Who was asked whether it calls a vote in the round under way, with the tokens of that prompt, and was not asked to
    /// confirm one.
    unconfirmed: BTreeMap<u32, u64>,
    /// Tokens of one remark of another seat as a prompt shows it, at the least and at the most.
    remark: Span,
    ordinary: surplus::OrdinaryPrompts,
    inquiries: surplus::Inquiries,
    statements: StatementsShown,
    cut: heard::CutTokens,
}

/// What a model was told and asked in one course.
#[derive(Debug, Clone, Copy, Default)]
struct ModelTally {
    questions: u64,
    prompt: Span,
    /// By how many tokens the prompts are longer because the public history shows statements in full.
    in_full: u64,
    reply: Span,
    /// Over all its turns whose place is drawn: how many seats spoke before it in the round, and how many after it. In another
    /// session those after it may have spoken before, and the other way round.
    before: u64,
    after: u64,
    /// Questions that fell to other seats because this model's called the vote, and the tokens of their prompts. In another
    /// session another seat calls it.
    spared: (u64, u64),
    /// What its prompts may hold more of where the talk stands.
    told: surplus::PromptSurplus,
}

/// How much longer prompts may get because figures in them are drawn anew in each session, as a ratio.
const DRAWN: (u64, u64) = (51, 50);

impl ModelTally {
    /// The tokens of all prompts, wherever in its rounds the model's turns come.
    fn prompt_anywhere(&self, remark: Span) -> Span {
        let high = self.prompt.high.saturating_add(self.after.saturating_mul(remark.high));
        let high = high.saturating_add(self.spared.1).saturating_add(self.told.in_tokens(remark.high));
        Span {
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
        let Some((wording, place)) = put.wording.zip(model_of(plan, query.seat, id.at.step)) else { return Ok(()) };
        let model = &plan.models[place];
        // What other words may come to is estimated, whatever tokenizer is known: it depends on the words.
        let (fitted, estimated) = (wording.tokens_at_most(), wording.tokens_estimated());
        let most = fitted.max(estimated);
        let tightest = &mut self.tightest[place];
        // A prompt that was found too long says more than any that fitted in the end.
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
        let least_reply = if model.answer_form() == AnswerForm::JsonSchema { SCHEMA_TOKENS_MIN } else { 1 };
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
        told.prompt = told.prompt.plus(Span { low, high: most.saturating_add(slack.high) });
        told.in_full = told.in_full.saturating_add(self.cut.count_in_full(&query.brief));
        told.reply = told.reply.plus(Span { low: least_reply.min(most_reply), high: most_reply });
        let is_turn = matches!(id.at.step, Step::Statement | Step::Reasoning);
        if is_turn && id.at.turn > 0 && is_place_drawn(plan, &id.at.phase) {
            told.before += u64::from(id.at.turn - 1);
            told.after += (plan.seats.len() as u64).saturating_sub(id.at.turn.into());
        }
        if id.at.step == Step::Compression && is_place_drawn(plan, &id.at.phase) {
            // What is kept out of the text may be any seat's words.
            let kept = u64::from(kept_out(plan.memory.policy));
            told.before += kept;
            told.after += kept;
        }
        if is_new {
            for fault in REASONS {
                let again = Query { retry: Some(fault), ..query.clone() };
                let again = QuestionWording::with_lines(put.lines, (plan, agents), &again, model)?;
                let longer = again.tokens_estimated();
                self.reason = self.reason.max(longer.saturating_sub(estimated));
            }
        }
        Ok(())
    }

    /// Asks with questions to models: in another session, those whose seats were spared a question may be asked one by one.
    fn batch_span(&self) -> Span {
        let spared = self.models.iter().map(|told| told.spared.0).sum::<u64>();
        Span { low: self.batches, high: self.batches + spared }
    }

    /// Takes down that a model is asked something in this ask.
    fn count_batch(&mut self, ask: u64) {
        if self.last_ask != ask {
            (self.batches, self.last_ask) = (self.batches + 1, ask);
        }
    }

    /// A vote was or was not called: who called it was spared the question whether it agrees.
    fn count_spared(&mut self, plan: &Plan, step: Step) {
        for (seat, tokens) in std::mem::take(&mut self.unconfirmed) {
            if let (Step::Ballot, Some(place)) = (step, model_of(plan, SeatId(seat), Step::VoteCall)) {
                let (questions, prompts) = &mut self.models[place].spared;
                *questions += 1;
                *prompts += tokens + CONFIRMATION;
            }
        }
    }

    /// Takes down how statements are shown, and how long remarks get, by the newest that the seat is shown.
    fn measure_remarks(&mut self, plan: &Plan, agents: &[Agent], put: &RehearsedQuestion<'_>) {
        self.statements.note_question(plan, put);
        let query = put.query;
        let Some(remark) = query.brief.remarks.last() else { return };
        let Some(speaker) = remark.speaker else { return };
        let chosen = query.chosen.get(speaker.index()).and_then(Option::as_deref);
        let name = chosen.unwrap_or(&agents[speaker.index()].public_name);
        let extent = TextShown::of(remark, &query.brief);
        let line = put.lines.write_remark((remark, extent), Some(name), query.brief.style, plan.motion_for(query.seat));
        let heard = Span { low: line.words(), high: line.tokens_at_most() + JOINT };
        self.remark = if self.remark.high == 0 { heard } else { self.remark.merge_bounds(heard) };
    }
}

/// How many of the newest statements a seat is not shown to make its memory shorter.
fn kept_out(policy: MemoryPolicy) -> u32 {
    policy.terms().rewrites.map_or(0, |rewrites| rewrites.keep)
}

/// Whether it is drawn, or changes from round to round, who speaks when in a phase.
fn is_place_drawn(plan: &Plan, phase: &PhaseName) -> bool {
    let kind = plan.agenda.iter().find(|other| other.name == *phase).map(|phase| &phase.kind);
    matches!(kind, Some(PhaseKind::Discussion(discussion))
        if !matches!(discussion.order, SpeakingOrder::Fixed | SpeakingOrder::Simultaneous))
}

fn model_of(plan: &Plan, seat: SeatId, step: Step) -> Option<usize> {
    match plan.respondent(seat, step) {
        Respondent::Model(place) => Some(place),
        Respondent::Mind(_) | Respondent::Rule | Respondent::Person(_) => None,
    }
}

/// What one session of a plan may ask, by all courses.
///
/// # Errors
/// When a template fails on one of the questions.
pub fn forecast_session(plan: &Plan) -> Result<Forecast, PromptError> {
    if !plan.network.is_drawn() {
        return forecast_courses(plan);
    }
    // A seat hears somebody between nobody and all.
    let with = |network: Network| {
        let shared = ArmPlan { network, ..(*plan.shared).clone() };
        forecast_courses(&Plan { shared: Arc::new(shared), ..plan.clone() })
    };
    Ok(with(Network::Complete)?.merge_bounds(with(Network::Alone)?))
}

/// The same of a plan of which nothing is drawn that changes who hears whom.
fn forecast_courses(plan: &Plan) -> Result<Forecast, PromptError> {
    let agents = longest_agents(plan);
    let (mut tallies, mut is_cut) = (Vec::new(), false);
    for course in RehearsalCourse::ALL {
        let (tally, mut ended) = tally_course(plan, &agents, course)?;
        tallies.push(tally);
        // Ballots that differ and still decide leave a longer course to be had: that none of them counts.
        if let (RehearsalEnd::Whole(Verdict::Carried), Some(spoiled)) = (ended, course.with_spoiled_ballots()) {
            let (tally, rehearsed) = tally_course(plan, &agents, spoiled)?;
            tallies.push(tally);
            ended = rehearsed;
        }
        is_cut |= ended == RehearsalEnd::Cut;
    }
    matched::forecast_samples(plan, Forecast { is_cut, ..combine_tallies(plan, &tallies) })
}

fn tally_course(
    plan: &Plan,
    agents: &[Agent],
    course: RehearsalCourse,
) -> Result<(CourseTally, RehearsalEnd), PromptError> {
    let mut tally = CourseTally::for_plan(plan);
    let mut failure = None;
    // Seats need not choose what takes an amount, whatever this course lets them choose: the least holds no such question.
    let is_free =
        course.words == ReplyLength::Short && plan.motion.alternatives.iter().any(|other| !other.takes_amount);
    let rehearsed = rehearse_session(plan, agents, course, &mut |put| {
        if is_free && put.query.id.at.step == Step::Amount {
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
        None => Ok((tally, rehearsed)),
    }
}

fn combine_tallies(plan: &Plan, tallies: &[CourseTally]) -> Forecast {
    let bounds = |of: &dyn Fn(&CourseTally) -> Span| {
        tallies.iter().map(of).reduce(Span::merge_bounds).expect("invariant: there is at least one course")
    };
    let mut keys: Vec<&(u32, PhaseName, Step)> = tallies.iter().flat_map(|tally| tally.counts.keys()).collect();
    let place_of = |phase: &PhaseName| plan.agenda.iter().position(|other| other.name == *phase);
    keys.sort_by_key(|(seat, phase, step)| (*seat, place_of(phase), *step));
    keys.dedup();
    let count = |(seat, phase, step): &(u32, PhaseName, Step)| {
        let key = (*seat, phase.clone(), *step);
        bounds(&|tally| Span::from_number(tally.counts.get(&key).copied().unwrap_or(0)))
    };
    let steps = keys.into_iter().map(|key| {
        let (seat, phase, step) = key;
        let calls = || count(&(*seat, phase.clone(), Step::VoteCall)).high;
        // It is drawn who is asked first, and who calls a vote is not asked to confirm it.
        let questions = match step {
            Step::VoteCall | Step::Confirmation => Span { low: 0, high: calls() },
            _ => count(key),
        };
        Spans { seat: SeatId(*seat), phase: phase.clone(), step: *step, questions }
    });
    let remark = tallies.iter().map(|tally| tally.remark.high).max().unwrap_or(0);
    let (inquiry, found) = surplus::inquiry_bounds(plan, remark);
    let (tries_max, tries) = (u64::from(plan.tries_max), u64::from(plan.tries_max) + inquiry);
    let reason = tallies.iter().map(|tally| tally.reason).max().unwrap_or(0);
    let load = |place: usize| {
        let questions = bounds(&|tally| {
            let told = &tally.models[place];
            Span { low: told.questions, high: told.questions + told.spared.0 }
        });
        let prompt_tokens = bounds(&|tally| tally.models[place].prompt_anywhere(tally.remark));
        let longest = u64::from(plan.models[place].max_tokens);
        let completion_tokens = bounds(&|tally| {
            let told = &tally.models[place];
            told.reply.plus(Span { low: 0, high: told.spared.0.saturating_mul(longest) })
        });
        let asks =
            tallies.iter().map(|tally| tally.inquiries.count_for_model(plan, place, tally.models[place].spared.0));
        let inquiries = asks.max().unwrap_or(0);
        let again = questions.high.saturating_mul(tries - 1).saturating_mul(reason.saturating_add(found));
        // After a reply that was cut a question is asked with twice the room.
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
        questions: bounds(&|tally| Span::from_number(tally.counts.values().sum())),
        batches: bounds(&CourseTally::batch_span),
        steps: steps.collect(),
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
