//! Minutes that somebody follows: each record is told once it is in the file, and never before.
//!
//! Who follows sees what is appended and nothing else, and changes nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::domain::{Event, Record};
use crate::ports::Minutes;
use crate::store::minutes::{MinutesError, MinutesFile};

/// Whether a record was in the file before this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordAge {
    /// It was.
    Before,
    /// It has just been written.
    Now,
}

/// Who is told of records: the session's name, the record, and whether it was there before.
pub type Follower<'f> = dyn Fn(&str, &Record, RecordAge) + Sync + 'f;

/// Minutes that may be followed.
pub struct FollowedMinutes<'m> {
    minutes: &'m mut MinutesFile,
    follower: Option<(&'m Follower<'m>, &'m str)>,
    in_past: Arc<AtomicBool>,
    /// Written, and not yet known to be in the file.
    waiting: Vec<Record>,
}

impl<'m> FollowedMinutes<'m> {
    /// Minutes whose records are told to a follower.
    pub fn new(minutes: &'m mut MinutesFile, follower: Option<(&'m Follower<'m>, &'m str)>) -> Self {
        let in_past = minutes.in_past();
        Self { minutes, follower, in_past, waiting: Vec::new() }
    }
}

impl Minutes for FollowedMinutes<'_> {
    type Error = MinutesError;

    fn append(&mut self, record: &Record) -> Result<(), MinutesError> {
        let was_there = self.in_past.load(Ordering::Relaxed);
        self.minutes.append(record)?;
        let Some((follower, session)) = self.follower else { return Ok(()) };
        if was_there {
            follower(session, record, RecordAge::Before);
            return Ok(());
        }
        self.waiting.push(record.clone());
        // A session without calls is written down at its end; who follows it waits for a round at the most.
        match record.event {
            Event::RoundOpened { .. } | Event::RoundClosed { .. } | Event::PhaseOpened { .. } => self.flush(),
            _ => Ok(()),
        }
    }

    fn flush(&mut self) -> Result<(), MinutesError> {
        self.minutes.flush()?;
        if let Some((follower, session)) = self.follower {
            self.waiting.drain(..).for_each(|record| follower(session, &record, RecordAge::Now));
        }
        Ok(())
    }

    fn sync(&mut self) -> Result<(), MinutesError> {
        self.flush()?;
        self.minutes.sync()
    }
}
