//! Votes that every seat repeated, counted together.

use serde::Serialize;

use crate::domain::{Record, SampledVotes};
use crate::report::grouped;

/// Repeated votes, held until they cost as much as another session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Sampled {
    /// The number of votes per seat.
    pub samples: u64,
    /// The record.
    pub seq: u64,
    /// The session to match.
    pub of: String,
    /// The cost of that session: `9 calls`.
    pub most: String,
    /// The cost of this session by then; empty if unknown.
    pub taken: String,
}

impl Sampled {
    /// The repeated votes in these records; `None` if votes were held once.
    pub fn of(records: &[Record]) -> Option<Self> {
        let target = records.iter().find_map(|record| record.event.convened()?.target.as_ref())?;
        let sampled = |record: &Record| Some((record.seq.0, record.event.tallied()?.sampled?));
        let (seq, SampledVotes { samples, taken }) = records.iter().find_map(sampled)?;
        Some(Self {
            samples: u64::from(samples),
            seq,
            of: target.of.session.clone(),
            most: format!("{} {}", grouped(target.amount), target.unit.as_str().replace('_', " ")),
            taken: taken.map_or(String::new(), grouped),
        })
    }

    /// In words: `3 votes per seat`.
    pub fn words(&self) -> String {
        match self.samples {
            1 => "one vote per seat".to_owned(),
            samples => format!("{} votes per seat", grouped(samples)),
        }
    }
}
