//! Published profiles, and laws for the rules that are known to keep them.

use proptest::prelude::*;

use super::*;

/// Ballots written as `18 ADECB`, alternatives by letters.
fn profile(letters: &str, ballots: &str) -> Preferences {
    let ballots = ballots.split(", ").map(|ballot| {
        let (weight, order) = ballot.split_once(' ').expect("a weight and an order");
        let levels: Vec<[usize; 1]> = order.chars().map(|letter| [letters.find(letter).expect("a letter")]).collect();
        (Ranking::of_levels(letters.len(), &levels), weight.parse().expect("a weight"))
    });
    Preferences::new(letters.len(), ballots)
}

const CONDORCET: [RankedRule; 8] = [
    RankedRule::Copeland,
    RankedRule::Minimax(Strength::Margins),
    RankedRule::Minimax(Strength::WinningVotes),
    RankedRule::Schulze(Strength::Margins),
    RankedRule::Schulze(Strength::WinningVotes),
    RankedRule::RankedPairs(Strength::Margins),
    RankedRule::RankedPairs(Strength::WinningVotes),
    RankedRule::KemenyYoung,
];

const OTHERS: [RankedRule; 4] =
    [RankedRule::Plurality, RankedRule::Borda, RankedRule::InstantRunoff, RankedRule::TwoRound];

fn all() -> Vec<RankedRule> {
    [&CONDORCET[..], &OTHERS[..]].concat()
}

fn winners(rule: RankedRule, preferences: &Preferences) -> Vec<usize> {
    count(rule, preferences).expect("few alternatives").winners
}

fn names(letters: &str, places: &[usize]) -> String {
    places.iter().map(|place| letters.as_bytes()[*place] as char).collect()
}

/// What a rule chooses, in letters.
fn chosen(rule: RankedRule, letters: &str, ballots: &str) -> String {
    names(letters, &winners(rule, &profile(letters, ballots)))
}

const TENNESSEE: (&str, &str) = ("MNCK", "42 MNCK, 26 NCKM, 15 CKNM, 17 KCNM");
const MALKEVITCH: (&str, &str) = ("ABCDE", "18 ADECB, 12 BEDCA, 10 CBEDA, 9 DCEBA, 4 EBDCA, 2 ECDBA");
const SCHULZE_45: (&str, &str) = ("ABCDE", "5 ACBED, 5 ADECB, 8 BEDAC, 3 CABED, 7 CAEBD, 2 CBADE, 7 DCEBA, 8 EBADC");
const SCHULZE_30: (&str, &str) = ("ABCD", "5 ACBD, 2 ACDB, 3 ADCB, 4 BACD, 3 CBDA, 3 CDBA, 1 DACB, 5 DBAC, 4 DCBA");

#[test]
fn tennessee_has_three_capitals_and_nashville_by_most_rules() {
    let (letters, ballots) = TENNESSEE;
    assert_eq!(chosen(RankedRule::Plurality, letters, ballots), "M");
    assert_eq!(chosen(RankedRule::InstantRunoff, letters, ballots), "K");
    for rule in CONDORCET.into_iter().chain([RankedRule::TwoRound, RankedRule::Borda]) {
        assert_eq!(chosen(rule, letters, ballots), "N", "{rule:?}");
    }
    let points = borda(&profile(letters, ballots)).points.expect("points");
    assert_eq!(points, Points { of: vec![252, 388, 346, 214], unit: 2 }, "126, 194, 173, 107");
    let kemeny = kemeny(&Pairwise::of(&profile(letters, ballots))).expect("four");
    assert_eq!((names(letters, &kemeny.order).as_str(), kemeny.agreement, kemeny.orders), ("NCKM", 393, 1));
}

#[test]
fn five_rules_choose_five_alternatives_from_malkevitchs_ballots() {
    let (letters, ballots) = MALKEVITCH;
    let five = [RankedRule::Plurality, RankedRule::TwoRound, RankedRule::InstantRunoff, RankedRule::Borda];
    let found: Vec<String> = five.into_iter().map(|rule| chosen(rule, letters, ballots)).collect();
    assert_eq!(found, ["A", "B", "C", "D"]);
    for rule in CONDORCET {
        assert_eq!(chosen(rule, letters, ballots), "E", "{rule:?}");
    }
    let points = borda(&profile(letters, ballots)).points.expect("points");
    assert_eq!(points.of, [72, 101, 107, 136, 134].map(|points| points * 2));
}

#[test]
fn schulzes_examples_give_his_strengths_and_orders() {
    let (letters, ballots) = SCHULZE_45;
    let preferences = profile(letters, ballots);
    let paths = schulze::paths(&Pairwise::of(&preferences), Strength::WinningVotes);
    let expected =
        [[0, 28, 28, 30, 24], [25, 0, 28, 33, 24], [25, 29, 0, 29, 24], [25, 28, 28, 0, 24], [25, 28, 28, 31, 0]];
    assert_eq!(paths, expected.map(|row| row.to_vec()));
    let order = |paths: &[Vec<u64>]| {
        let beats = |one: usize| (0..paths.len()).filter(|other| paths[one][*other] > paths[*other][one]).count();
        let mut all: Vec<usize> = (0..paths.len()).collect();
        all.sort_by_key(|one| std::cmp::Reverse(beats(*one)));
        names("ABCDE", &all)
    };
    assert_eq!(order(&paths), "EACBD");
    for (rule, winner) in [
        (RankedRule::Plurality, "C"),
        (RankedRule::InstantRunoff, "A"),
        (RankedRule::RankedPairs(Strength::Margins), "A"),
        (RankedRule::KemenyYoung, "E"),
        (RankedRule::Minimax(Strength::Margins), "E"),
        (RankedRule::Borda, "E"),
        (RankedRule::Schulze(Strength::Margins), "E"),
    ] {
        assert_eq!(chosen(rule, letters, ballots), winner, "{rule:?}");
    }
    let (letters, ballots) = SCHULZE_30;
    let pairwise = Pairwise::of(&profile(letters, ballots));
    assert_eq!(order(&schulze::paths(&pairwise, Strength::WinningVotes)), "DACB");
}

#[test]
fn a_cycle_ties_all_three_and_has_no_majority() {
    for rule in all() {
        assert_eq!(chosen(rule, "ABC", "1 ABC, 1 BCA, 1 CAB"), "ABC", "{rule:?}");
    }
    for rule in [RankedRule::Majority, RankedRule::Supermajority(2, 3), RankedRule::Unanimity] {
        assert_eq!(chosen(rule, "ABC", "1 ABC, 1 BCA, 1 CAB"), "", "{rule:?}");
    }
    // On the agenda, who enters last wins; A against B, its winner A against C.
    assert_eq!(chosen(RankedRule::AmendmentAgenda, "ABC", "1 ABC, 1 BCA, 1 CAB"), "C");
    assert_eq!(chosen(RankedRule::AmendmentAgenda, "BCA", "1 ABC, 1 BCA, 1 CAB"), "A");
    assert_eq!(
        random_ballot(&profile("ABC", "1 ABC, 1 BCA, 1 CAB")).points,
        Some(Points { of: vec![1, 1, 1], unit: 1 })
    );
}

#[test]
fn the_centre_is_squeezed_out_by_plurality_and_instant_runoff() {
    let ballots = "45 ABC, 15 BAC, 10 BCA, 30 CBA";
    for rule in CONDORCET {
        assert_eq!(chosen(rule, "ABC", ballots), "B", "{rule:?}");
    }
    for rule in [RankedRule::Plurality, RankedRule::InstantRunoff] {
        assert_eq!(chosen(rule, "ABC", ballots), "A", "{rule:?}");
    }
}

#[test]
fn more_support_can_cost_an_instant_runoff() {
    assert_eq!(chosen(RankedRule::InstantRunoff, "ABC", "39 ABC, 35 BCA, 26 CAB"), "A");
    assert_eq!(chosen(RankedRule::InstantRunoff, "ABC", "49 ABC, 25 BCA, 26 CAB"), "C");
}

#[test]
fn three_seats_go_to_chocolate_oranges_and_strawberries() {
    let ballots = profile("OPCSW", "4 O, 2 PO, 8 CS, 4 CW, 1 S, 1 W");
    let committees = single_transferable_vote(&ballots, 3).expect("few ties");
    assert_eq!(committees.quota, 6);
    assert_eq!(Vec::from_iter(committees.elected), [vec![0, 2, 3]]);
}

#[test]
fn what_cannot_be_counted_exactly_is_refused() {
    let many = Preferences::new(16, [(Ranking::of_levels(16, &[[0]]), 1)]);
    let refused = count(RankedRule::KemenyYoung, &many);
    assert_eq!(refused, Err(Refusal::TooManyAlternatives { alternatives: 16, most: 15 }));
}

#[test]
fn nobody_wins_where_nobody_voted() {
    for rule in all() {
        assert!(winners(rule, &Preferences::new(3, [])).is_empty(), "{rule:?}");
    }
}

#[test]
fn a_tie_at_the_top_counts_in_equal_parts() {
    let ballots = [(Ranking::of_levels(3, &[vec![0, 1], vec![2]]), 1), (Ranking::of_levels(3, &[vec![0, 1, 2]]), 1)];
    let points = first_places(&Preferences::new(3, ballots), &[0, 1, 2]);
    assert_eq!(points, Points { of: vec![5, 5, 2], unit: 6 });
}

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
    Preferences::new(preferences.alternatives(), ballots.collect::<Vec<_>>())
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
    let alternatives = preferences.alternatives();
    let ballots = preferences.ballots().iter().map(|(ballot, weight)| {
        let places: Vec<u16> = (0..alternatives).map(|one| ballot.place(one)).collect();
        (of_places(&change(&places)), *weight)
    });
    let ballots: Vec<(Ranking, u64)> = ballots.collect();
    let alternatives = ballots.first().map_or(alternatives, |_| change(&vec![0; alternatives]).len());
    Preferences::new(alternatives, ballots)
}

proptest! {
    #[test]
    fn renaming_the_alternatives_renames_the_winners(
        (preferences, to) in ballots_of(ranking).prop_flat_map(|preferences| {
            let order: Vec<usize> = (0..preferences.alternatives()).collect();
            (Just(preferences), Just(order).prop_shuffle())
        })
    ) {
        for rule in all().into_iter().chain([RankedRule::Majority, RankedRule::Supermajority(2, 3), RankedRule::Unanimity]) {
            let mut expected: Vec<usize> = winners(rule, &preferences).into_iter().map(|one| to[one]).collect();
            expected.sort_unstable();
            prop_assert_eq!(winners(rule, &renamed(&preferences, &to)), expected, "{:?}", rule);
        }
        let (before, after) =
            (single_transferable_vote(&preferences, 2).unwrap(), single_transferable_vote(&renamed(&preferences, &to), 2).unwrap());
        let moved = before.elected.into_iter().map(|set| {
            let mut set: Vec<usize> = set.into_iter().map(|one| to[one]).collect();
            set.sort_unstable();
            set
        });
        prop_assert_eq!(moved.collect::<std::collections::BTreeSet<_>>(), after.elected);
    }

    #[test]
    fn whoever_beats_all_others_is_the_only_winner(preferences in ballots_of(ranking)) {
        if let Some(winner) = Pairwise::of(&preferences).condorcet_winner() {
            for rule in CONDORCET {
                prop_assert_eq!(winners(rule, &preferences), [winner], "{:?}", rule);
            }
        }
    }

    #[test]
    fn whom_most_put_first_wins_unless_points_are_summed(preferences in ballots_of(strict)) {
        if let [winner] = winners(RankedRule::Majority, &preferences)[..] {
            for rule in all().into_iter().filter(|rule| *rule != RankedRule::Borda) {
                prop_assert_eq!(winners(rule, &preferences), [winner], "{:?}", rule);
            }
        }
    }

    #[test]
    fn who_is_worse_on_every_ballot_does_not_win(preferences in ballots_of(strict)) {
        for one in 0..preferences.alternatives() {
            let is_worse = |other: &usize| preferences.ballots().iter().all(|(ballot, _)| ballot.prefers(*other, one));
            if (0..preferences.alternatives()).any(|other| is_worse(&other)) {
                for rule in all() {
                    prop_assert!(!winners(rule, &preferences).contains(&one), "{:?}", rule);
                }
            }
        }
    }

    #[test]
    fn one_who_wins_alone_does_not_win_when_all_ballots_are_turned_round(preferences in ballots_of(strict)) {
        let turned = changed(&preferences, |places| places.iter().map(|place| UNRANKED - 1 - place).collect());
        for rule in [RankedRule::Borda, RankedRule::Copeland, RankedRule::Schulze(Strength::Margins),
            RankedRule::RankedPairs(Strength::Margins), RankedRule::KemenyYoung] {
            if let [winner] = winners(rule, &preferences)[..] {
                prop_assert!(!winners(rule, &turned).contains(&winner), "{:?}", rule);
            }
        }
    }

    #[test]
    fn who_is_raised_on_a_ballot_still_wins(preferences in ballots_of(strict), raised: prop::sample::Index) {
        let place = raised.index(preferences.ballots().len());
        let monotone = CONDORCET.into_iter().chain([RankedRule::Plurality, RankedRule::Borda]);
        for rule in monotone {
            for winner in winners(rule, &preferences) {
                let ballots = preferences.ballots().iter().enumerate().map(|(at, (ballot, weight))| {
                    let mut places: Vec<u16> = (0..preferences.alternatives()).map(|one| ballot.place(one) + 1).collect();
                    if at == place {
                        places[winner] = 0;
                    }
                    (of_places(&places), *weight)
                });
                let after = Preferences::new(preferences.alternatives(), ballots.collect::<Vec<_>>());
                prop_assert!(winners(rule, &after).contains(&winner), "{:?}", rule);
            }
        }
    }

    #[test]
    fn a_clone_beside_one_changes_nothing_for_the_others(preferences in ballots_of(strict), which: prop::sample::Index) {
        let cloned = which.index(preferences.alternatives());
        let with = changed(&preferences, |places| {
            // The clone, the last alternative, stands just below the one it is like, on every ballot.
            let mut doubled: Vec<u16> = places.iter().map(|place| place * 2).collect();
            doubled.push(places[cloned] * 2 + 1);
            doubled
        });
        let clone = preferences.alternatives();
        for rule in [RankedRule::Schulze(Strength::Margins), RankedRule::RankedPairs(Strength::Margins)] {
            let merge = |one: usize| if one == clone { cloned } else { one };
            let mut after: Vec<usize> = winners(rule, &with).into_iter().map(merge).collect();
            after.sort_unstable();
            after.dedup();
            prop_assert_eq!(after, winners(rule, &preferences), "{:?}", rule);
        }
    }

    #[test]
    fn the_best_order_is_the_best_of_all(preferences in ballots_of(ranking)) {
        let pairwise = Pairwise::of(&preferences);
        let agreement = |order: &[usize]| -> u128 {
            let pairs = order.iter().enumerate().flat_map(|(at, one)| order[at + 1..].iter().map(move |other| (*one, *other)));
            pairs.map(|(one, other)| u128::from(pairwise.above(one, other))).sum()
        };
        let mut orders = vec![Vec::new()];
        for one in 0..preferences.alternatives() {
            let grown = orders.iter().flat_map(|order: &Vec<usize>| (0..=order.len()).map(move |at| {
                let mut order = order.clone();
                order.insert(at, one);
                order
            }));
            orders = grown.collect();
        }
        let found = kemeny(&pairwise).expect("few");
        let best = orders.iter().map(|order| agreement(order)).max().unwrap();
        let firsts: std::collections::BTreeSet<usize> =
            orders.iter().filter(|order| agreement(order) == best).map(|order| order[0]).collect();
        prop_assert_eq!(found.agreement, best);
        prop_assert_eq!(found.orders, orders.iter().filter(|order| agreement(order) == best).count() as u128);
        prop_assert_eq!(found.count.winners, Vec::from_iter(firsts));
        prop_assert_eq!(agreement(&found.order), best);
    }

    #[test]
    fn as_many_are_elected_as_there_are_seats(preferences in ballots_of(ranking), seats in 1_usize..4) {
        let seats = seats.min(preferences.alternatives());
        for set in single_transferable_vote(&preferences, seats).expect("few").elected {
            prop_assert_eq!(set.len(), seats);
        }
    }
}
