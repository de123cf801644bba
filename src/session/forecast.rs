//! What one session of a plan may ask of its seats and models: counts with their bounds, found by rehearsing it.
//!
//! Nothing here knows how many sessions there are, what tokens cost, or how numbers are printed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::course::Course;
use super::rehearsal::{Put, Rehearsed, longest_agents, rehearse};
use super::wording::{Wording, usable_window};
use crate::domain::{Agent, Fault, PhaseName, QuestionId, SeatId, Step, Verdict};
use crate::plan::{Plan, Sitter};
use crate::prompt::{AnswerForm, PromptError};

/// Every fault after which a seat may be asked again with a reason.
const REASONS: [Fault; 5] =
    [Fault::Unreadable, Fault::AmountOutOfRange, Fault::NotARanking, Fault::TooShort, Fault::CutByLength];
/// Tokens that a reply under a schema has at the least: a brace, a key, a value, a brace.
const SCHEMA_TOKENS_MIN: u64 = 4;

/// A number between two bounds, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Span {
    /// The least.
    pub low: u64,
    /// The greatest.
    pub high: u64,
}

/// What one session asks of one model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Load {
    /// Questions, each counted once however often it is asked again.
    pub questions: Span,
    /// Tokens of their prompts: at the least one a word, at the most an estimate that errs high.
    pub prompt_tokens: Span,
    /// Tokens of the replies: at the least the shortest reply there is, at the most `max_tokens`.
    pub completion_tokens: Span,
    /// Calls, if every question is asked as often as it may be.
    pub calls_at_most: u64,
    /// Tokens of prompts, then.
    pub prompt_tokens_at_most: u64,
    /// Tokens of replies, then.
    pub completion_tokens_at_most: u64,
}

/// How often a seat is asked at a step of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spans {
    /// The seat.
    pub seat: SeatId,
    /// The phase.
    pub phase: PhaseName,
    /// The step.
    pub step: Step,
    /// In one session.
    pub questions: Span,
}

/// The question that comes nearest to filling its model's window, or overfills it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tightest {
    /// The question.
    pub question: QuestionId,
    /// The model, as a position in the plan's `models`.
    pub model: usize,
    /// The estimate of its prompt's tokens.
    pub prompt_tokens: u64,
    /// What prompt and reply together may have; `None` where the window is not known.
    pub usable: Option<u64>,
    /// Whether it did not fit, so that the seat is shown less.
    pub is_too_long: bool,
}

/// What one session of a plan may ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forecast {
    /// Questions to all seats, each counted once.
    pub questions: Span,
    /// One load for each model of the plan.
    pub models: Vec<Load>,
    /// By seat, phase and step.
    pub steps: Vec<Spans>,
    /// For each model of the plan the prompt that is hardest to fit; `None` for a model that nobody asks.
    pub tightest: Vec<Option<Tightest>>,
    /// Whether a rehearsal was cut off, so that every upper bound is too low.
    pub is_cut: bool,
}

impl Span {
    /// Both bounds of one number.
    pub fn of(number: u64) -> Self {
        Self { low: number, high: number }
    }

    /// The narrowest span that holds both.
    pub fn around(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The sum of two numbers that are bounded apart.
    pub fn plus(self, other: Self) -> Self {
        Self { low: self.low.saturating_add(other.low), high: self.high.saturating_add(other.high) }
    }

    /// The same, this many times.
    pub fn times(self, count: u64) -> Self {
        Self { low: self.low.saturating_mul(count), high: self.high.saturating_mul(count) }
    }

    /// Whether a number is within.
    pub fn holds(self, number: u64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}

impl Default for Span {
    fn default() -> Self {
        Self::of(0)
    }
}

impl Load {
    /// The load of two models or two sessions.
    pub fn plus(self, other: Self) -> Self {
        Self {
            questions: self.questions.plus(other.questions),
            prompt_tokens: self.prompt_tokens.plus(other.prompt_tokens),
            completion_tokens: self.completion_tokens.plus(other.completion_tokens),
            calls_at_most: self.calls_at_most.saturating_add(other.calls_at_most),
            prompt_tokens_at_most: self.prompt_tokens_at_most.saturating_add(other.prompt_tokens_at_most),
            completion_tokens_at_most: self.completion_tokens_at_most.saturating_add(other.completion_tokens_at_most),
        }
    }

    /// The load of this many sessions.
    pub fn times(self, sessions: u64) -> Self {
        Self {
            questions: self.questions.times(sessions),
            prompt_tokens: self.prompt_tokens.times(sessions),
            completion_tokens: self.completion_tokens.times(sessions),
            calls_at_most: self.calls_at_most.saturating_mul(sessions),
            prompt_tokens_at_most: self.prompt_tokens_at_most.saturating_mul(sessions),
            completion_tokens_at_most: self.completion_tokens_at_most.saturating_mul(sessions),
        }
    }

    /// The bounds that hold for both of two sessions.
    pub fn around(self, other: Self) -> Self {
        Self {
            questions: self.questions.around(other.questions),
            prompt_tokens: self.prompt_tokens.around(other.prompt_tokens),
            completion_tokens: self.completion_tokens.around(other.completion_tokens),
            calls_at_most: self.calls_at_most.max(other.calls_at_most),
            prompt_tokens_at_most: self.prompt_tokens_at_most.max(other.prompt_tokens_at_most),
            completion_tokens_at_most: self.completion_tokens_at_most.max(other.completion_tokens_at_most),
        }
    }
}

/// What one course of a session came to.
#[derive(Debug, Default)]
struct Tally {
    counts: BTreeMap<(u32, PhaseName, Step), u64>,
    /// For each model: questions, and the tokens of prompts and replies with their bounds.
    models: Vec<(u64, Span, Span)>,
    tightest: Vec<Option<Tightest>>,
    /// Tokens that the reason for asking again adds at the most.
    reason: u64,
}

impl Tally {
    fn of(plan: &Plan) -> Self {
        let models = plan.models.len();
        Self { models: vec![Default::default(); models], tightest: vec![None; models], ..Self::default() }
    }

    fn take(&mut self, plan: &Plan, agents: &[Agent], put: &Put<'_>) -> Result<(), PromptError> {
        let (query, id) = (put.query, &put.query.id);
        let key = (query.seat.0, id.at.phase.clone(), id.at.step);
        let is_new = !self.counts.contains_key(&key);
        if put.is_first_try() {
            *self.counts.entry(key).or_default() += 1;
        }
        let Some((wording, place)) = put.wording.zip(model_of(plan, query.seat)) else { return Ok(()) };
        let model = &plan.models[place];
        let most = wording.tokens_at_most();
        let tightest = &mut self.tightest[place];
        // A prompt that was found too long says more than any that fitted in the end.
        let rank = |is_too_long: bool, tokens: u64| (is_too_long, tokens);
        if tightest.as_ref().is_none_or(|t| rank(t.is_too_long, t.prompt_tokens) < rank(put.is_too_long, most)) {
            *tightest = Some(Tightest {
                question: id.clone(),
                model: place,
                prompt_tokens: most,
                usable: usable_window(model),
                is_too_long: put.is_too_long,
            });
        }
        if !put.is_first_try() {
            return Ok(());
        }
        let least_reply = match model.answers {
            AnswerForm::JsonSchema => SCHEMA_TOKENS_MIN,
            AnswerForm::Anchored => 1,
        };
        let (questions, prompt, reply) = &mut self.models[place];
        *questions += 1;
        *prompt = prompt.plus(Span { low: wording.tokens_at_least().min(most), high: most });
        let most_reply = u64::from(model.max_tokens);
        *reply = reply.plus(Span { low: least_reply.min(most_reply), high: most_reply });
        if is_new {
            for fault in REASONS {
                let again = crate::domain::Query { retry: Some(fault), ..query.clone() };
                let longer = Wording::of(plan, agents, &again, model)?.tokens_at_most();
                self.reason = self.reason.max(longer.saturating_sub(most));
            }
        }
        Ok(())
    }
}

fn model_of(plan: &Plan, seat: SeatId) -> Option<usize> {
    match plan.seats[seat.index()].sitter {
        Sitter::Model(place) => Some(place),
        Sitter::Mind(_) => None,
    }
}

/// What one session of a plan may ask, by all courses.
///
/// # Errors
/// When a template fails on one of the questions.
pub fn forecast(plan: &Plan) -> Result<Forecast, PromptError> {
    let agents = longest_agents(plan);
    let (mut tallies, mut is_cut) = (Vec::new(), false);
    for course in Course::ALL {
        let (tally, rehearsed) = tallied(plan, &agents, course)?;
        tallies.push(tally);
        let mut ended = rehearsed;
        // Ballots that differ and still decide leave a longer course to be had: that none of them counts.
        if let (Rehearsed::Whole(Verdict::Carried), Some(spoiled)) = (ended, course.spoiled()) {
            let (tally, rehearsed) = tallied(plan, &agents, spoiled)?;
            tallies.push(tally);
            ended = rehearsed;
        }
        is_cut |= ended == Rehearsed::Cut;
    }
    Ok(summed(plan, &tallies, is_cut))
}

fn tallied(plan: &Plan, agents: &[Agent], course: Course) -> Result<(Tally, Rehearsed), PromptError> {
    let mut tally = Tally::of(plan);
    let mut failure = None;
    let rehearsed = rehearse(plan, agents, course, &mut |put| match tally.take(plan, agents, put) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failure = Some(error);
            ControlFlow::Break(())
        }
    })?;
    match failure {
        Some(error) => Err(error),
        None => Ok((tally, rehearsed)),
    }
}

fn summed(plan: &Plan, tallies: &[Tally], is_cut: bool) -> Forecast {
    let bounds = |of: &dyn Fn(&Tally) -> Span| {
        tallies.iter().map(of).reduce(Span::around).expect("invariant: there is at least one course")
    };
    let mut keys: Vec<&(u32, PhaseName, Step)> = tallies.iter().flat_map(|tally| tally.counts.keys()).collect();
    let place_of = |phase: &PhaseName| plan.agenda.iter().position(|other| other.name == *phase);
    keys.sort_by_key(|(seat, phase, step)| (*seat, place_of(phase), *step));
    keys.dedup();
    let steps = keys.into_iter().map(|key| Spans {
        seat: SeatId(key.0),
        phase: key.1.clone(),
        step: key.2,
        questions: bounds(&|tally| Span::of(tally.counts.get(key).copied().unwrap_or(0))),
    });
    let tries = u64::from(plan.tries_max);
    let reason = tallies.iter().map(|tally| tally.reason).max().unwrap_or(0);
    let load = |place: usize| {
        let questions = bounds(&|tally| Span::of(tally.models[place].0));
        let prompt_tokens = bounds(&|tally| tally.models[place].1);
        let completion_tokens = bounds(&|tally| tally.models[place].2);
        let again = questions.high.saturating_mul(tries - 1).saturating_mul(reason);
        Load {
            questions,
            prompt_tokens,
            completion_tokens,
            calls_at_most: questions.high.saturating_mul(tries),
            prompt_tokens_at_most: prompt_tokens.high.saturating_mul(tries).saturating_add(again),
            completion_tokens_at_most: completion_tokens.high.saturating_mul(tries),
        }
    };
    let tightest = |place: usize| {
        let found = tallies.iter().filter_map(|tally| tally.tightest[place].as_ref());
        found.max_by_key(|tightest| (tightest.is_too_long, tightest.prompt_tokens)).cloned()
    };
    Forecast {
        questions: bounds(&|tally| Span::of(tally.counts.values().sum())),
        steps: steps.collect(),
        models: (0..plan.models.len()).map(load).collect(),
        tightest: (0..plan.models.len()).map(tightest).collect(),
        is_cut,
    }
}
