//! Minds that take from a common stock: a fixed share, as much as the others, or by quantal response.
//!
//! Source of `conditional_cooperator`: Fischbacher, Gächter and Fehr 2001, "Are people conditionally cooperative?", Economics
//! Letters 71(3): most people give what they expect others to give, or a little less. There, gifts are the condition; here, it is
//! the takes that the question reports.
//!
//! `quantal_harvester` weighs what it gets against what grows back, and takes amounts of greater worth more often (quantal
//! response: McKelvey and Palfrey 1995, "Quantal response equilibria for normal form games", Games and Economic Behavior 10).
//!
//! A harvester declares its last take; before that, what it would take of a full stock or expects others to take. It ignores
//! talk. It answers everything else like a seat that holds one amount.

use std::sync::Arc;

use super::favour::{self, Favour, Turnout, VoteReadiness};
use super::justice::quantal_shares;
use super::opinion::PROBABILITY_STEPS;
use super::{TraitValue, note, reply};
use crate::chance::{DrawPurpose, SessionSeed};
use crate::domain::{AlternativeId, Answer, Ask, MindState, Motion, Pool, Query, SeatName, Trait};
use crate::mechanism::Commons;
use crate::minds::coordinates::noise_at;

/// The rule for the amount taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Harvester {
    /// A fixed share of the current stock.
    FixedShare {
        /// The share, 0 … 1.
        share: TraitValue,
    },
    /// The mean share that the others took in the previous round, times a slope, plus a bias.
    ConditionalCooperator {
        /// The share in the first round, 0 … 1.
        initial: TraitValue,
        /// The slope, 0 … 10; 1 takes as much as the others.
        slope: TraitValue,
        /// The bias, 0 … 1; above 0 it is self-serving.
        bias: TraitValue,
    },
    /// Each amount with a probability that rises with its worth: the share of the stock taken, plus `foresight` times one seat's
    /// part of the regrowth.
    Quantal {
        /// λ, 0 … 1000.
        precision: TraitValue,
        /// The weight of regrowth against the present take, 0 … 100.
        foresight: TraitValue,
        /// The share that it expects each other seat to take in the first round, 0 … 1; later their mean take.
        expects: TraitValue,
        /// The stock.
        commons: Arc<Commons>,
    },
}

impl Harvester {
    /// The spelling used in configs and tables.
    pub fn name(&self) -> &'static str {
        match self {
            Harvester::FixedShare { .. } => "fixed_share",
            Harvester::ConditionalCooperator { .. } => "conditional_cooperator",
            Harvester::Quantal { .. } => "quantal_harvester",
        }
    }

    /// Its traits by name.
    pub fn named_traits(&self) -> Vec<(&'static str, TraitValue)> {
        match self {
            Harvester::FixedShare { share } => vec![("share", *share)],
            Harvester::ConditionalCooperator { initial, slope, bias } => {
                vec![("initial", *initial), ("slope", *slope), ("bias", *bias)]
            }
            Harvester::Quantal { precision, foresight, expects, .. } => {
                vec![("precision", *precision), ("foresight", *foresight), ("expects", *expects)]
            }
        }
    }

    pub(super) fn draw_traits(&self, seed: &SessionSeed, seat: &SeatName) -> Vec<Trait> {
        let all = (0..).zip(self.named_traits());
        all.map(|(item, (name, value))| Trait {
            name: name.to_owned(),
            millionths: value.millionths_on(seed, seat, item),
        })
        .collect()
    }

    /// Answers a query. The state is one number: the last amount.
    pub(super) fn answer(&self, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Answer {
        match query.ask {
            Ask::Notes { .. } => return note::take_notes(motion, query),
            Ask::Integration { .. } | Ask::Compression { .. } => return note::rewrite_memory(motion, query),
            _ => {}
        }
        let numbers: Vec<f64> = (0..)
            .zip(self.named_traits())
            .map(|(item, (_, value))| value.number_on(seed, &query.id.seat, item))
            .collect();
        let amount = match &query.ask {
            Ask::Amount { pool: Some(pool), .. } => match self {
                Harvester::Quantal { commons, .. } => {
                    let shares = quantal_shares(&harvest_worths(commons, pool, numbers[1], numbers[2]), numbers[0]);
                    let parts: Vec<u64> = shares.iter().map(|share| (share * PROBABILITY_STEPS) as u64).collect();
                    seed.at_question(DrawPurpose::Choice, &noise_at(query), 0).draw_weighted(&parts) as u32
                }
                _ => self.amount_taken(&numbers, pool),
            },
            _ => {
                let last = query.state.0.first().and_then(|amount| u32::try_from(*amount).ok());
                let whole = reply::amount_max(motion);
                // Before the first take: what it would take of a full stock, or expects others to take.
                let share = if let Harvester::Quantal { .. } = self { numbers[2] } else { numbers[0] };
                last.unwrap_or_else(|| units_of_share(share, whole).max(reply::amount_min(motion)))
            }
        };
        let state = MindState(vec![i64::from(amount)]);
        let favour = Favour {
            order: vec![AlternativeId(0)],
            opinion: None,
            amount: Some(amount),
            is_ready: VoteReadiness::Yes,
            preface: String::new(),
            worth: None,
            turnout: Turnout::Votes,
        };
        favour::answer_from_favour(&favour, motion, seed, query, state)
    }

    /// The take of a rule without draws.
    fn amount_taken(&self, numbers: &[f64], pool: &Pool) -> u32 {
        let share = match (self, pool.last) {
            (Harvester::ConditionalCooperator { .. }, Some(last)) if pool.seats > 1 && last.stock > 0 => {
                let others = f64::from(last.total - last.own) / f64::from(pool.seats - 1);
                numbers[1] * (others / f64::from(last.stock)) + numbers[2]
            }
            _ => numbers[0],
        };
        units_of_share(share, pool.stock)
    }
}

/// The worth of each amount from 0 to the stock, as a share of the stock: the take, plus `foresight` times an equal part of the
/// regrowth. Each other seat is expected to take the mean share of the previous round, in the first round `expects`.
pub fn harvest_worths(commons: &Commons, pool: &Pool, foresight: f64, expects: f64) -> Vec<f64> {
    let (others, seats) = (f64::from(pool.seats.saturating_sub(1)), f64::from(pool.seats.max(1)));
    let share = match pool.last {
        Some(last) if pool.seats > 1 && last.stock > 0 => f64::from(last.total - last.own) / f64::from(last.stock),
        _ => expects * others,
    };
    let (stock, elsewhere) = (pool.stock, units_of_share(share.min(1.0), pool.stock));
    let worth = |amount: u32| {
        let got = match f64::from(amount) + f64::from(elsewhere) {
            all if all <= f64::from(stock) => f64::from(amount),
            all => f64::from(amount) * f64::from(stock) / all,
        };
        let grown = commons.grow_stock(stock.saturating_sub(amount).saturating_sub(elsewhere));
        (got + foresight * f64::from(grown) / seats) / f64::from(stock.max(1))
    };
    (0..=stock).map(worth).collect()
}

/// A share of a quantity in whole units, rounded half up.
fn units_of_share(share: f64, whole: u32) -> u32 {
    ((share * f64::from(whole) + 0.5) as u32).min(whole)
}
