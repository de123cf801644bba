//! The mechanism `commons`: a stock that everyone takes from and that grows by what is left of it.
//!
//! A round goes: each seat asks for an amount; where together they ask for more than there is, each gets in proportion; what is left
//! grows, up to the most that there can be; below a bound nothing grows back and the stock is gone. Source: the fishery of
//! Piatti et al. 2024, "Cooperate or collapse" (GovSim), whose program compares what is left *before* it grows with the bound.
//!
//! Who asks for how much, and when, is not its affair; it draws nothing.

/// A stock and how it grows.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Commons {
    /// What is counted, in words.
    pub unit: String,
    /// What there is at first and at the most, in whole units; at least 1.
    pub stock_max: u32,
    /// What is left is multiplied with, in thousandths; at least 1000.
    pub growth: u32,
    /// Below this much nothing grows back.
    pub collapse_below: u32,
    /// What all are told of a harvest.
    pub feedback: Feedback,
}

/// What all are told of a harvest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Feedback {
    /// Who took how much.
    ByName,
    /// How much was taken.
    Total,
}

impl Commons {
    /// Whether nothing grows back from what is left; from nothing never does.
    pub fn is_collapsed(&self, left: u32) -> bool {
        left == 0 || left < self.collapse_below
    }

    /// What is there for the next round; 0 once it has collapsed.
    pub fn grow_stock(&self, left: u32) -> u32 {
        if self.is_collapsed(left) {
            return 0;
        }
        let grown = u64::from(left) * u64::from(self.growth) / 1_000;
        u32::try_from(grown).unwrap_or(u32::MAX).min(self.stock_max)
    }

    /// The most that all may take together so that the next round begins with no less than this one: f(t) of GovSim, max {x : g (h(t) −
    /// x) ≥ h(t)}, where besides so much is left that it does not collapse, which tells in the smallest stocks alone.
    pub fn sustainable_harvest(&self, stock: u32) -> u32 {
        let needed = (u64::from(stock) * 1_000).div_ceil(u64::from(self.growth.max(1)));
        let needed = u32::try_from(needed).unwrap_or(u32::MAX).max(self.collapse_below);
        stock.saturating_sub(needed)
    }
}

/// What each gets who asked for so much, of a stock: all of it where there is enough, else in proportion. Units that are left by
/// rounding down go one by one to the greatest remainders, of equal ones to the lowest lot.
///
/// # Panics
/// When there are not as many lots as seats.
pub fn ration_stock(stock: u32, asked: &[u32], lots: &[u64]) -> Vec<u32> {
    assert!(asked.len() == lots.len(), "invariant: a lot for each seat");
    let total: u64 = asked.iter().map(|asked| u64::from(*asked)).sum();
    if total <= u64::from(stock) {
        return asked.to_vec();
    }
    let part = |asked: u32| u64::from(asked) * u64::from(stock);
    let mut got: Vec<u32> = asked.iter().map(|asked| (part(*asked) / total) as u32).collect();
    let mut order: Vec<usize> = (0..asked.len()).collect();
    order.sort_by_key(|place| (std::cmp::Reverse(part(asked[*place]) % total), lots[*place], *place));
    let left = stock - got.iter().sum::<u32>();
    order.into_iter().take(left as usize).for_each(|place| got[place] += 1);
    got
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fishery() -> Commons {
        let unit = "tons".to_owned();
        Commons { unit, stock_max: 100, growth: 2_000, collapse_below: 5, feedback: Feedback::ByName }
    }

    #[test]
    fn half_of_a_full_stock_grows_back_and_a_little_does_not() {
        let fishery = fishery();
        assert_eq!([100, 50, 49, 5, 4, 0].map(|left| fishery.grow_stock(left)), [100, 100, 98, 10, 0, 0]);
        assert_eq!([100, 99, 60, 10, 9, 4].map(|stock| fishery.sustainable_harvest(stock)), [50, 49, 30, 5, 4, 0]);
    }

    #[test]
    fn more_than_there_is_is_shared_in_proportion() {
        assert_eq!(ration_stock(100, &[20; 5], &[0; 5]), [20; 5]);
        assert_eq!(ration_stock(100, &[100, 100, 0, 0, 0], &[0; 5]), [50, 50, 0, 0, 0]);
        assert_eq!(ration_stock(10, &[10, 10, 10], &[3, 1, 2]), [3, 4, 3]);
        assert_eq!(ration_stock(7, &[6, 3, 1], &[0; 3]), [4, 2, 1]);
    }

    proptest! {
        #[test]
        fn nobody_gets_more_than_asked_and_all_that_is_asked_for_is_given_as_far_as_it_lasts(
            stock in 0u32..200,
            asked in prop::collection::vec(0u32..200, 1..8),
            lot in any::<u64>(),
        ) {
            let lots: Vec<u64> = (0..asked.len() as u64).map(|place| lot.wrapping_mul(2 * place + 1)).collect();
            let got = ration_stock(stock, &asked, &lots);
            prop_assert!(got.iter().zip(&asked).all(|(got, asked)| got <= asked));
            prop_assert_eq!(got.iter().sum::<u32>(), stock.min(asked.iter().sum()));
        }

        #[test]
        fn the_sustainable_harvest_is_the_greatest_that_leaves_the_stock_no_smaller(stock in 5u32..=100) {
            let (fishery, most) = (fishery(), fishery().sustainable_harvest(stock));
            if stock >= 10 {
                prop_assert!(fishery.grow_stock(stock - most) >= stock);
                prop_assert!(fishery.grow_stock(stock - most - 1) < stock);
            }
        }
    }
}
