//! The measures are those of SciPy, statsmodels, krippendorff and lexicalrichness, on the cases that `.ci/measures_cases.py` made.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod by_hand;

use std::collections::BTreeMap;

use ekklesia::analysis::measures::{
    Bag, Mattr, MeasurementLevel, effective_options, entropy_norm, esteban_ray, fleiss_kappa, gini, jaccard_pair,
    jsd_speakers, kendall_w, krippendorff_alpha, mean_kendall_tau, pair_agreement, similarity_pair, vdeijk_a,
};
use serde_json::{Value, from_str, from_value};

const CASES: &str = include_str!("../data/measures/cases.json");

/// What a measure of the library makes of a case's input.
fn found(function: &str, input: &Value) -> Option<f64> {
    let counts = || from_value::<Vec<u32>>(input.clone()).unwrap();
    let lists = || from_value::<Vec<Vec<u32>>>(input.clone()).unwrap();
    let bag = |counts: &Vec<u32>| {
        Bag::from_words(counts.iter().zip(0..).flat_map(|(count, word)| vec![word; *count as usize]).collect())
    };
    let bags = || lists().iter().map(bag).collect::<Vec<Bag>>();
    let lists_held = if function.contains("kendall") { lists() } else { Vec::new() };
    let rankings: Vec<&[u32]> = lists_held.iter().map(Vec::as_slice).collect();
    match function {
        "entropy_norm" => entropy_norm(&counts()),
        "effective_options" => effective_options(&counts()),
        "pair_agreement" => pair_agreement(&counts()),
        "gini" => gini(&counts().into_iter().map(u64::from).collect::<Vec<u64>>()),
        "vdeijk_a" => vdeijk_a(&counts()),
        "esteban_ray" => {
            let (positions, alpha) = from_value::<(Vec<u32>, f64)>(input.clone()).unwrap();
            esteban_ray(&positions, 1000, alpha)
        }
        "mean_kendall_tau" => mean_kendall_tau(&rankings),
        "kendall_w" => kendall_w(&rankings),
        "krippendorff_alpha" => {
            let (units, level) = from_value::<(Vec<Vec<u32>>, String)>(input.clone()).unwrap();
            let level = match level.as_str() {
                "nominal" => MeasurementLevel::Nominal,
                "ordinal" => MeasurementLevel::Ordinal,
                _ => MeasurementLevel::Interval,
            };
            krippendorff_alpha(&units, level)
        }
        "fleiss_kappa" => fleiss_kappa(&lists()),
        "similarity_pair" => similarity_pair(&bags()),
        "jaccard_pair" => jaccard_pair(&bags()),
        "jsd_speakers" => jsd_speakers(&bags()),
        "mattr" => {
            let mut text = Mattr::default();
            counts().into_iter().for_each(|word| text.add_word(word));
            text.value()
        }
        other => panic!("no measure {other}"),
    }
}

#[test]
fn every_measure_is_what_the_reference_packages_say_and_undefined_where_they_are() {
    let cases: Vec<Value> = from_str(CASES).unwrap();
    let mut seen: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for case in &cases {
        let function = case["function"].as_str().unwrap();
        let found = found(function, &case["input"]);
        let (defined, undefined) = seen.entry(function.to_owned()).or_default();
        match case["expected"].as_f64() {
            Some(expected) => {
                let found = found.unwrap_or_else(|| panic!("undefined: {case}"));
                assert!((found - expected).abs() <= 1e-9 * (1.0 + expected.abs()), "{found}: {case}");
                *defined += 1;
            }
            None => {
                assert_eq!(found, None, "{case}");
                *undefined += 1;
            }
        }
    }
    assert_eq!(seen.len(), 14, "{seen:?}");
    assert!(seen.values().all(|(defined, _)| *defined >= 3), "{seen:?}");
}
