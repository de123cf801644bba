//! Draws income multipliers, classes, and tables for undecided groups.

use super::Multiplier;
use crate::chance::Draws;
use crate::domain::Situation;

impl Multiplier {
    /// Draws a multiplier in thousandths, uniform between both bounds. Calls `draw_below` once.
    ///
    /// # Panics
    /// If the upper bound is below the lower bound.
    pub fn draw(&self, draws: &mut Draws) -> u32 {
        let above = self.greatest.checked_sub(self.least).expect("invariant: the least multiplier is not the greater");
        // The draw is at most `above`, so the cast and the sum fit.
        self.least + draws.draw_below(u64::from(above) + 1) as u32
    }
}

/// Copies a situation under another name, with incomes multiplied and truncated to whole dollars; the weights stay.
///
/// # Panics
/// If an income exceeds 2³²−1 dollars, which no plan allows.
pub fn multiply_incomes(situation: &Situation, thousandths: u32, name: &str) -> Situation {
    let income = |dollars: u32| {
        let product = u64::from(dollars) * u64::from(thousandths) / 1_000;
        u32::try_from(product).expect("invariant: a plan bounds what incomes are multiplied with")
    };
    Situation {
        name: name.to_owned(),
        tables: situation.tables.iter().map(|table| table.map(income)).collect(),
        weights_ppm: situation.weights_ppm,
        weights_shown: situation.weights_shown,
    }
}

/// Draws an income class by the situation's weights, as a position in a table.
///
/// # Panics
/// If all weights are 0.
pub fn draw_class(situation: &Situation, draws: &mut Draws) -> u8 {
    draws.draw_weighted(&situation.weights_ppm.map(u64::from)) as u8
}

/// Draws a table with equal probabilities, as a position in the situation's tables.
///
/// # Panics
/// If the situation has no table.
pub fn draw_table(situation: &Situation, draws: &mut Draws) -> usize {
    draws.draw_below(situation.tables.len() as u64) as usize
}
