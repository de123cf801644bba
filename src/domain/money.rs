//! Money that calls cost: whole numbers, so that sums do not depend on their order. What is paid to seats is a
//! [`Payoff`](super::Payoff), in cents of its own.

use std::fmt;

use serde::{Serialize, Serializer};

use super::Usage;

/// An amount of dollars, as a whole number of 10⁻¹⁵: prices of whole 10⁻⁹ dollars for a million tokens, times tokens, add up
/// without rounding, in any order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dollars(u128);

/// What a model's tokens cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tariff {
    /// 10⁻⁹ dollars for a million tokens of prompt.
    pub input_nano_per_mtok: u64,
    /// The same of those tokens of a prompt that the service had kept from an earlier one; `None` where they cost as the others.
    pub cached_input_nano_per_mtok: Option<u64>,
    /// 10⁻⁹ dollars for a million tokens of reply, thinking included.
    pub output_nano_per_mtok: u64,
}

/// Digits of a dollar behind the point.
const DIGITS: usize = 15;
/// So many of them are always written.
const DIGITS_MIN: usize = 6;

impl Dollars {
    /// Nothing.
    pub const NONE: Self = Self(0);

    /// So many 10⁻¹⁵ dollars.
    pub const fn of_femto(femto: u128) -> Self {
        Self(femto)
    }

    /// How many 10⁻¹⁵ dollars it is.
    pub const fn femto(self) -> u128 {
        self.0
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// What is left; nothing where there is less.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The exact number: at least six decimals, and as many more as it has.
    pub fn exact(self) -> String {
        let text = format!("{:0>width$}", self.0, width = DIGITS + 1);
        let (whole, decimals) = text.split_at(text.len() - DIGITS);
        let kept = decimals.trim_end_matches('0').len().max(DIGITS_MIN);
        format!("{whole}.{}", &decimals[..kept])
    }
}

/// With two decimals from a cent on; below that with as many as show two digits; rounded.
impl fmt::Display for Dollars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CENT: u128 = 10_u128.pow(DIGITS as u32 - 2);
        let mut decimals = 2;
        while self.0 > 0 && self.0 < CENT && decimals < DIGITS && self.0 < 10_u128.pow((DIGITS + 1 - decimals) as u32) {
            decimals += 1;
        }
        let unit = 10_u128.pow((DIGITS - decimals) as u32);
        let rounded = self.0.saturating_add(unit / 2) / unit;
        let one = 10_u128.pow(decimals as u32);
        write!(f, "${}.{:0>decimals$}", rounded / one, rounded % one)
    }
}

/// The nearest number.
impl Serialize for Dollars {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.exact().parse().expect("invariant: an exact amount is a number"))
    }
}

impl Tariff {
    /// What a usage costs.
    pub fn of(self, usage: Usage) -> Dollars {
        let cost = |nano: u64, tokens: u64| Dollars(u128::from(nano) * u128::from(tokens));
        let cached = usage.cached_prompt_tokens.unwrap_or(0).min(usage.prompt_tokens);
        let cached_nano = self.cached_input_nano_per_mtok.unwrap_or(self.input_nano_per_mtok);
        cost(self.input_nano_per_mtok, usage.prompt_tokens - cached)
            .plus(cost(cached_nano, cached))
            .plus(cost(self.output_nano_per_mtok, usage.completion_tokens))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn small_amounts_keep_two_digits() {
        for (femto, words) in [
            (0, "$0.00"),
            (25 * 10_u128.pow(15), "$25.00"),
            (10_u128.pow(13), "$0.01"),
            (1_200 * 10_u128.pow(9), "$0.0012"),
            (30 * 10_u128.pow(9), "$0.000030"),
            (1, "$0.000000000000001"),
            (1_999 * 10_u128.pow(12), "$2.00"),
        ] {
            assert_eq!(Dollars(femto).to_string(), words);
        }
    }

    #[test]
    fn an_exact_amount_has_six_decimals_or_as_many_as_it_needs() {
        for (femto, words) in [(0, "0.000000"), (3_000_000_000, "0.000003"), (1, "0.000000000000001")] {
            assert_eq!(Dollars(femto).exact(), words);
        }
        assert_eq!(Dollars(12 * 10_u128.pow(15) + 345 * 10_u128.pow(7)).exact(), "12.00000345");
    }

    #[test]
    fn cached_tokens_cost_their_own_price_or_that_of_the_others() {
        let usage = Usage {
            prompt_tokens: 1_000,
            completion_tokens: 10,
            cached_prompt_tokens: Some(900),
            thinking_tokens: None,
        };
        let tariff = |cached_input_nano_per_mtok| Tariff {
            input_nano_per_mtok: 1_000_000_000,
            cached_input_nano_per_mtok,
            output_nano_per_mtok: 2_000_000_000,
        };
        // 100 at $1, 900 at $0.1 and 10 at $2 a million.
        assert_eq!(tariff(Some(100_000_000)).of(usage).exact(), "0.000210");
        assert_eq!(tariff(None).of(usage).exact(), "0.001020");
        let untold = Usage { cached_prompt_tokens: None, ..usage };
        assert_eq!(tariff(Some(100_000_000)).of(untold).exact(), "0.001020");
        let more_than_all = Usage { cached_prompt_tokens: Some(5_000), ..usage };
        assert_eq!(tariff(Some(100_000_000)).of(more_than_all).exact(), "0.000120");
    }

    proptest! {
        #[test]
        fn an_exact_amount_reads_back(femto in 0..10_u128.pow(24)) {
            let text = Dollars(femto).exact();
            let (whole, decimals) = text.split_once('.').unwrap();
            prop_assert!((DIGITS_MIN..=DIGITS).contains(&decimals.len()));
            let digits = format!("{whole}{decimals:0<DIGITS$}");
            prop_assert_eq!(digits.parse::<u128>().unwrap(), femto);
        }
    }
}
