//! Computes the pay for an income, and the counterfactual incomes of other choices.

use super::{IncomePrinciples, Principle, income_ranges, low_incomes};
use crate::domain::{AlternativeId, Choice, Situation};

/// The result of another choice for a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counterfactual {
    /// The other choice.
    pub choice: Choice,
    /// The table that the choice picks, as a position in the situation's tables.
    pub table: usize,
    /// The income of the class in that table, in dollars a year.
    pub income: u32,
}

/// The pay for an income, in cents, half a cent rounded up; 10 000 dollars earn `cents_per_10000` cents.
///
/// ```
/// use ekklesia::mechanism::pay_cents;
///
/// assert_eq!(pay_cents(13_000, 100), 130);
/// assert_eq!((pay_cents(149, 100), pay_cents(150, 100)), (1, 2));
/// ```
pub fn pay_cents(income: u32, cents_per_10000: u32) -> u64 {
    (u64::from(income) * u64::from(cents_per_10000) + 5_000) / 10_000
}

impl IncomePrinciples {
    /// The incomes of a class under all principles of the motion, in its order. A principle with an amount appears once for each
    /// distinct low income or range of the situation, ascending.
    ///
    /// # Panics
    /// If the class does not exist.
    pub fn counterfactuals(&self, situation: &Situation, class: u8) -> Vec<Counterfactual> {
        let mut found = Vec::new();
        for (place, principle) in self.principles.iter().enumerate() {
            let amounts = match principle {
                Principle::Floor | Principle::Average => vec![None],
                Principle::AverageFloor => low_incomes(situation).into_iter().map(Some).collect(),
                Principle::AverageRange => income_ranges(situation).into_iter().map(Some).collect(),
            };
            found.extend(amounts.into_iter().map(|amount| {
                let choice = Choice { alternative: AlternativeId(place as u32), amount };
                let table = self.pick_table(choice, situation).table;
                Counterfactual { choice, table, income: situation.tables[table][usize::from(class)] }
            }));
        }
        found
    }
}
