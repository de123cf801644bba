//! Which of the answers that no other seat hears their own seat may remember.
//!
//! How they are told is elsewhere; all who tell of them take the label from here.

use super::Heard;
use crate::domain::{Consequence, Event, Record, Step};

/// Who may know later of an answer that no other seat hears: its own seat alone, or no memory at all.
pub(in crate::report) fn kept(record: &Record) -> Heard {
    match &record.event {
        Event::Reasoned { .. }
        | Event::Balloted { .. }
        | Event::Voted { .. }
        | Event::Abstained { .. }
        | Event::AmountNamed { .. }
        | Event::Ranked { .. }
        | Event::Tested { .. }
        | Event::Applied { .. }
        | Event::Inquired { .. }
        | Event::Integrated { .. }
        | Event::Compressed { .. }
        | Event::Noted { .. } => Heard::Itself,
        // A seat remembers that its ballot did not count.
        Event::Faulted { then: Consequence::TriesUsedUp, .. }
            if matches!(record.at.step, Step::Ballot | Step::Amount) =>
        {
            Heard::Itself
        }
        _ => Heard::Nobody,
    }
}
