//! Where an amount alone is decided everybody chooses the only alternative: nulls are told by how many pairs name the same amount.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::fixtures::cli::{ekklesia, json_lines, run, text};
use crate::fixtures::trial::repository;
use serde_json::Value;

/// The share of pairs of seats that name the same amount in a poll, from the records alone.
fn alike(minutes: &Path, phase: &str) -> f64 {
    let records = json_lines(minutes);
    let polled = records.iter().filter(|record| record["at"]["phase"] == phase);
    let amounts: Vec<u64> =
        polled.filter_map(|record| record["event"]["Answered"]["values"]["amount"].as_u64()).collect();
    let mut counts = BTreeMap::<u64, usize>::new();
    amounts.iter().for_each(|amount| *counts.entry(*amount).or_default() += 1);
    let pairs: usize = counts.values().map(|count| count * (count - 1)).sum();
    pairs as f64 / (amounts.len() * (amounts.len() - 1)) as f64
}

#[test]
fn agreement_on_an_amount_alone_is_of_amounts() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (place.path().join("config.yaml"), place.path().join("out"));
    let body = "seed: 7\nreplicates: 8\nmodels: { sim: { simulated: {} } }\nseat_defaults: { model: sim, mind: { hegselmann_krause: { confidence: 0.3 } } }\n\
        seats: [{ count: 5 }]\ndiscussion: { rounds: 3 }\nstraw_polls: [before, after]\nparameters: { question: How many? }\n\
        design: { nulls: [self_revision, { friedkin_johnsen: { stubbornness: 0 } }] }\n";
    let scenario = repository().join("scenarios/estimation");
    fs::write(&config, format!("experiment: t\nscenario: {}\n{body}", scenario.display())).unwrap();
    run(&config, &out, &[]).says(0, &[]);
    let told: Value =
        serde_json::from_str(&ekklesia(&["compare", text(&out), "--metric", "amount", "--json"]).says(0, &[]).stdout)
            .unwrap();
    let agreement = &told["nulls"][0];
    assert_eq!((&agreement["name"], &agreement["column"]), (&"agreement".into(), &"straw_pair_agreement_exact".into()));
    let mean = |arm: &str| {
        let change = |replicate| {
            let minutes = out.join(format!("sessions/{arm}-r{replicate:06}/minutes.jsonl"));
            alike(&minutes, "straw_after") - alike(&minutes, "straw_before")
        };
        (1..=8).map(change).sum::<f64>() / 8.0
    };
    let rows = agreement["nulls"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        let (arm, null) = (row["arm"].as_str().unwrap(), row["null"].as_str().unwrap());
        assert!((row["of_arm"].as_f64().unwrap() - mean(arm)).abs() < 1e-5, "{row}");
        assert!((row["of_null"].as_f64().unwrap() - mean(null)).abs() < 1e-5, "{row}");
    }
    assert!(mean("baseline") > 0.1, "the seats of the arm come to name the same amounts");
}
