//! How many decisions of an arm a lot made among tied alternatives, and how many of these are right.
//!
//! Of rules that draw by themselves, such as a random ballot, it tells nothing: there each decision is drawn, as the rule's name says.

use serde::Serialize;

use crate::analysis::SessionTotals;
use crate::domain::{AlternativeName, TieBreak};
use crate::report::render::{counted, grouped};

/// The decisions that fell by lot, because alternatives were tied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Lots {
    /// Completed sessions whose decision a lot made among tied alternatives, or ballots drawn by lot.
    pub sessions: u64,
    /// Completed sessions that decided for anything.
    pub decided: u64,
    /// Sessions among the first in which the right alternative is known.
    pub known: u64,
    /// How many of these decided for it.
    pub correct: u64,
}

impl Lots {
    /// Adds a completed session, with the right alternative where it is known.
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

    /// The numbers; `None` where no decision fell by lot.
    pub fn report(self) -> Option<Self> {
        (self.sessions > 0).then_some(self)
    }

    /// In a line.
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
