//! The mechanism `commons`: a stock that seats harvest and whose remainder grows.
//!
//! In each round, every seat asks for an amount. If the requests exceed the stock, each seat gets a proportional share. The
//! remainder grows up to the capacity. A remainder below a bound collapses to 0. Source: the fishery of Piatti et al. 2024,
//! "Cooperate or collapse" (GovSim), whose program compares the remainder with the bound *before* growth.

/// The parameters of a common stock.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Commons {
    /// The unit's name.
    pub unit: String,
    /// The initial stock and the capacity, in whole units; at least 1.
    pub stock_max: u32,
    /// The growth factor of the remainder, in thousandths; at least 1000.
    pub growth: u32,
    /// The stock collapses if less than this remains.
    pub collapse_below: u32,
    /// What all seats learn about a harvest.
    pub feedback: Feedback,
}

/// What all seats learn about a harvest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum Feedback {
    /// Each seat's amount.
    ByName,
    /// The total.
    Total,
}

impl Commons {
    /// Whether the remainder is 0 or below the bound.
    pub fn is_collapsed(&self, left: u32) -> bool {
        left == 0 || left < self.collapse_below
    }

    /// The stock of the next round; 0 after a collapse.
    pub fn grow_stock(&self, left: u32) -> u32 {
        if self.is_collapsed(left) {
            return 0;
        }
        let grown = u64::from(left) * u64::from(self.growth) / 1_000;
        u32::try_from(grown).unwrap_or(u32::MAX).min(self.stock_max)
    }

    /// The greatest total harvest that does not shrink the next round's stock: f(t) of GovSim, max {x : g (h(t) − x) ≥ h(t)}.
    /// The remainder also must not collapse, which matters only for the smallest stocks.
    pub fn sustainable_harvest(&self, stock: u32) -> u32 {
        let needed = (u64::from(stock) * 1_000).div_ceil(u64::from(self.growth.max(1)));
        let needed = u32::try_from(needed).unwrap_or(u32::MAX).max(self.collapse_below);
        stock.saturating_sub(needed)
    }
}

/// Rations a stock: each seat gets its request if the stock suffices, else a proportional share. Units left by rounding down go
/// one by one to the greatest remainders; if remainders are equal, to the lowest lot.
///
/// # Panics
/// If the numbers of lots and seats differ.
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
