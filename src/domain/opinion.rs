//! An opinion: how far something is favoured, as a number from 0 to 1.
//!
//! What it is measured along belongs to the motion. Of two alternatives it is how far the first is favoured, and one half is
//! undecided; of more it is the weight on the alternative that is declared with it; of an amount it is where the amount lies between
//! the least and the greatest.

use serde::{Deserialize, Serialize};

use super::Decimal;

/// The most decimals of a number that a form asks for.
const PLACES: u8 = 6;

/// An opinion, in whole billionths from 0 to [`Opinion::ONE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Opinion(u32);

impl Opinion {
    /// The greatest, in billionths.
    pub const ONE: u32 = 1_000_000_000;

    /// An opinion of so many billionths; `None` above [`Opinion::ONE`].
    pub fn new(billionths: u32) -> Option<Self> {
        (billionths <= Self::ONE).then_some(Self(billionths))
    }

    /// An opinion of so many hundredths, as models and people write it; `None` above 100.
    pub fn percent(hundredths: u32) -> Option<Self> {
        Self::new(hundredths.checked_mul(Self::ONE / 100)?)
    }

    /// The place of a number from the least to the greatest, rounded half up; `None` outside, and if these are the same.
    pub fn between(number: Decimal, bounds: [Decimal; 2]) -> Option<Self> {
        let [number, least, greatest] = [number, bounds[0], bounds[1]].map(|number| number.in_units(PLACES));
        let (above, range) = (i128::from(number? - least?), i128::from(greatest? - least?));
        let billionths = (2 * above * i128::from(Self::ONE) + range).checked_div(2 * range)?;
        u32::try_from(billionths).ok().and_then(Self::new).filter(|_| (0..=range).contains(&above))
    }

    /// The number at this place from the least to the greatest, in units of their last decimal, rounded half up.
    pub fn place_between(self, (least, greatest): (i64, i64)) -> i64 {
        let one = i128::from(Self::ONE);
        let above = (2 * i128::from(greatest - least) * i128::from(self.0) + one) / (2 * one);
        least + above as i64
    }

    /// In billionths, 0 … [`Opinion::ONE`].
    pub fn billionths(self) -> u32 {
        self.0
    }
}

impl TryFrom<u32> for Opinion {
    type Error = String;

    fn try_from(billionths: u32) -> Result<Self, String> {
        Self::new(billionths).ok_or_else(|| format!("an opinion of {billionths} billionths is more than 1"))
    }
}

impl From<Opinion> for u32 {
    fn from(opinion: Opinion) -> u32 {
        opinion.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opinion_is_a_place_between_two_numbers() {
        let scale = [Decimal::new(1, 0), Decimal::new(7, 0)];
        let of = |number: i64| Opinion::between(Decimal::new(number, 0), scale).map(Opinion::billionths);
        assert_eq!([of(1), of(2), of(4), of(7)], [Some(0), Some(166_666_667), Some(500_000_000), Some(1_000_000_000)]);
        assert_eq!((of(0), of(8), Opinion::between(scale[0], [scale[0]; 2])), (None, None, None));
        let half = Decimal::new(-25, 1);
        let bounds = [Decimal::new(-5, 0), Decimal::new(5, 0)];
        assert_eq!(Opinion::between(half, bounds), Opinion::percent(25));
        let percent = |hundredths| Opinion::percent(hundredths).unwrap();
        assert_eq!([0, 8, 9, 50, 100].map(|of| percent(of).place_between((1, 7))), [1, 1, 2, 4, 7]);
        assert_eq!(percent(25).place_between((-50, 50)), -25);
    }

    #[test]
    fn an_opinion_is_written_in_billionths_and_is_at_most_one() {
        assert_eq!(Opinion::percent(70).map(Opinion::billionths), Some(700_000_000));
        assert_eq!([Opinion::percent(101), Opinion::percent(u32::MAX), Opinion::new(Opinion::ONE + 1)], [None; 3]);
        assert_eq!(serde_json::to_string(&Opinion(5)).unwrap(), "5");
        assert_eq!(serde_json::from_str::<Opinion>("1000000000").unwrap(), Opinion(Opinion::ONE));
        assert!(serde_json::from_str::<Opinion>("1000000001").is_err());
    }
}
