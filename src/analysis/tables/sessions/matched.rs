//! The matching of a session's votes to the consumption of another session.

use crate::domain::{Event, Record, Target};

/// The matching of votes; empty if votes are held once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VoteMatching {
    /// The other session and its consumption.
    pub target: Option<Target>,
    /// The number of samples, and the consumption by then; `None` if it was not reported.
    pub sampled: Option<(u32, Option<u64>)>,
}

impl VoteMatching {
    /// Reads the target and the samples from a record.
    pub fn read_record(&mut self, record: &Record) {
        match &record.event {
            Event::Convened { target, .. } => self.target.clone_from(target),
            Event::Sampled { samples, taken } => self.sampled = Some((*samples, *taken)),
            _ => {}
        }
    }
}
