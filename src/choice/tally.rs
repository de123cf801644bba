//! Counts a vote under its plan's rule: base, threshold and winners.

use super::ranked::{Points, VoteCount};
use super::{Ballots, Bundle, CountTerms, DecisionRule, TallyForm, UncountedReason, recount_ballots};
use crate::domain::{Base, InvalidBallots, RuleKind};

/// The count of a vote and its winners, ties kept. Ballots count by weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Seats that could vote, after exclusions.
    pub eligible: u32,
    /// Valid ballots.
    pub valid: u32,
    /// Abstentions by choice, and invalid ballots that count as abstentions.
    pub abstained: u32,
    /// The least count that wins; `None` if the rule has none.
    pub threshold: Option<u32>,
    /// Whether an invalid ballot voids the vote.
    pub is_void: bool,
    /// The winners by the rule alone, as positions among the alternatives; none if the vote is void or the rule decides an
    /// amount.
    pub winners: Vec<usize>,
    /// The points of the alternatives.
    pub points: Option<Points>,
    /// Why the rule could not be counted.
    pub uncounted: Option<UncountedReason>,
    /// The ballots counted.
    pub ballots: Ballots,
}

/// The weights of ballots for no alternative.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BlankBallots {
    /// Invalid ballots.
    pub invalid: u32,
    /// Abstentions by choice.
    pub abstained: u32,
}

/// Counts the ballots of a vote. The rule's own threshold, if any, replaces that of the terms.
///
/// The base of [`Base::Members`] is `eligible`, that of [`Base::Valid`] the valid ballots. Invalid ballots are taken out of
/// `eligible` under [`InvalidBallots::Exclude`], become abstentions (eligible, not valid) under [`InvalidBallots::Abstain`], and
/// leave no winner under [`InvalidBallots::VoidRound`], although everything is counted. An abstention by choice is always
/// eligible and not valid.
///
/// ```
/// use ekklesia::choice::{TallyBallot, BlankBallots, Bundle, DecisionRule, TallyForm, CountTerms, count_tally};
/// use ekklesia::domain::{Base, InvalidBallots, RuleKind, TieBreak};
///
/// let rule = DecisionRule {
///     rule: RuleKind::Majority,
///     base: Base::Members,
///     invalid: InvalidBallots::Abstain,
///     tie_break: TieBreak::NoDecision,
///     threshold: None,
///     amount_tolerance: 0,
/// };
/// let cast = |place, count| Bundle { ballot: TallyBallot::Choice(place), weight: 1, count };
/// let blank = BlankBallots { invalid: 1, abstained: 0 };
/// let count = count_tally(&rule, &CountTerms::default(), (TallyForm::Choice, 2), vec![cast(0, 3), cast(1, 1)], blank);
/// assert_eq!((count.threshold, count.winners), (Some(3), vec![0]));
/// ```
///
/// # Panics
/// If the ballots weigh more than `u32::MAX`, or are not of this form.
pub fn count_tally(
    rule: &DecisionRule,
    terms: &CountTerms,
    (form, alternatives): (TallyForm, usize),
    bundles: Vec<Bundle>,
    blank: BlankBallots,
) -> Tally {
    let weight: u64 = bundles.iter().map(|bundle| bundle.weight * bundle.count).sum();
    let fits = "invariant: the ballots of a vote weigh less than 2³² together";
    let (valid, invalid) = (u32::try_from(weight).expect(fits), blank.invalid);
    let sum = |one: u32, other: u32| one.checked_add(other).expect(fits);
    let counted_in = sum(valid, blank.abstained);
    let (eligible, abstained) = match rule.invalid {
        InvalidBallots::VoidRound => (sum(counted_in, invalid), blank.abstained),
        InvalidBallots::Abstain => (sum(counted_in, invalid), sum(blank.abstained, invalid)),
        InvalidBallots::Exclude => (counted_in, blank.abstained),
    };
    let base = match rule.base {
        Base::Members => eligible,
        Base::Valid => valid,
    };
    let threshold = rule.winning_threshold(base);
    let ballots = Ballots::new(form, alternatives, bundles, u64::from(base - valid));
    let is_void = rule.invalid == InvalidBallots::VoidRound && invalid > 0;
    let (VoteCount { winners, points }, uncounted) = count_winners(rule, terms, &ballots);
    let winners = if is_void { Vec::new() } else { winners };
    Tally { eligible, valid, abstained, threshold, is_void, winners, points, uncounted, ballots }
}

/// The winners by the rule; none if it decides an amount.
fn count_winners(rule: &DecisionRule, terms: &CountTerms, ballots: &Ballots) -> (VoteCount, Option<UncountedReason>) {
    let nobody = VoteCount { winners: Vec::new(), points: None };
    if matches!(rule.rule, RuleKind::Mean | RuleKind::Median) {
        return (nobody, None);
    }
    let threshold = rule.threshold.unwrap_or(terms.threshold);
    let terms = CountTerms { threshold, ..terms.clone() };
    match recount_ballots(ballots, &[rule.rule], &terms).pop().expect("invariant: every rule has its outcome") {
        Ok(outcome) => (outcome.count, None),
        Err(uncounted) => (nobody, Some(uncounted)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::TallyBallot;
    use crate::domain::TieBreak;
    use proptest::prelude::*;

    const RULES: [RuleKind; 3] = [RuleKind::Unanimity, RuleKind::Majority, RuleKind::Plurality];
    const BASES: [Base; 2] = [Base::Members, Base::Valid];
    const INVALID: [InvalidBallots; 3] = [InvalidBallots::VoidRound, InvalidBallots::Abstain, InvalidBallots::Exclude];

    fn rule(rule: RuleKind, base: Base, invalid: InvalidBallots) -> DecisionRule {
        DecisionRule { rule, base, invalid, tie_break: TieBreak::NoDecision, threshold: None, amount_tolerance: 0 }
    }

    fn count(kind: RuleKind, base: Base, invalid: InvalidBallots, counts: &[u32], spoilt: u32) -> Tally {
        let cast = |(place, count): (usize, &u32)| Bundle {
            ballot: TallyBallot::Choice(place),
            weight: 1,
            count: (*count).into(),
        };
        let bundles = counts.iter().enumerate().map(cast).collect();
        let blank = BlankBallots { invalid: spoilt, abstained: 0 };
        count_tally(
            &rule(kind, base, invalid),
            &CountTerms::default(),
            (TallyForm::Choice, counts.len()),
            bundles,
            blank,
        )
    }

    fn winners(kind: RuleKind, base: Base, invalid: InvalidBallots, counts: &[u32], spoilt: u32) -> Vec<u32> {
        let winners = count(kind, base, invalid, counts, spoilt).winners;
        winners.into_iter().map(|winner| winner as u32).collect()
    }

    fn plain(kind: RuleKind, counts: &[u32]) -> Vec<u32> {
        winners(kind, Base::Members, InvalidBallots::VoidRound, counts, 0)
    }

    /// First choices for Tennessee's capital (Memphis, Nashville, Chattanooga, Knoxville), the textbook example of voting methods.
    #[test]
    fn memphis_leads_in_tennessee_without_a_majority() {
        let first_choices = [42, 26, 15, 17];
        assert_eq!(plain(RuleKind::Plurality, &first_choices), [0]);
        assert!(plain(RuleKind::Majority, &first_choices).is_empty());
        assert!(plain(RuleKind::Unanimity, &first_choices).is_empty());
    }

    /// First choices of Malkevitch's election of 55 voters, in which five methods choose five alternatives.
    #[test]
    fn the_first_of_malkevitch_leads_without_a_majority() {
        let first_choices = [18, 12, 10, 9, 6];
        assert_eq!(plain(RuleKind::Plurality, &first_choices), [0]);
        assert!(plain(RuleKind::Majority, &first_choices).is_empty());
    }

    #[test]
    fn a_tie_under_plurality_keeps_every_leader() {
        assert_eq!(plain(RuleKind::Plurality, &[2, 1, 2]), [0, 2]);
    }

    #[test]
    fn exactly_half_is_no_majority() {
        assert!(plain(RuleKind::Majority, &[2, 2]).is_empty());
        assert_eq!(plain(RuleKind::Majority, &[3, 2]), [0]);
    }

    #[test]
    fn an_abstention_prevents_unanimity_of_members_but_not_of_valid_ballots() {
        let unanimous = |base| winners(RuleKind::Unanimity, base, InvalidBallots::Abstain, &[4, 0], 1);
        assert!(unanimous(Base::Members).is_empty());
        assert_eq!(unanimous(Base::Valid), [0]);
    }

    #[test]
    fn an_abstention_can_cost_a_majority_of_members() {
        let majority = |base| winners(RuleKind::Majority, base, InvalidBallots::Abstain, &[2, 1], 1);
        assert!(majority(Base::Members).is_empty());
        assert_eq!(majority(Base::Valid), [0]);
    }

    #[test]
    fn an_abstention_by_choice_stays_among_members_and_voids_nothing() {
        let bundles = || vec![Bundle { ballot: TallyBallot::Choice(0), weight: 1, count: 3 }];
        let blank = BlankBallots { invalid: 0, abstained: 2 };
        for invalid in INVALID {
            let of = |base, kind| {
                count_tally(
                    &rule(kind, base, invalid),
                    &CountTerms::default(),
                    (TallyForm::Choice, 2),
                    bundles(),
                    blank,
                )
            };
            let members = of(Base::Members, RuleKind::Majority);
            assert_eq!((members.eligible, members.valid, members.abstained, members.is_void), (5, 3, 2, false));
            assert_eq!((members.threshold, members.winners), (Some(3), vec![0]));
            assert!(of(Base::Members, RuleKind::Unanimity).winners.is_empty());
            assert_eq!(of(Base::Valid, RuleKind::Unanimity).winners, [0]);
        }
        let mixed = BlankBallots { invalid: 1, abstained: 2 };
        let count = count_tally(
            &rule(RuleKind::Plurality, Base::Members, InvalidBallots::Abstain),
            &CountTerms::default(),
            (TallyForm::Choice, 2),
            bundles(),
            mixed,
        );
        assert_eq!((count.eligible, count.valid, count.abstained), (6, 3, 3));
    }

    #[test]
    fn an_excluded_ballot_leaves_members() {
        let count = count(RuleKind::Unanimity, Base::Members, InvalidBallots::Exclude, &[4, 0], 1);
        assert_eq!((count.eligible, count.abstained, count.threshold), (4, 0, Some(4)));
        assert_eq!(count.winners, [0]);
    }

    #[test]
    fn a_void_round_has_counts_and_no_winner() {
        let count = count(RuleKind::Plurality, Base::Members, InvalidBallots::VoidRound, &[4, 0], 1);
        assert_eq!((count.eligible, count.valid, count.abstained), (5, 4, 0));
        assert!(count.winners.is_empty());
    }

    #[test]
    fn no_valid_ballot_has_no_winner_under_any_rule() {
        for kind in RULES {
            for base in BASES {
                for invalid in INVALID {
                    assert!(winners(kind, base, invalid, &[0, 0], 3).is_empty());
                    assert!(winners(kind, base, invalid, &[0, 0], 0).is_empty());
                }
            }
        }
    }

    fn any_rule() -> impl Strategy<Value = (RuleKind, Base, InvalidBallots)> {
        let select = |kinds: &[RuleKind]| prop::sample::select(kinds.to_vec());
        (select(&RULES), prop::sample::select(BASES.to_vec()), prop::sample::select(INVALID.to_vec()))
    }

    fn any_counts() -> impl Strategy<Value = Vec<u32>> {
        // Small counts make ties and unanimity common.
        prop::collection::vec(prop_oneof![Just(0u32), 0u32..6, 0u32..1_000], 1..7)
    }

    proptest! {
        #[test]
        fn every_ballot_is_counted_once((kind, base, invalid) in any_rule(), counts in any_counts(), spoilt in 0u32..4) {
            let tally = count(kind, base, invalid, &counts, spoilt);
            prop_assert_eq!(tally.valid, counts.iter().sum::<u32>());
            let elsewhere = match invalid {
                InvalidBallots::VoidRound => (spoilt, 0),
                InvalidBallots::Abstain => (spoilt, spoilt),
                InvalidBallots::Exclude => (0, 0),
            };
            prop_assert_eq!((tally.eligible - tally.valid, tally.abstained), elsewhere);
        }

        #[test]
        fn renaming_the_alternatives_renames_the_winners(
            (kind, base, invalid) in any_rule(),
            (before, order) in any_counts().prop_flat_map(|counts| {
                let order = Just((0..counts.len()).collect::<Vec<_>>()).prop_shuffle();
                (Just(counts), order)
            }),
            spoilt in 0u32..4,
        ) {
            let after: Vec<u32> = order.iter().map(|place| before[*place]).collect();
            let mut renamed: Vec<u32> = winners(kind, base, invalid, &after, spoilt)
                .into_iter()
                .map(|winner| order[winner as usize] as u32)
                .collect();
            renamed.sort_unstable();
            prop_assert_eq!(renamed, winners(kind, base, invalid, &before, spoilt));
        }

        #[test]
        fn winners_stand_in_the_order_of_the_scenario(
            (kind, base, invalid) in any_rule(), counts in any_counts(), spoilt in 0u32..4,
        ) {
            prop_assert!(winners(kind, base, invalid, &counts, spoilt).is_sorted());
        }

        #[test]
        fn a_majority_winner_is_the_only_plurality_winner(
            (_, base, invalid) in any_rule(), counts in any_counts(), spoilt in 0u32..4,
        ) {
            let majority = winners(RuleKind::Majority, base, invalid, &counts, spoilt);
            if !majority.is_empty() {
                prop_assert_eq!(majority, winners(RuleKind::Plurality, base, invalid, &counts, spoilt));
            }
        }

        #[test]
        fn a_unanimous_winner_is_a_majority_winner(
            (_, base, invalid) in any_rule(), counts in any_counts(), spoilt in 0u32..4,
        ) {
            let unanimous = winners(RuleKind::Unanimity, base, invalid, &counts, spoilt);
            if !unanimous.is_empty() {
                prop_assert_eq!(unanimous, winners(RuleKind::Majority, base, invalid, &counts, spoilt));
            }
        }

        #[test]
        fn what_wins_among_members_wins_among_valid_ballots(
            (kind, _, invalid) in any_rule(), counts in any_counts(), spoilt in 0u32..4,
        ) {
            let of_members = winners(kind, Base::Members, invalid, &counts, spoilt);
            if !of_members.is_empty() {
                prop_assert_eq!(of_members, winners(kind, Base::Valid, invalid, &counts, spoilt));
            }
        }

        #[test]
        fn one_more_ballot_never_costs_its_alternative_the_win(
            (kind, base, invalid) in any_rule(), counts in any_counts(), spoilt in 0u32..4,
        ) {
            for winner in winners(kind, base, invalid, &counts, spoilt) {
                let mut more = counts.clone();
                more[winner as usize] += 1;
                prop_assert!(winners(kind, base, invalid, &more, spoilt).contains(&winner));
            }
        }
    }
}
