//! Picks the income table that a principle selects.
//!
//! Source: Frohlich and Oppenheimer 1992, "Choosing Justice", chapter 3. Means are compared without division, so rounding
//! cannot make two tables equal.

use super::{Average, IncomePrinciples, Pick, Principle};
use crate::domain::{CLASSES, Choice, Situation};

/// The sum of a situation's weights.
const MILLION: u64 = 1_000_000;

impl IncomePrinciples {
    /// Picks the table that a choice selects in a situation.
    ///
    /// # Panics
    /// If the alternative is not in the motion, or takes an amount and has none.
    pub fn pick_table(&self, choice: Choice, situation: &Situation) -> Pick {
        pick_table(self.principles[choice.alternative.index()], choice.amount, situation, self.average)
    }
}

/// Picks the table that a principle selects in a situation. Bounds are inclusive; if tables are equal, the first wins.
///
/// If no table meets the amount, `average_floor` picks the highest low income and `average_range` the smallest range.
/// Principles without an amount ignore it.
///
/// # Panics
/// If the principle takes an amount and has none, or the situation has no table.
pub fn pick_table(principle: Principle, amount: Option<u32>, situation: &Situation, average: Average) -> Pick {
    let tables = &situation.tables;
    let mean = |place: usize| mean_scaled(&tables[place], &situation.weights_ppm, average);
    let by_average = first_best(0..tables.len(), mean).expect("invariant: a situation has tables");
    let highest_low = || first_best(0..tables.len(), |place| u64::from(low_income(&tables[place])));
    let smallest_range = || (0..tables.len()).min_by_key(|place| income_range(&tables[*place]));
    let within = |keeps: &dyn Fn(&[u32; CLASSES]) -> bool, otherwise: &dyn Fn() -> Option<usize>| {
        let kept = || (0..tables.len()).filter(|place| keeps(&tables[*place]));
        (first_best(kept(), mean).or_else(otherwise), Some(kept().count() < tables.len()))
    };
    let amount = || amount.expect("invariant: a principle that takes an amount has one");
    let (table, binding) = match principle {
        Principle::Floor => (highest_low(), None),
        Principle::Average => (Some(by_average), None),
        Principle::AverageFloor => {
            let least = amount();
            within(&|table| low_income(table) >= least, &highest_low)
        }
        Principle::AverageRange => {
            let most = amount();
            within(&|table| income_range(table) <= most, &smallest_range)
        }
    };
    let table = table.expect("invariant: a situation has tables");
    Pick { table, binding, same_as_average: table == by_average }
}

/// A mean income for display, in whole dollars; half a dollar is rounded up.
///
/// ```
/// use ekklesia::mechanism::{Average, mean_dollars_rounded};
///
/// let (table, weights) = ([32_000, 27_000, 24_000, 13_000, 12_000], [50_000, 100_000, 500_000, 250_000, 100_000]);
/// assert_eq!(mean_dollars_rounded(&table, &weights, Average::Weighted), 20_750);
/// assert_eq!(mean_dollars_rounded(&table, &weights, Average::Unweighted), 21_600);
/// ```
pub fn mean_dollars_rounded(table: &[u32; CLASSES], weights_ppm: &[u32; CLASSES], average: Average) -> u64 {
    let unit = match average {
        Average::Weighted => MILLION,
        Average::Unweighted => CLASSES as u64,
    };
    (mean_scaled(table, weights_ppm, average) + unit / 2) / unit
}

/// The income of the low class, in dollars a year.
pub fn low_income(table: &[u32; CLASSES]) -> u32 {
    table[CLASSES - 1]
}

/// The high class's income minus the low class's, in dollars a year; 0 if negative.
pub fn income_range(table: &[u32; CLASSES]) -> u32 {
    table[0].saturating_sub(low_income(table))
}

/// The distinct low incomes of a situation of at least one dollar, ascending.
pub fn low_incomes(situation: &Situation) -> Vec<u32> {
    distinct_amounts(situation, low_income)
}

/// The distinct ranges of a situation of at least one dollar, ascending.
pub fn income_ranges(situation: &Situation) -> Vec<u32> {
    distinct_amounts(situation, income_range)
}

/// A mean income times a million if weighted, else times the number of classes.
fn mean_scaled(table: &[u32; CLASSES], weights_ppm: &[u32; CLASSES], average: Average) -> u64 {
    let dollars = table.iter().copied().map(u64::from);
    match average {
        Average::Weighted => dollars.zip(weights_ppm).map(|(dollars, ppm)| dollars * u64::from(*ppm)).sum(),
        Average::Unweighted => dollars.sum(),
    }
}

/// The first of the places with the greatest score.
fn first_best(places: impl DoubleEndedIterator<Item = usize>, score: impl Fn(usize) -> u64) -> Option<usize> {
    places.rev().max_by_key(|place| score(*place))
}

fn distinct_amounts(situation: &Situation, of: impl Fn(&[u32; CLASSES]) -> u32) -> Vec<u32> {
    let mut amounts: Vec<u32> = situation.tables.iter().map(of).filter(|amount| *amount > 0).collect();
    amounts.sort_unstable();
    amounts.dedup();
    amounts
}
