//! A fixed slice of an experiment's sessions, for runs that share the work between machines.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Experiment, Planned};

/// One of several slices. Together they hold each session once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Its number, from 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("write I/N, such as 1/8, with I from 1 to N".to_owned()),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Shard {
    /// The one of so many that holds a session of an experiment.
    pub fn of_session(experiment: &Experiment, session: &Planned, of: u32) -> Self {
        let number = experiment.block_of(session) % u64::from(of);
        Self { number: u32::try_from(number).expect("invariant: a remainder is less than its divisor") + 1, of }
    }

    /// Whether it holds a session of an experiment.
    pub fn holds(&self, experiment: &Experiment, session: &Planned) -> bool {
        *self == Self::of_session(experiment, session, self.of)
    }
}

/// The sessions of a shard of an experiment, in their order; all of them where there is none.
pub fn sessions_of(experiment: &Experiment, shard: Option<Shard>) -> impl Iterator<Item = Planned> + '_ {
    let is_own = move |session: &Planned| shard.is_none_or(|shard| shard.holds(experiment, session));
    Planned::all(experiment).filter(is_own)
}

impl Experiment {
    /// The block of a session, from 0: what must be run in one place, all arms and waves of a replicate and an item. Where an arm is shown
    /// the statements of another replicate, a block holds the two replicates that lend to each other. Blocks are numbered replicate by
    /// replicate, so more replicates move no session.
    pub fn block_of(&self, session: &Planned) -> u64 {
        let is_paired = self.arms.iter().any(|plan| plan.lender.is_some());
        let replicate = u64::from(session.replicate - 1) / if is_paired { 2 } else { 1 };
        let place = session.item.as_ref().and_then(|item| self.items.get_index_of(&item.id)).unwrap_or(0);
        replicate * self.items.len().max(1) as u64 + place as u64
    }
}
