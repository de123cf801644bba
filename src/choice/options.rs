//! What was voted for: every alternative, and for one that takes an amount every bloc of ballots that name the same.

use crate::domain::{AlternativeId, Choice, Motion};

/// Something ballots were cast for, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// What; without an amount where the alternative takes none, and where nobody voted for it.
    pub choice: Choice,
    /// Ballots.
    pub count: u32,
}

/// Counts valid ballots, in the scenario's order and then by amount.
///
/// Ballots for an alternative that takes an amount count together when their amounts differ by at most `tolerance`. Blocs are
/// formed one after the other: the largest set of ballots within the tolerance, of several the one with the least amounts, is a
/// bloc; then the same among the ballots that are left. A bloc's amount is the lower median of its ballots. Every ballot counts
/// once, and with a tolerance of 0 the blocs are the pairs of alternative and amount.
pub fn counted(motion: &Motion, ballots: &[Choice], tolerance: u32) -> Vec<Counted> {
    let mut counted = Vec::with_capacity(motion.alternatives.len());
    let mut totals = vec![0u32; motion.alternatives.len()];
    for ballot in ballots {
        totals[ballot.alternative.index()] += 1;
    }
    for (place, alternative) in motion.alternatives.iter().enumerate() {
        let id = AlternativeId(place as u32);
        if !alternative.takes_amount || totals[place] == 0 {
            counted.push(Counted { choice: id.into(), count: totals[place] });
            continue;
        }
        let mut amounts: Vec<u32> =
            ballots.iter().filter(|ballot| ballot.alternative == id).filter_map(|ballot| ballot.amount).collect();
        assert!(amounts.len() == totals[place] as usize, "invariant: a valid ballot names the amount it has to");
        amounts.sort_unstable();
        counted.extend(blocs(&amounts, tolerance).into_iter().map(|bloc| {
            let choice = Choice { alternative: id, amount: Some(lower_median(&bloc)) };
            Counted { choice, count: bloc.len() as u32 }
        }));
    }
    counted
}

/// What ballots were cast for, as [`counted`] tells it apart, by place and amount, and for each ballot its place in that list. A
/// ballot that names no amount where one belongs to its alternative stands for itself.
pub fn placed(takes_amount: &[bool], ballots: &[Choice], tolerance: u32) -> (Vec<(usize, Option<u32>)>, Vec<usize>) {
    let (mut options, mut places) = (Vec::new(), vec![0; ballots.len()]);
    for (alternative, takes_amount) in takes_amount.iter().enumerate() {
        let own: Vec<usize> = (0..ballots.len()).filter(|at| ballots[*at].alternative.index() == alternative).collect();
        let mut amounts: Vec<u32> = own.iter().filter_map(|at| ballots[*at].amount).filter(|_| *takes_amount).collect();
        amounts.sort_unstable();
        if own.is_empty() || amounts.len() < own.len() {
            own.iter().for_each(|at| places[*at] = options.len());
            options.push((alternative, None));
        }
        for bloc in blocs(&amounts, tolerance) {
            let is_in = |at: &&usize| ballots[**at].amount.is_some_and(|amount| bloc.contains(&amount));
            own.iter().filter(is_in).for_each(|at| places[*at] = options.len());
            options.push((alternative, Some(lower_median(&bloc))));
        }
    }
    (options, places)
}

/// The amount in the middle of ordered ones; the lower of two.
fn lower_median(bloc: &[u32]) -> u32 {
    bloc[(bloc.len() - 1) / 2]
}

/// The blocs of ordered amounts, by their lower median. Equal amounts are never in two blocs.
fn blocs(amounts: &[u32], tolerance: u32) -> Vec<Vec<u32>> {
    if tolerance == 0 {
        return amounts.chunk_by(|a, b| a == b).map(<[u32]>::to_vec).collect();
    }
    let mut left = amounts.to_vec();
    let mut blocs = Vec::new();
    while !left.is_empty() {
        let end = |first: usize| left.partition_point(|amount| *amount <= left[first].saturating_add(tolerance));
        let size = |first: &usize| end(*first) - first;
        let largest = (0..left.len()).rev().max_by_key(size).expect("invariant: some ballots are left");
        blocs.push(left.drain(largest..end(largest)).collect::<Vec<u32>>());
    }
    blocs.sort_unstable_by_key(|bloc| (lower_median(bloc), bloc.len()));
    blocs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Alternative, AlternativeName};
    use proptest::prelude::*;

    fn motion() -> Motion {
        let alternative = |name: &str, takes_amount| Alternative {
            name: AlternativeName::new(name),
            label: name.to_owned(),
            status_quo: false,
            takes_amount,
            said: None,
        };
        let alternatives = vec![alternative("plain", false), alternative("with_amount", true)];
        Motion {
            text: String::new(),
            alternatives,
            amount_max: Some(100),
            amount_min: 1,
            unit: None,
            language: Default::default(),
        }
    }

    fn pairs(amounts: &[u32], tolerance: u32) -> Vec<(u32, u32)> {
        let mut ballots: Vec<Choice> = Vec::new();
        ballots.extend(amounts.iter().map(|a| Choice { alternative: AlternativeId(1), amount: Some(*a) }));
        let all = counted(&motion(), &ballots, tolerance);
        assert_eq!(all[0], Counted { choice: AlternativeId(0).into(), count: 0 });
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
            ballots in proptest::collection::vec((0u32..2, 1u32..9), 0..12), tolerance in 0u32..5,
        ) {
            let choice = |(place, amount): (u32, u32)| Choice { alternative: AlternativeId(place), amount: (place == 1).then_some(amount) };
            let ballots: Vec<Choice> = ballots.into_iter().map(choice).collect();
            let (options, places) = placed(&[false, true], &ballots, tolerance);
            let counted = counted(&motion(), &ballots, tolerance);
            let of = |counted: &Counted| (counted.choice.alternative.index(), counted.choice.amount);
            prop_assert_eq!(&options, &counted.iter().map(of).collect::<Vec<_>>());
            for (place, counted) in counted.iter().enumerate() {
                prop_assert_eq!(places.iter().filter(|at| **at == place).count() as u32, counted.count);
            }
            for (ballot, place) in ballots.iter().zip(places) {
                prop_assert_eq!(options[place].0, ballot.alternative.index());
            }
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
