//! A situation: tables of incomes by class, of which a principle of justice picks one. Which one is a mechanism's affair.

use super::AlternativeId;

/// The number of income classes.
pub const CLASSES: usize = 5;
/// The income classes, the best off first; tables and weights list them in this order.
pub const CLASS_NAMES: [&str; CLASSES] = ["high", "medium_high", "medium", "medium_low", "low"];

/// Some income tables over the same classes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Situation {
    /// Its name (`sample`, `A`, …).
    pub name: String,
    /// How probable each class is, in parts per million; they sum to 1 000 000.
    pub weights_ppm: [u32; CLASSES],
    /// The tables; at least two. A row holds the income of each class, in whole dollars a year. Tables are numbered from 1.
    pub tables: Vec<[u32; CLASSES]>,
    /// Whether seats are told the weights before they choose.
    pub weights_shown: bool,
}

impl Situation {
    /// The greatest income of any class in any table, in dollars a year.
    pub fn income_max(&self) -> u32 {
        self.tables.iter().flatten().copied().max().unwrap_or(0)
    }
}

/// One question of a comprehension test: which table does this alternative pick?
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct TestQuestion {
    /// The alternative.
    pub alternative: AlternativeId,
    /// Its amount, where it takes one.
    pub amount: Option<u32>,
    /// The right answer: a table's number, from 1.
    pub answer: u32,
}
