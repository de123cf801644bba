//! Which private answers their own seat may remember. All texts take this label from here.

use super::telling::RecordAudience;
use crate::domain::{Record, Step};

/// Who may know a private answer later: only its own seat, or nobody.
pub(super) fn later_audience(record: &Record) -> RecordAudience {
    let is_kept = match record.at.step {
        _ if record.event.is_inquired() => true,
        // A seat remembers that its ballot did not count.
        step if record.event.is_faulted() => {
            record.final_fault().is_some() && matches!(step, Step::Ballot | Step::Amount)
        }
        step => match step {
            Step::Reasoning
            | Step::Ballot
            | Step::Amount
            | Step::Ranking
            | Step::Comprehension
            | Step::Application
            | Step::Integration
            | Step::Compression
            | Step::Notes => record.reply().is_some(),
            _ => record.is_own_answer(),
        },
    };
    if is_kept { RecordAudience::Itself } else { RecordAudience::Nobody }
}
