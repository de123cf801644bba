//! How much of what an arm shows a null reaches: the ratio of their means over the blocks that both have.
//!
//! A ratio needs something to be a part of: where the arm's own mean cannot be told from zero, or is below it, there is none, and what is
//! left of it without the null stands alone.

use super::sides::Table;
use super::{Contrast, Rule, Study};
use crate::statistics::{Group, Interval, Resampling, Scheme, StreamKey, mean, percentile_interval};

/// An arm and one of its nulls.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Explained {
    /// The arm.
    pub arm: String,
    /// The arm that is its null.
    pub null: String,
    /// Blocks in which both have a number.
    pub blocks: u64,
    /// Blocks of the design.
    pub blocks_planned: u64,
    /// The mean of the arm over these blocks; `None` without one.
    pub of_arm: Option<f64>,
    /// Its 95 % percentile bootstrap interval; `None` for fewer than two blocks.
    pub of_arm_interval: Option<Interval>,
    /// The mean of the null over the same blocks.
    pub of_null: Option<f64>,
    /// Its interval.
    pub of_null_interval: Option<Interval>,
    /// The arm's mean less the null's: what the null leaves; `None` without a block, and where both are on other scales.
    pub left: Option<f64>,
    /// Its interval; both sides are drawn again together, block by block.
    pub left_interval: Option<Interval>,
    /// The null's mean as a part of the arm's, 1 where it is as great; `None` where [`Explained::undefined`] says why.
    pub share: Option<f64>,
    /// Its interval, likewise; `None` for fewer than two blocks, and where resamples of the arm's mean reach 0 too often.
    pub share_interval: Option<Interval>,
    /// Why there is no share.
    pub undefined: Option<Undefined>,
}

/// Why a null reaches no share of its arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Undefined {
    /// No block has a number in both.
    NoBlock,
    /// The arm's mean is 0, or its interval holds 0: there is nothing that could be told from nothing to be a part of.
    ArmNearZero,
    /// The arm's mean is below 0, and so is its interval where it has one: it went the other way, and a part of that is no part of what is
    /// measured.
    ArmBelowZero,
    /// What is measured is on one scale in the arm and on another in the null.
    OtherScale,
}

impl Explained {
    /// The same where the numbers of both are on other scales, so that neither their ratio nor their difference says anything.
    pub fn on_other_scales(self) -> Self {
        let undefined = Some(Undefined::OtherScale);
        Self { left: None, left_interval: None, share: None, share_interval: None, undefined, ..self }
    }
}

/// Estimates how much of each arm its nulls reach; `pairs` holds the null's place and its arm's, and `draw` makes the numbers of a
/// resampling.
pub fn explained(study: &Study, pairs: &[(usize, usize)], draw: &dyn Fn(&Resampling) -> Vec<f64>) -> Vec<Explained> {
    let table = Table::new(study);
    pairs.iter().map(|pair| one(study, &table, *pair, draw)).collect()
}

fn one(
    study: &Study,
    table: &Table<'_>,
    (null, arm): (usize, usize),
    draw: &dyn Fn(&Resampling) -> Vec<f64>,
) -> Explained {
    let name = |place: usize| study.arms[place].name.clone();
    let contrast = Contrast { factor: None, first: name(null), second: name(arm), pairs: vec![(null, arm)] };
    let sides = table.paired(&contrast, Rule::CompletePairs);
    let key = StreamKey::new(study.seed, &["null", &study.metric, &name(arm), &name(null)]);
    // The same key and the same number of blocks: both are drawn again by the same lots.
    let drawn = |values: &[f64]| {
        let groups = vec![Group { weight: 1.0, values: values.to_vec() }];
        let resampling = Resampling { scheme: Scheme::Groups(groups), key: key.clone(), resamples: study.resamples };
        if values.len() > 1 { draw(&resampling) } else { Vec::new() }
    };
    let (nulls, arms) = (drawn(&sides.first), drawn(&sides.second));
    let (of_null, of_arm) = (mean(&sides.first), mean(&sides.second));
    let of_arm_interval = interval(arms.clone());
    let pairs = || nulls.iter().zip(&arms);
    let undefined = match (of_arm, of_arm_interval) {
        (None, _) => Some(Undefined::NoBlock),
        (Some(0.0), _) => Some(Undefined::ArmNearZero),
        (Some(_), Some(Interval { low, high })) if low <= 0.0 && high >= 0.0 => Some(Undefined::ArmNearZero),
        (Some(of_arm), _) if of_arm < 0.0 => Some(Undefined::ArmBelowZero),
        (Some(_), _) => None,
    };
    let share = of_null.zip(of_arm).filter(|_| undefined.is_none()).map(|(null, arm)| null / arm);
    Explained {
        arm: name(arm),
        null: name(null),
        blocks: sides.first.len() as u64,
        blocks_planned: table.blocks() as u64,
        of_arm,
        of_arm_interval,
        of_null,
        of_null_interval: interval(nulls.clone()),
        left: of_arm.zip(of_null).map(|(arm, null)| arm - null),
        left_interval: interval(pairs().map(|(null, arm)| arm - null).collect()),
        share,
        share_interval: share.and_then(|_| interval(pairs().map(|(null, arm)| part(*null, *arm)).collect())),
        undefined,
    }
}

/// One number as a part of another; of nothing anything is infinitely much.
fn part(null: f64, arm: f64) -> f64 {
    if arm == 0.0 { f64::INFINITY } else { null / arm }
}

/// The middle 95 % of numbers; `None` where there are none, or an end is not finite.
fn interval(mut numbers: Vec<f64>) -> Option<Interval> {
    numbers.sort_unstable_by(f64::total_cmp);
    percentile_interval(&numbers).filter(|interval| interval.low.is_finite() && interval.high.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Pairing;
    use crate::statistics::{Answers, Arm, Observation, Reached, Scale, Unit};
    use proptest::prelude::*;

    /// An arm and its nulls, one row of numbers each.
    fn study(rows: &[Vec<Option<f64>>]) -> Study {
        let arm = |place: usize| Arm { name: format!("arm{place}"), levels: Vec::new(), most: None };
        let observations = rows.iter().enumerate().flat_map(|(arm, row)| {
            (1..).zip(row).map(move |(replicate, value)| Observation {
                arm,
                replicate,
                item: String::new(),
                wave: 0,
                reached: Reached::Completed,
                answers: Answers::AllValid,
                value: *value,
            })
        });
        Study {
            seed: 7,
            metric: "agreement".to_owned(),
            scale: Scale::Number,
            pairing: Pairing::CommonRandomNumbers,
            unit: Unit::Session,
            arms: (0..rows.len()).map(arm).collect(),
            observations: observations.collect(),
            resamples: 400,
        }
    }

    fn of(arm: &[f64], null: &[f64]) -> Explained {
        let all = |row: &[f64]| row.iter().map(|value| Some(*value)).collect::<Vec<_>>();
        explained(&study(&[all(arm), all(null)]), &[(1, 0)], &Resampling::all).remove(0)
    }

    #[test]
    fn a_share_is_the_ratio_of_means_over_the_blocks_that_both_have() {
        // By hand: the blocks 1, 2 and 4 count; (0.2 + 0.4 + 0.6) / 3 = 0.4 of the arm, (0.1 + 0.1 + 0.1) / 3 = 0.1 of the null.
        let arm = vec![Some(0.2), Some(0.4), Some(9.0), Some(0.6)];
        let null = vec![Some(0.1), Some(0.1), None, Some(0.1)];
        let found = explained(&study(&[arm, null]), &[(1, 0)], &Resampling::all).remove(0);
        let near = |found: Option<f64>, expected: f64| found.is_some_and(|found| (found - expected).abs() < 1e-12);
        assert!(near(found.of_arm, 0.4) && near(found.of_null, 0.1) && near(found.left, 0.3), "{found:?}");
        assert!(near(found.share, 0.25), "{found:?}");
        assert_eq!((found.blocks, found.blocks_planned, found.undefined), (3, 4, None));
        // The arm's mean lies between its least and its greatest number, so the share between 0.1 / 0.6 and 0.1 / 0.2.
        let Interval { low, high } = found.share_interval.unwrap();
        assert!((0.1 / 0.6 - 1e-12..=0.25).contains(&low) && (0.25..=0.5 + 1e-12).contains(&high), "{low} {high}");
    }

    #[test]
    fn where_the_arm_cannot_be_told_from_zero_no_null_reaches_a_share_of_it() {
        let found = of(&[-0.3, 0.4, -0.2, 0.3], &[0.1, 0.2, 0.1, 0.2]);
        assert_eq!((found.share, found.share_interval, found.undefined), (None, None, Some(Undefined::ArmNearZero)));
        assert!(found.left.is_some() && found.left_interval.is_some());
        let found = of(&[0.0; 4], &[0.0; 4]);
        assert_eq!((found.share, found.undefined), (None, Some(Undefined::ArmNearZero)));
        let found = explained(&study(&[vec![None], vec![Some(0.5)]]), &[(1, 0)], &Resampling::all).remove(0);
        assert_eq!((found.of_arm, found.share, found.undefined), (None, None, Some(Undefined::NoBlock)));
    }

    #[test]
    fn where_the_arm_goes_the_other_way_no_null_reaches_a_share_of_it_whichever_way_the_null_goes() {
        for null in [[0.0; 4], [-0.1, -0.2, -0.1, -0.3], [0.1, 0.2, 0.1, 0.3]] {
            let found = of(&[-0.1, -0.3, -0.2, -0.2], &null);
            assert_eq!(
                (found.share, found.share_interval, found.undefined),
                (None, None, Some(Undefined::ArmBelowZero))
            );
            assert!(found.of_arm_interval.is_some_and(|interval| interval.high < 0.0), "{found:?}");
            assert!(found.left.is_some() && found.left_interval.is_some());
        }
        let alone = of(&[-0.2], &[-0.2]);
        assert_eq!((alone.of_arm_interval, alone.share, alone.undefined), (None, None, Some(Undefined::ArmBelowZero)));
    }

    #[test]
    fn on_other_scales_both_means_stand_and_nothing_is_said_of_one_by_the_other() {
        let all = of(&[0.2, 0.4, 0.3], &[0.1, 0.1, 0.2]);
        let apart = all.clone().on_other_scales();
        assert_eq!(
            (apart.of_arm, apart.of_null, apart.of_null_interval),
            (all.of_arm, all.of_null, all.of_null_interval)
        );
        assert_eq!((apart.left, apart.left_interval, apart.share, apart.share_interval), (None, None, None, None));
        assert_eq!(apart.undefined, Some(Undefined::OtherScale));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn a_null_that_is_its_arm_explains_all_and_one_that_is_a_part_of_it_that_part(
            arm in prop::collection::vec(0.01f64..1.0, 2..12), part in 0.0f64..2.0,
        ) {
            let all = of(&arm, &arm);
            prop_assert_eq!((all.share, all.left), (Some(1.0), Some(0.0)));
            prop_assert_eq!(all.share_interval, Some(Interval { low: 1.0, high: 1.0 }));
            let null: Vec<f64> = arm.iter().map(|value| value * part).collect();
            let some = of(&arm, &null);
            let near = |found: f64| (found - part).abs() < 1e-9;
            prop_assert!(near(some.share.unwrap()), "{:?}", some);
            let Interval { low, high } = some.share_interval.unwrap();
            prop_assert!(near(low) && near(high), "the blocks of both are drawn again together: {:?}", some);
        }
    }
}
