//! Estimates how much of an arm's effect a null arm reaches: the ratio of their means over their common blocks.
//!
//! A ratio is undefined if the arm's mean does not differ significantly from zero or is below zero. Then only the difference is
//! reported.

use super::sides::BlockTable;
use super::{Contrast, MissingRule, Study};
use crate::analysis::statistics::{
    Interval, LEVEL, NullRange, Resampling, StreamKey, mean, mean_interval, sign_flip, sign_flip_ratio,
};

/// An arm compared with one of its nulls.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct NullComparison {
    /// The arm.
    pub arm: String,
    /// The null arm.
    pub null: String,
    /// Blocks in which both have a number.
    pub blocks: u64,
    /// Blocks of the design.
    pub blocks_planned: u64,
    /// The arm's mean over these blocks; `None` without one.
    pub of_arm: Option<f64>,
    /// Its 95 % interval by inverted sign flips; `None` for fewer than six blocks and if all numbers are equal.
    pub of_arm_interval: Option<Interval>,
    /// The null's mean over these blocks.
    pub of_null: Option<f64>,
    /// Its interval.
    pub of_null_interval: Option<Interval>,
    /// The arm's mean minus the null's; `None` without a block and if their scales differ.
    pub left: Option<f64>,
    /// The interval of the blocks' differences.
    pub left_interval: Option<Interval>,
    /// The null's mean divided by the arm's; `None` if [`NullComparison::undefined`] gives a reason.
    pub share: Option<f64>,
    /// Its interval: the ratios ρ for which the sign-flip test of null − ρ · arm does not reject at .05. `None` for fewer than
    /// six blocks and if all ratios are equal.
    pub share_interval: Option<Interval>,
    /// The reason for a missing share.
    pub undefined: Option<Undefined>,
}

/// The reason why a null has no share of its arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Undefined {
    /// No block has a number in both arms.
    NoBlock,
    /// The sign-flip test does not reject a mean of 0 for the arm. With fewer than six blocks it never does.
    ArmNearZero,
    /// The arm's mean is below 0, so a share of it has no meaning.
    ArmBelowZero,
    /// The arm and the null measure on different scales.
    OtherScale,
}

impl NullComparison {
    /// Drops share and difference, which mean nothing if the arm and the null measure on different scales.
    pub fn on_other_scales(self) -> Self {
        let undefined = Some(Undefined::OtherScale);
        Self { left: None, left_interval: None, share: None, share_interval: None, undefined, ..self }
    }
}

/// Compares each arm with its nulls. `pairs` holds the index of the null and that of its arm; `draw` computes the ranges of a
/// resampling.
pub fn compare_nulls(
    study: &Study,
    pairs: &[(usize, usize)],
    draw: &dyn Fn(&Resampling) -> Vec<NullRange>,
) -> Vec<NullComparison> {
    let table = BlockTable::new(study);
    pairs.iter().map(|pair| compare_null(study, &table, *pair, draw)).collect()
}

fn compare_null(
    study: &Study,
    table: &BlockTable<'_>,
    (null, arm): (usize, usize),
    draw: &dyn Fn(&Resampling) -> Vec<NullRange>,
) -> NullComparison {
    let name = |place: usize| study.arms[place].name.clone();
    let contrast =
        Contrast { factor: None, first: name(null), second: name(arm), pairs: vec![(null, arm)], minus: Vec::new() };
    let sides = table.paired_sides(&contrast, MissingRule::CompletePairs);
    let key = StreamKey::of_design(study.seed);
    let interval = |values: &[f64]| mean_interval(values, &key, study.resamples, draw);
    let (of_null, of_arm) = (mean(&sides.first), mean(&sides.second));
    let test = sign_flip(&sides.second, &key, study.resamples, draw);
    let left: Vec<f64> = sides.second.iter().zip(&sides.first).map(|(arm, null)| arm - null).collect();
    let undefined = match (test, of_arm) {
        (None, _) | (_, None) => Some(Undefined::NoBlock),
        (Some(found), _) if found.test.p >= LEVEL => Some(Undefined::ArmNearZero),
        (Some(_), Some(of_arm)) => (of_arm < 0.0).then_some(Undefined::ArmBelowZero),
    };
    let share = of_null.zip(of_arm).filter(|_| undefined.is_none()).map(|(null, arm)| null / arm);
    let parts = sides.first.iter().copied().zip(sides.second.iter().copied()).collect();
    NullComparison {
        arm: name(arm),
        null: name(null),
        blocks: sides.first.len() as u64,
        blocks_planned: table.blocks as u64,
        of_arm,
        of_arm_interval: test.and_then(|found| found.interval),
        of_null,
        of_null_interval: interval(&sides.first),
        left: of_arm.zip(of_null).map(|(arm, null)| arm - null),
        left_interval: interval(&left),
        share,
        share_interval: share.and_then(|_| sign_flip_ratio(parts, &key, study.resamples, draw)?.interval),
        undefined,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::statistics::{AnswerValidity, CompletionStatus, MetricScale, Observation, StudyArm, Unit};
    use crate::chance::Pairing;
    use proptest::prelude::*;

    /// An arm and its nulls, one row of numbers each.
    fn study(rows: &[Vec<Option<f64>>]) -> Study {
        let arm = |place: usize| StudyArm { name: format!("arm{place}"), levels: Vec::new(), limits: None };
        let observations = rows.iter().enumerate().flat_map(|(arm, row)| {
            (1..).zip(row).map(move |(replicate, value)| Observation {
                arm,
                replicate,
                item: String::new(),
                wave: 0,
                reached: CompletionStatus::Completed,
                answers: AnswerValidity::AllValid,
                value: *value,
            })
        });
        Study {
            seed: 7,
            metric: "agreement".to_owned(),
            scale: MetricScale::Number,
            pairing: Pairing::CommonRandomNumbers,
            unit: Unit::Session,
            arms: (0..rows.len()).map(arm).collect(),
            observations: observations.collect(),
            resamples: 400,
        }
    }

    fn of(arm: &[f64], null: &[f64]) -> NullComparison {
        let all = |row: &[f64]| row.iter().map(|value| Some(*value)).collect::<Vec<_>>();
        compare_nulls(&study(&[all(arm), all(null)]), &[(1, 0)], &Resampling::all_ranges).remove(0)
    }

    #[test]
    fn a_share_is_the_ratio_of_means_over_the_blocks_that_both_have() {
        // By hand: all blocks but the third count; twice (0.2 + 0.4 + 0.6) / 6 = 0.4 of the arm, 6 × 0.1 / 6 = 0.1 of the null.
        let arm = vec![Some(0.2), Some(0.4), Some(9.0), Some(0.6), Some(0.2), Some(0.4), Some(0.6)];
        let null = vec![Some(0.1), Some(0.1), None, Some(0.1), Some(0.1), Some(0.1), Some(0.1)];
        let found = compare_nulls(&study(&[arm, null]), &[(1, 0)], &Resampling::all_ranges).remove(0);
        let near = |found: Option<f64>, expected: f64| found.is_some_and(|found| (found - expected).abs() < 1e-12);
        assert!(near(found.of_arm, 0.4) && near(found.of_null, 0.1) && near(found.left, 0.3), "{found:?}");
        assert!(near(found.share, 0.25), "{found:?}");
        assert_eq!((found.blocks, found.blocks_planned, found.undefined), (6, 7, None));
        // With six blocks the interval reaches from the least to the greatest ratio of a block.
        let Interval { low, high } = found.share_interval.unwrap();
        assert!((low - 0.1 / 0.6).abs() < 1e-9 && (high - 0.5).abs() < 1e-9, "{low} {high}");
    }

    #[test]
    fn where_the_arm_cannot_be_told_from_zero_no_null_reaches_a_share_of_it() {
        let found = of(&[-0.3, 0.4, -0.2, 0.3, -0.1, 0.2], &[0.1, 0.2, 0.1, 0.2, 0.1, 0.3]);
        assert_eq!((found.share, found.share_interval, found.undefined), (None, None, Some(Undefined::ArmNearZero)));
        assert!(found.left.is_some() && found.left_interval.is_some());
        let found = of(&[0.0; 4], &[0.0; 4]);
        assert_eq!((found.share, found.undefined), (None, Some(Undefined::ArmNearZero)));
        let found = compare_nulls(&study(&[vec![None], vec![Some(0.5)]]), &[(1, 0)], &Resampling::all_ranges).remove(0);
        assert_eq!((found.of_arm, found.share, found.undefined), (None, None, Some(Undefined::NoBlock)));
    }

    #[test]
    fn where_the_arm_goes_the_other_way_no_null_reaches_a_share_of_it_whichever_way_the_null_goes() {
        let some = [-0.1, -0.2, -0.1, -0.3, -0.1, -0.2];
        for null in [[0.0; 6], some, some.map(|value| -value)] {
            let found = of(&[-0.1, -0.3, -0.2, -0.2, -0.1, -0.3], &null);
            assert_eq!(
                (found.share, found.share_interval, found.undefined),
                (None, None, Some(Undefined::ArmBelowZero))
            );
            assert!(found.of_arm_interval.is_some_and(|interval| interval.high < 0.0), "{found:?}");
            assert!(found.left.is_some() && found.left_interval.is_some());
        }
        let alone = of(&[-0.2], &[-0.2]);
        assert_eq!((alone.of_arm_interval, alone.share, alone.undefined), (None, None, Some(Undefined::ArmNearZero)));
    }

    #[test]
    fn on_other_scales_both_means_stand_and_nothing_is_said_of_one_by_the_other() {
        let all = of(&[0.2, 0.4, 0.3, 0.2, 0.5, 0.4], &[0.1, 0.1, 0.2, 0.1, 0.2, 0.3]);
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
            arm in prop::collection::vec(0.01f64..1.0, 6..12), part in 0.0f64..2.0,
        ) {
            let all = of(&arm, &arm);
            prop_assert_eq!((all.share, all.left), (Some(1.0), Some(0.0)));
            prop_assert_eq!(all.share_interval, None, "every ratio is equal");
            let null: Vec<f64> = arm.iter().map(|value| value * part).collect();
            let some = of(&arm, &null);
            prop_assert!((some.share.unwrap() - part).abs() < 1e-9, "{:?}", some);
            // Cells are taken to ten decimals, so that the ratio of the least of them is known to eight.
            if let Some(Interval { low, high }) = some.share_interval {
                prop_assert!((low - part).abs() < 1e-6 && (high - part).abs() < 1e-6, "both are flipped together: {:?}", some);
            }
        }
    }
}
