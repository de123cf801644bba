//! The position of a seat: one number for two alternatives or an amount, weights that sum to 1 for more alternatives.
//!
//! For two alternatives the number is how far the first is favoured; for an amount alone its place between the least and the
//! greatest. Linear models apply to each weight, which preserves their sum; that is DeGroot's own case, whose opinions are
//! distributions. With more than two alternatives a seat declares one of them and the weight on it: the others then share the
//! rest equally.

use crate::chance::{Draws, SessionSeed};
use crate::domain::{AlternativeId, Choice, Motion, Opinion, SeatName};
use crate::minds::{TraitValue, reply};

/// The position of a seat.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Position(pub Vec<f64>);

/// One, in billionths.
const ONE: f64 = Opinion::ONE as f64;

/// How many numbers a position has on a motion.
pub(super) fn position_width(motion: &Motion) -> usize {
    match motion.alternatives.len() {
        1 | 2 => 1,
        more => more,
    }
}

impl Position {
    /// The first position: a single number by its trait if one is written, else drawn uniformly from all positions.
    pub fn draw_initial(
        motion: &Motion,
        written: Option<TraitValue>,
        seed: &SessionSeed,
        seat: &SeatName,
        draws: Draws,
    ) -> Self {
        match position_width(motion) {
            1 => {
                let value = written.unwrap_or(TraitValue::Uniform { least: 0, greatest: 1_000_000 });
                Self(vec![value.number_on(seed, seat, 0)])
            }
            more => Self::draw_uniform(more, draws),
        }
    }

    /// Uniform draw of weights that sum to 1: the gaps between points drawn on a line.
    fn draw_uniform(width: usize, mut draws: Draws) -> Self {
        let mut points: Vec<u64> = (1..width).map(|_| draws.draw_below(u64::from(Opinion::ONE) + 1)).collect();
        points.sort_unstable();
        points.push(Opinion::ONE.into());
        let mut before = 0;
        let gap = |point: u64| {
            let gap = point - before;
            before = point;
            gap as f64 / ONE
        };
        Self(points.into_iter().map(gap).collect())
    }

    /// All weight on one alternative.
    pub fn from_alternative(motion: &Motion, alternative: AlternativeId) -> Self {
        let weight = |place| if place == alternative.index() { 1.0 } else { 0.0 };
        Self((0..position_width(motion)).map(weight).collect())
    }

    /// The position behind a declaration; `None` if it shows none.
    pub fn from_declaration(motion: &Motion, stance: Option<Choice>, opinion: Option<Opinion>) -> Option<Self> {
        let number = opinion.map(|opinion| f64::from(opinion.billionths()) / ONE);
        match (motion.alternatives.len(), stance, number) {
            (1 | 2, _, Some(number)) => Some(Self(vec![number])),
            (1, Some(Choice { amount: Some(amount), .. }), None) => Some(Self(vec![amount_share(motion, amount)])),
            (1, ..) | (2, None, None) => None,
            (2, Some(stance), None) => Some(Self::from_alternative(motion, stance.alternative)),
            (_, None, _) => None,
            (count, Some(stance), number) => {
                let weight = number.unwrap_or(1.0);
                let rest = (1.0 - weight) / (count - 1) as f64;
                let of = |place: usize| if place == stance.alternative.index() { weight } else { rest };
                Some(Self((0..count).map(of).collect()))
            }
        }
    }

    /// The weight of each alternative; for an amount alone the number itself.
    pub fn weights(&self, motion: &Motion) -> Vec<f64> {
        match (motion.alternatives.len(), self.0.as_slice()) {
            (2, [first]) => vec![*first, 1.0 - first],
            (_, weights) => weights.to_vec(),
        }
    }

    /// The amount of this position, in whole units, rounded half up.
    pub fn amount(&self, motion: &Motion) -> u32 {
        let (least, most) = (motion.amount_min, reply::amount_max(motion));
        let one = u64::from(Opinion::ONE);
        let units = to_billionths(self.0[0]) as u64 * u64::from(most - least);
        least + ((2 * units + one) / (2 * one)) as u32
    }

    /// Half the sum of the differences of all weights; for one number the difference.
    pub fn distance(&self, other: &Self) -> f64 {
        let sum: f64 = self.0.iter().zip(&other.0).map(|(own, other)| (own - other).abs()).sum();
        if self.0.len() == 1 { sum } else { sum / 2.0 }
    }

    /// Whole billionths for storage; the greatest weight takes the rounding remainder.
    pub fn to_integers(&self) -> Vec<i64> {
        let mut kept: Vec<i64> = self.0.iter().map(|number| to_billionths(*number)).collect();
        if kept.len() > 1 {
            let rest = i64::from(Opinion::ONE) - kept.iter().sum::<i64>();
            let greatest = (0..kept.len()).max_by_key(|place| (kept[*place], std::cmp::Reverse(*place)));
            kept[greatest.expect("invariant: there is a weight")] += rest;
        }
        kept
    }

    /// Rounded as if stored, so that answers during and after a step use equal numbers.
    pub fn to_rounded(&self) -> Self {
        Self::from_integers(&self.to_integers())
    }

    pub fn from_integers(numbers: &[i64]) -> Self {
        Self(numbers.iter().map(|number| *number as f64 / ONE).collect())
    }
}

/// The place of an amount between the least and the greatest, 0 … 1.
fn amount_share(motion: &Motion, amount: u32) -> f64 {
    let (least, most) = (motion.amount_min, reply::amount_max(motion));
    f64::from(amount.clamp(least, most) - least) / f64::from((most - least).max(1))
}

/// A number from 0 to 1 as an opinion.
pub(super) fn to_opinion(number: f64) -> Opinion {
    Opinion::new(to_billionths(number) as u32).expect("invariant: a position lies between 0 and 1")
}

/// A number in whole billionths, rounded half up and clamped to 0 … 1.
fn to_billionths(number: f64) -> i64 {
    ((number * ONE + 0.5) as i64).clamp(0, i64::from(Opinion::ONE))
}

/// The alternatives by weight, greatest first; `ties` orders equal ones.
pub(super) fn rank_alternatives(weights: &[f64], ties: &[AlternativeId]) -> Vec<AlternativeId> {
    let mut order = ties.to_vec();
    order.sort_by(|one, other| weights[other.index()].total_cmp(&weights[one.index()]));
    order
}
