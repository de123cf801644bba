//! What a confederate says: a list in order of the questions, or a table by coordinate.

use crate::domain::{AlternativeId, PhaseName, Step};

/// A confederate's lines.
#[derive(Debug, Clone, PartialEq)]
pub enum Script {
    /// One line for each question put to the seat, in order; re-asks take a line too.
    List(Vec<Line>),
    /// A line for each coordinate (phase, round, step); the same on every attempt.
    Table(Vec<(PhaseName, u32, Step, Line)>),
}

/// One line of a script.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// A statement.
    Statement {
        /// The words.
        text: String,
        /// The declared favourite.
        stance: Option<AlternativeId>,
    },
    /// The seat passes.
    Pass,
    /// A choice in a poll or ballot.
    Choice(AlternativeId),
    /// A reply that cannot be read, as it comes.
    Malformed(String),
}
