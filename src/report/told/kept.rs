//! Which private answers their own seat may remember. All texts take this label from here.

use super::Heard;
use crate::domain::{Consequence, Event, Record, Step};

/// Who may know a private answer later: only its own seat, or nobody.
pub(in crate::report) fn later_audience(record: &Record) -> Heard {
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
        event if event.is_own_answer() => Heard::Itself,
        // A seat remembers that its ballot did not count.
        Event::Faulted { then: Consequence::TriesUsedUp, .. }
            if matches!(record.at.step, Step::Ballot | Step::Amount) =>
        {
            Heard::Itself
        }
        _ => Heard::Nobody,
    }
}
