//! What the votes of a session are matched to.

use crate::domain::{Event, Record, Target};

/// What the votes are matched to; nothing where votes are held once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VoteMatching {
    /// The other session.
    pub target: Option<Target>,
    /// How often every seat voted, and what the session took by then, where that was told.
    pub sampled: Option<(u32, Option<u64>)>,
}

impl VoteMatching {
    /// Takes a record down.
    pub fn read_record(&mut self, record: &Record) {
        match &record.event {
            Event::SessionConvened { target, .. } => self.target.clone_from(target),
            Event::Sampled { samples, taken } => self.sampled = Some((*samples, *taken)),
            _ => {}
        }
    }
}
