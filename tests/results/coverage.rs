//! How often an interval holds the true difference, and how often a test rejects where there is none: experiments drawn at random, with
//! the numbers that the page on pairing prints.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::thread;

use ekklesia::analysis::statistics::{
    Interval, InvertedTest, PairTable, Resampling, Stratum, StreamKey, label_permutation, mcnemar_p, newcombe_paired,
    sign_flip,
};
use ekklesia::chance::Draws;
use rand_distr::{Distribution, Exp1, StandardNormal};

use crate::fixtures::sample::law_cases;

const SIZES: [usize; 3] = [10, 20, 40];
const RESAMPLES: u32 = 999;

/// A difference of two sides: its name, one draw, and its mean.
type Kind = (&'static str, fn(&mut Draws) -> f64, f64);

/// Sides of one distribution, and the same with another mean.
const ALIKE: [Kind; 6] = [
    ("normal", |draws| normal(draws) - normal(draws), 0.0),
    ("normal, shifted", |draws| normal(draws) + 0.5 - normal(draws), 0.5),
    ("lognormal", |draws| lognormal(draws) - lognormal(draws), 0.0),
    ("lognormal, shifted", |draws| lognormal(draws) + 0.5 - lognormal(draws), 0.5),
    ("shares", |draws| share(draws, 0.5) - share(draws, 0.5), 0.0),
    ("shares, shifted", |draws| share(draws, 0.7) - share(draws, 0.4), 0.3),
];

/// Differences that are skewed.
const SKEWED: [Kind; 2] = [("exponential", |draws| Exp1.sample(draws), 1.0), ("lognormal", lognormal, 1.648_721_271)];

fn normal(draws: &mut Draws) -> f64 {
    StandardNormal.sample(draws)
}

fn lognormal(draws: &mut Draws) -> f64 {
    normal(draws).exp()
}

/// The share of three seats that choose something, each with this probability.
fn share(draws: &mut Draws, probability: f64) -> f64 {
    (0..3).filter(|_| draws.draw_unit() < probability).count() as f64 / 3.0
}

/// Experiments of each kind and size: few, or as many as pin the numbers down if `EKKLESIA_EVERY_CASE` is set.
fn experiments() -> u32 {
    law_cases(400).cases
}

/// What a part of the experiments may be off by: three standard errors of a part near .05, and two of as many as `.ci/full` draws.
fn slack() -> f64 {
    let errors = if experiments() > 400 { 2.0 } else { 3.0 };
    errors * (0.05 * 0.95 / f64::from(experiments())).sqrt()
}

/// The parts of experiments in which the interval holds the truth, and in which the test rejects 0.
fn simulated(
    number: u8,
    size: usize,
    truth: f64,
    mut draw: impl FnMut(&mut Draws, usize) -> InvertedTest,
) -> (f64, f64) {
    let mut draws = Draws::from_key([number; 32]);
    let (mut holds, mut rejects) = (0, 0);
    for _ in 0..experiments() {
        let InvertedTest { test, interval } = draw(&mut draws, size);
        // Where every difference is equal there is no interval, and nothing is claimed.
        holds += u32::from(interval.is_none_or(|Interval { low, high }| low <= truth + 1e-9 && truth - 1e-9 <= high));
        rejects += u32::from(test.p < 0.05);
    }
    let part = |count: u32| f64::from(count) / f64::from(experiments());
    (part(holds), part(rejects))
}

/// Each kind at each size, on a thread of its own.
fn paired(kinds: &[Kind]) -> Vec<[(f64, f64); 3]> {
    let of_kind = |(number, (_, draw, truth)): (usize, &Kind)| {
        SIZES.map(|size| {
            simulated(number as u8, size, *truth, |draws, size| {
                let differences: Vec<f64> = (0..size).map(|_| draw(draws)).collect();
                // The signs of each experiment are its own, as they are with another seed.
                let key = StreamKey::of_design(draws.next_bits());
                sign_flip(&differences, &key, RESAMPLES, Resampling::all_ranges).unwrap()
            })
        })
    };
    thread::scope(|scope| {
        let threads: Vec<_> = kinds.iter().enumerate().map(|kind| scope.spawn(move || of_kind(kind))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn paired_means_are_covered_and_equal_arms_are_rejected_as_seldom_as_the_level_says() {
    for ((name, _, truth), found) in ALIKE.iter().zip(paired(&ALIKE)) {
        println!("{name}: coverage and rejections at {SIZES:?}: {found:?}");
        for (covered, rejected) in found {
            assert!(covered >= 0.94 - slack(), "{name}: {covered}");
            assert!(*truth != 0.0 || rejected <= 0.055 + slack(), "{name}: {rejected}");
        }
    }
}

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn independent_means_are_covered_and_equal_arms_are_rejected_as_seldom_as_the_level_says() {
    for (number, (size, shift)) in SIZES.into_iter().flat_map(|size| [(size, 0.0), (size, 0.5)]).enumerate() {
        let found = simulated(number as u8, size, shift, |draws, size| {
            let mut values: Vec<f64> = (0..2 * size).map(|_| normal(draws)).collect();
            values[..size].iter_mut().for_each(|value| *value += shift);
            let strata = vec![Stratum { values, first: size }];
            label_permutation(strata, &StreamKey::of_design(draws.next_bits()), 299, Resampling::all_ranges).unwrap()
        });
        println!("independent, {size} a side, shifted by {shift}: {found:?}");
        assert!(found.0 >= 0.94 - slack(), "{size}: {found:?}");
        assert!(shift > 0.0 || found.1 <= 0.055 + slack(), "{size}: {found:?}");
    }
}

/// The page prints to two digits what skewed differences come to.
#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn the_page_prints_how_often_intervals_of_skewed_differences_hold_the_truth() {
    let page = std::fs::read_to_string("docs/src/explanation/pairing.md").unwrap();
    for ((name, ..), found) in SKEWED.iter().zip(paired(&SKEWED)) {
        println!("{name}: {found:?}");
        let row = page.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap();
        let printed: Vec<f64> = row.split('|').filter_map(|cell| cell.trim().parse().ok()).collect();
        assert_eq!(printed.len(), SIZES.len(), "{row}");
        for (printed, (covered, _)) in printed.iter().zip(found) {
            assert!((printed - covered).abs() <= 0.01 + slack(), "{name}: {covered}: {row}");
        }
    }
}

/// Every table of pairs of flags with its probability: shares of both sides, and the correlation of a pair.
fn tables(size: u64, [first, second]: [f64; 2], correlation: f64) -> Vec<(PairTable, f64)> {
    let shared = correlation * (first * (1.0 - first) * second * (1.0 - second)).sqrt();
    let both = first * second + shared;
    let cells = [both, first - both, second - both, 1.0 - first - second + both];
    let ln_factorial = |n: u64| (1..=n).map(|k| (k as f64).ln()).sum::<f64>();
    let mut all = Vec::new();
    for both in 0..=size {
        for first_only in 0..=size - both {
            for second_only in 0..=size - both - first_only {
                let neither = size - both - first_only - second_only;
                let counts = [both, first_only, second_only, neither];
                let ln: f64 = counts.iter().zip(cells).map(|(n, p)| *n as f64 * p.ln() - ln_factorial(*n)).sum();
                all.push((PairTable { both, first_only, second_only, neither }, (ln + ln_factorial(size)).exp()));
            }
        }
    }
    all
}

/// Nothing is drawn: the probabilities of all tables are added up. Newcombe's interval covers least for ten pairs that share nothing, with
/// shares of a half: 0.939.
#[test]
fn shares_are_covered_and_equal_ones_rejected_as_seldom_as_the_level_says() {
    for shares in [[0.5, 0.5], [0.3, 0.3], [0.2, 0.2], [0.6, 0.3], [0.8, 0.5], [0.9, 0.6]] {
        for correlation in [0.0, 0.3] {
            for size in SIZES {
                let (mut covered, mut rejected) = (0.0, 0.0);
                for (pairs, probability) in tables(size as u64, shares, correlation) {
                    let Interval { low, high } = newcombe_paired(pairs).unwrap();
                    let truth = shares[0] - shares[1];
                    covered += if low <= truth + 1e-12 && truth - 1e-12 <= high { probability } else { 0.0 };
                    let p = mcnemar_p(pairs.first_only, pairs.second_only);
                    rejected += if p < 0.05 { probability } else { 0.0 };
                }
                assert!(covered >= 0.939, "{shares:?} {correlation} {size}: {covered}");
                assert!(shares[0] != shares[1] || rejected <= 0.05, "{shares:?} {correlation} {size}: {rejected}");
            }
        }
    }
}
