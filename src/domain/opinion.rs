//! An opinion: how far something is favoured, as a number from 0 to 1.
//!
//! What it is measured along belongs to the motion. Of two alternatives it is how far the first is favoured, and one half is
//! undecided; of more it is the weight on the alternative that is declared with it; of an amount it is where the amount lies between
//! the least and the greatest.

use serde::{Deserialize, Serialize};

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
    fn an_opinion_is_written_in_billionths_and_is_at_most_one() {
        assert_eq!(Opinion::percent(70).map(Opinion::billionths), Some(700_000_000));
        assert_eq!([Opinion::percent(101), Opinion::percent(u32::MAX), Opinion::new(Opinion::ONE + 1)], [None; 3]);
        assert_eq!(serde_json::to_string(&Opinion(5)).unwrap(), "5");
        assert_eq!(serde_json::from_str::<Opinion>("1000000000").unwrap(), Opinion(Opinion::ONE));
        assert!(serde_json::from_str::<Opinion>("1000000001").is_err());
    }
}
