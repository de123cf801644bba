//! The share of right decisions that choosing by lot would give. It is a level for comparison and is never tested.

use serde::Serialize;

use crate::report::numbers::counted;

/// The share of right decisions that a lot among the options would give.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Chance {
    /// The mean of 1 / (number of options) over the items with a key; from 0 to 1.
    pub level: f64,
    /// The number of items with a key.
    pub items: u64,
}

impl Chance {
    /// The level for items with these numbers of options; `None` without an item.
    pub fn of(options: impl IntoIterator<Item = usize>) -> Option<Self> {
        let shares: Vec<f64> = options.into_iter().map(|options| 1.0 / options as f64).collect();
        let items = shares.len() as u64;
        (items > 0).then(|| Self { level: shares.iter().sum::<f64>() / items as f64, items })
    }

    /// The level in a sentence.
    pub(super) fn words(&self) -> String {
        format!(
            "{:.3}, the mean over {} with a key of 1 by the number of options: what deciding by lot would give; told to \
             read the means against, not tested",
            self.level,
            counted(self.items, "item")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_the_mean_over_items_of_one_by_the_number_of_options() {
        assert_eq!(Chance::of([]), None);
        let level = |options: &[usize]| Chance::of(options.iter().copied()).expect("an item").level;
        // A true-or-false question and one with five options: (1/2 + 1/5) / 2.
        assert!((level(&[2, 5]) - 0.35).abs() < 1e-12);
        assert_eq!([level(&[4]), level(&[4, 4, 4])], [0.25; 2]);
        assert!(Chance::of([2, 5]).expect("items").words().starts_with("0.350, the mean over 2 items with a key"));
    }
}
