//! How often each alternative wins if ballots are resampled.

use std::collections::BTreeMap;

use crate::chance::Draws;
use crate::choice::Ballots;
use crate::choice::recount::{CountTerms, recount_ballots};
use crate::domain::RuleKind;

/// How often each alternative won under one rule, among resamples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shares {
    /// How often each won alone, or was certain to be elected.
    pub alone: Vec<u32>,
    /// How often each was tied.
    pub tied: Vec<u32>,
    /// How often nobody won.
    pub nobody: u32,
}

/// Resamples all ballots with replacement, `resamples` times, and counts them under each rule, in the given order; `None` for
/// rules that cannot be counted, that draw a lot, or that reject a resample for its ties. Equal resamples are counted once.
/// Source: Efron 1979, "Bootstrap methods", Annals of Statistics 7(1).
pub fn bootstrap_ballots(
    ballots: &Ballots,
    rules: &[RuleKind],
    terms: &CountTerms,
    (resamples, draws): (u32, &mut Draws),
) -> Vec<Option<Shares>> {
    let alternatives = ballots.alternative_count();
    let none = || Shares { alone: vec![0; alternatives], tied: vec![0; alternatives], nobody: 0 };
    let is_counted = |(rule, outcome): (&RuleKind, Result<_, _>)| outcome.is_ok() && *rule != RuleKind::RandomBallot;
    let counted = rules.iter().zip(recount_ballots(ballots, rules, terms)).map(is_counted);
    let mut shares: Vec<Option<Shares>> = counted.map(|counted| counted.then(none)).collect();
    let ends: Vec<u64> = ballots
        .bundles()
        .iter()
        .scan(0, |end, bundle| {
            *end += bundle.count;
            Some(*end)
        })
        .collect();
    let all = ends.last().copied().unwrap_or(0);
    // The first of equal bundles stands for all, so that equal resamples have equal counts.
    let mut known = BTreeMap::new();
    let bundles = ballots.bundles().iter().enumerate();
    let firsts: Vec<usize> =
        bundles.map(|(at, bundle)| *known.entry((&bundle.ballot, bundle.weight)).or_insert(at)).collect();
    let mut drawn: BTreeMap<Vec<u64>, u32> = BTreeMap::new();
    for _ in 0..if all > 0 { resamples } else { 0 } {
        let mut counts = vec![0; ends.len()];
        for _ in 0..all {
            let lot = draws.draw_below(all);
            counts[firsts[ends.partition_point(|end| *end <= lot)]] += 1;
        }
        *drawn.entry(counts).or_default() += 1;
    }
    for (counts, times) in drawn {
        let open: Vec<usize> = (0..rules.len()).filter(|place| shares[*place].is_some()).collect();
        let kinds: Vec<RuleKind> = open.iter().map(|place| rules[*place]).collect();
        for (place, outcome) in open.into_iter().zip(recount_ballots(&ballots.cast_so_often(&counts), &kinds, terms)) {
            shares[place] = shares[place].take().zip(outcome.ok()).map(|(mut shares, outcome)| {
                shares.add_winners(&outcome.certain_winners(), &outcome.count.winners, times);
                shares
            });
        }
    }
    shares
}

/// The draws of a resampling, from a seed and the names of the resampled ballots.
pub fn resampling_draws(seed: u64, names: &[&str]) -> Draws {
    let mut bytes = seed.to_le_bytes().to_vec();
    for name in names {
        bytes.extend_from_slice(&(name.len() as u64).to_le_bytes());
        bytes.extend_from_slice(name.as_bytes());
    }
    Draws::from_key(blake3::derive_key("ekklesia bootstrap of ballots v1", &bytes))
}

impl Shares {
    fn add_winners(&mut self, certain: &[usize], possible: &[usize], times: u32) {
        for one in possible {
            let of = if certain.contains(one) { &mut self.alone } else { &mut self.tied };
            of[*one] += times;
        }
        self.nobody += if possible.is_empty() { times } else { 0 };
    }
}
