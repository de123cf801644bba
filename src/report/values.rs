//! What the forms and variables of an arm came to: the numbers of its sessions.

use indexmap::IndexMap;
use serde::Serialize;

use crate::analysis::SessionRow;
use crate::analysis::statistics::{Interval, mean, wilson_interval};
use crate::report::numbers::sign_flip_interval;

/// The numbers of the sessions of an arm by column.
#[derive(Debug, Default)]
pub(super) struct ValueCounts {
    columns: IndexMap<String, ColumnCounts>,
    /// The announced columns: they come first, and are listed whatever the agenda holds.
    primary: Vec<String>,
}

#[derive(Debug, Default)]
struct ColumnCounts {
    numbers: Vec<f64>,
    /// Whether each is a yes or a no of the session.
    are_flags: bool,
    is_repeated: bool,
}

/// A field of a form or a variable, over the sessions of an arm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValueReport {
    /// The column of `sessions.csv`.
    pub name: String,
    /// Sessions with a number.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// Its 95 % interval: of a yes/no variable of the session Wilson's; otherwise by inversion of the sign-flip test, and `None` for fewer
    /// than six sessions or equal numbers.
    pub interval: Option<Interval>,
    /// The least number.
    pub least: f64,
    /// The greatest number.
    pub greatest: f64,
    /// Whether a repeated block asks or sets it: the numbers are those last answered or last set.
    pub repeated: bool,
}

impl ValueCounts {
    /// Counts that put the announced columns first.
    pub(super) fn with_primary(primary: &[String]) -> Self {
        Self { columns: IndexMap::new(), primary: primary.to_vec() }
    }

    /// Adds the numbers of a session.
    pub(super) fn add(&mut self, session: &SessionRow) {
        let announced =
            session.list_announceable_numbers().into_iter().filter(|mean| self.primary.contains(&mean.column));
        for found in session.list_numbers().into_iter().chain(announced.collect::<Vec<_>>()) {
            let is_repeated = session.arm.repeated_columns.contains(&found.column);
            let counts = self.columns.entry(found.column).or_insert_with(|| ColumnCounts {
                are_flags: found.is_flag,
                is_repeated,
                numbers: Vec::new(),
            });
            counts.numbers.push(found.number);
        }
    }

    /// The report on the numbers added so far, the announced columns first. The seed determines the sign flips.
    pub(super) fn report(&self, seed: u64) -> Vec<ValueReport> {
        let announced = self.report_primary(seed);
        let others = self.columns.iter().filter(|(name, _)| !self.primary.contains(name));
        announced.into_iter().chain(others.filter_map(|(name, counts)| counts.report(name, seed))).collect()
    }

    /// The report on the announced columns alone.
    pub(super) fn report_primary(&self, seed: u64) -> Vec<ValueReport> {
        self.primary.iter().filter_map(|name| self.columns.get(name)?.report(name, seed)).collect()
    }
}

impl ColumnCounts {
    fn report(&self, name: &str, seed: u64) -> Option<ValueReport> {
        let numbers = &self.numbers;
        let n = numbers.len() as u64;
        let interval = match self.are_flags {
            true => wilson_interval(numbers.iter().filter(|number| **number == 1.0).count() as u64, n),
            false => sign_flip_interval(numbers, seed),
        };
        Some(ValueReport {
            name: name.to_owned(),
            n,
            mean: mean(numbers)?,
            interval,
            least: numbers.iter().copied().reduce(f64::min)?,
            greatest: numbers.iter().copied().reduce(f64::max)?,
            repeated: self.is_repeated,
        })
    }
}
