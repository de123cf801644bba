//! The picks and payments of the published experiment, and laws that hold for all.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::chance::{DrawPurpose, Draws, Pairing, session_seed};
use crate::domain::{AlternativeId, CLASSES, Choice, Moment, PhaseName, Situation, Step};

/// The four principles in the order of the published questionnaire.
pub(crate) const PRINCIPLES: [Principle; 4] =
    [Principle::Floor, Principle::Average, Principle::AverageFloor, Principle::AverageRange];

/// The situations of the published experiment: `sample`, `A`, `B`, `C` or `D`.
pub(crate) fn situation(name: &str) -> Situation {
    let (weights_ppm, hundreds): ([u32; CLASSES], [[u32; CLASSES]; 4]) = match name {
        "sample" => (
            [50_000, 100_000, 500_000, 250_000, 100_000],
            [
                [320, 270, 240, 130, 120],
                [280, 220, 200, 170, 130],
                [310, 240, 210, 160, 140],
                [210, 200, 190, 160, 150],
            ],
        ),
        "A" => (
            [100_000, 200_000, 400_000, 200_000, 100_000],
            [[280, 250, 200, 150, 120], [350, 300, 250, 150, 100], [300, 290, 280, 270, 60], [250, 220, 190, 160, 130]],
        ),
        "B" => (
            [63_060, 208_333, 283_333, 345_274, 100_000],
            [[170, 160, 150, 140, 130], [300, 250, 200, 150, 125], [400, 300, 250, 200, 80], [260, 240, 220, 200, 110]],
        ),
        "C" => (
            [13_334, 43_333, 583_333, 260_000, 100_000],
            [
                [1_000, 300, 200, 150, 130],
                [350, 300, 250, 200, 80],
                [300, 250, 230, 150, 120],
                [240, 230, 220, 210, 110],
            ],
        ),
        "D" => (
            [50_000, 208_333, 283_333, 358_334, 100_000],
            [
                [350, 300, 250, 200, 130],
                [300, 280, 260, 240, 120],
                [200, 180, 160, 140, 120],
                [300, 280, 240, 200, 140],
            ],
        ),
        _ => panic!("there is no situation {name}"),
    };
    let tables = hundreds.map(|table| table.map(|hundreds| hundreds * 100)).to_vec();
    Situation { name: name.to_owned(), weights_ppm, tables, weights_shown: true }
}

/// The published experiment as a mechanism.
pub(crate) fn published() -> IncomePrinciples {
    IncomePrinciples {
        principles: PRINCIPLES.to_vec(),
        average: Average::Weighted,
        sample: Arc::new(situation("sample")),
        applications: ["A", "B", "C", "D"].map(|name| Arc::new(situation(name))).to_vec(),
        drawn: None,
        settlement: Multiplier { least: 800, greatest: 1_250 },
        application_cents: 100,
        settlement_cents: 500,
    }
}

fn means(name: &str) -> Vec<u64> {
    let situation = situation(name);
    let mean = |table| mean_dollars_rounded(table, &situation.weights_ppm, Average::Weighted);
    situation.tables.iter().map(mean).collect()
}

/// Tables, from 1, that a principle picks at each of these amounts in thousands.
fn picked(principle: Principle, thousands: &[u32], name: &str) -> Vec<usize> {
    let at =
        |thousands: &u32| pick_table(principle, Some(thousands * 1_000), &situation(name), Average::Weighted).table + 1;
    thousands.iter().map(at).collect()
}

fn draws(item: u32) -> Draws {
    let moment = Moment { phase: PhaseName::new("settlement"), round: 0, turn: 0, step: Step::Payment };
    session_seed(42, 1, Pairing::CommonRandomNumbers, "baseline").at_moment(DrawPurpose::Class, &moment, item)
}

#[test]
fn the_published_situations_are_picked_from_as_published() {
    let sample = situation("sample");
    let unweighted = |table| mean_dollars_rounded(table, &sample.weights_ppm, Average::Unweighted);
    let unweighted: Vec<u64> = sample.tables.iter().map(unweighted).collect();
    assert_eq!(unweighted, [21_600, 20_000, 21_200, 18_200]);
    type Amounts<'a> = (&'a [u32], &'a [usize]);
    let cases: [(&str, [u64; 4], usize, Amounts<'_>, Amounts<'_>); 3] = [
        (
            "sample",
            [20_750, 19_150, 19_850, 18_050],
            1,
            (&[12, 13, 14, 15], &[1, 3, 3, 4]),
            (&[6, 15, 17, 20], &[4, 2, 3, 1]),
        ),
        (
            "A",
            [20_000, 23_500, 26_000, 19_000],
            3,
            (&[6, 10, 12, 13], &[3, 2, 1, 4]),
            (&[12, 16, 24, 25], &[4, 1, 3, 3]),
        ),
        ("D", [23_550, 24_500, 15_500, 22_700], 2, (&[12, 13, 14], &[2, 1, 4]), (&[8, 16, 18, 22], &[3, 4, 2, 2])),
    ];
    for (name, expected, average, (floors, with_floor), (ranges, with_range)) in cases {
        assert_eq!(means(name), expected, "{name}");
        assert_eq!(picked(Principle::Floor, &[1], name), [4], "{name}");
        assert_eq!(picked(Principle::Average, &[1], name), [average], "{name}");
        assert_eq!(picked(Principle::AverageFloor, floors, name), with_floor, "{name}");
        assert_eq!(picked(Principle::AverageRange, ranges, name), with_range, "{name}");
    }
}

#[test]
fn the_original_chit_for_the_low_class_of_situation_a_is_reproduced() {
    let found = published().counterfactuals(&situation("A"), 4);
    let line = |principle: usize, amount: Option<u32>| {
        let choice = Choice { alternative: AlternativeId(principle as u32), amount };
        let chit = found.iter().find(|counterfactual| counterfactual.choice == choice).unwrap();
        (chit.income, pay_cents(chit.income, 100))
    };
    assert_eq!(line(0, None), (13_000, 130));
    assert_eq!(line(1, None), (6_000, 60));
    assert_eq!(line(2, Some(12_000)), (12_000, 120));
    assert_eq!(line(2, Some(10_000)), (10_000, 100));
    assert_eq!(line(3, Some(25_000)), (6_000, 60));
    assert_eq!(line(3, Some(16_000)), (12_000, 120));
}

#[test]
fn counterfactuals_are_the_principles_of_the_motion_at_each_distinct_amount() {
    let amounts = |found: &[Counterfactual]| -> Vec<(u32, Option<u32>)> {
        found.iter().map(|one| (one.choice.alternative.0, one.choice.amount)).collect()
    };
    let lows = [120, 130, 140].map(|hundreds| (2, Some(hundreds * 100)));
    let ranges = [80, 160, 180, 220].map(|hundreds| (3, Some(hundreds * 100)));
    let expected: Vec<_> = [(0, None), (1, None)].into_iter().chain(lows).chain(ranges).collect();
    assert_eq!(amounts(&published().counterfactuals(&situation("D"), 0)), expected);
    let two = IncomePrinciples { principles: vec![Principle::Average, Principle::Floor], ..published() };
    assert_eq!(amounts(&two.counterfactuals(&situation("D"), 2)), [(0, None), (1, None)]);
}

#[test]
fn an_amount_binds_where_it_removes_a_table_and_only_there() {
    let binding = |principle, amount| pick_table(principle, Some(amount), &situation("A"), Average::Weighted).binding;
    assert_eq!(binding(Principle::Floor, 1), None);
    assert_eq!(binding(Principle::Average, 1), None);
    assert_eq!([6_000, 6_001, 99_000].map(|x| binding(Principle::AverageFloor, x)), [false, true, true].map(Some));
    assert_eq!([25_000, 24_999, 1].map(|x| binding(Principle::AverageRange, x)), [false, true, true].map(Some));
}

#[test]
#[should_panic(expected = "invariant: a principle that takes an amount has one")]
fn a_floor_constraint_without_its_floor_is_a_bug() {
    published().pick_table(AlternativeId(2).into(), &situation("A"));
}

/// The table that a principle picks, by its words: every table is held against every other, in fractions of twice the width.
fn picked_by_definition(principle: Principle, x: u32, situation: &Situation, average: Average) -> usize {
    let mean = |t: &[u32; CLASSES]| -> u128 {
        let weight = |class: usize| match average {
            Average::Weighted => u128::from(situation.weights_ppm[class]),
            Average::Unweighted => 200_000,
        };
        (0..CLASSES).map(|class| weight(class) * u128::from(t[class])).sum()
    };
    let low = |t: &[u32; CLASSES]| i128::from(t[4]);
    let range = |t: &[u32; CLASSES]| i128::from(t[0]) - i128::from(t[4]);
    let satisfies = |t: &[u32; CLASSES]| match principle {
        Principle::Floor | Principle::Average => true,
        Principle::AverageFloor => low(t) >= i128::from(x),
        Principle::AverageRange => range(t) <= i128::from(x),
    };
    let none = !situation.tables.iter().any(satisfies);
    let score = |t: &[u32; CLASSES]| match (principle, none) {
        (Principle::Floor, _) | (Principle::AverageFloor, true) => low(t),
        (Principle::AverageRange, true) => -range(t),
        _ => mean(t) as i128,
    };
    let beats = |a: usize, b: usize| {
        let (score_a, score_b) = (score(&situation.tables[a]), score(&situation.tables[b]));
        score_a > score_b || (score_a == score_b && a <= b)
    };
    let stays = |place: &usize| none || satisfies(&situation.tables[*place]);
    let places: Vec<usize> = (0..situation.tables.len()).filter(stays).collect();
    let winners: Vec<usize> = places.iter().copied().filter(|a| places.iter().all(|b| beats(*a, *b))).collect();
    assert_eq!(winners.len(), 1);
    winners[0]
}

#[test]
fn every_amount_in_every_published_situation_picks_by_definition() {
    for name in ["sample", "A", "B", "C", "D"] {
        let situation = situation(name);
        for average in [Average::Weighted, Average::Unweighted] {
            for principle in PRINCIPLES {
                for x in (500..=100_000).step_by(500).flat_map(|x| [x - 1, x, x + 1]) {
                    let expected = picked_by_definition(principle, x, &situation, average);
                    assert_eq!(
                        pick_table(principle, Some(x), &situation, average).table,
                        expected,
                        "{name} {principle:?} {x}"
                    );
                }
            }
        }
    }
}

/// Situations of small incomes, so that ties and unsatisfiable amounts are frequent.
fn situations() -> impl Strategy<Value = Situation> {
    let table = prop::array::uniform5(0u32..12).prop_map(|mut table| {
        table.sort_unstable_by(|a, b| b.cmp(a));
        table
    });
    let weights =
        prop::array::uniform4(0u32..=250_000).prop_map(|[a, b, c, d]| [a, b, c, d, 1_000_000 - a - b - c - d]);
    (prop::collection::vec(table, 2..6), weights).prop_map(|(tables, weights_ppm)| Situation {
        name: "any".to_owned(),
        weights_ppm,
        tables,
        weights_shown: true,
    })
}

fn principles() -> impl Strategy<Value = Principle> {
    prop::sample::select(PRINCIPLES.to_vec())
}

fn averages() -> impl Strategy<Value = Average> {
    prop::sample::select(vec![Average::Weighted, Average::Unweighted])
}

proptest! {
    #[test]
    fn picks_are_by_definition(s in situations(), p in principles(), x in 1u32..14, average in averages()) {
        let picked = pick_table(p, Some(x), &s, average);
        prop_assert_eq!(picked.table, picked_by_definition(p, x, &s, average));
        prop_assert_eq!(picked.same_as_average, picked.table == pick_table(Principle::Average, None, &s, average).table);
        prop_assert_eq!(picked.binding.is_some(), p.takes_amount());
    }

    #[test]
    fn an_amount_that_a_table_just_meets_keeps_it(s in situations(), place in 0usize..6, average in averages()) {
        let table = s.tables[place % s.tables.len()];
        if low_income(&table) > 0 {
            let picked = pick_table(Principle::AverageFloor, Some(low_income(&table)), &s, average);
            prop_assert!(low_income(&s.tables[picked.table]) >= low_income(&table));
        }
        if income_range(&table) > 0 {
            let picked = pick_table(Principle::AverageRange, Some(income_range(&table)), &s, average);
            prop_assert!(income_range(&s.tables[picked.table]) <= income_range(&table));
        }
    }

    #[test]
    fn what_no_table_keeps_to_is_the_floor_or_the_smallest_range(s in situations(), average in averages()) {
        let floor = pick_table(Principle::Floor, None, &s, average).table;
        prop_assert!(s.tables.iter().all(|table| low_income(table) <= low_income(&s.tables[floor])));
        let unkept = pick_table(Principle::AverageFloor, Some(13), &s, average);
        prop_assert_eq!((unkept.table, unkept.binding), (floor, Some(true)));
        let least = s.tables.iter().map(income_range).min().unwrap();
        if least > 1 {
            let unkept = pick_table(Principle::AverageRange, Some(least - 1), &s, average);
            prop_assert_eq!((income_range(&s.tables[unkept.table]), unkept.binding), (least, Some(true)));
        }
    }

    #[test]
    fn an_amount_that_does_not_bind_changes_nothing(s in situations(), p in principles(), x in 1u32..14, average in averages()) {
        let picked = pick_table(p, Some(x), &s, average);
        if picked.binding == Some(false) {
            prop_assert!(picked.same_as_average);
        }
    }

    #[test]
    fn every_table_times_the_same_is_picked_alike(s in situations(), p in principles(), x in 1u32..14, times in 1u32..50) {
        let larger = multiply_incomes(&s, times * 1_000, "larger");
        let picked = pick_table(p, Some(x * times), &larger, Average::Weighted);
        prop_assert_eq!(picked, pick_table(p, Some(x), &s, Average::Weighted));
    }

    #[test]
    fn an_amount_that_a_table_keeps_to_is_told_by_a_counterfactual(s in situations(), class in 0u8..5, x in 1u32..14) {
        let mechanism = published();
        let found = mechanism.counterfactuals(&s, class);
        let is_kept = [s.tables.iter().any(|t| low_income(t) >= x), s.tables.iter().any(|t| (1..=x).contains(&income_range(t)))];
        for (alternative, is_kept) in [2, 3].map(AlternativeId).into_iter().zip(is_kept) {
            let choice = Choice { alternative, amount: Some(x) };
            let told = found.iter().filter(|one| one.choice.alternative == alternative);
            let tables: Vec<usize> = told.map(|one| one.table).collect();
            prop_assert!(!is_kept || tables.contains(&mechanism.pick_table(choice, &s).table));
        }
        for one in found {
            prop_assert_eq!(one.income, s.tables[one.table][usize::from(class)]);
        }
    }

    #[test]
    fn distinct_amounts_ascend_and_are_met(s in situations()) {
        for (amounts, of) in [(low_incomes(&s), low_income as fn(&[u32; CLASSES]) -> u32), (income_ranges(&s), income_range)] {
            prop_assert!(amounts.is_sorted_by(|a, b| a < b));
            prop_assert!(amounts.iter().all(|amount| s.tables.iter().any(|table| of(table) == *amount)));
            prop_assert!(s.tables.iter().all(|table| of(table) == 0 || amounts.contains(&of(table))));
        }
    }

    #[test]
    fn a_payment_is_within_half_a_cent(income: u32, rate: u32) {
        let off = i128::from(pay_cents(income, rate)) * 10_000 - i128::from(income) * i128::from(rate);
        prop_assert!((-4_999..=5_000).contains(&off));
    }

    #[test]
    fn a_mean_for_reading_is_within_half_a_dollar(s in situations(), average in averages()) {
        for table in &s.tables {
            let sum: u64 = match average {
                Average::Weighted => (0..CLASSES).map(|k| u64::from(table[k]) * u64::from(s.weights_ppm[k])).sum(),
                Average::Unweighted => table.iter().map(|dollars| u64::from(*dollars) * 200_000).sum(),
            };
            let off = i128::from(mean_dollars_rounded(table, &s.weights_ppm, average)) * 1_000_000 - i128::from(sum);
            prop_assert!((-499_999..=500_000).contains(&off));
        }
    }

    #[test]
    fn multipliers_stay_within_their_bounds_and_cut_cents(least in 1u32..6_000, more in 0u32..6_000, item: u32) {
        let multiplier = Multiplier { least, greatest: least + more };
        let drawn = multiplier.draw(&mut draws(item));
        prop_assert!((least..=least + more).contains(&drawn));
        let (before, after) = (situation("B"), multiply_incomes(&situation("B"), drawn, "drawn"));
        prop_assert_eq!(after.weights_ppm, before.weights_ppm);
        for (old, new) in before.tables.iter().flatten().zip(after.tables.iter().flatten()) {
            let exact = u64::from(*old) * u64::from(drawn);
            prop_assert!(u64::from(*new) * 1_000 <= exact && exact < (u64::from(*new) + 1) * 1_000);
        }
    }
}

#[test]
fn classes_are_drawn_by_their_weights_and_tables_alike() {
    let situation = situation("sample");
    let (mut classes, mut tables) = ([0u32; CLASSES], [0u32; 4]);
    for item in 0..20_000 {
        classes[usize::from(draw_class(&situation, &mut draws(item)))] += 1;
        tables[draw_table(&situation, &mut draws(item))] += 1;
    }
    // Four standard errors of a share p of 20 000 draws are 4·sqrt(20 000·p·(1−p)) draws.
    for (count, ppm) in classes.iter().zip(situation.weights_ppm) {
        let p = f64::from(ppm) / 1e6;
        assert!((f64::from(*count) - 20_000.0 * p).abs() < 4.0 * (20_000.0 * p * (1.0 - p)).sqrt(), "{classes:?}");
    }
    assert!(tables.iter().all(|count| count.abs_diff(5_000) < 245), "{tables:?}");
}

#[test]
fn a_multiplier_takes_every_thousandth_alike() {
    let mut counts = [0u32; 11];
    for item in 0..11_000 {
        counts[(Multiplier { least: 2_000, greatest: 2_010 }.draw(&mut draws(item)) - 2_000) as usize] += 1;
    }
    assert!(counts.iter().all(|count| count.abs_diff(1_000) < 121), "{counts:?}");
}
