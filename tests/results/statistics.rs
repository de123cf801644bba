//! Statistics are those of SciPy and statsmodels, on the cases that `.ci/statistics_cases.py` made with these packages.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use ekklesia::analysis::statistics::{
    Interval, PairTable, PermutationMethod, Resampling, StreamKey, central_moments, cohen_dz, fisher_p,
    holm_adjusted_p, mcnemar_p, newcombe_independent, newcombe_paired, pearson_correlation, sign_flip, wilson_interval,
};
use serde_json::{Value, from_str, from_value};

const CASES: &str = include_str!("../data/statistics/cases.json");

/// What a function of the library makes of a case's input.
fn found(function: &str, input: &Value) -> Vec<f64> {
    let ends = |interval: Option<Interval>| interval.map(|interval| vec![interval.low, interval.high]).unwrap();
    let counts = || from_value::<Vec<u64>>(input.clone()).unwrap();
    let numbers = || from_value::<Vec<f64>>(input.clone()).unwrap();
    let sides = || from_value::<(Vec<f64>, Vec<f64>)>(input.clone()).unwrap();
    match function {
        "mcnemar" => vec![mcnemar_p(counts()[0], counts()[1])],
        "newcombe_paired" => {
            let [both, first_only, second_only, neither] = counts()[..] else { panic!("four counts") };
            ends(newcombe_paired(PairTable { both, first_only, second_only, neither }))
        }
        "newcombe_independent" | "fisher" => {
            let [a, m, b, n] = counts()[..] else { panic!("four counts") };
            if function == "fisher" {
                vec![fisher_p((a, m), (b, n))]
            } else {
                ends(newcombe_independent((a, m), (b, n)))
            }
        }
        "wilson" => ends(wilson_interval(counts()[0], counts()[1])),
        "holm" => holm_adjusted_p(&numbers()),
        "correlation" => vec![pearson_correlation(&sides().0, &sides().1).unwrap()],
        "cohen_dz" => {
            let (first, second) = sides();
            let differences: Vec<f64> = first.iter().zip(&second).map(|(first, second)| first - second).collect();
            vec![cohen_dz(&differences).unwrap()]
        }
        "sign_flip" => {
            let found = sign_flip(&numbers(), &StreamKey::new(0, &[]), 100, Resampling::all_ranges).unwrap();
            assert_eq!(found.test.method, PermutationMethod::Exact);
            vec![found.test.p]
        }
        "sign_flip_interval" => {
            ends(sign_flip(&numbers(), &StreamKey::new(0, &[]), 100, Resampling::all_ranges).unwrap().interval)
        }
        "skewness" => {
            let (variance, third) = central_moments(&numbers()).unwrap();
            vec![third / variance.powf(1.5)]
        }
        other => panic!("no function {other}"),
    }
}

#[test]
fn every_case_is_what_the_reference_packages_say() {
    let cases: Vec<Value> = from_str(CASES).unwrap();
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for case in &cases {
        let function = case["function"].as_str().unwrap();
        let expected = match &case["expected"] {
            Value::Array(numbers) => numbers.iter().map(|number| number.as_f64().unwrap()).collect(),
            number => vec![number.as_f64().unwrap()],
        };
        let found = found(function, &case["input"]);
        assert_eq!(found.len(), expected.len(), "{case}");
        for (found, expected) in found.iter().zip(&expected) {
            // Rounding leaves something of what should be nothing; of a small tail it leaves next to nothing.
            let nothing = if expected.abs() > 1e-6 || *expected == 0.0 { 1e-14 } else { 0.0 };
            assert!((found - expected).abs() <= 1e-9 * expected.abs() + nothing, "{found}: {case}");
        }
        *seen.entry(function.to_owned()).or_default() += 1;
    }
    assert_eq!(seen.len(), 11, "{seen:?}");
}
