//! Announcements between turns that differ between sessions: messages to some seats, and messages from people.
//! Routine announcements of the agenda, such as the number of remaining rounds, are only in the transcript.

use serde::Serialize;

use super::spoken::shorten_words;
use crate::domain::{Briefing, Record, Voice};

/// An announcement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// The speaker.
    pub by: &'static str,
    /// The seats addressed; empty for all.
    pub to: Vec<String>,
    /// The round.
    pub round: u64,
    /// The record.
    pub seq: u64,
    /// The beginning of the text.
    pub words: String,
}

impl Notice {
    /// The announcements in these records.
    pub fn all(records: &[Record]) -> Vec<Self> {
        let notice = |record: &Record| {
            let Briefing { text, to, by, .. } = record.event.briefed()?;
            let is_own = record.at.round > 0 && (!to.is_empty() || *by == Voice::Human);
            is_own.then(|| Self {
                by: match by {
                    Voice::Facilitator => "The facilitator",
                    Voice::Human => "A person",
                },
                to: to.iter().map(ToString::to_string).collect(),
                round: u64::from(record.at.round),
                seq: record.seq.0,
                words: shorten_words(text),
            })
        };
        records.iter().filter_map(notice).collect()
    }
}
