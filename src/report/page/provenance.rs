//! Where the numbers of a page come from: who answered, what was tried again or changed, and the files that say how it was done.
//!
//! It is read elsewhere; here it is only told.

use crate::plan::Deviation;

/// Where the numbers of a page come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// Models that were asked, and who answered for each.
    pub models: Vec<ModelAnswered>,
    /// Sessions that failed and were run again, each with how the attempts before ended.
    pub retried: Vec<(String, Vec<String>)>,
    /// Sessions whose record of calls cannot be read, each with why: nobody knows whether they were run again.
    pub unread: Vec<(String, String)>,
    /// What was changed in the design after its first session was run; `None` where `experiment.json` does not tell.
    pub deviations: Option<Vec<Deviation>>,
    /// The versions that sessions were run with, and how many.
    pub versions: Vec<(String, u64)>,
    /// Files that say how it was done: name and text.
    pub files: Vec<(String, String)>,
}

/// Who answered for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelAnswered {
    /// The model that was asked, by its name in the config.
    pub asked: String,
    /// Who answered, as the server says; `None` where it did not say.
    pub answered: Option<String>,
    /// The server's fingerprint; `None` where it sent none.
    pub fingerprint: Option<String>,
    /// How many recorded answers are from it.
    pub answers: u64,
}
