//! The decisions of an arm in which a lot broke a tie, and how many of them are right.
//!
//! Rules that always draw, such as the random ballot, are not counted here.

use serde::Serialize;

use crate::analysis::SessionTotals;
use crate::domain::{AlternativeName, TieBreak};
use crate::report::numbers::{counted, grouped};

/// The decisions in which a lot broke a tie.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Lots {
    /// Completed sessions in which a lot or randomly drawn ballots broke the tie.
    pub sessions: u64,
    /// Completed sessions with a decision.
    pub decided: u64,
    /// Those of `sessions` with a known right alternative.
    pub known: u64,
    /// Those of `known` that decided for it.
    pub correct: u64,
}

impl Lots {
    /// Adds a completed session, with the right alternative if it is known.
    pub fn add(&mut self, right: Option<&AlternativeName>, totals: &SessionTotals) {
        let Some(result) = totals.result.as_ref().filter(|_| totals.verdict.is_voted()) else { return };
        self.decided += 1;
        if !matches!(totals.tie_break, Some(TieBreak::Lot | TieBreak::RandomBallot)) {
            return;
        }
        self.sessions += 1;
        self.known += u64::from(right.is_some());
        self.correct += u64::from(right == Some(&result.alternative));
    }

    /// The counts; `None` if no lot broke a tie.
    pub fn report(self) -> Option<Self> {
        (self.sessions > 0).then_some(self)
    }

    /// The counts in one line.
    pub(super) fn words(self) -> String {
        let correct = grouped(self.correct);
        let right = match self.known {
            0 => String::new(),
            known if known == self.sessions => format!("; {correct} of these right"),
            known => format!("; right {correct} of {} with a key", grouped(known)),
        };
        format!("{} of {}{right}", grouped(self.sessions), counted(self.decided, "decision"))
    }
}
