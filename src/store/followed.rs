//! Minutes with a follower that receives each record once it is in the file, and not before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::analysis::SessionFold;
use crate::domain::Record;
use crate::ports::Minutes;
use crate::store::minutes::{MinutesError, MinutesFile};

/// Whether a record was in the file before this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordAge {
    /// The record was in the file.
    Before,
    /// This run wrote the record.
    Now,
}

/// The follower's callback: the session's name, the record, and its age.
pub type Follower<'f> = dyn Fn(&str, &Record, RecordAge) + Sync + 'f;

/// Minutes that may have a follower, and that may be folded while they are kept.
pub struct FollowedMinutes<'m> {
    minutes: &'m mut MinutesFile,
    follower: Option<(&'m Follower<'m>, &'m str)>,
    fold: Option<SessionFold>,
    in_past: Arc<AtomicBool>,
    /// Appended records that may not be in the file yet.
    waiting: Vec<Record>,
}

impl<'m> FollowedMinutes<'m> {
    /// Minutes whose records are passed to a follower, with the session's name, and to a fold.
    pub fn new(
        minutes: &'m mut MinutesFile,
        follower: Option<(&'m Follower<'m>, &'m str)>,
        fold: Option<SessionFold>,
    ) -> Self {
        let in_past = minutes.in_past();
        Self { minutes, follower, fold, in_past, waiting: Vec::new() }
    }

    /// The fold of all records; `None` without one, or if the records do not belong to its plan.
    pub fn into_fold(self) -> Option<SessionFold> {
        self.fold
    }
}

impl Minutes for FollowedMinutes<'_> {
    type Error = MinutesError;

    fn append(&mut self, record: &Record) -> Result<(), MinutesError> {
        let was_there = self.in_past.load(Ordering::Relaxed);
        self.minutes.append(record)?;
        if self.fold.as_mut().is_some_and(|fold| fold.fold_record(record).is_err()) {
            self.fold = None;
        }
        let Some((follower, session)) = self.follower else { return Ok(()) };
        if was_there {
            follower(session, record, RecordAge::Before);
            return Ok(());
        }
        self.waiting.push(record.clone());
        // A session without calls is flushed only at its end; this way, a follower waits at most one round.
        let event = &record.event;
        if event.is_round_opened() || event.is_round_closed() || event.is_phase_opened() {
            self.flush()
        } else {
            Ok(())
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
