//! Minds that take from a common stock: the same share of it each time, or as much as the others.
//!
//! Source of the second: Fischbacher, Gächter and Fehr 2001, "Are people conditionally cooperative?", Economics Letters 71(3): most
//! people give what they expect others to give, a little less. There what is given is conditioned on; here what was taken is, which the
//! question tells.
//!
//! What they say is what they took last, and before that what they would take of a full stock; what they hear in the talk moves nothing.
//! Votes and everything else are answered as a seat that holds one amount answers them.

use super::favour::{self, Favour, Ready};
use super::{TraitValue, note, reply};
use crate::chance::SessionSeed;
use crate::domain::{AlternativeId, Answer, Ask, MindState, Motion, Pool, Query, SeatName, Trait};

/// How much is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harvester {
    /// This share of what there is, 0 … 1.
    FixedShare {
        /// The share.
        share: TraitValue,
    },
    /// The share that the others took on average in the round before, times a slope, plus a bias.
    ConditionalCooperator {
        /// The share in the first round, 0 … 1.
        initial: TraitValue,
        /// The slope, 0 … 10; 1 takes as much as the others.
        slope: TraitValue,
        /// What is added, 0 … 1; above 0 it serves itself.
        bias: TraitValue,
    },
}

impl Harvester {
    /// The spelling used in configs and tables.
    pub fn name(&self) -> &'static str {
        match self {
            Harvester::FixedShare { .. } => "fixed_share",
            Harvester::ConditionalCooperator { .. } => "conditional_cooperator",
        }
    }

    /// Its traits by name.
    pub fn own(&self) -> Vec<(&'static str, TraitValue)> {
        match *self {
            Harvester::FixedShare { share } => vec![("share", share)],
            Harvester::ConditionalCooperator { initial, slope, bias } => {
                vec![("initial", initial), ("slope", slope), ("bias", bias)]
            }
        }
    }

    /// The traits of the agent on a seat.
    pub(super) fn traits(&self, seed: &SessionSeed, seat: &SeatName) -> Vec<Trait> {
        let all = (0..).zip(self.own());
        all.map(|(item, (name, value))| Trait { name: name.to_owned(), millionths: value.on(seed, seat, item) })
            .collect()
    }

    /// Answers a query. The state is one number: what was asked for last.
    pub(super) fn answer(&self, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Answer {
        match query.ask {
            Ask::Notes { .. } => return note::remember(motion, query),
            Ask::Integration { .. } | Ask::Compression { .. } => return note::answer(motion, query),
            _ => {}
        }
        let numbers: Vec<f64> =
            (0..).zip(self.own()).map(|(item, (_, value))| value.number_on(seed, &query.id.seat, item)).collect();
        let amount = match &query.ask {
            Ask::Amount { pool: Some(pool), .. } => self.taken(&numbers, pool),
            _ => {
                let last = query.state.0.first().and_then(|amount| u32::try_from(*amount).ok());
                let whole = reply::amount_max(motion);
                last.unwrap_or_else(|| part(numbers[0], whole).max(reply::amount_min(motion)))
            }
        };
        let state = MindState(vec![i64::from(amount)]);
        let favour = Favour {
            order: vec![AlternativeId(0)],
            opinion: None,
            amount: Some(amount),
            is_ready: Ready::Yes,
            preface: String::new(),
        };
        favour::answered(&favour, motion, seed, query, state)
    }

    /// What is taken of what there is.
    fn taken(&self, numbers: &[f64], pool: &Pool) -> u32 {
        let share = match (self, pool.last) {
            (Harvester::ConditionalCooperator { .. }, Some(last)) if pool.seats > 1 && last.stock > 0 => {
                let others = f64::from(last.total - last.own) / f64::from(pool.seats - 1);
                numbers[1] * (others / f64::from(last.stock)) + numbers[2]
            }
            _ => numbers[0],
        };
        part(share, pool.stock)
    }
}

/// A share of a whole in whole units, half a unit up; at most all of it.
fn part(share: f64, whole: u32) -> u32 {
    ((share * f64::from(whole) + 0.5) as u32).min(whole)
}
