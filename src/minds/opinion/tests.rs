//! The models against published and computed values.

use proptest::prelude::*;

use super::*;
use crate::chance::{Pairing, session_seed};
use crate::domain::SeatId;
use crate::minds::coordinates::convening_question;
use crate::minds::quantal_shares;

fn draws(item: u32) -> Draws {
    let seed = session_seed(7, 1, Pairing::CommonRandomNumbers, "models");
    seed.at_question(DrawPurpose::Choice, &convening_question(&SeatName::new("Ann")), item)
}

/// One step of W·x; what a row gives the others is written, the rest is its own.
fn means(matrix: &[&[f64]], opinions: &[f64]) -> Vec<f64> {
    let row = |(own, weights): (usize, &&[f64])| {
        let others: Vec<(f64, f64)> =
            (0..opinions.len()).filter(|other| *other != own).map(|other| (weights[other], opinions[other])).collect();
        averaged_opinion(opinions[own], &others)
    };
    matrix.iter().enumerate().map(row).collect()
}

fn assert_near(found: &[f64], expected: &[f64], within: f64) {
    assert_eq!(found.len(), expected.len());
    assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() <= within), "{found:?} {expected:?}");
}

#[test]
fn averaging_ends_where_the_matrix_says_and_two_who_swap_never_do() {
    let matrix: [&[f64]; 3] = [&[0.5, 0.5, 0.0], &[0.25, 0.5, 0.25], &[0.0, 0.5, 0.5]];
    let mut opinions = vec![0.0, 0.0, 1.0];
    for _ in 0..200 {
        opinions = means(&matrix, &opinions);
    }
    assert_near(&opinions, &[0.25; 3], 1e-9);
    let swap: [&[f64]; 2] = [&[0.0, 1.0], &[1.0, 0.0]];
    let mut opinions = vec![0.2, 0.9];
    for _ in 0..101 {
        opinions = means(&swap, &opinions);
    }
    assert_near(&opinions, &[0.9, 0.2], 0.0);
    // Rows and columns sum to 1: the mean stays.
    let doubly: [&[f64]; 3] = [&[0.6, 0.3, 0.1], &[0.1, 0.6, 0.3], &[0.3, 0.1, 0.6]];
    let after = means(&doubly, &[0.1, 0.5, 0.9]);
    assert_near(&[after.iter().sum::<f64>()], &[1.5], 1e-12);
}

#[test]
fn an_anchored_group_ends_at_the_published_fixed_point() {
    // Friedkin and Johnsen 1999, with λ = 1 − the own weight.
    let matrix: [&[f64]; 4] = [
        &[0.220, 0.120, 0.360, 0.300],
        &[0.147, 0.215, 0.344, 0.294],
        &[0.0, 0.0, 1.0, 0.0],
        &[0.090, 0.178, 0.446, 0.286],
    ];
    let first = [25.0, 25.0, 75.0, 85.0];
    let mut opinions = first.to_vec();
    for _ in 0..500 {
        let mean = means(&matrix, &opinions);
        opinions = (0..4).map(|seat| anchored_opinion(mean[seat], first[seat], matrix[seat][seat])).collect();
    }
    assert_near(&opinions, &[60.02, 59.98, 75.00, 74.99], 0.005);
    // Drawn to 1 with all its anchor, somebody who holds on to it altogether goes there.
    assert_eq!(anchored_opinion(0.3, opinion_anchor(0.2, 1.0, 1.0), 1.0), 1.0);
    assert_eq!(opinion_anchor(0.2, 1.0, 0.25), 0.4);
}

#[test]
fn a_step_of_bounded_confidence_is_the_published_one_and_the_bound_is_closed() {
    let opinions = [0.0, 0.1, 0.4, 0.5, 1.0];
    let step = |own: usize| {
        let others: Vec<f64> = (0..5).filter(|other| *other != own).map(|other| opinions[other]).collect();
        near_mean(opinions[own], &others, 0.15)
    };
    assert_near(&(0..5).map(step).collect::<Vec<f64>>(), &[0.05, 0.05, 0.45, 0.45, 1.0], 1e-12);
    assert_near(&[near_mean(0.25, &[0.4], 0.15), near_mean(0.0, &[0.15], 0.15)], &[0.325, 0.075], 1e-12);
    assert!(is_within(0.4 - 0.25, 0.15) && !is_nearer(0.4 - 0.25, 0.15) && !is_within(0.150_000_001, 0.15));
}

proptest! {
    /// Everybody hears everybody, so that all have the same inputs, each with another of them as its own.
    #[test]
    fn seats_that_hear_the_same_opinions_come_to_the_very_same_one(first in prop::collection::vec(0u32..=1_000_000_000, 2..40)) {
        let opinions: Vec<f64> = first.iter().map(|billionths| f64::from(*billionths) / 1e9).collect();
        let next = |own: usize| {
            let others = (0..opinions.len()).filter(|other| *other != own).map(|other| opinions[other]);
            near_mean(opinions[own], &others.collect::<Vec<f64>>(), 1.0).to_bits()
        };
        let all: Vec<u64> = (0..opinions.len()).map(next).collect();
        prop_assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
        let mean = first.iter().map(|billionths| u64::from(*billionths)).sum::<u64>() as f64 / (first.len() as f64 * 1e9);
        prop_assert_eq!(f64::from_bits(all[0]), mean);
    }
}

/// As an opinion is kept: in whole billionths.
fn kept(opinion: f64) -> f64 {
    (opinion * 1e9 + 0.5).floor() / 1e9
}

proptest! {
    /// What the paper proves of the model, as far as billionths tell it.
    #[test]
    fn bounded_confidence_keeps_the_order_and_ends_in_camps_that_lie_further_apart_than_the_bound(
        mut first in prop::collection::vec(0u32..=1_000, 2..12),
        bound in 1u32..=500,
    ) {
        first.sort_unstable();
        let bound = f64::from(bound) / 1_000.0;
        let mut opinions: Vec<f64> = first.iter().map(|opinion| f64::from(*opinion) / 1_000.0).collect();
        let mut has_ended = false;
        for _ in 0..1_000 {
            let next = |own: usize| {
                let others = (0..opinions.len()).filter(|other| *other != own).map(|other| opinions[other]);
                kept(near_mean(opinions[own], &others.collect::<Vec<f64>>(), bound))
            };
            let next: Vec<f64> = (0..opinions.len()).map(next).collect();
            prop_assert!(next.windows(2).all(|pair| pair[0] <= pair[1] + 3e-9), "{opinions:?} {next:?}");
            has_ended = next.iter().zip(&opinions).all(|(now, before)| (now - before).abs() <= 3e-9);
            opinions = next;
            if has_ended {
                break;
            }
        }
        prop_assert!(has_ended, "{opinions:?}");
        let gaps = opinions.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        prop_assert!(gaps.into_iter().all(|gap| gap < 1e-6 || gap > bound - 1e-8), "{opinions:?}");
    }
}

#[test]
fn meetings_keep_the_mean_and_leave_about_as_many_camps_as_fit() {
    /// Camps of more than one in twenty, after many meetings.
    fn camps(bound: f64, item: u32) -> usize {
        let mut draws = draws(item);
        let mut opinions: Vec<f64> = (0..300).map(|_| draws.draw_unit()).collect();
        let mean = opinions.iter().sum::<f64>();
        for _ in 0..60_000 {
            let (one, other) = (draws.draw_below(300) as usize, draws.draw_below(300) as usize);
            let (x, y) = (opinions[one], opinions[other]);
            let distance = (x - y).abs();
            opinions[one] = converged_opinion(x, y, (distance, bound), 0.5);
            opinions[other] = converged_opinion(y, x, (distance, bound), 0.5);
        }
        assert!((opinions.iter().sum::<f64>() - mean).abs() < 1e-9);
        opinions.sort_by(f64::total_cmp);
        let sizes = opinions.chunk_by(|one, other| other - one < bound / 2.0).map(<[f64]>::len);
        sizes.filter(|size| *size > 15).count()
    }
    for (bound, expected) in [(0.5, 1.0), (0.2, 2.0), (0.15, 3.0)] {
        let mean = (0..12).map(|item| camps(bound, item)).sum::<usize>() as f64 / 12.0;
        assert!((mean - expected).abs() < 0.5, "{bound}: {mean}");
    }
    assert_eq!(find_partner(3, &[5, 3, 8]), Some(5));
    assert_eq!([find_partner(8, &[5, 3, 8]), find_partner(1, &[5, 3])], [None; 2]);
}

#[test]
fn groups_of_three_shrink_a_minority_as_published() {
    let after = |share: f64| {
        let mut sum = 0.0;
        for members in 0..8u32 {
            let group = [members & 1, members >> 1 & 1, members >> 2 & 1];
            let ones = group.iter().sum::<u32>() as i32;
            // By its first member, which may be any.
            sum += f64::from(local_majority(group[0], &group)) * share.powi(ones) * (1.0 - share).powi(3 - ones);
        }
        sum
    };
    assert_near(&[after(0.4), after(after(0.4))], &[0.352, 0.2845], 5e-5);
    assert_eq!([local_majority(1, &[1, 0]), local_majority(0, &[1, 0]), local_majority(2, &[0, 1, 1])], [1, 0, 1]);
    assert_eq!([group_of(4, &[7, 4, 1, 2], 3), group_of(2, &[7, 4, 1, 2], 3)], [&[7, 4, 1][..], &[2]]);
    assert_eq!(
        [q_voter_choice(&[1, 1, 1], 0), q_voter_choice(&[1, 0, 1], 0), q_voter_choice(&[2], 0), q_voter_choice(&[], 3)],
        [1, 0, 2, 3]
    );
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn arguments_stay_as_many_and_without_preference_all_come_to_agree() {
    fn for_first(held: &[u32]) -> f64 {
        let mut shares = [0.0; 2];
        balance_arguments(held, &mut shares);
        shares[0]
    }

    /// Whether all end with one opinion; every step keeps the number of arguments.
    fn agrees(homophily: f64, item: u32) -> bool {
        let mut draws = draws(item);
        let mut held: Vec<Vec<u32>> = (0..8).map(|_| draws.draw_order(40).into_iter().take(3).collect()).collect();
        for _ in 0..40_000 {
            let one = draws.draw_below(8) as usize;
            let distance = |other: usize| (for_first(&held[one]) - for_first(&held[other])).abs();
            let likes = |other: usize| if other == one { 0.0 } else { partner_attraction(distance(other), homophily) };
            let weights: Vec<u64> = (0..8).map(|other| (likes(other) * 1e9) as u64).collect();
            if weights.iter().all(|weight| *weight == 0) {
                continue;
            }
            let partner = draws.draw_weighted(&weights);
            let argument = held[partner][draws.draw_below(3) as usize];
            adopt_argument(&mut held[one], argument, 3);
            assert!(held[one].len() == 3 && held[one][0] == argument);
        }
        held.iter().all(|arguments| for_first(arguments) == for_first(&held[0]))
    }
    assert!((0..4).all(|item| agrees(0.0, item)));
    assert!((0..12).any(|item| !agrees(60.0, item)), "who listens to the like splits at times");
}

#[test]
fn schemes_turn_first_positions_into_decisions() {
    use Scheme::*;
    // P = π·D over the distributions of six members who favour the first with probability .5.
    let choose = [1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0].map(|ways| ways / 64.0);
    let decided = |scheme: Scheme, truth| {
        let mut of = [0.0; 2];
        for first in 0..=6u64 {
            let mut outcomes = [first, 6 - first];
            scheme.decide(&mut outcomes, truth);
            let sum: u64 = outcomes.iter().sum();
            for (share, weight) in of.iter_mut().zip(&outcomes) {
                if sum > 0 {
                    *share += choose[first as usize] * *weight as f64 / sum as f64;
                }
            }
        }
        of
    };
    assert_near(&decided(Proportional, None), &[0.5, 0.5], 1e-12);
    assert_near(&decided(MajorityElseProportional, None), &[0.5, 0.5], 1e-12);
    assert_near(&decided(MajorityElseHung, None), &[22.0 / 64.0, 22.0 / 64.0], 1e-12);
    assert_near(&decided(TwoThirds, None), &[22.0 / 64.0, 22.0 / 64.0], 1e-12);
    assert_near(&decided(TruthWins, Some(0)), &[63.0 / 64.0, 1.0 / 64.0], 1e-12);
    assert_near(&decided(TruthSupportedWins, Some(0)), &[57.0 / 64.0, 7.0 / 64.0], 1e-12);
    let row = |scheme: Scheme, counts: &[u64], truth| {
        let mut row = counts.to_vec();
        scheme.decide(&mut row, truth);
        row
    };
    assert_eq!(row(Proportional, &[1, 2, 1], None), [1, 2, 1]);
    assert_eq!(row(TwoThirds, &[2, 1, 1], None), [0; 3]);
    assert_eq!(row(TruthSupportedWins, &[1, 0], Some(0)), [1, 0]);
}

#[test]
fn better_alternatives_are_chosen_the_likelier_as_computed() {
    let utilities = [1.0, 0.8, 0.2];
    assert_near(&quantal_shares(&utilities, 0.0), &[1.0 / 3.0; 3], 1e-12);
    assert_near(&quantal_shares(&utilities, 1.0), &[0.4409, 0.3610, 0.1981], 5e-5);
    assert_near(&quantal_shares(&utilities, 5.0), &[0.7214, 0.2654, 0.0132], 5e-5);
}

#[test]
fn juries_are_right_as_often_as_condorcet_says() {
    for (members, expected) in [(3, 0.648), (5, 0.68256), (11, 0.753498), (101, 0.979103)] {
        assert_near(&[right_at_least(members / 2 + 1, members, 0.6)], &[expected], 5e-7);
    }
    for (needed, expected) in [(7, 0.8822), (8, 0.7237), (10, 0.2528), (12, 0.0138)] {
        assert_near(&[right_at_least(needed, 12, 0.7)], &[expected], 5e-5);
    }
    assert_near(&[0.0, 1.0].map(|p| right_at_least(1, 5, p)), &[0.0, 1.0], 0.0);
    assert_near(&[right_at_least(0, 5, 0.0), right_at_least(6, 5, 1.0)], &[1.0, 0.0], 0.0);
}

proptest! {
    #[test]
    fn each_answer_is_one_count_of_its_place(
        mut belief in prop::collection::vec(0u32..1_000, 1..30),
        answers in prop::collection::vec(prop_oneof![9 => 0u32..30, 1 => any::<u32>()], 0..1_000),
    ) {
        let mut found: Vec<f64> = belief.iter().map(|count| f64::from(*count)).collect();
        add_answers(&mut found, &answers);
        let places = belief.len();
        answers.iter().filter(|answer| (**answer as usize) < places).for_each(|answer| belief[*answer as usize] += 1);
        prop_assert_eq!(found, belief.into_iter().map(f64::from).collect::<Vec<f64>>());
    }
}

proptest! {
    #[test]
    fn an_argument_comes_first_and_the_others_keep_their_order(
        held in prop::sample::subsequence((0..12).collect::<Vec<u32>>(), 0..12).prop_shuffle(),
        argument in 0u32..14,
        most in 0usize..14,
    ) {
        let mut found = held.clone();
        adopt_argument(&mut found, argument, most);
        let others = held.into_iter().filter(|other| *other != argument);
        prop_assert_eq!(found, std::iter::once(argument).chain(others).take(most).collect::<Vec<u32>>());
    }

    #[test]
    fn a_share_is_a_count_over_all(
        held in prop::collection::vec(any::<u32>(), 0..600),
        alternatives in prop_oneof![3 => 1u32..10, 1 => 10u32..40],
    ) {
        let mut found = vec![f64::NAN; alternatives as usize];
        balance_arguments(&held, &mut found);
        let share = |side: u32| match held.len() {
            0 => 1.0 / f64::from(alternatives),
            all => held.iter().filter(|argument| **argument % alternatives == side).count() as f64 / all as f64,
        };
        prop_assert_eq!(found, (0..alternatives).map(share).collect::<Vec<f64>>());
    }

    #[test]
    fn shares_are_the_formulas_bit_for_bit_whatever_the_numbers(
        utilities in prop::collection::vec(prop_oneof![-1e3..1e3, prop::sample::select(vec![0.0, 1.0, f64::MAX]), any::<f64>()], 1..9),
        precision in prop_oneof![0.0..1e3, Just(0.0), Just(f64::INFINITY), any::<f64>()],
    ) {
        let greatest = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let powers: Vec<f64> = utilities.iter().map(|utility| libm::exp(precision * (utility - greatest))).collect();
        let mut total = 0.0;
        powers.iter().for_each(|power| total += power);
        let bits = |share: f64| if share.is_nan() { None } else { Some(share.to_bits()) };
        let found: Vec<_> = quantal_shares(&utilities, precision).into_iter().map(bits).collect();
        prop_assert_eq!(found, powers.into_iter().map(|power| bits(power / total)).collect::<Vec<_>>());
    }

    #[test]
    fn what_decides_alone_is_the_only_one_left(counts in prop::collection::vec(0u64..6, 1..6)) {
        let total: u64 = counts.iter().sum();
        let row = |scheme: Scheme| {
            let mut row = counts.clone();
            scheme.decide(&mut row, None);
            row
        };
        let only = |place: Option<usize>| (0..counts.len()).map(|other| u64::from(Some(other) == place)).collect();
        let most = counts.iter().position(|count| 2 * count > total);
        let two_thirds = counts.iter().position(|count| *count > 0 && 3 * count >= 2 * total);
        prop_assert_eq!(row(Scheme::MajorityElseHung), only(most));
        prop_assert_eq!(row(Scheme::TwoThirds), only(two_thirds));
        prop_assert_eq!(row(Scheme::MajorityElseProportional), most.map_or(counts.clone(), |place| only(Some(place))));
    }
}

#[test]
fn counting_answers_adds_no_knowledge() {
    // The mean belief of four, over many groups: it is after ten rounds what it was.
    let mut sum = 0.0;
    let groups = 4_000;
    for group in 0..groups {
        let mut draws = draws(group);
        let mut beliefs: Vec<Vec<f64>> =
            [0.2, 0.5, 0.7, 0.8].iter().map(|first| vec![4.0 * first, 4.0 * (1.0 - first)]).collect();
        for _ in 0..10 {
            let answers: Vec<u32> =
                beliefs.iter().map(|belief| u32::from(draws.draw_unit() >= mean_belief(belief)[0])).collect();
            beliefs.iter_mut().for_each(|belief| add_answers(belief, &answers));
        }
        sum += beliefs.iter().map(|belief| mean_belief(belief)[0]).sum::<f64>() / 4.0;
    }
    let found = sum / f64::from(groups);
    assert!((found - 0.55).abs() < 0.01, "{found}");
}

#[test]
fn weights_by_name_count_for_those_who_are_heard_and_equal_ones_share_the_rest() {
    let said = |seat: u32| heard::DeclaredPosition {
        seat: SeatId(seat),
        seq: Seq(u64::from(seat)),
        position: position::Position(vec![0.5]),
        stance: None,
        place: 0,
    };
    let heard = [said(1), said(4)];
    assert_eq!(InfluenceWeights::Equal.heard_weights(0.5, &heard), [0.25, 0.25]);
    let named = InfluenceWeights::Named(vec![(1, 300_000), (2, 200_000)]);
    assert_near(&named.heard_weights(0.5, &heard), &[0.3, 0.0], 1e-12);
    assert_near(&[averaged_opinion(1.0, &[(0.3, 0.0), (0.0, 0.0)])], &[0.7], 1e-12);
}
