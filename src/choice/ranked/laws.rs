//! Laws, each for the rules that are known to keep it: anonymity, neutrality, Condorcet's criterion, majority, Pareto, reversal
//! symmetry, monotonicity (not the runoffs), independence of clones (Schulze's and ranked pairs).

use proptest::prelude::*;

use super::tests::{CONDORCET, TermedRule, all, plain, winners};
use super::*;
use crate::domain::RuleKind;

/// A weak order with ties and gaps, over so many alternatives.
fn ranking(alternatives: usize) -> impl Strategy<Value = Ranking> {
    prop::collection::vec(0..=alternatives, alternatives).prop_map(move |levels| {
        let of = |level: usize| (0..levels.len()).filter(|one| levels[*one] == level).collect::<Vec<_>>();
        // The last level is not on the ballot.
        Ranking::of_levels(alternatives, &(0..alternatives).map(of).collect::<Vec<_>>())
    })
}

fn strict(alternatives: usize) -> impl Strategy<Value = Ranking> {
    Just((0..alternatives).collect::<Vec<_>>()).prop_shuffle().prop_map(move |order| {
        let levels: Vec<[usize; 1]> = order.into_iter().map(|one| [one]).collect();
        Ranking::of_levels(alternatives, &levels)
    })
}

fn ballots_of<S: Strategy<Value = Ranking>>(
    ballot: impl Fn(usize) -> S + 'static,
) -> impl Strategy<Value = Preferences> {
    (2_usize..6).prop_flat_map(move |alternatives| {
        let ballots = prop::collection::vec((ballot(alternatives), 1_u64..4), 1..8);
        ballots.prop_map(move |ballots| Preferences::new(alternatives, ballots))
    })
}

/// The same ballots with alternatives by other places: the one at `to[place]` was at `place`.
fn renamed(preferences: &Preferences, to: &[usize]) -> Preferences {
    let ballots = preferences.ballots().iter().map(|(ballot, weight)| (moved(ballot, to), *weight));
    Preferences::new(preferences.alternative_count(), ballots.collect::<Vec<_>>())
}

fn moved(ballot: &Ranking, to: &[usize]) -> Ranking {
    let places: Vec<u16> = (0..to.len()).map(|place| ballot.place(place)).collect();
    of_places(
        &(0..to.len())
            .map(|new| places[to.iter().position(|to| *to == new).expect("a permutation")])
            .collect::<Vec<_>>(),
    )
}

fn of_places(places: &[u16]) -> Ranking {
    let mut ranked: Vec<u16> = places.iter().copied().filter(|place| *place != UNRANKED).collect();
    ranked.sort_unstable();
    ranked.dedup();
    let level = |level: &u16| (0..places.len()).filter(|one| places[*one] == *level).collect::<Vec<_>>();
    Ranking::of_levels(places.len(), &ranked.iter().map(level).collect::<Vec<_>>())
}

fn changed(preferences: &Preferences, change: impl Fn(&[u16]) -> Vec<u16>) -> Preferences {
    let alternatives = preferences.alternative_count();
    let ballots = preferences.ballots().iter().map(|(ballot, weight)| {
        let places: Vec<u16> = (0..alternatives).map(|one| ballot.place(one)).collect();
        (of_places(&change(&places)), *weight)
    });
    let ballots: Vec<(Ranking, u64)> = ballots.collect();
    let alternatives = ballots.first().map_or(alternatives, |_| change(&vec![0; alternatives]).len());
    Preferences::new(alternatives, ballots)
}

/// Every order of so many alternatives.
fn orders(alternatives: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for one in 0..alternatives {
        let grown = orders.iter().flat_map(|order: &Vec<usize>| {
            (0..=order.len()).map(move |at| {
                let mut order = order.clone();
                order.insert(at, one);
                order
            })
        });
        orders = grown.collect();
    }
    orders
}

proptest! {
    #[test]
    fn renaming_the_alternatives_renames_the_winners(
        (preferences, to) in ballots_of(ranking).prop_flat_map(|preferences| {
            let order: Vec<usize> = (0..preferences.alternative_count()).collect();
            (Just(preferences), Just(order).prop_shuffle())
        })
    ) {
        for rule in all().into_iter().chain([plain(RuleKind::Majority), plain(RuleKind::Supermajority), plain(RuleKind::Unanimity)]) {
            let mut expected: Vec<usize> = winners(rule, &preferences).into_iter().map(|one| to[one]).collect();
            expected.sort_unstable();
            prop_assert_eq!(winners(rule, &renamed(&preferences, &to)), expected, "{:?}", rule);
        }
        let (before, after) =
            (single_transferable_vote(&preferences, 2).expect("a case"), single_transferable_vote(&renamed(&preferences, &to), 2).expect("a case"));
        let moved = before.elected.into_iter().map(|set| {
            let mut set: Vec<usize> = set.into_iter().map(|one| to[one]).collect();
            set.sort_unstable();
            set
        });
        prop_assert_eq!(moved.collect::<std::collections::BTreeSet<_>>(), after.elected);
    }

    #[test]
    fn whoever_beats_all_others_is_the_only_winner(preferences in ballots_of(ranking)) {
        if let Some(winner) = Pairwise::from_preferences(&preferences).condorcet_winner() {
            for rule in CONDORCET {
                prop_assert_eq!(winners(rule, &preferences), [winner], "{:?}", rule);
            }
        }
    }

    #[test]
    fn every_member_of_smiths_set_beats_everybody_outside_and_no_smaller_set_does(preferences in ballots_of(ranking)) {
        let pairwise = Pairwise::from_preferences(&preferences);
        let alternatives = preferences.alternative_count();
        let dominates = |set: usize| {
            let is_in = |one: &usize| set & (1 << one) != 0;
            (0..alternatives).filter(is_in).all(|one| (0..alternatives).filter(|other| !is_in(other)).all(|other| pairwise.margin(one, other) > 0))
        };
        let least = (1..1_usize << alternatives).filter(|set| dominates(*set)).min_by_key(|set| set.count_ones()).expect("a case");
        prop_assert_eq!(pairwise.smith_set(), (0..alternatives).filter(|one| least & (1 << one) != 0).collect::<Vec<_>>());
    }

    #[test]
    fn weights_are_as_many_equal_ballots_in_any_order(preferences in ballots_of(ranking)) {
        // Anonymity: ballots one by one, in another order, count like their sums.
        let each = preferences.ballots().iter().rev().flat_map(|(ballot, weight)| std::iter::repeat_n((ballot.clone(), 1), *weight as usize));
        prop_assert_eq!(Preferences::new(preferences.alternative_count(), each), preferences);
    }

    #[test]
    fn whom_most_put_first_wins_unless_points_are_summed(preferences in ballots_of(strict)) {
        if let [winner] = winners(plain(RuleKind::Majority), &preferences)[..] {
            for rule in all().into_iter().filter(|rule| *rule != plain(RuleKind::Borda)) {
                prop_assert_eq!(winners(rule, &preferences), [winner], "{:?}", rule);
            }
        }
    }

    #[test]
    fn who_is_worse_on_every_ballot_does_not_win(preferences in ballots_of(strict)) {
        for one in 0..preferences.alternative_count() {
            let is_worse = |other: &usize| preferences.ballots().iter().all(|(ballot, _)| ballot.prefers(*other, one));
            if (0..preferences.alternative_count()).any(|other| is_worse(&other)) {
                for rule in all() {
                    prop_assert!(!winners(rule, &preferences).contains(&one), "{:?}", rule);
                }
            }
        }
    }

    #[test]
    fn one_who_wins_alone_does_not_win_when_all_ballots_are_turned_round(preferences in ballots_of(strict)) {
        let turned = changed(&preferences, |places| places.iter().map(|place| UNRANKED - 1 - place).collect());
        for rule in [plain(RuleKind::Borda), plain(RuleKind::Copeland), plain(RuleKind::Schulze),
            plain(RuleKind::RankedPairs), plain(RuleKind::KemenyYoung)] {
            if let [winner] = winners(rule, &preferences)[..] {
                prop_assert!(!winners(rule, &turned).contains(&winner), "{:?}", rule);
            }
        }
    }

    #[test]
    fn who_is_raised_on_a_ballot_still_wins(preferences in ballots_of(strict), raised: prop::sample::Index) {
        let place = raised.index(preferences.ballots().len());
        let monotone = CONDORCET.into_iter().chain([plain(RuleKind::Plurality), plain(RuleKind::Borda)]);
        for rule in monotone {
            for winner in winners(rule, &preferences) {
                let ballots = preferences.ballots().iter().enumerate().map(|(at, (ballot, weight))| {
                    let mut places: Vec<u16> = (0..preferences.alternative_count()).map(|one| ballot.place(one) + 1).collect();
                    if at == place {
                        places[winner] = 0;
                    }
                    (of_places(&places), *weight)
                });
                let after = Preferences::new(preferences.alternative_count(), ballots.collect::<Vec<_>>());
                prop_assert!(winners(rule, &after).contains(&winner), "{:?}", rule);
            }
        }
    }

    #[test]
    fn a_clone_beside_one_changes_nothing_for_the_others(preferences in ballots_of(strict), which: prop::sample::Index) {
        let cloned = which.index(preferences.alternative_count());
        let with = changed(&preferences, |places| {
            // The clone, the last alternative, stands just below the one it is like, on every ballot.
            let mut doubled: Vec<u16> = places.iter().map(|place| place * 2).collect();
            doubled.push(places[cloned] * 2 + 1);
            doubled
        });
        let clone = preferences.alternative_count();
        for rule in [plain(RuleKind::Schulze), plain(RuleKind::RankedPairs)] {
            let merge = |one: usize| if one == clone { cloned } else { one };
            let mut after: Vec<usize> = winners(rule, &with).into_iter().map(merge).collect();
            after.sort_unstable();
            after.dedup();
            prop_assert_eq!(after, winners(rule, &preferences), "{:?}", rule);
        }
    }

    #[test]
    fn the_best_order_is_the_best_of_all(preferences in ballots_of(ranking)) {
        let pairwise = Pairwise::from_preferences(&preferences);
        let agreement = |order: &[usize]| -> u128 {
            let pairs = order.iter().enumerate().flat_map(|(at, one)| order[at + 1..].iter().map(move |other| (*one, *other)));
            pairs.map(|(one, other)| u128::from(pairwise.weight_above(one, other))).sum()
        };
        let orders = orders(preferences.alternative_count());
        let found = kemeny(&pairwise).expect("few");
        let best = orders.iter().map(|order| agreement(order)).max().expect("a case");
        let firsts: std::collections::BTreeSet<usize> =
            orders.iter().filter(|order| agreement(order) == best).map(|order| order[0]).collect();
        prop_assert_eq!(found.agreement, best);
        prop_assert_eq!(found.orders, orders.iter().filter(|order| agreement(order) == best).count() as u64);
        prop_assert_eq!(found.count.winners, Vec::from_iter(firsts));
        prop_assert_eq!(agreement(&found.order), best);
    }

    #[test]
    fn whoever_heads_a_stack_wins_by_ranked_pairs_and_nobody_else(preferences in ballots_of(ranking)) {
        // Zavist and Tideman 1989: an order is a stack where each defeat that it contradicts is answered along it, from above, by
        // a path of defeats none of which is weaker.
        let pairwise = Pairwise::from_preferences(&preferences);
        for by in [DefeatStrength::Margins, DefeatStrength::WinningVotes] {
            let strength = |one: usize, other: usize| pairwise.strength(one, other, by).unwrap_or(0);
            let is_stack = |order: &[usize]| (0..order.len()).all(|from| {
                let mut paths = vec![0; order.len()];
                paths[from] = u64::MAX;
                (from + 1..order.len()).all(|to| {
                    paths[to] = (from..to).map(|by_way| paths[by_way].min(strength(order[by_way], order[to]))).max().unwrap_or(0);
                    paths[to] >= strength(order[to], order[from])
                })
            });
            let heads: std::collections::BTreeSet<usize> =
                orders(preferences.alternative_count()).iter().filter(|order| is_stack(order)).map(|order| order[0]).collect();
            prop_assert_eq!(winners(TermedRule { strength: by, ..plain(RuleKind::RankedPairs) }, &preferences), Vec::from_iter(heads), "{:?}", by);
        }
    }

    #[test]
    fn as_many_are_elected_as_there_are_seats(preferences in ballots_of(ranking), seats in 1_usize..4) {
        let seats = seats.min(preferences.alternative_count());
        for set in single_transferable_vote(&preferences, seats).expect("few").elected {
            prop_assert_eq!(set.len(), seats);
        }
    }
}
