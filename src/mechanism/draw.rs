//! What chance adds to a decision: a multiplier of incomes, a class, and a table where nothing was decided.

use super::Multiplier;
use crate::chance::Draws;
use crate::domain::Situation;

impl Multiplier {
    /// A multiplier in thousandths: each whole number between the bounds, both included, is equally likely. Takes one `below`.
    ///
    /// # Panics
    /// When the greatest is less than the least.
    pub fn draw(&self, draws: &mut Draws) -> u32 {
        let above = self.greatest.checked_sub(self.least).expect("invariant: the least multiplier is not the greater");
        // What is drawn is at most `above`, so the sum is at most the greatest.
        self.least + draws.draw_below(u64::from(above) + 1) as u32
    }
}

/// A situation under another name, its incomes multiplied and cut to whole dollars; the weights stay.
///
/// # Panics
/// When an income exceeds 2³²−1 dollars, which no plan admits.
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

/// An income class, as a position in a table, drawn by the situation's weights.
///
/// # Panics
/// When the weights are all 0.
pub fn draw_class(situation: &Situation, draws: &mut Draws) -> u8 {
    draws.draw_weighted(&situation.weights_ppm.map(u64::from)) as u8
}

/// A table, as a position in the situation's tables, each equally likely.
///
/// # Panics
/// When the situation has no table.
pub fn draw_table(situation: &Situation, draws: &mut Draws) -> usize {
    draws.draw_below(situation.tables.len() as u64) as usize
}
