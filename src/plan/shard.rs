//! A fixed slice of an experiment's sessions, for runs on several machines.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Experiment, PlannedSession};

/// The maximum number of sessions in a pack, unless a single block has more.
const PACK_SESSIONS_MAX: u64 = 8192;
/// A full pack's sessions divided by those of the first pack; each later pack has twice as many as the previous one.
const FIRST_PACK: u64 = 128;

/// One of several slices that together contain each session once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Its number, from 1.
    pub number: u32,
    /// The number of shards.
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
    /// The shard, of `of` shards, that contains a session.
    pub fn of_session(experiment: &Experiment, session: &PlannedSession, of: u32) -> Self {
        let number = experiment.block_of(session) % u64::from(of);
        Self { number: u32::try_from(number).expect("invariant: a remainder is less than its divisor") + 1, of }
    }

    /// Whether the shard contains a session.
    pub fn holds_session(&self, experiment: &Experiment, session: &PlannedSession) -> bool {
        *self == Self::of_session(experiment, session, self.of)
    }
}

/// The sessions of a shard in order; all sessions without a shard.
pub fn sessions_of(experiment: &Experiment, shard: Option<Shard>) -> impl Iterator<Item = PlannedSession> + '_ {
    let is_own = move |session: &PlannedSession| shard.is_none_or(|shard| shard.holds_session(experiment, session));
    PlannedSession::for_experiment(experiment).filter(is_own)
}

impl Experiment {
    /// The block of a session, from 0: the sessions that must run in one place, which are all arms and waves of a replicate and
    /// an item. If an arm shows the statements of another replicate, a block contains the two replicates that lend to each other.
    /// Blocks are numbered by replicate, so additional replicates move no session.
    pub fn block_of(&self, session: &PlannedSession) -> u64 {
        let replicate = u64::from(session.replicate - 1) / self.replicates_of_block();
        let place = session.item.as_ref().and_then(|item| self.items.get_index_of(&item.id)).unwrap_or(0);
        replicate * self.items.len().max(1) as u64 + place as u64
    }

    fn replicates_of_block(&self) -> u64 {
        if self.arms.iter().any(|plan| plan.lender.is_some()) { 2 } else { 1 }
    }

    /// The pack of a session, from 1. A pack contains a range of blocks, so additional replicates move no session. The first
    /// packs are small; a million sessions need at most 250 more, whatever the number of arms.
    pub fn pack_of(&self, session: &PlannedSession) -> u32 {
        let block_sessions = self.arms.len() as u64 * u64::from(self.waves.unwrap_or(1)) * self.replicates_of_block();
        // A power of two, so that an additional arm moves sessions only if the number of blocks per pack must be halved.
        let full = (PACK_SESSIONS_MAX / block_sessions.max(1)).checked_ilog2().map_or(1, |power| 1 << power);
        let (block, mut pack, mut first, mut size) = (self.block_of(session), 1, 0, (full / FIRST_PACK).max(1));
        while size < full && block >= first + size {
            (pack, first, size) = (pack + 1, first + size, size * 2);
        }
        u32::try_from(pack + (block - first) / size).unwrap_or(u32::MAX)
    }
}
