//! The two interfaces to the outside: a backend that answers questions, and minutes that record events.

use futures::future::BoxFuture;

use crate::domain::{Answer, Outage, Query, Record};

/// Answers questions: a mind, a script, a model or a call record.
pub trait Backend: Send + Sync {
    /// Answers one question.
    ///
    /// # Errors
    /// An [`Outage`] if there is no answer; the session then stops and can be resumed.
    fn answer<'a>(&'a self, query: &'a Query<'a>) -> BoxFuture<'a, Result<Answer, Outage>>;
}

/// Stores the minutes. A record is appended before it takes effect.
pub trait Minutes {
    /// The error of all methods.
    type Error;

    /// Appends one record.
    ///
    /// # Errors
    /// If the record could not be stored; it must not take effect.
    fn append(&mut self, record: &Record) -> Result<(), Self::Error>;

    /// Passes all appended records to the operating system.
    ///
    /// # Errors
    /// If writing fails.
    fn flush(&mut self) -> Result<(), Self::Error>;

    /// Makes all appended records survive a power cut.
    ///
    /// # Errors
    /// If syncing fails.
    fn sync(&mut self) -> Result<(), Self::Error>;
}
