//! What seats were told between turns that may have moved them: what a poll came to, and what some of them alone, or a person, were
//! told. What the agenda tells everybody in every session, such as how many rounds remain, is in the transcript alone.

use serde::Serialize;

use super::moves::beginning;
use crate::domain::{Event, Record, Voice};

/// Something that seats were told in a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// Who told them.
    pub by: &'static str,
    /// Whom; empty where it was told to all.
    pub to: Vec<String>,
    /// The round.
    pub round: u64,
    /// The record.
    pub seq: u64,
    /// The beginning of the words.
    pub words: String,
}

impl Notice {
    /// All of these records.
    pub fn all(records: &[Record]) -> Vec<Self> {
        let mut polled = None;
        let mut all = Vec::new();
        for record in records {
            let place = (&record.at.phase, record.at.round);
            match &record.event {
                Event::Polled { .. } => polled = Some(place),
                Event::Instructed { text, to, by, .. } => {
                    let is_shown = !to.is_empty() || *by == Voice::Human || polled.take() == Some(place);
                    if record.at.round > 0 && is_shown {
                        all.push(Self {
                            by: match by {
                                Voice::Facilitator => "The facilitator",
                                Voice::Human => "A person",
                            },
                            to: to.iter().map(ToString::to_string).collect(),
                            round: u64::from(record.at.round),
                            seq: record.seq.0,
                            words: beginning(text),
                        });
                    }
                }
                _ => {}
            }
        }
        all
    }
}
