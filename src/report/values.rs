//! What the forms and variables of an arm came to: the numbers of its sessions, where the agenda holds no vote.

use indexmap::IndexMap;
use serde::Serialize;

use crate::analysis::SessionRow;
use crate::analysis::statistics::{Interval, Resampling, StreamKey, mean, mean_interval};

/// The number of random sign patterns of an interval, the same as in `compare`.
const FLIPS: u32 = 10_000;

/// The numbers of the sessions of an arm by column.
#[derive(Debug, Default)]
pub(super) struct ValueCounts(IndexMap<String, Vec<f64>>);

/// A field of a form or a variable of the session, over the sessions of an arm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValueReport {
    /// The column of `sessions.csv`.
    pub name: String,
    /// Sessions with a number.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// Its 95 % interval, by inversion of the sign-flip test; `None` for fewer than six sessions or equal numbers.
    pub interval: Option<Interval>,
    /// The least number.
    pub least: f64,
    /// The greatest number.
    pub greatest: f64,
}

impl ValueCounts {
    /// Adds the numbers of a session.
    pub(super) fn add(&mut self, session: &SessionRow) {
        for (name, number) in session.list_numbers() {
            self.0.entry(name).or_default().push(number);
        }
    }

    /// The report on the numbers added so far. The seed determines the sign flips.
    pub(super) fn report(&self, seed: u64) -> Vec<ValueReport> {
        let report = |(name, numbers): (&String, &Vec<f64>)| {
            Some(ValueReport {
                name: name.clone(),
                n: numbers.len() as u64,
                mean: mean(numbers)?,
                interval: mean_interval(numbers, &StreamKey::of_design(seed), FLIPS, Resampling::all_ranges),
                least: numbers.iter().copied().reduce(f64::min)?,
                greatest: numbers.iter().copied().reduce(f64::max)?,
            })
        };
        self.0.iter().filter_map(report).collect()
    }
}
