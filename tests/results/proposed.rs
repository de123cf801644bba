//! What `compare` takes where nothing was announced, and what it says of columns that count in the units of items.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::repository;
use serde_json::Value;

/// Four replicates of a shipped config run without what it announces, in a folder of its own.
fn unannounced(place: &Path, name: &str) -> PathBuf {
    unannounced_with(place, name, &["--replicates", "4"])
}

fn unannounced_with(place: &Path, name: &str, more: &[&str]) -> PathBuf {
    let configs = repository().join("configs");
    for entry in fs::read_dir(&configs).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|extension| extension == "csv") {
            fs::copy(&file, place.join(file.file_name().unwrap())).unwrap();
        }
    }
    let written = fs::read_to_string(configs.join(format!("{name}.yaml"))).unwrap();
    let kept: Vec<&str> = written.lines().filter(|line| !line.starts_with("primary:")).collect();
    let config = place.join(format!("{name}.yaml"));
    let scenarios = format!("scenario: {}", repository().join("scenarios").display());
    fs::write(&config, kept.join("\n").replace("scenario: ../scenarios", &scenarios)).unwrap();
    let out = place.join(name);
    ekklesia(&[&["run", text(&config), "--out", text(&out)], more].concat()).says(0, &[]);
    out
}

/// What stands between two pieces.
fn word_of<'t>(told: &'t str, before: &str, behind: &str) -> &'t str {
    let rest = told.split(before).nth(1).unwrap_or_else(|| panic!("{before:?} is not said: {told}"));
    rest.split(behind).next().unwrap()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_is_compared_where_nothing_was_announced_has_numbers_and_is_told_to_be_exploratory() {
    let configs = [
        ("first", "carried"),
        // Hardly any jury is unanimous, so that hardly any is right or wrong in the baseline.
        ("jury", "carried"),
        ("hidden_profile", "correct"),
        ("estimation", "result_relative_error"),
        ("debate_qa", "correct"),
        ("conformity", "conformed"),
        ("rules", "correct"),
        ("justice-memory-by-rule", "carried"),
    ];
    for (name, first) in sample_cases(configs, 4) {
        let place = tempfile::tempdir().unwrap();
        let out = unannounced(place.path(), name);
        let told = ekklesia(&["compare", text(&out)]);
        told.says(0, &[name]);
        assert!(told.stdout.contains(&format!("({first})")), "{told:#?}");
        let words = told.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        let because = word_of(&words, "exploratory: ", " baseline: ");
        let taken = format!(
            "the config announces no primary comparison; {first} is the first of the usual outcomes that have numbers here; "
        );
        let others = because.strip_prefix(&taken).unwrap_or_else(|| panic!("{name}: {because}"));
        let named = others.strip_prefix("--metric takes another, as ").unwrap_or_default();
        assert!(!named.is_empty() || others == "no other has any", "{name}: {others}");
        let found: Value = serde_json::from_str(&ekklesia(&["compare", text(&out), "--json"]).stdout).unwrap();
        assert_eq!((&found["analysis"], &found["metric"]["name"]), (&"exploratory".into(), &first.into()));
        let metrics = named.split(", ").filter(|metric| !metric.is_empty()).chain([first]);
        for metric in sample_cases(metrics, 4) {
            ekklesia(&["compare", text(&out), "--metric", metric, "--by", "arm"]).says(0, &[metric]);
        }
        // The page compares by the same.
        ekklesia(&["report", text(&out)]).says(0, &[]);
        let page = fs::read_to_string(out.join("report.html")).unwrap();
        assert!(page.contains(&format!("the config announces no primary comparison; {first} is")), "{name}");
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn beside_nulls_what_is_compared_has_numbers_whether_or_not_there_are_polls() {
    let nulls = ["--replicates", "2", "--set", "design.nulls=[no_talk, random]"];
    for (name, first) in [("first", "straw_after_modal_share"), ("conformity", "conformed")] {
        let place = tempfile::tempdir().unwrap();
        let out = unannounced_with(place.path(), name, &nulls);
        ekklesia(&["compare", text(&out)]).says(0, &[&format!("({first})")]);
    }
}

#[test]
fn a_metric_without_numbers_is_refused_with_those_that_have_some() {
    let place = tempfile::tempdir().unwrap();
    let out = unannounced(place.path(), "estimation");
    let told = ekklesia(&["compare", text(&out), "--metric", "conformed"]);
    told.says(
        2,
        &["no session has a number of it; usual outcomes with numbers are result_relative_error, correct, carried"],
    );
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn squared_units_of_several_items_are_told_to_mean_nothing_together_and_the_relative_error_is_named() {
    let place = tempfile::tempdir().unwrap();
    let out = unannounced(place.path(), "estimation");
    assert_relative_errors(&out);
    let said = |metric: &str| {
        let told = ekklesia(&["compare", text(&out), "--metric", metric]);
        assert_eq!(told.code, Some(0), "{told:#?}");
        told.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let note = "note: items are counted in pounds, metres, days and 3 more units: a mean over them is in no unit";
    for metric in ["result_error", "straw_after_crowd_error", "amount", "result_value"] {
        let words = said(metric);
        assert!(words.contains(note) && words.contains("result_relative_error has no unit"), "{metric}: {words}");
        assert_eq!(words.matches("items are counted in").count(), 1 + words.matches("To be read with caution").count());
    }
    for metric in ["result_relative_error", "carried", "straw_shift_net"] {
        assert!(!said(metric).contains("items are counted in"), "{metric}");
    }
    let config = repository().join("configs/estimation.yaml");
    let primary = "primary={ metric: result_error, contrast: contact }";
    let told = ekklesia(&["check", text(&config), "--set", primary]);
    let words = told.says(0, &[]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("and a mean of result_error over them is in no unit; result_relative_error has none"),
        "{words}"
    );
    let told = ekklesia(&["check", text(&config)]);
    assert!(!told.says(0, &[]).stdout.contains("in no unit"), "{told:#?}");
    // One item alone is in one unit.
    let rows = fs::read_to_string(place.path().join("estimation-quantities.csv")).unwrap();
    fs::write(place.path().join("estimation-quantities.csv"), rows.lines().take(2).collect::<Vec<_>>().join("\n"))
        .unwrap();
    let (config, one) = (place.path().join("estimation.yaml"), place.path().join("one"));
    ekklesia(&["run", text(&config), "--out", text(&one), "--replicates", "3"]).says(0, &[]);
    let told = ekklesia(&["compare", text(&one), "--metric", "result_error"]);
    assert!(!told.says(0, &[]).stdout.contains("items are counted in"), "{told:#?}");
}

/// The relative error is the distance over what is right.
fn assert_relative_errors(out: &Path) {
    let mut table = csv::Reader::from_path(out.join("sessions.csv")).unwrap();
    let header = table.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|column| column == name).unwrap();
    let (mut seen, truths) = (0, [("ox", 1198.0), ("everest", 8849.0), ("bones", 206.0)]);
    for row in table.records() {
        let row = row.unwrap();
        let Some((_, truth)) = truths.iter().find(|(item, _)| row[at("item")] == **item) else { continue };
        let (amount, error): (f64, f64) =
            (row[at("amount")].parse().unwrap(), row[at("result_error")].parse().unwrap());
        assert_eq!(row[at("result_relative_error")], format!("{:.6}", (amount - truth).abs() / truth));
        assert!((error.sqrt() - (amount - truth).abs()).abs() < 1e-6);
        seen += 1;
    }
    assert_eq!(seen, 3 * 5 * 4);
    let why = ekklesia(&["why", &format!("{}:1:result_relative_error", text(&out.join("sessions.csv")))]);
    why.says(0, &["Adjourned", "amount"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn conformity_is_the_share_of_critical_trials_decided_for_what_confederates_say_and_told_on_how_many_items() {
    let place = tempfile::tempdir().unwrap();
    let out = unannounced(place.path(), "conformity");
    // Worked out from the file of trials: in the critical ones confederates say another line than the right one.
    let mut said = BTreeMap::new();
    for row in csv::Reader::from_path(place.path().join("conformity-trials.csv")).unwrap().records() {
        let row = row.unwrap();
        let letter = |line: &str| ["a", "b", "c"][row[2].split('|').position(|option| option == line).unwrap()];
        said.insert(row[0].to_owned(), (letter(&row[4]), row[3] != row[4]));
    }
    assert_eq!(said.values().filter(|(_, is_critical)| *is_critical).count(), 12);
    let mut table = csv::Reader::from_path(out.join("sessions.csv")).unwrap();
    let header = table.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|column| column == name).unwrap();
    let (mut shares, mut rows, mut neutral) = (BTreeMap::<String, (u32, u32)>::new(), Vec::new(), None);
    for row in table.records().map(Result::unwrap) {
        let (wrong, is_critical) = said[&row[at("item")]];
        if !is_critical {
            assert_eq!(&row[at("conformed")], "");
            neutral = Some(rows.len() + 1);
        } else {
            let follows = row[at("result")] == *wrong;
            assert_eq!(&row[at("conformed")], if follows { "1" } else { "0" }, "{row:?}");
            let share = shares.entry(row[at("arm")].to_owned()).or_default();
            *share = (share.0 + u32::from(follows), share.1 + 1);
        }
        rows.push(row);
    }
    let found: Value = serde_json::from_str(&ekklesia(&["compare", text(&out), "--json"]).stdout).unwrap();
    assert_eq!((&found["metric"]["name"], &found["items"]), (&"conformed".into(), &12.into()));
    assert_eq!(found["sessions"]["planned"], 12 * 4 * 4);
    for arm in found["compared"]["arms"].as_array().unwrap() {
        let (follow, of) = shares[arm["arm"].as_str().unwrap()];
        assert_eq!(of, 48);
        assert!((arm["mean"].as_f64().unwrap() - f64::from(follow) / f64::from(of)).abs() < 1e-9, "{arm}");
    }
    let told = ekklesia(&["compare", text(&out)]);
    let words = told.says(0, &[]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("only the others are critical trials; here 12 of 18 items sessions: 192 planned"),
        "{words}"
    );
    let row = rows.iter().position(|row| &row[at("conformed")] == "1").unwrap() + 1;
    let why = |row: usize| ekklesia(&["why", &format!("{}:{row}:conformed", text(&out.join("sessions.csv")))]);
    why(row).says(0, &["Adjourned", "wrong option"]);
    why(neutral.unwrap()).says(0, &["value    empty"]);
    let told = ekklesia(&["report", text(&out)]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("only the others are critical trials; here 12 of 18 items"));
    // In the arm "alone" no script speaks: no arm's rate is told in words that say one does.
    told.says(0, &[]);
    let words = "a wrong option that the item names for scripts";
    assert!(page.contains(words) && !page.contains("that scripts say"));
    let config = place.path().join("conformity.yaml");
    let summary = ekklesia(&["run", text(&config), "--out", text(&out), "--replicates", "4"]);
    let told = summary.says(0, &["in 12 critical"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains(words) && !told.contains("that scripts say"), "{summary:#?}");
    // Where no script says anything wrong, nobody can announce it.
    for (config, why) in [("debate_qa", "no item names a wrong option for scripts"), ("jury", "there are no items")] {
        let config = repository().join(format!("configs/{config}.yaml"));
        let told = ekklesia(&["check", text(&config), "--set", "primary={ metric: conformed }"]);
        told.says(2, &[why, "conformed would be empty in every session"]);
    }
}
