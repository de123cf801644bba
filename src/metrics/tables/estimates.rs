//! How far amounts are from the one that is right, of the crowd and of its members.
//!
//! Amounts are measured where a motion is about an amount alone; beside a choice they are not comparable.

use crate::metrics::measures::{Crowd, crowd, variance};
use crate::metrics::part::Count;

/// What amounts named at one time come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimates {
    /// How many there are.
    pub n: u64,
    /// Their variance.
    pub diversity: f64,
    /// How far they are from the right one; `None` where nobody knows it.
    pub errors: Option<Crowd>,
}

impl Estimates {
    /// What counted amounts come to, of which this one is right; `None` without one, and where there is something to choose.
    pub fn of(count: &Count, right: Option<u32>) -> Option<Self> {
        let is_alone = count.counts.len() == 1;
        let amounts = count.exact.iter().filter_map(|(choice, n)| Some((choice.amount?, *n as usize)));
        let named: Vec<f64> =
            amounts.filter(|_| is_alone).flat_map(|(amount, n)| std::iter::repeat_n(f64::from(amount), n)).collect();
        let errors = right.and_then(|right| crowd(&named, f64::from(right)));
        Some(Self { n: named.len() as u64, diversity: variance(&named)?, errors })
    }
}
