//! The right decisions of an arm, if the scenario has a key. For items, see [`ItemsReport`](super::items).

use serde::Serialize;

use crate::analysis::SessionTotals;
use crate::analysis::statistics::{Interval, wilson_interval};
use crate::domain::AlternativeName;
use crate::report::numbers::{grouped, share_of_decisions};

/// The right answer and the number of decisions for it, over completed sessions with a key.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Right {
    /// The right alternative, or the right amount with its unit; `None` if it differs between sessions.
    pub is: Option<String>,
    /// The decisions for it; `None` if an amount is right, and if no group voted.
    pub correct: Option<Correct>,
}

/// The decisions for the right alternative.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Correct {
    /// Sessions that decided for it.
    pub correct: u64,
    /// Sessions that decided by vote: the denominator.
    pub sessions: u64,
    /// `correct` / `sessions`; `None` without a decision.
    pub share: Option<f64>,
    /// Wilson's 95 % interval of the share; `None` without a decision.
    pub interval: Option<Interval>,
    /// Sessions that voted without a decision: neither right nor wrong.
    pub undecided: u64,
}

/// Collects the sessions of an arm.
#[derive(Debug, Default)]
pub(super) struct RightCounts {
    known: Vec<String>,
    voted: u64,
    decided: u64,
    correct: u64,
    is_amount: bool,
}

impl RightCounts {
    /// Adds a completed session without an item.
    pub fn add(&mut self, key: Option<&AlternativeName>, totals: &SessionTotals, unit: Option<&str>) {
        let amount = totals.right_amount.map(|amount| {
            let unit = unit.map_or(String::new(), |unit| format!(" {unit}"));
            format!("{}{unit}", grouped(amount.into()))
        });
        self.is_amount |= amount.is_some();
        let Some(right) = key.map(ToString::to_string).or(amount) else { return };
        // Two are enough to know that they differ.
        if self.known.len() < 2 && !self.known.contains(&right) {
            self.known.push(right);
        }
        // An imposed decision is not the group's.
        if !totals.verdict.is_voted() {
            return;
        }
        self.voted += 1;
        if let Some(result) = &totals.result {
            self.decided += 1;
            self.correct += u64::from(key == Some(&result.alternative));
        }
    }

    /// The counts; `None` if no session has a key.
    pub fn report(&self) -> Option<Right> {
        let is = match self.known.as_slice() {
            [] => return None,
            [one] => Some(one.clone()),
            _ => None,
        };
        let correct = (!self.is_amount && self.voted > 0).then(|| Correct {
            correct: self.correct,
            sessions: self.decided,
            share: (self.decided > 0).then(|| self.correct as f64 / self.decided as f64),
            interval: wilson_interval(self.correct, self.decided),
            undecided: self.voted - self.decided,
        });
        Some(Right { is, correct })
    }
}

impl Right {
    /// The right answer in words.
    pub(super) fn is_words(&self) -> String {
        match &self.is {
            Some(right) => format!("right is {right}"),
            None => "what is right differs between sessions".to_owned(),
        }
    }

    /// The counts in one line.
    pub fn words(&self) -> String {
        let Some(correct) = &self.correct else { return self.is_words() };
        let left_out = correct.left_out().map_or(String::new(), |words| format!("; {words}"));
        format!("{}{left_out}; {}", correct.words(), self.is_words())
    }
}

impl Correct {
    /// The share of right decisions, in words.
    pub(super) fn words(&self) -> String {
        share_of_decisions(self.correct, self.sessions)
    }

    /// The number without a decision, in words; `None` if all decided.
    pub(super) fn left_out(&self) -> Option<String> {
        (self.undecided > 0).then(|| format!("not counted: {} without a decision", grouped(self.undecided)))
    }
}
