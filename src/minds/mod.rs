//! Simulated agents. A mind is pure: parameters, query, own state and draws in; reply and own state out.

mod script;

pub use script::{Line, Script};

use crate::chance::SessionSeed;
use crate::domain::{Answer, Motion, Outage, Query};

/// The rule by which a simulated agent answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Mind {
    /// Uniform choices and texts; `malformed` is the probability of a reply that cannot be read, in parts per million.
    Random {
        /// Parts per million, 0 … 1 000 000.
        malformed_ppm: u32,
    },
    /// Holds one alternative; before each statement copies a heard stance with probability `copy`.
    Voter {
        /// Parts per million, 0 … 1 000 000.
        copy_ppm: u32,
    },
    /// Says what a script says.
    Scripted(Script),
}

impl Mind {
    /// Answers a query.
    ///
    /// # Errors
    /// [`Outage::ScriptEnded`] when a script has no line for the question.
    pub fn answer(&self, _motion: &Motion, _seed: &SessionSeed, query: &Query<'_>) -> Result<Answer, Outage> {
        Err(Outage::ScriptEnded {
            seat: query.id.seat.to_string(),
            question: Box::new(query.id.clone()),
        })
    }
}
