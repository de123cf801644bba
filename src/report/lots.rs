//! How many decisions of an arm a lot made among tied alternatives, and how many of these are right.
//!
//! Of rules that draw by themselves, such as a random ballot, it tells nothing: there each decision is drawn, as the rule's name says.

use serde::Serialize;

use crate::domain::{AlternativeName, TieBreak};
use crate::metrics::SessionTotals;
use crate::report::render::{counted, grouped};

/// The decisions that fell by lot, because alternatives were tied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Lots {
    /// Completed sessions whose decision a lot made among tied alternatives, or ballots drawn by lot.
    pub sessions: u64,
    /// Completed sessions that decided for anything.
    pub decided: u64,
    /// How many of the first decided for the right alternative; absent where in none of them one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correct: Option<u64>,
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
        if let Some(right) = right {
            *self.correct.get_or_insert(0) += u64::from(*right == result.alternative);
        }
    }

    /// The numbers; `None` where no decision fell by lot.
    pub fn report(self) -> Option<Self> {
        (self.sessions > 0).then_some(self)
    }

    /// In a line.
    pub(super) fn words(self) -> String {
        let right = self.correct.map_or(String::new(), |correct| format!("; {} of these right", grouped(correct)));
        format!("{} of {}{right}", grouped(self.sessions), counted(self.decided, "decision"))
    }
}
