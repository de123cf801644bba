//! Votes that were taken of every seat again and again, and counted together.

use serde::Serialize;

use crate::domain::{Event, Record};
use crate::report::grouped;

/// How often every seat voted, and until when.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Sampled {
    /// Votes of every seat.
    pub samples: u64,
    /// The record.
    pub seq: u64,
    /// The session that was to be equalled.
    pub of: String,
    /// What that took: `9 calls`.
    pub most: String,
    /// What this one took by then; empty where nobody told.
    pub taken: String,
}

impl Sampled {
    /// What these records say of it; `None` where votes were taken once.
    pub fn of(records: &[Record]) -> Option<Self> {
        let target = records.iter().find_map(|record| match &record.event {
            Event::SessionConvened { target, .. } => target.as_ref(),
            _ => None,
        })?;
        let (seq, samples, taken) = records.iter().find_map(|record| match &record.event {
            Event::Sampled { samples, taken } => Some((record.seq.0, *samples, *taken)),
            _ => None,
        })?;
        Some(Self {
            samples: u64::from(samples),
            seq,
            of: target.of.session.clone(),
            most: format!("{} {}", grouped(target.amount), target.unit.as_str().replace('_', " ")),
            taken: taken.map_or(String::new(), grouped),
        })
    }

    /// In words: `3 votes of every seat`.
    pub fn words(&self) -> String {
        match self.samples {
            1 => "one vote of every seat".to_owned(),
            samples => format!("{} votes of every seat", grouped(samples)),
        }
    }
}
