//! The provenance of the numbers on a page: models, repeated sessions, changes to the design, and files of the design.

use crate::plan::Deviation;

/// The provenance of the numbers on a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The models asked, and the models that answered.
    pub models: Vec<ModelAnswered>,
    /// Sessions that failed and were run again, each with the endings of its earlier attempts.
    pub retried: Vec<(String, Vec<String>)>,
    /// Sessions with an unreadable call record, each with the reason. Whether they were run again is unknown.
    pub unread: Vec<(String, String)>,
    /// The changes to the design after its first session ran; `None` if `experiment.json` does not say.
    pub deviations: Option<Vec<Deviation>>,
    /// The program versions, each with its number of sessions.
    pub versions: Vec<(String, u64)>,
    /// The names and texts of files that describe the design.
    pub files: Vec<(String, String)>,
}

/// A model that answered for a model in the config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelAnswered {
    /// The name of the asked model in the config.
    pub asked: String,
    /// The answering model, as the server reports it; `None` if it did not.
    pub answered: Option<String>,
    /// The server's fingerprint; `None` without one.
    pub fingerprint: Option<String>,
    /// The number of recorded answers.
    pub answers: u64,
}
