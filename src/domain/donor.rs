//! What a session shows of another group's talk, in the place of its own.

use std::sync::Arc;

use super::{NamedChoice, Needed, Opinion, PhaseName, Record, Reply};

/// A statement of another group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lent {
    /// The phase.
    pub phase: PhaseName,
    /// The round.
    pub round: u32,
    /// The turn.
    pub turn: u32,
    /// The text in full.
    pub text: Arc<str>,
    /// What the speaker declared to favour, with its amount.
    pub stance: Option<NamedChoice>,
    /// The opinion it declared.
    pub opinion: Option<Opinion>,
}

/// All statements of another session, in order; no two have one coordinate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Donor {
    /// Where they come from.
    pub lender: Needed,
    /// The statements.
    pub statements: Vec<Lent>,
}

impl Donor {
    /// The statements among a session's records.
    pub fn of<'r>(lender: Needed, records: impl IntoIterator<Item = &'r Record>) -> Self {
        let lent = |record: &Record| {
            let Some(Reply::Statement { text, stance, opinion }) = record.reply() else { return None };
            let (phase, round, turn) = (record.at.phase.clone(), record.at.round, record.at.turn);
            Some(Lent { phase, round, turn, text, stance, opinion })
        };
        Self { lender, statements: records.into_iter().filter_map(lent).collect() }
    }
}
