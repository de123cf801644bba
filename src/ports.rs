//! The two seams to the outside: what answers questions, and what keeps the minutes.

use futures::future::BoxFuture;

use crate::domain::{Answer, Outage, Query, Record};

/// What answers questions: a mind, a script, a model, a call record.
pub trait Backend: Send + Sync {
    /// Answers one question.
    ///
    /// # Errors
    /// An [`Outage`] when no answer could be had; the session then stops and can be resumed.
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>>;
}

/// What keeps the minutes. A record is appended before it takes effect.
pub trait Minutes {
    /// What can go wrong.
    type Error;

    /// Appends one record.
    ///
    /// # Errors
    /// When the record could not be kept; it must then not take effect.
    fn append(&mut self, record: &Record) -> Result<(), Self::Error>;

    /// Hands everything appended so far to the operating system.
    ///
    /// # Errors
    /// When that fails.
    fn flush(&mut self) -> Result<(), Self::Error>;

    /// Makes everything appended so far survive a power cut.
    ///
    /// # Errors
    /// When that fails.
    fn sync(&mut self) -> Result<(), Self::Error>;
}
