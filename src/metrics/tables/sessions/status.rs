//! How far a session got, in a word.

/// How far a session got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It ran to its end.
    Completed,
    /// It was stopped and can be resumed.
    Incomplete,
    /// It could not go on, for this reason in one word.
    Failed(String),
}
