//! Comparisons small enough to be reckoned by hand.

use super::*;
use crate::analysis::statistics::PermutationTest;
use crate::chance::Pairing;
use proptest::prelude::*;

const NONE: Option<f64> = None;

/// Arms `a`, `b`, … with these values by replicate; `None` is a completed session in which the metric is undefined.
fn study(pairing: Pairing, scale: MetricScale, arms: &[&[Option<f64>]]) -> Study {
    let name = |arm: usize| char::from(b'a' + u8::try_from(arm).unwrap()).to_string();
    let observations = arms.iter().enumerate().flat_map(|(arm, values)| {
        values.iter().zip(1..).map(move |(value, replicate)| Observation {
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
        seed: 42,
        metric: "m".to_owned(),
        scale,
        arms: (0..arms.len())
            .map(|arm| StudyArm { name: name(arm), levels: vec![("f".to_owned(), name(arm))], limits: None })
            .collect(),
        pairing,
        unit: Unit::Session,
        observations: observations.collect(),
        resamples: 1_000,
    }
}

fn compared(study: &Study) -> ArmComparison {
    one_family(study, &contrast_arms(&study.arms, 0))
}

/// One metric, its p adjusted over the contrasts.
fn one_family(study: &Study, contrasts: &[Contrast]) -> ArmComparison {
    let mut family = [compare_arms(study, contrasts, &Resampling::all_ranges)];
    adjust_p_values(&mut family);
    let [compared] = family;
    compared
}

fn known(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().copied().map(Some).collect()
}

#[test]
fn differences_that_are_equal_as_decimals_have_no_effect_size() {
    // 0.3 - 0.2, 0.7 - 0.6 and 0.15 - 0.05 are three different doubles.
    let (a, b) = (known(&[0.2, 0.6, 0.05]), known(&[0.3, 0.7, 0.15]));
    let found = compared(&study(Pairing::CommonRandomNumbers, MetricScale::Number, &[&a, &b]));
    let contrast = &found.contrasts[0];
    assert_eq!((contrast.main.difference, contrast.effect_size), (Some(0.1), None));
}

#[test]
fn every_rule_does_with_the_missing_what_it_says() {
    // Baseline a: 1, 5, –, 2. Arm b: 4, –, 3, 7. The least number is 1, the greatest 7.
    let (a, b) = ([Some(1.0), Some(5.0), NONE, Some(2.0)], [Some(4.0), NONE, Some(3.0), Some(7.0)]);
    let mut study = study(Pairing::CommonRandomNumbers, MetricScale::Number, &[&a, &b]);
    study.observations[3].answers = AnswerValidity::SomeInvalid;
    study.arms.iter_mut().for_each(|arm| arm.limits = Some((1.0, 7.0)));
    let found = compared(&study);
    let contrast = &found.contrasts[0];
    assert_eq!((found.range, contrast.range), (Some((1.0, 7.0)), Some((1.0, 7.0))));
    assert_eq!((contrast.main.rule, contrast.main.blocks, contrast.main.sessions), (MissingRule::CompletePairs, 2, 4));
    assert_eq!(contrast.main.difference, Some((3.0 + 5.0) / 2.0));
    let others: Vec<_> = contrast.other_rules.iter().map(|d| (d.rule, d.sessions, d.difference.unwrap())).collect();
    let expected = [
        (MissingRule::AllAvailable, 6, 14.0 / 3.0 - 8.0 / 3.0),
        (MissingRule::WithoutInvalid, 2, 3.0),
        (MissingRule::MissingLowest, 8, (3.0 + (1.0 - 5.0) + (3.0 - 1.0) + 5.0) / 4.0),
        (MissingRule::MissingHighest, 8, (3.0 + (7.0 - 5.0) + (3.0 - 7.0) + 5.0) / 4.0),
        (MissingRule::LeastDifference, 8, (3.0 + (1.0 - 5.0) + (3.0 - 7.0) + 5.0) / 4.0),
        (MissingRule::GreatestDifference, 8, (3.0 + (7.0 - 5.0) + (3.0 - 1.0) + 5.0) / 4.0),
    ];
    for (found, expected) in others.iter().zip(&expected) {
        assert_eq!((found.0, found.1), (expected.0, expected.1));
        assert!((found.2 - expected.2).abs() < 1e-12, "{found:?} {expected:?}");
    }
    assert_eq!((contrast.sessions.planned, contrast.sessions.undefined, contrast.sessions.measured), (8, 2, 6));
}

#[test]
fn bounds_of_a_difference_come_from_declared_limits_and_never_from_the_numbers_seen() {
    let (a, b) = ([Some(0.0), NONE, Some(0.0), NONE], known(&[0.0; 4]));
    let bounds = |scale, limits: Option<(f64, f64)>| {
        let mut study = study(Pairing::CommonRandomNumbers, scale, &[&a, &b]);
        study.arms.iter_mut().for_each(|arm| arm.limits = limits);
        let rules = compared(&study).contrasts[0].other_rules.clone();
        let of = |rule| rules.iter().find(|other| other.rule == rule).unwrap().difference;
        [of(MissingRule::LeastDifference), of(MissingRule::GreatestDifference)]
    };
    assert_eq!(bounds(MetricScale::Flag, None), [Some(-0.5), Some(0.0)]);
    assert_eq!(bounds(MetricScale::Number, None), [None, None]);
    assert_eq!(bounds(MetricScale::Number, Some((-2.0, 4.0))), [Some(-2.0), Some(1.0)]);
}

#[test]
fn flags_range_from_0_to_1_and_known_bounds_count_for_numbers() {
    let flags = study(Pairing::CommonRandomNumbers, MetricScale::Flag, &[&known(&[1.0, 1.0]), &known(&[1.0, 1.0])]);
    assert_eq!(compared(&flags).range, Some((0.0, 1.0)));
    let mut numbers =
        study(Pairing::CommonRandomNumbers, MetricScale::Number, &[&known(&[2.0, 3.0]), &known(&[2.0, 4.0])]);
    numbers.arms[1].limits = Some((2.5, 10.0));
    assert_eq!(compared(&numbers).range, Some((2.0, 10.0)));
}

#[test]
fn what_is_missing_is_replaced_by_what_the_compared_arms_allow() {
    let arms = [&[Some(2.0), NONE, Some(1.0)][..], &[Some(1.0), Some(3.0), NONE], &[Some(9.0), Some(0.0), NONE]];
    let mut study = study(Pairing::CommonRandomNumbers, MetricScale::Number, &arms);
    for (arm, most) in study.arms.iter_mut().zip([3.0, 4.0, 10.0]) {
        arm.limits = Some((1.0, most));
    }
    let found = compared(&study);
    let ranges: Vec<_> = found.contrasts.iter().map(|contrast| contrast.range).collect();
    assert_eq!((ranges, found.range), (vec![Some((1.0, 4.0)), Some((0.0, 10.0))], Some((0.0, 10.0))));
    let highest =
        |contrast: &Estimate| contrast.other_rules.iter().find(|d| d.rule == MissingRule::MissingHighest).cloned();
    // (1 − 2) + (3 − 4) + (4 − 1) over three blocks.
    let difference = highest(&found.contrasts[0]).unwrap().difference.unwrap();
    assert!((difference - 1.0 / 3.0).abs() < 1e-12, "{difference}");
}

#[test]
fn paired_flags_are_tested_exactly_and_independent_ones_by_their_table() {
    let (a, b) = (known(&[0.0, 0.0, 0.0, 1.0, 1.0, 0.0]), known(&[1.0, 1.0, 1.0, 1.0, 1.0, 0.0]));
    let paired = compared(&study(Pairing::CommonRandomNumbers, MetricScale::Flag, &[&a, &b]));
    let flags = paired.contrasts[0].flags.unwrap();
    let pairs = flags.pairs.unwrap();
    assert_eq!((pairs.both, pairs.first_only, pairs.second_only, pairs.neither), (2, 3, 0, 1));
    assert!((flags.exact_p - 0.25).abs() < 1e-12);
    assert_eq!(paired.contrasts[0].main.test.unwrap().p, 0.25);
    let apart = compared(&study(Pairing::Independent, MetricScale::Flag, &[&a, &b]));
    let contrast = &apart.contrasts[0];
    assert_eq!((contrast.main.rule, contrast.flags.unwrap().pairs), (MissingRule::AllAvailable, None));
    assert_eq!((contrast.correlation, contrast.median_difference), (None, None));
    assert_eq!(
        contrast.main.test.unwrap(),
        PermutationTest { p: contrast.flags.unwrap().exact_p, ..contrast.main.test.unwrap() }
    );
}

#[test]
fn a_factor_is_averaged_over_the_others_within_each_block() {
    // Levels of f by levels of g: x1, x2, y1, y2 by replicate.
    let cells = [[1.0, 2.0], [3.0, 2.0], [5.0, 1.0], [4.0, 9.0]].map(|values| known(&values));
    let study = two_by_two(cells.each_ref().map(Vec::as_slice));
    let contrasts = contrast_factor(&study.arms, 0, "f");
    let found = one_family(&study, &contrasts);
    let contrast = &found.contrasts[0];
    // Replicate 1: (5 + 4) / 2 − (1 + 3) / 2; replicate 2: (1 + 9) / 2 − (2 + 2) / 2.
    assert_eq!((contrast.main.difference, contrast.median_difference), (Some(2.75), Some(2.75)));
    assert_eq!((contrast.first_mean, contrast.second_mean), (Some(4.75), Some(2.0)));
    assert_eq!((contrast.flags, contrast.main.sessions), (None, 8));
}

/// Levels of f by levels of g: x1, x2, y1, y2 by replicate.
fn two_by_two(cells: [&[Option<f64>]; 4]) -> Study {
    let mut study = study(Pairing::CommonRandomNumbers, MetricScale::Number, &cells);
    for (arm, (f, g)) in study.arms.iter_mut().zip([("x", "1"), ("x", "2"), ("y", "1"), ("y", "2")]) {
        arm.levels = vec![("f".to_owned(), f.to_owned()), ("g".to_owned(), g.to_owned())];
    }
    study
}

#[test]
fn an_interaction_is_the_difference_of_differences_over_blocks() {
    let cells = [[1.0, 2.0, 1.5], [3.0, 2.0, 2.5], [5.0, 1.0, 6.0], [4.0, 9.0, 8.0]].map(|values| known(&values));
    let mut study = two_by_two(cells.each_ref().map(Vec::as_slice));
    let contrasts = contrast_interaction(&study.arms, 0, ["f", "g"]);
    let contrast = &one_family(&study, &contrasts).contrasts[0];
    // (y2 − x2) − (y1 − x1): (4 − 3) − (5 − 1), (9 − 2) − (1 − 2), (8 − 2.5) − (6 − 1.5).
    assert_eq!(contrast.main.difference, Some((-3.0 + 8.0 + 1.0) / 3.0));
    assert_eq!(
        (contrast.first_mean, contrast.second_mean),
        (Some((1.0 + 7.0 + 5.5) / 3.0), Some((4.0 - 1.0 + 4.5) / 3.0))
    );
    assert_eq!((contrast.main.blocks, contrast.main.sessions, contrast.median_difference), (3, 12, Some(1.0)));
    assert_eq!((contrast.pairs.len(), contrast.minus.len(), contrast.flags), (1, 1, None));
    let swapped = contrast_interaction(&study.arms, 0, ["g", "f"]);
    assert_eq!(one_family(&study, &swapped).contrasts[0].main, contrast.main);
    // Without y2's first number its block is lost; filled in, it counts as the least of all for the least difference.
    study.observations[9].value = None;
    study.arms.iter_mut().for_each(|arm| arm.limits = Some((1.0, 9.0)));
    let contrast = &one_family(&study, &contrasts).contrasts[0];
    assert_eq!((contrast.main.blocks, contrast.main.sessions), (2, 8));
    let of = |rule| contrast.other_rules.iter().find(|other| other.rule == rule).and_then(|other| other.difference);
    assert_eq!(of(MissingRule::LeastDifference), Some(((1.0 - 3.0) - 4.0 + 8.0 + 1.0) / 3.0));
    assert_eq!(of(MissingRule::AllAvailable), None);
    // x2 is taken off the first side, so that the least difference has its greatest number.
    study.observations[9].value = Some(4.0);
    study.observations[3].value = None;
    let contrast = &one_family(&study, &contrasts).contrasts[0];
    let of = |rule| contrast.other_rules.iter().find(|other| other.rule == rule).and_then(|other| other.difference);
    assert_eq!(of(MissingRule::LeastDifference), Some(((4.0 - 9.0) - 4.0 + 8.0 + 1.0) / 3.0));
}

#[test]
fn metrics_and_contrasts_are_one_family() {
    let values = |shift: f64| known(&(0..8).map(|k| f64::from(k % 3) + shift).collect::<Vec<f64>>());
    let arms = [&values(0.0)[..], &values(0.5), &values(0.0)];
    let study = study(Pairing::CommonRandomNumbers, MetricScale::Number, &arms);
    let other = Study { metric: "n".to_owned(), ..study.clone() };
    let mut family =
        [&study, &other].map(|study| compare_arms(study, &contrast_arms(&study.arms, 0), &Resampling::all_ranges));
    adjust_p_values(&mut family);
    let adjusted: Vec<f64> = family.iter().flat_map(|one| &one.contrasts).filter_map(|one| one.p_adjusted).collect();
    assert_eq!(adjusted, [4.0 * 2.0 / 256.0, 1.0, 4.0 * 2.0 / 256.0, 1.0]);
}

#[test]
fn arms_that_differ_in_opposite_directions_are_told_of() {
    // x1, x2, y1, y2: y is above x under g = 1 and below it under g = 2, and on average as high.
    let with = |last: [f64; 4]| {
        let cells =
            [[1.0, 2.0, 1.5, 2.5], [5.0, 6.0, 5.5, 6.5], [5.0, 6.0, 5.0, 7.0], last].map(|values| known(&values));
        two_by_two(cells.each_ref().map(Vec::as_slice))
    };
    for (pairing, last, is_told) in [
        (Pairing::CommonRandomNumbers, [1.0, 2.0, 1.0, 3.0], true),
        (Pairing::Independent, [1.0, 2.0, 1.0, 3.0], true),
        // Also higher, and lower by no more than chance.
        (Pairing::CommonRandomNumbers, [9.0, 9.0, 9.0, 9.5], false),
        (Pairing::CommonRandomNumbers, [4.0, 7.0, 5.0, 6.9], false),
    ] {
        let mut study = with(last);
        study.pairing = pairing;
        let contrasts = contrast_factor(&study.arms, 0, "f");
        let found = one_family(&study, &contrasts);
        let contrast = &found.contrasts[0];
        assert_eq!(contrast.warnings.contains(&Warning::OppositePairs), is_told, "{contrast:?}");
        assert_eq!(contrast.pair_differences[0], Some(4.0));
        // Whole arms are no average.
        let arms = one_family(&study, &contrast_arms(&study.arms, 0));
        assert!(arms.contrasts.iter().all(|contrast| !contrast.warnings.contains(&Warning::OppositePairs)));
    }
}

#[test]
fn what_is_averaged_is_a_block() {
    let mut study =
        study(Pairing::CommonRandomNumbers, MetricScale::Number, &[&known(&[1.0; 4]), &known(&[2.0, 4.0, 6.0, 9.0])]);
    for (place, seen) in study.observations.iter_mut().enumerate() {
        (seen.replicate, seen.item) = ([1, 1, 2, 2][place % 4], ["p", "q", "p", "q"][place % 4].to_owned());
    }
    for (unit, blocks, median) in [(Unit::Session, 4, 4.0), (Unit::Replicate, 2, 4.25), (Unit::Item, 2, 4.25)] {
        study.unit = unit;
        let contrast = &compared(&study).contrasts[0];
        assert_eq!((contrast.main.blocks, contrast.median_difference), (blocks, Some(median)), "{unit:?}");
        assert_eq!((contrast.main.difference, contrast.main.sessions), (Some(4.25), 8));
    }
}

#[test]
fn a_session_without_a_number_leaves_its_block_and_takes_its_counterpart_along() {
    // Item p: replicates 1 and 3; item q: replicates 2 and 4. Arm a lacks replicate 1, arm b replicates 2 and 4.
    let (a, b) = ([NONE, Some(1.0), Some(2.0), Some(5.0)], [Some(8.0), NONE, Some(6.0), NONE]);
    let mut study = study(Pairing::CommonRandomNumbers, MetricScale::Number, &[&a, &b]);
    for (place, seen) in study.observations.iter_mut().enumerate() {
        seen.item = ["p", "q", "p", "q"][place % 4].to_owned();
    }
    // The order of observations says nothing.
    study.observations[4..].reverse();
    study.unit = Unit::Item;
    let contrast = &compared(&study).contrasts[0];
    assert_eq!((contrast.blocks_planned, contrast.main.blocks, contrast.main.sessions), (2, 1, 2));
    assert_eq!((contrast.main.difference, contrast.first_mean), (Some(4.0), Some(6.0)));
    let unpaired = contrast.other_rules.iter().find(|other| other.rule == MissingRule::AllAvailable).unwrap();
    assert_eq!((unpaired.sessions, unpaired.difference), (5, Some(7.0 - (2.0 + 3.0) / 2.0)));
}

#[test]
fn results_that_bear_little_are_told_so() {
    let same = known(&[1.0; 4]);
    type Case<'a> = (&'a [Option<f64>], &'a [Option<f64>], &'a [Warning], Option<NoInterval>);
    let cases: [Case<'_>; 4] = [
        (&[NONE, Some(1.0)], &[Some(1.0), NONE], &[Warning::NoBlock], Some(NoInterval::NoNumber)),
        (
            &same,
            &same,
            &[Warning::FewBlocks, Warning::EqualInEveryBlock, Warning::FirstConstant, Warning::SecondConstant],
            Some(NoInterval::Equal),
        ),
        (
            &same,
            &known(&[1.0, 2.0, 3.0, 0.0]),
            &[Warning::FewBlocks, Warning::SecondConstant],
            Some(NoInterval::TooFew),
        ),
        // Twelve blocks, of which five differ.
        (
            &known(&[1.0; 12]),
            &known(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 3.0, 2.5, 4.0, 1.5]),
            &[Warning::SecondConstant],
            Some(NoInterval::TooFew),
        ),
    ];
    for (a, b, expected, no_interval) in cases {
        let found = compared(&study(Pairing::CommonRandomNumbers, MetricScale::Number, &[a, b]));
        assert_eq!((&found.contrasts[0].warnings[..], found.contrasts[0].main.no_interval), (expected, no_interval));
        assert_eq!(found.contrasts[0].main.interval, None);
    }
    // Arms that were drawn apart: one session on a side, nothing that varies, and one side that does not.
    let cases: [Case<'_>; 4] = [
        (&[Some(1.0)], &known(&[1.0, 3.0, 5.0]), &[Warning::FewBlocks], Some(NoInterval::TooFew)),
        (&same, &same, &[Warning::FewBlocks, Warning::FirstConstant, Warning::SecondConstant], Some(NoInterval::Equal)),
        (&same, &known(&[1.0, 2.0, 3.0, 0.0]), &[Warning::FewBlocks, Warning::SecondConstant], None),
        (&known(&[1.0, 2.0]), &known(&[1.0, 2.0, 4.0]), &[Warning::FewBlocks], Some(NoInterval::TooFew)),
    ];
    for (a, b, expected, no_interval) in cases {
        let found = compared(&study(Pairing::Independent, MetricScale::Number, &[a, b]));
        let contrast = &found.contrasts[0];
        assert_eq!((&contrast.warnings[..], contrast.main.no_interval), (expected, no_interval), "{a:?} {b:?}");
        assert_eq!(contrast.main.interval.is_none(), no_interval.is_some());
    }
    // The same difference in every block has no interval, however many there are.
    let shifted = compared(&study(
        Pairing::CommonRandomNumbers,
        MetricScale::Number,
        &[&known(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]), &known(&[0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])],
    ));
    assert_eq!(shifted.contrasts[0].main.no_interval, Some(NoInterval::Equal));
    let many: Vec<f64> = (0..40).map(f64::from).collect();
    let doubled: Vec<f64> = many.iter().map(|x| 2.0 * x).collect();
    let fine = compared(&study(Pairing::CommonRandomNumbers, MetricScale::Number, &[&known(&many), &known(&doubled)]));
    assert_eq!(fine.contrasts[0].warnings, []);
}

#[test]
fn skewed_differences_are_told_of_unless_there_are_many() {
    let skewed = |n: u32| (0..n).map(|k| if k % 9 == 0 { 9.0 + f64::from(k) / 10.0 } else { f64::from(k % 4) / 3.0 });
    for (n, is_told) in [(20, true), (39, true), (40, false)] {
        let (a, b) = (vec![0.0; n as usize], skewed(n).collect::<Vec<f64>>());
        let found = compared(&study(Pairing::CommonRandomNumbers, MetricScale::Number, &[&known(&a), &known(&b)]));
        let contrast = &found.contrasts[0];
        assert!(contrast.skewness.unwrap() > 1.0, "{contrast:?}");
        assert_eq!(contrast.warnings.contains(&Warning::Skewed), is_told, "{n}");
    }
}

#[test]
fn an_interval_of_flags_and_its_test_may_disagree_and_that_is_told() {
    // Five pairs differ, all one way: p is 1/16, and Newcombe's interval is above 0.
    let (a, b) = (known(&[0.0; 5]), known(&[1.0; 5]));
    let contrast = &compared(&study(Pairing::CommonRandomNumbers, MetricScale::Flag, &[&a, &b])).contrasts[0];
    assert_eq!(contrast.main.test.unwrap().p, 0.0625);
    assert!(contrast.main.interval.unwrap().low > 0.0 && contrast.main.interval == contrast.flags.unwrap().newcombe);
    assert!(contrast.warnings.contains(&Warning::Disagree) && contrast.warnings.contains(&Warning::NoSmallP));
    let (a, b) = (known(&[0.0; 10]), known(&[1.0; 10]));
    let contrast = &compared(&study(Pairing::CommonRandomNumbers, MetricScale::Flag, &[&a, &b])).contrasts[0];
    assert!(!contrast.warnings.contains(&Warning::Disagree), "{contrast:?}");
}

#[test]
fn equal_arms_have_equal_intervals_and_tests_whatever_they_are_called() {
    let values: Vec<f64> = (0..25).map(|k| f64::from(k * k % 23) / 7.0).collect();
    let base: Vec<f64> = (0..25).map(|k| f64::from(k % 5)).collect();
    for pairing in [Pairing::CommonRandomNumbers, Pairing::Independent] {
        let mut study = study(pairing, MetricScale::Number, &[&known(&base), &known(&values), &known(&values)]);
        let found = compared(&study);
        assert_eq!(found.arms[1].interval, found.arms[2].interval);
        assert_eq!(found.contrasts[0].main, found.contrasts[1].main);
        assert!(found.contrasts[0].main.interval.is_some());
        study.metric = "another".to_owned();
        assert_eq!(compared(&study).contrasts[0].main, found.contrasts[0].main);
    }
}

#[test]
fn holm_adjusts_for_the_contrasts_that_were_tested() {
    let a = known(&[0.0; 8]);
    let arms = [&a[..], &known(&[1.0; 8]), &[NONE; 8], &known(&[1.0, -1.0, 1.0, -1.0, 2.0, 1.0, 1.0, 3.0])];
    let study = study(Pairing::CommonRandomNumbers, MetricScale::Number, &arms);
    let found = compared(&study);
    let p: Vec<_> = found.contrasts.iter().map(|c| c.main.test.map(|test| test.p)).collect();
    assert_eq!(p[..2], [Some(2.0 / 256.0), None]);
    let adjusted: Vec<_> = found.contrasts.iter().map(|c| c.p_adjusted).collect();
    assert_eq!(adjusted, [Some(4.0 / 256.0), None, p[2]]);
    let plain = compare_arms(&study, &contrast_arms(&study.arms, 0), &Resampling::all_ranges);
    assert!(plain.contrasts.iter().all(|contrast| contrast.p_adjusted.is_none()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_contrast_does_not_depend_on_which_others_are_computed(
        values in prop::collection::vec(prop::option::weighted(0.8, -3.0..3.0), 60), apart: bool,
    ) {
        let pairing = if apart { Pairing::Independent } else { Pairing::CommonRandomNumbers };
        let study = study(pairing, MetricScale::Number, &values.chunks(20).collect::<Vec<_>>());
        let contrasts = contrast_arms(&study.arms, 0);
        let both = compare_arms(&study, &contrasts, &Resampling::all_ranges);
        let one = compare_arms(&study, &contrasts[1..], &Resampling::all_ranges);
        prop_assert_eq!(&both.contrasts[1..], &one.contrasts[..]);
    }

    #[test]
    fn no_way_of_filling_in_leaves_the_bounds(
        values in prop::collection::vec(prop::option::weighted(0.7, -3.0..3.0), 24),
    ) {
        let mut study = study(Pairing::CommonRandomNumbers, MetricScale::Number, &values.chunks(12).collect::<Vec<_>>());
        study.arms.iter_mut().for_each(|arm| arm.limits = Some((-3.0, 3.0)));
        let contrast = &compared(&study).contrasts[0];
        let of = |rule| contrast.other_rules.iter().find(|other| other.rule == rule).and_then(|other| other.difference);
        if let (Some(least), Some(most)) = (of(MissingRule::LeastDifference), of(MissingRule::GreatestDifference)) {
            for rule in [MissingRule::MissingLowest, MissingRule::MissingHighest] {
                prop_assert!((least - 1e-9..=most + 1e-9).contains(&of(rule).unwrap()));
            }
        }
    }

    #[test]
    fn without_anything_missing_every_paired_rule_gives_the_same(values in prop::collection::vec(-3.0..3.0, 40)) {
        let values = known(&values);
        let study = study(Pairing::CommonRandomNumbers, MetricScale::Number, &values.chunks(20).collect::<Vec<_>>());
        let contrast = &compared(&study).contrasts[0];
        for other in contrast.other_rules.iter().filter(|other| other.rule != MissingRule::AllAvailable) {
            prop_assert_eq!(&EstimatedDifference { rule: contrast.main.rule, ..other.clone() }, &contrast.main);
        }
    }
}
