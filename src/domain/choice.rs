//! A choice: an alternative, and the amount that belongs to it where the alternative takes one.

use crate::domain::spelled;
use serde::{Deserialize, Serialize};

use super::{AlternativeId, AlternativeName, Language, Opinion};

/// An alternative that is chosen or favoured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice<A = AlternativeId> {
    /// The alternative.
    pub alternative: A,
    /// The amount, in whole units of the scenario (dollars of income a year, …), from 1; absent where none was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<u32>,
}

/// The same as it is written in files.
pub type NamedChoice = Choice<AlternativeName>;

impl<A> Choice<A> {
    /// The same choice by another name; `None` where that is not found.
    pub fn find<B>(&self, find: impl FnOnce(&A) -> Option<B>) -> Option<Choice<B>> {
        Some(Choice { alternative: find(&self.alternative)?, amount: self.amount })
    }
}

impl<A> From<A> for Choice<A> {
    fn from(alternative: A) -> Self {
        Self { alternative, amount: None }
    }
}

impl std::fmt::Display for NamedChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.amount {
            Some(amount) => write!(f, "{} {amount}", self.alternative),
            None => self.alternative.fmt(f),
        }
    }
}

/// How certain a seat is of its ranking or choice.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Certainty {
    /// 1.
    VeryUnsure,
    /// 2.
    Unsure,
    /// 3.
    NoOpinion,
    /// 4.
    Sure,
    /// 5.
    VerySure,
}

impl Certainty {
    /// All of them, from the least certain.
    pub const ALL: [Certainty; 5] =
        [Certainty::VeryUnsure, Certainty::Unsure, Certainty::NoOpinion, Certainty::Sure, Certainty::VerySure];

    /// The nearest to a share from 0, the least certain, to 1; halfway between two it is the one nearer the middle.
    pub fn nearest(share: Opinion) -> Self {
        let middle = (Self::ALL.len() as u64 - 1) / 2;
        let from_middle = u64::from((2 * share.billionths()).abs_diff(Opinion::ONE));
        // Half is rounded down, towards the middle.
        let words = (2 * middle * from_middle + u64::from(Opinion::ONE) - 1) / (2 * u64::from(Opinion::ONE));
        let place = if 2 * share.billionths() < Opinion::ONE { middle - words } else { middle + words };
        Self::ALL[place as usize]
    }

    /// The word by which seats of a language read and write it.
    pub fn said(self, language: Language) -> &'static str {
        let spanish = ["muy baja", "baja", "sin opinión", "alta", "muy alta"];
        let chinese = ["很不确定", "不确定", "没有意见", "确定", "很确定"];
        language.pick([self.as_str(), spanish[self as usize], chinese[self as usize]])
    }

    /// 1 (very unsure) to 5 (very sure).
    pub fn level(self) -> u8 {
        self as u8 + 1
    }
}

spelled!(Certainty);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certainty_halfway_between_two_words_is_the_one_nearer_the_middle() {
        // A scale from 1 to 9, on which every even number is halfway between two words.
        let words = (0..=8).map(|eighths| Certainty::nearest(Opinion::new(eighths * (Opinion::ONE / 8)).unwrap()));
        use Certainty::*;
        let expected = [VeryUnsure, Unsure, Unsure, NoOpinion, NoOpinion, NoOpinion, Sure, Sure, VerySure];
        assert_eq!(words.collect::<Vec<_>>(), expected);
        assert_eq!(Certainty::nearest(Opinion::new(126_000_000).unwrap()), Unsure);
        assert_eq!(Certainty::nearest(Opinion::new(124_000_000).unwrap()), VeryUnsure);
        assert_eq!(Certainty::nearest(Opinion::new(876_000_000).unwrap()), VerySure);
    }
}
