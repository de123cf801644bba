//! How things stand with one seat: its mind, its answers, its ballot, and what it alone was told or asked to see.

use std::collections::BTreeMap;

use super::ballot_box::Cast;
use crate::domain::{
    AlternativeId, CaseFact, Choice, FieldValues, First, Inquiry, MindState, NamedValues, StatementChars,
};

/// How things stand with one seat.
#[derive(Debug, Clone, Default)]
pub(super) struct Standing {
    /// What its mind keeps.
    pub mind: MindState,
    /// Where its mind begins.
    pub first: First,
    /// Its last ranking, the best first.
    pub ranking: Option<Vec<AlternativeId>>,
    /// Its choice in the practice round under way.
    pub applied: Option<Choice>,
    /// Whether it passed the comprehension test; `None` before it.
    pub passed: Option<bool>,
    /// Its ballot in the vote under way.
    pub cast: Cast,
    /// How urgently it wants to speak in the round that is about to begin; `None` where it does not.
    pub urgency: Option<u32>,
    /// Its answers to forms, by the place of the phase.
    pub answers: BTreeMap<usize, FieldValues>,
    /// Its answers to forms about each of several seats, by the place of the phase.
    pub about: BTreeMap<usize, NamedValues>,
    /// What it owns, in cents.
    pub balance_cents: u64,
    /// What it was privately told to push.
    pub pushes: Option<AlternativeId>,
    /// What it asked to see at the question that it owes an answer to.
    pub inquired: Option<Inquired>,
    /// The phase and the round of the last turn in which it looked something up.
    pub looked_up: Option<(usize, u32)>,
    /// Whether it was excluded.
    pub is_excluded: bool,
    /// The public statements in its last prompt of the round under way; `None` before it had one.
    pub statements: Option<StatementChars>,
}

/// What a seat asked to see at the question that it owes an answer to, and what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inquired {
    pub inquiry: Inquiry,
    /// Positions on the floor.
    pub remarks: Vec<u32>,
    /// The position of an exhibit in the plan, and the number of its page.
    pub page: Option<(usize, u32)>,
}

/// What a seat was told alone of the case, as minds read it.
#[derive(Debug, Clone, Default)]
pub(super) struct Held {
    pub signal: Option<AlternativeId>,
    pub facts: Vec<CaseFact>,
}
