//! What folds count: choices, marks, opinions, changes of stance.

use std::collections::BTreeMap;

use crate::analysis::measures;
use crate::domain::Choice;

/// A vote or poll in progress: its counts and how many answers are settled.
#[derive(Debug, Clone, Default)]
pub struct ChoiceCounts {
    /// Valid choices per alternative.
    pub counts: Vec<u32>,
    /// Valid choices per alternative and amount; no entry is 0.
    pub exact: BTreeMap<Choice, u32>,
    /// Questions settled, valid or not.
    pub settled: u32,
}

impl ChoiceCounts {
    /// How many different things were chosen: alternatives, or amounts where there is one alternative.
    pub fn distinct_choices(&self) -> usize {
        match self.counts.len() {
            1 => self.exact.len(),
            _ => self.counts.iter().filter(|count| **count > 0).count(),
        }
    }

    /// Nothing counted over this many alternatives.
    pub fn for_alternatives(alternatives: usize) -> Self {
        Self { counts: vec![0; alternatives], exact: BTreeMap::new(), settled: 0 }
    }

    /// Takes a settled question, and its choice if it is valid.
    pub fn count_choice(&mut self, choice: Option<Choice>) {
        self.settled += 1;
        if let Some(choice) = choice {
            self.counts[choice.alternative.index()] += 1;
            *self.exact.entry(choice).or_default() += 1;
        }
    }
}

/// What statements were marked as, counted since the session began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MarkCounts {
    /// Proposals that were made.
    pub made: u64,
    /// Proposals that are active.
    pub open: u64,
    /// Decisions that were stated.
    pub decisions: u64,
}

/// What an opinion comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpinionFrom {
    /// The seat declared it as a number.
    Declared,
    /// It named an amount: where that lies between the least and the greatest.
    Amount,
    /// It declared one of two alternatives: 1 for the first, 0 for the second.
    Stance,
}

impl OpinionFrom {
    /// The spelling used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            OpinionFrom::Declared => "opinion",
            OpinionFrom::Amount => "amount",
            OpinionFrom::Stance => "stance",
        }
    }
}

/// A seat's opinion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatOpinion {
    /// Where it stands, in billionths.
    pub billionths: u32,
    /// What that comes from.
    pub from: OpinionFrom,
    /// Where it stood when it told its opinion last.
    pub before: Option<u32>,
}

/// Changes of declared stance, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stances {
    /// Seats that declared another stance than they had declared last.
    pub switched: u64,
    /// Seats that declared a stance and had declared one before.
    pub n: u64,
    /// Of those that had declared the right one, how many gave it up, and how many there are.
    pub from_right: [u64; 2],
    /// Of those that had declared a wrong one, how many took the right one, and how many there are.
    pub to_right: [u64; 2],
}

impl Stances {
    /// The share of changes; `None` where there could be none.
    pub fn change_rate(&self) -> Option<f64> {
        measures::share_of(self.switched, self.n)
    }

    /// Takes a stance, and the one before.
    pub fn count_stance(&mut self, before: usize, now: usize, key: Option<usize>) {
        self.n += 1;
        self.switched += u64::from(before != now);
        let Some(key) = key else { return };
        let flips = if before == key { &mut self.from_right } else { &mut self.to_right };
        flips[0] += u64::from((before == key) != (now == key));
        flips[1] += 1;
    }

    /// Adds what was counted elsewhere.
    pub fn add_counts(&mut self, other: &Stances) {
        self.switched += other.switched;
        self.n += other.n;
    }
}
