//! What the sessions of a panel hand on: the same agents meet again, with the names they chose and the notes they took.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Digest, SeatName, Seated};

/// The length of a chosen name at the most, in Unicode scalar values.
pub const NAME_CHARS_MAX: u32 = 40;

/// A session that must be complete before another one begins, which has its minutes: the one before it in its panel, or the one
/// whose statements it shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Needed {
    /// Its name.
    pub session: String,
    /// The digest of its minutes.
    pub minutes: Digest,
}

/// A seat's notes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatNotes {
    /// The seat.
    pub seat: SeatName,
    /// Its lines, oldest first; none holds a line break.
    pub lines: Vec<String>,
}

/// Notes that seats took in a session of another experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportedNotes {
    /// The session.
    pub from: Needed,
    /// The notes after it; every seat that had any.
    pub notes: Vec<SeatNotes>,
}

/// What a session of a panel begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Before {
    /// The session before it.
    pub needed: Needed,
    /// The names that seats chose in the panel's first session.
    pub names: Vec<Seated>,
    /// What seats have noted so far; every seat that has any.
    pub notes: Vec<SeatNotes>,
}

/// A text in notes that is replaced by another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    /// What is replaced; it stands exactly once in the notes that the seat was shown.
    pub old: Arc<str>,
    /// What takes its place; nothing where it is empty.
    pub new: Arc<str>,
}

/// What a seat does to its notes when a session ends: first it replaces, then it appends.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoteTaken {
    /// What it adds, one or more lines; absent for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub append: Option<Arc<str>>,
    /// What it replaces; absent for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replace: Option<Replacement>,
}
