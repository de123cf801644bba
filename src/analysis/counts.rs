//! Counters of folds: choices, marks, opinions, changes of stance.

use std::collections::BTreeMap;

use crate::analysis::measures;
use crate::domain::{Choice, spelled};

/// The counts of a vote or poll in progress.
#[derive(Debug, Clone, Default)]
pub struct ChoiceCounts {
    /// Valid choices per alternative.
    pub counts: Vec<u32>,
    /// Valid choices per alternative and amount; no entry is 0.
    pub exact: BTreeMap<Choice, u32>,
    /// Settled questions, valid or not.
    pub settled: u32,
}

impl ChoiceCounts {
    /// The number of distinct alternatives chosen, or of distinct amounts if there is one alternative.
    pub fn distinct_choices(&self) -> usize {
        match self.counts.len() {
            1 => self.exact.len(),
            _ => self.counts.iter().filter(|count| **count > 0).count(),
        }
    }

    /// Zero counts for this many alternatives.
    pub fn for_alternatives(alternatives: usize) -> Self {
        Self { counts: vec![0; alternatives], exact: BTreeMap::new(), settled: 0 }
    }

    /// Counts a settled question, and its choice if it is valid.
    pub fn count_choice(&mut self, choice: Option<Choice>) {
        self.settled += 1;
        if let Some(choice) = choice {
            self.counts[choice.alternative.index()] += 1;
            *self.exact.entry(choice).or_default() += 1;
        }
    }
}

/// Counts of marks since the session began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MarkCounts {
    /// Proposals made.
    pub made: u64,
    /// Active proposals.
    pub open: u64,
    /// Decisions stated.
    pub decisions: u64,
}

/// The source of an opinion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum OpinionFrom {
    /// The seat declared a number.
    #[strum(serialize = "opinion")]
    Declared,
    /// The seat named an amount, scaled between the least and the greatest.
    Amount,
    /// The seat declared one of two alternatives: 1 for the first, 0 for the second.
    Stance,
}

/// A seat's opinion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatOpinion {
    /// Its value, in billionths.
    pub billionths: u32,
    /// Its source.
    pub from: OpinionFrom,
    /// The value of the seat's previous opinion, in billionths.
    pub before: Option<u32>,
}

/// Counts of changes of declared stance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stances {
    /// Declarations of another stance than the seat's previous one.
    pub switched: u64,
    /// Declarations by seats that had declared a stance before.
    pub n: u64,
    /// Of the declarations that followed the right stance: changes to another one, and all.
    pub from_right: [u64; 2],
    /// Of the declarations that followed a wrong stance: changes to the right one, and all.
    pub to_right: [u64; 2],
}

impl Stances {
    /// The share of changes; `None` if `n` is 0.
    pub fn change_rate(&self) -> Option<f64> {
        measures::share_of(self.switched, self.n)
    }

    /// Counts a stance and the previous one; `key` is the right alternative.
    pub fn count_stance(&mut self, before: usize, now: usize, key: Option<usize>) {
        self.n += 1;
        self.switched += u64::from(before != now);
        let Some(key) = key else { return };
        let flips = if before == key { &mut self.from_right } else { &mut self.to_right };
        flips[0] += u64::from((before == key) != (now == key));
        flips[1] += 1;
    }

    /// Adds `switched` and `n` of other counts, but not the changes from and to the right stance.
    pub fn add_counts(&mut self, other: &Stances) {
        self.switched += other.switched;
        self.n += other.n;
    }
}

spelled!(OpinionFrom);
