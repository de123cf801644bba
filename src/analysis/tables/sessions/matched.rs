//! The matching of a session's votes to the consumption of another session.

use crate::domain::{Record, SampledVotes, Target};

/// The matching of votes; empty if votes are held once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VoteMatching {
    /// The other session and its consumption.
    pub target: Option<Target>,
    /// The number of samples, and the consumption by then.
    pub sampled: Option<SampledVotes>,
}

impl VoteMatching {
    /// Reads the target and the samples from a record.
    pub fn read_record(&mut self, record: &Record) {
        if let Some(convened) = record.event.convened() {
            self.target.clone_from(&convened.target);
        }
        self.sampled = record.event.tallied().and_then(|tally| tally.sampled).or(self.sampled);
    }
}
