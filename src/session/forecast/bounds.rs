//! The bounds of a forecast: numbers per session, model and step.

use std::collections::BTreeMap;

use super::heard::StatementsShown;
use crate::domain::{PhaseName, QuestionId, SeatId, Step};
use crate::plan::OverfullSeat;

/// The bounds of a number, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct CountBounds {
    /// The lower bound.
    pub low: u64,
    /// The upper bound.
    pub high: u64,
}

/// What one session asks of one model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Load {
    /// Questions, without re-asks.
    pub questions: CountBounds,
    /// Tokens of their prompts: at least one per word, at most an estimate that errs high.
    pub prompt_tokens: CountBounds,
    /// The part of the upper bound of `prompt_tokens` that the public history adds by showing statements in full, not as memories
    /// keep them.
    pub full_statement_tokens: u64,
    /// Tokens of the replies: from the shortest possible reply to `max_tokens`.
    pub completion_tokens: CountBounds,
    /// Calls if every question is asked as often as allowed.
    pub calls_at_most: u64,
    /// Tokens of the prompts of these calls.
    pub prompt_tokens_at_most: u64,
    /// Tokens of the replies to these calls, each re-ask with twice the room.
    pub completion_tokens_at_most: u64,
}

/// The number of questions to a seat at a step of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spans {
    /// The seat.
    pub seat: SeatId,
    /// The phase.
    pub phase: PhaseName,
    /// The step.
    pub step: Step,
    /// In one session.
    pub questions: CountBounds,
}

/// The question that comes nearest to filling its model's window, or overfills it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TightestPrompt {
    /// The question.
    pub question: QuestionId,
    /// The model, as a position in the plan's `models`.
    pub model: usize,
    /// The tokens of its prompt, counted or estimated.
    pub prompt_tokens: u64,
    /// The tokens available for prompt and reply together; `None` if the window is unknown.
    pub usable: Option<u64>,
    /// Whether it did not fit, so that the seat is shown less.
    pub is_too_long: bool,
}

/// What one session of a plan may ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forecast {
    /// Questions to all seats, without re-asks.
    pub questions: CountBounds,
    /// Asks with questions to models, without re-asks. The questions of one ask do not depend on each other's answers.
    pub batches: CountBounds,
    /// One load for each model of the plan.
    pub models: Vec<Load>,
    /// By seat, phase and step.
    pub steps: Vec<Spans>,
    /// By phase, as it is written, without rewritings of memories. Which seats are asked may be drawn, so that it may be less than the
    /// sum over seats.
    pub phases: BTreeMap<String, CountBounds>,
    /// For each model of the plan, the prompt that is hardest to fit; `None` if nobody asks the model.
    pub tightest: Vec<Option<TightestPrompt>>,
    /// Seats whose pinned parts exceed their model's window: in each course, the first of each model.
    pub too_full: Vec<OverfullSeat>,
    /// Whether a rehearsal was cut off, which makes every upper bound too low.
    pub is_cut: bool,
    /// How questions show statements.
    pub statements: StatementsShown,
}

impl CountBounds {
    /// The bounds of a known number.
    pub fn from_number(number: u64) -> Self {
        Self { low: number, high: number }
    }

    /// The narrowest bounds that include both.
    pub fn merge_bounds(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The bounds of a sum.
    pub fn plus(self, other: Self) -> Self {
        Self { low: self.low.saturating_add(other.low), high: self.high.saturating_add(other.high) }
    }

    /// The bounds of a multiple.
    pub fn times(self, count: u64) -> Self {
        Self { low: self.low.saturating_mul(count), high: self.high.saturating_mul(count) }
    }

    /// Whether a number is within the bounds.
    pub fn contains(self, number: u64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}

impl Default for CountBounds {
    fn default() -> Self {
        Self::from_number(0)
    }
}

impl Forecast {
    /// Bounds that hold for both sessions, which have the same seats and models.
    #[must_use]
    pub fn merge_bounds(mut self, other: Forecast) -> Self {
        self.questions = self.questions.merge_bounds(other.questions);
        self.batches = self.batches.merge_bounds(other.batches);
        self.models = self.models.iter().zip(&other.models).map(|(one, other)| one.merge_bounds(*other)).collect();
        for asked in other.steps {
            let is_same =
                |known: &Spans| (known.seat, known.step) == (asked.seat, asked.step) && known.phase == asked.phase;
            match self.steps.iter_mut().find(|known| is_same(known)) {
                Some(known) => known.questions = known.questions.merge_bounds(asked.questions),
                None => self.steps.push(asked),
            }
        }
        for name in other.phases.keys() {
            self.phases.entry(name.clone()).or_default();
        }
        for (name, known) in &mut self.phases {
            *known = known.merge_bounds(other.phases.get(name).copied().unwrap_or_default());
        }
        let rank = |tightest: &Option<TightestPrompt>| tightest.as_ref().map(|t| (t.is_too_long, t.prompt_tokens));
        for (known, tightest) in self.tightest.iter_mut().zip(other.tightest) {
            if rank(&tightest) > rank(known) {
                *known = tightest;
            }
        }
        self.too_full.extend(other.too_full);
        self.is_cut |= other.is_cut;
        self.statements = self.statements.merge_with(other.statements);
        self
    }
}

impl Load {
    /// The sum of two loads.
    pub fn plus(self, other: Self) -> Self {
        self.combine(other, CountBounds::plus, u64::saturating_add)
    }

    /// The load of this many sessions.
    pub fn times(self, sessions: u64) -> Self {
        Self {
            questions: self.questions.times(sessions),
            prompt_tokens: self.prompt_tokens.times(sessions),
            full_statement_tokens: self.full_statement_tokens.saturating_mul(sessions),
            completion_tokens: self.completion_tokens.times(sessions),
            calls_at_most: self.calls_at_most.saturating_mul(sessions),
            prompt_tokens_at_most: self.prompt_tokens_at_most.saturating_mul(sessions),
            completion_tokens_at_most: self.completion_tokens_at_most.saturating_mul(sessions),
        }
    }

    /// Bounds that hold for both loads.
    pub fn merge_bounds(self, other: Self) -> Self {
        self.combine(other, CountBounds::merge_bounds, u64::max)
    }

    /// Combines two loads, number by number.
    fn combine(
        self,
        other: Self,
        bounds: fn(CountBounds, CountBounds) -> CountBounds,
        most: fn(u64, u64) -> u64,
    ) -> Self {
        Self {
            questions: bounds(self.questions, other.questions),
            prompt_tokens: bounds(self.prompt_tokens, other.prompt_tokens),
            full_statement_tokens: most(self.full_statement_tokens, other.full_statement_tokens),
            completion_tokens: bounds(self.completion_tokens, other.completion_tokens),
            calls_at_most: most(self.calls_at_most, other.calls_at_most),
            prompt_tokens_at_most: most(self.prompt_tokens_at_most, other.prompt_tokens_at_most),
            completion_tokens_at_most: most(self.completion_tokens_at_most, other.completion_tokens_at_most),
        }
    }
}
