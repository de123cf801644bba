//! What answers cost and how they came: settled questions by their outcome, calls, tokens.

use crate::domain::spelled;
use crate::domain::{Dollars, Fault, Given};

/// How an answer counts in tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AnswerStatus {
    /// It counts.
    Valid,
    /// It has a fault other than a refusal.
    Invalid,
    /// It counts, cut to the length that was allowed: a text of a memory that is longer.
    Cut,
    /// It counts, as a ballot for nothing.
    Abstained,
    /// The seat declined.
    Refused,
    /// It is none yet: the seat asked to see something first.
    Inquiry,
}

impl AnswerStatus {
    /// The status of an answer with this fault, if any.
    pub fn from_fault(fault: Option<Fault>) -> Self {
        match fault {
            None => AnswerStatus::Valid,
            Some(Fault::Refused) => AnswerStatus::Refused,
            Some(_) => AnswerStatus::Invalid,
        }
    }
}

/// Whether an answer came at the first try.
pub fn answer_origin(attempt: u32) -> &'static str {
    if attempt == 0 { "first_try" } else { "reasked" }
}

/// Counts over settled questions: those answered, or whose tries are used up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Effort {
    /// Valid at the first try.
    pub first_try: u64,
    /// Valid after at least one re-ask.
    pub reasked: u64,
    /// Tries used up, the last with a fault other than a refusal.
    pub invalid: u64,
    /// Tries used up, the last with a refusal.
    pub refused: u64,
    /// Answers that came from a model, those that did not count included.
    pub calls: u64,
    /// Calls that reported their tokens.
    pub reported: u64,
    /// Tokens of prompts, over the calls that reported them.
    pub prompt_tokens: u64,
    /// Tokens of replies, over the calls that reported them.
    pub completion_tokens: u64,
    /// Calls that reported the tokens they thought with.
    pub reported_thinking: u64,
    /// Those tokens.
    pub thinking_tokens: u64,
    /// Calls that reported the tokens of their prompts that had been kept.
    pub reported_cached: u64,
    /// Those tokens.
    pub cached_prompt_tokens: u64,
    /// What answers cost, as far as that is known.
    pub cost: Dollars,
    /// Answers of which it is not known.
    pub unpriced: u64,
}

impl Effort {
    /// Settled questions.
    pub fn settled_questions(&self) -> u64 {
        self.first_try + self.reasked + self.invalid + self.refused
    }

    /// Tokens of prompts; `None` when calls were made and none of them reported tokens.
    pub fn prompt_tokens(&self) -> Option<u64> {
        (self.calls == 0 || self.reported > 0).then_some(self.prompt_tokens)
    }

    /// Tokens of replies; `None` when calls were made and none of them reported tokens.
    pub fn completion_tokens(&self) -> Option<u64> {
        (self.calls == 0 || self.reported > 0).then_some(self.completion_tokens)
    }

    /// Tokens that models thought with; `None` when calls were made and none of them reported these.
    pub fn thinking_tokens(&self) -> Option<u64> {
        (self.calls == 0 || self.reported_thinking > 0).then_some(self.thinking_tokens)
    }

    /// Tokens of prompts that services had kept from earlier ones; `None` when calls were made and none of them reported these.
    pub fn cached_prompt_tokens(&self) -> Option<u64> {
        (self.calls == 0 || self.reported_cached > 0).then_some(self.cached_prompt_tokens)
    }

    /// What the answers cost; `None` when that of one is not known.
    pub fn cost(&self) -> Option<Dollars> {
        (self.unpriced == 0).then_some(self.cost)
    }

    /// Tokens of prompts and replies; `None` when calls were made and none of them reported tokens.
    pub fn total_tokens(&self) -> Option<u64> {
        Some(self.prompt_tokens()? + self.completion_tokens()?)
    }

    /// Adds one answer, whether it settles its question or not, and how many calls it took at what cost.
    pub fn add_answer(&mut self, calls: u64, given: &Given, cost: Option<Dollars>) {
        self.calls += calls;
        match cost {
            Some(cost) => self.cost = self.cost.plus(cost),
            None => self.unpriced += 1,
        }
        if let Some(usage) = given.usage {
            self.reported += 1;
            self.prompt_tokens += usage.prompt_tokens;
            self.completion_tokens += usage.completion_tokens;
            self.reported_thinking += u64::from(usage.thinking_tokens.is_some());
            self.thinking_tokens += usage.thinking_tokens.unwrap_or(0);
            self.reported_cached += u64::from(usage.cached_prompt_tokens.is_some());
            self.cached_prompt_tokens += usage.cached_prompt_tokens.unwrap_or(0);
        }
    }

    /// Adds what other questions took.
    pub fn add_effort(&mut self, other: &Effort) {
        self.first_try += other.first_try;
        self.reasked += other.reasked;
        self.invalid += other.invalid;
        self.refused += other.refused;
        self.calls += other.calls;
        self.reported += other.reported;
        self.prompt_tokens += other.prompt_tokens;
        self.completion_tokens += other.completion_tokens;
        self.reported_thinking += other.reported_thinking;
        self.thinking_tokens += other.thinking_tokens;
        self.reported_cached += other.reported_cached;
        self.cached_prompt_tokens += other.cached_prompt_tokens;
        self.cost = self.cost.plus(other.cost);
        self.unpriced += other.unpriced;
    }

    /// Adds one settled question; what a seat asks to see settles none.
    pub fn settle_question(&mut self, status: AnswerStatus, attempt: u8) {
        let count = match status {
            AnswerStatus::Valid | AnswerStatus::Cut | AnswerStatus::Abstained if attempt == 0 => &mut self.first_try,
            AnswerStatus::Valid | AnswerStatus::Cut | AnswerStatus::Abstained => &mut self.reasked,
            AnswerStatus::Invalid => &mut self.invalid,
            AnswerStatus::Refused => &mut self.refused,
            AnswerStatus::Inquiry => return,
        };
        *count += 1;
    }
}

spelled!(AnswerStatus);
