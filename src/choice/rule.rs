//! The rule that turns ballots into a decision, as the plan states it.

use crate::domain::{Base, InvalidBallots, RuleKind, TieBreak};

/// The terms by which ballots become a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct DecisionRule {
    /// The rule.
    pub rule: RuleKind,
    /// The base of its shares.
    pub base: Base,
    /// The effect of an invalid ballot.
    pub invalid: InvalidBallots,
    /// How one of several tied winners is chosen.
    pub tie_break: TieBreak,
    /// The share that a supermajority needs, as numerator and denominator, more than 1/2 and at most 1; `None` for other rules.
    pub threshold: Option<(u32, u32)>,
    /// The greatest difference at which amounts still count as equal, in whole units.
    pub amount_tolerance: u32,
}

impl DecisionRule {
    /// The least count that wins among a base of `base` ballots; `None` for rules that compare counts with each other.
    ///
    /// Unanimity needs all of the base, and at least one ballot. Majority is the absolute majority, more than half of the base:
    /// ⌊base / 2⌋ + 1. Source: May 1952, "A set of independent necessary and sufficient conditions for simple majority decision",
    /// Econometrica 20(4), for two alternatives; with more, a majority winner need not exist. Supermajority is the least count
    /// whose share of the base is at least the plan's ratio, and at least one ballot: ⌈base · a / b⌉.
    ///
    /// # Panics
    /// If a supermajority has no ratio, or the decision is imposed, so that nobody votes.
    pub fn winning_threshold(&self, base: u32) -> Option<u32> {
        match self.rule {
            RuleKind::Unanimity => Some(base.max(1)),
            RuleKind::Majority => Some(base / 2 + 1),
            RuleKind::Supermajority => {
                let (share, whole) = self.threshold.expect("invariant: the plan of a supermajority states its ratio");
                let least = (u64::from(base) * u64::from(share)).div_ceil(u64::from(whole)).max(1);
                // The ratio is at most 1, so the count is at most the base, or 1.
                Some(least as u32)
            }
            RuleKind::Imposed => unreachable!("invariant: nobody votes where the decision is imposed"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn supermajority(share: u32, whole: u32) -> DecisionRule {
        DecisionRule {
            rule: RuleKind::Supermajority,
            base: Base::Members,
            invalid: InvalidBallots::Abstain,
            tie_break: TieBreak::NoDecision,
            threshold: Some((share, whole)),
            amount_tolerance: 0,
        }
    }

    #[test]
    fn two_thirds_of_a_senate_of_one_hundred_are_sixty_seven() {
        let needed = |base| supermajority(2, 3).winning_threshold(base).expect("a count");
        assert_eq!([100, 99, 9, 3, 1, 0].map(needed), [67, 66, 6, 2, 1, 1]);
    }

    proptest! {
        #[test]
        fn a_supermajority_needs_the_least_count_that_reaches_its_ratio(base in 1u32.., whole in 1u32.., part: u32) {
            let share = whole / 2 + 1 + part % (whole - whole / 2);
            let share = share.min(whole);
            let least = u64::from(supermajority(share, whole).winning_threshold(base).expect("a count"));
            let reaches = |count: u64| count * u64::from(whole) >= u64::from(base) * u64::from(share);
            prop_assert!(reaches(least) && (least == 1 || !reaches(least - 1)));
            prop_assert!(least <= u64::from(base) && least > u64::from(base) / 2);
        }

        #[test]
        fn the_whole_as_ratio_is_unanimity(base: u32, whole in 1u32..) {
            let unanimity = DecisionRule { rule: RuleKind::Unanimity, ..supermajority(1, 1) };
            prop_assert_eq!(supermajority(whole, whole).winning_threshold(base), unanimity.winning_threshold(base));
        }
    }
}
