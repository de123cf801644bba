//! The options of a vote: each alternative or, if it takes an amount, each bloc of ballots with nearly equal amounts.

use crate::domain::{AlternativeId, Choice, Motion};

/// An option and its ballots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionCount {
    /// The option; without an amount if the alternative takes none or nobody voted for it.
    pub choice: Choice,
    /// The ballots, by weight.
    pub count: u32,
}

/// Counts valid ballots by weight, from 1, in the scenario's order and then by amount.
///
/// Ballots for an alternative that takes an amount count together if their amounts differ by at most `tolerance`. Blocs form one
/// after the other: the heaviest set of ballots within the tolerance is a bloc, among equals the one with the least amounts; the
/// remaining ballots form the next blocs. A bloc's amount is the lower median of its ballots. Every ballot counts once. With a
/// tolerance of 0 the blocs are the pairs of alternative and amount.
pub fn count_options(motion: &Motion, ballots: &[(Choice, u32)], tolerance: u32) -> Vec<OptionCount> {
    let mut counted = Vec::with_capacity(motion.alternatives.len());
    for (place, alternative) in motion.alternatives.iter().enumerate() {
        let id = AlternativeId(place as u32);
        let own = || ballots.iter().filter(|(ballot, _)| ballot.alternative == id);
        let count = own().map(|(_, weight)| weight).sum();
        if !alternative.takes_amount || count == 0 {
            counted.push(OptionCount { choice: id.into(), count });
            continue;
        }
        let mut amounts: Vec<(u32, u32)> =
            own().filter_map(|(ballot, weight)| Some((ballot.amount?, *weight))).collect();
        assert!(amounts.len() == own().count(), "invariant: a valid ballot names the amount it has to");
        amounts.sort_unstable();
        counted.extend(form_blocs(&amounts, tolerance).into_iter().map(|bloc| {
            let choice = Choice { alternative: id, amount: Some(lower_median(&bloc)) };
            OptionCount { choice, count: bloc_weight(&bloc) as u32 }
        }));
    }
    counted
}

/// The options as [`count_options`] distinguishes them, by place and amount, and for each ballot the place of its option. Ballots
/// that lack the amount of their alternative share one option without an amount.
pub fn place_ballots(
    takes_amount: &[bool],
    ballots: &[(Choice, u32)],
    tolerance: u32,
) -> (Vec<(usize, Option<u32>)>, Vec<usize>) {
    let (mut options, mut places) = (Vec::new(), vec![0; ballots.len()]);
    for (alternative, takes_amount) in takes_amount.iter().enumerate() {
        let own: Vec<usize> =
            (0..ballots.len()).filter(|at| ballots[*at].0.alternative.index() == alternative).collect();
        let named = |at: &usize| Some((ballots[*at].0.amount?, ballots[*at].1));
        let mut amounts: Vec<(u32, u32)> = own.iter().filter_map(named).filter(|_| *takes_amount).collect();
        amounts.sort_unstable();
        if own.is_empty() || amounts.len() < own.len() {
            own.iter().for_each(|at| places[*at] = options.len());
            options.push((alternative, None));
        }
        for bloc in form_blocs(&amounts, tolerance) {
            let holds = |amount: u32| bloc.iter().any(|(of, _)| *of == amount);
            let is_in = |at: &&usize| ballots[**at].0.amount.is_some_and(holds);
            own.iter().filter(is_in).for_each(|at| places[*at] = options.len());
            options.push((alternative, Some(lower_median(&bloc))));
        }
    }
    (options, places)
}

fn bloc_weight(bloc: &[(u32, u32)]) -> u64 {
    bloc.iter().map(|(_, weight)| u64::from(*weight)).sum()
}

/// The middle of ordered, weighted amounts; the lower of two.
fn lower_median(bloc: &[(u32, u32)]) -> u32 {
    let middle = bloc_weight(bloc).div_ceil(2);
    let mut before = 0;
    let found = bloc.iter().find(|(_, weight)| {
        before += u64::from(*weight);
        before >= middle
    });
    found.expect("invariant: a bloc holds ballots").0
}

/// The blocs of ordered, weighted amounts, by lower median. Equal amounts are in one bloc.
fn form_blocs(amounts: &[(u32, u32)], tolerance: u32) -> Vec<Vec<(u32, u32)>> {
    if tolerance == 0 {
        return amounts.chunk_by(|one, other| one.0 == other.0).map(<[(u32, u32)]>::to_vec).collect();
    }
    let mut left = amounts.to_vec();
    let mut blocs = Vec::new();
    while !left.is_empty() {
        let mut before = vec![0_u64];
        before.extend(left.iter().scan(0, |sum, (_, weight)| {
            *sum += u64::from(*weight);
            Some(*sum)
        }));
        let end = |first: usize| left.partition_point(|(amount, _)| *amount <= left[first].0.saturating_add(tolerance));
        let size = |first: &usize| before[end(*first)] - before[*first];
        let heaviest = (0..left.len()).rev().max_by_key(size).expect("invariant: some ballots are left");
        blocs.push(left.drain(heaviest..end(heaviest)).collect::<Vec<_>>());
    }
    blocs.sort_unstable_by_key(|bloc| (lower_median(bloc), bloc_weight(bloc)));
    blocs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Alternative;
    use crate::domain::tests::{make_alternative, make_motion};
    use proptest::prelude::*;

    fn motion() -> Motion {
        let alternatives = [("plain", false), ("with_amount", true)];
        make_motion(
            "",
            alternatives
                .map(|(name, amount)| Alternative { takes_amount: amount, ..make_alternative(name, name) })
                .to_vec(),
            Some(100),
        )
    }

    fn pairs(amounts: &[u32], tolerance: u32) -> Vec<(u32, u32)> {
        let once = |amount: &u32| (Choice { alternative: AlternativeId(1), amount: Some(*amount) }, 1);
        let ballots: Vec<(Choice, u32)> = amounts.iter().map(once).collect();
        let all = count_options(&motion(), &ballots, tolerance);
        assert_eq!(all[0], OptionCount { choice: AlternativeId(0).into(), count: 0 });
        all[1..].iter().map(|c| (c.choice.amount.unwrap_or(0), c.count)).collect()
    }

    #[test]
    fn without_tolerance_every_amount_counts_alone() {
        assert_eq!(pairs(&[12, 13, 12, 15], 0), [(12, 2), (13, 1), (15, 1)]);
        assert_eq!(pairs(&[], 0), [(0, 0)]);
    }

    #[test]
    fn amounts_within_the_tolerance_are_one_bloc_with_their_lower_median() {
        assert_eq!(pairs(&[12, 13, 14], 2), [(13, 3)]);
        assert_eq!(pairs(&[12, 13], 1), [(12, 2)]);
        assert_eq!(pairs(&[12, 13, 14], 1), [(12, 2), (14, 1)]);
        assert_eq!(pairs(&[12, 13, 13, 14, 16], 1), [(13, 3), (14, 1), (16, 1)]);
        assert_eq!(pairs(&[u32::MAX, 1], u32::MAX), [(1, 2)]);
    }

    proptest! {
        #[test]
        fn every_ballot_counts_once(amounts in proptest::collection::vec(1u32..9, 0..12), tolerance in 0u32..5) {
            let sum: u32 = pairs(&amounts, tolerance).iter().map(|(_, count)| count).sum();
            prop_assert_eq!(sum as usize, amounts.len());
        }

        #[test]
        fn every_ballot_is_placed_where_it_is_counted(
            ballots in proptest::collection::vec((0u32..2, 1u32..9, 1u32..4), 0..12), tolerance in 0u32..5,
        ) {
            let choice = |(place, amount, weight): (u32, u32, u32)| {
                (Choice { alternative: AlternativeId(place), amount: (place == 1).then_some(amount) }, weight)
            };
            let ballots: Vec<(Choice, u32)> = ballots.into_iter().map(choice).collect();
            let (options, places) = place_ballots(&[false, true], &ballots, tolerance);
            let counted = count_options(&motion(), &ballots, tolerance);
            let of = |counted: &OptionCount| (counted.choice.alternative.index(), counted.choice.amount);
            prop_assert_eq!(&options, &counted.iter().map(of).collect::<Vec<_>>());
            for (place, counted) in counted.iter().enumerate() {
                let there = ballots.iter().zip(&places).filter(|(_, at)| **at == place);
                prop_assert_eq!(there.map(|((_, weight), _)| weight).sum::<u32>(), counted.count);
            }
            for (ballot, place) in ballots.iter().zip(places) {
                prop_assert_eq!(options[place].0, ballot.0.alternative.index());
            }
        }

        #[test]
        fn a_weight_is_so_many_ballots(
            ballots in proptest::collection::vec((1u32..9, 1u32..4), 0..8), tolerance in 0u32..5,
        ) {
            let weighed = |(amount, weight): &(u32, u32)| (Choice { alternative: AlternativeId(1), amount: Some(*amount) }, *weight);
            let weighed: Vec<(Choice, u32)> = ballots.iter().map(weighed).collect();
            let repeated: Vec<(Choice, u32)> = weighed.iter().flat_map(|(ballot, weight)| vec![(*ballot, 1); *weight as usize]).collect();
            prop_assert_eq!(count_options(&motion(), &weighed, tolerance), count_options(&motion(), &repeated, tolerance));
        }

        #[test]
        fn all_within_the_tolerance_is_one_bloc_of_all(
            amounts in proptest::collection::vec(1u32..40, 1..12), tolerance in 0u32..40,
        ) {
            let spread = amounts.iter().max().unwrap() - amounts.iter().min().unwrap();
            let largest = pairs(&amounts, tolerance).iter().map(|(_, count)| *count).max().unwrap();
            prop_assert_eq!(largest as usize == amounts.len(), spread <= tolerance);
        }
    }
}
