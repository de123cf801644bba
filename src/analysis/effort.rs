//! Outcomes of questions, calls, tokens and cost.

use crate::domain::spelled;
use crate::domain::{Dollars, Fault, Given};

/// The status of an answer in tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AnswerStatus {
    /// The answer is valid.
    Valid,
    /// The answer has a fault other than a refusal.
    Invalid,
    /// The answer is valid, but a memory text was cut to the allowed length.
    Cut,
    /// The answer is a valid abstention.
    Abstained,
    /// The seat refused.
    Refused,
    /// The seat asked to see something first. This is not an answer.
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

/// Whether an answer came at the first try, as spelled in files.
pub fn answer_origin(attempt: u32) -> &'static str {
    if attempt == 0 { "first_try" } else { "reasked" }
}

/// Counts over settled questions, which were answered or used up their tries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Effort {
    /// Valid at the first try.
    pub first_try: u64,
    /// Valid after at least one re-ask.
    pub reasked: u64,
    /// Tries used up; the last answer has a fault other than a refusal.
    pub invalid: u64,
    /// Tries used up; the last answer is a refusal.
    pub refused: u64,
    /// Answers from a model, including invalid ones.
    pub calls: u64,
    /// Calls that reported their tokens.
    pub reported: u64,
    /// Tokens of prompts over the calls that reported them.
    pub prompt_tokens: u64,
    /// Tokens of replies over the calls that reported them.
    pub completion_tokens: u64,
    /// Calls that reported thinking tokens.
    pub reported_thinking: u64,
    /// Thinking tokens over these calls.
    pub thinking_tokens: u64,
    /// Calls that reported cached prompt tokens.
    pub reported_cached: u64,
    /// Cached prompt tokens over these calls.
    pub cached_prompt_tokens: u64,
    /// The known cost of answers.
    pub cost: Dollars,
    /// Answers of unknown cost.
    pub unpriced: u64,
}

impl Effort {
    /// The number of settled questions.
    pub fn settled_questions(&self) -> u64 {
        self.first_try + self.reasked + self.invalid + self.refused
    }

    /// Tokens of prompts; `None` if calls were made and none reported tokens.
    pub fn prompt_tokens(&self) -> Option<u64> {
        (self.calls == 0 || self.reported > 0).then_some(self.prompt_tokens)
    }

    /// Tokens of replies; `None` if calls were made and none reported tokens.
    pub fn completion_tokens(&self) -> Option<u64> {
        (self.calls == 0 || self.reported > 0).then_some(self.completion_tokens)
    }

    /// Thinking tokens; `None` if calls were made and none reported them.
    pub fn thinking_tokens(&self) -> Option<u64> {
        (self.calls == 0 || self.reported_thinking > 0).then_some(self.thinking_tokens)
    }

    /// Prompt tokens that services had cached; `None` if calls were made and none reported them.
    pub fn cached_prompt_tokens(&self) -> Option<u64> {
        (self.calls == 0 || self.reported_cached > 0).then_some(self.cached_prompt_tokens)
    }

    /// The cost of the answers; `None` if one is unknown.
    pub fn cost(&self) -> Option<Dollars> {
        (self.unpriced == 0).then_some(self.cost)
    }

    /// Tokens of prompts and replies; `None` if calls were made and none reported tokens.
    pub fn total_tokens(&self) -> Option<u64> {
        Some(self.prompt_tokens()? + self.completion_tokens()?)
    }

    /// Adds an answer, whether or not it settles its question, with its number of calls and its cost.
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

    /// Adds other counts.
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

    /// Adds a settled question; an inquiry is ignored.
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
