//! `why` on every column of every table: the explained value is the cell, and the records named suffice to recompute it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{Server, ekklesia, mixed, text};
use crate::fixtures::desk::copy::copy;
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{repository, write_config, write_justice};
use ekklesia::adapters::evidence::{Evidence, Explained, plan_lines};
use ekklesia::adapters::inputs::Inputs;
use ekklesia::adapters::results::ResultsFolder;
use ekklesia::adapters::tables::experiment_facts;
use ekklesia::metrics::{Layout, TableSpec, table_specs};
use ekklesia::plan::Planned;
use serde_json::Value;

mod oracle;

use oracle::oracle;

type Row = BTreeMap<String, String>;

/// Seats that are often unreadable, every kind of poll and vote, a test that excludes.
const FAULTY: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { name: Alice, mind: { random: { malformed: 0.4 } } }
  - { name: Bob, mind: { random: { malformed: 0.6 } } }
  - { name: Carol, mind: { justice: { risk_aversion: 1 } } }
  - { name: Dave, mind: { justice: { risk_aversion: { uniform: [0, 4] } } } }
straw_polls: [before, each_round, after]
discussion: { rounds: 3, order: volunteer, vote: every_round, proposals: true }
decision: { rule: plurality, of: valid, invalid: abstain, tie_break: lot }
controls: { recognition_probe: true }
replicates: 3
";

/// A seat that chooses its name, and seats of which one recognises what it took part in.
const NAMED: &str = "models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { name: self_chosen, mind: { scripted: { list: [{ called: Zoë }, { statement: \"I favour it.\" }, { choice: for }] } } }
  - name: Bob
    mind: { scripted: { table: [
      { phase: discussion, round: 1, step: statement, pass: true }, { phase: vote, round: 0, step: ballot, choice: for },
      { phase: session, round: 0, step: recognition, recognises: \"A meeting; of a town?\" } ] } }
controls: { recognition_probe: true }
discussion: { rounds: 1, order: fixed, vote: at_end }
";

/// Two questions, of which one has a right answer.
const QUIZ: &str = "\
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [ { count: 3 } ]
items: { file: items.csv, id: id, text: text, options: options, key: key }
decision: { rule: plurality, tie_break: lot }
discussion: { rounds: 2, proposals: true }
straw_polls: [before, after]
replicates: 2
";

/// Seats that propose, react and volunteer, by rule and at random.
const MARKED: &str = "\
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [ { count: 3, name: \"Rand {n}\", mind: { random: {} } }, { count: 3, name: \"Voter {n}\", mind: { voter: { copy: 0.5 } } } ]
panel: { waves: 2 }
discussion: { rounds: 6, order: volunteer, proposals: true, convergence: { threshold: 0.1 } }
replicates: 2
";

/// Seats on a ring that tell an opinion, and one that cannot be read now and then.
const OPINIONS: &str = "\
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [ { count: 3, name: \"Held {n}\", mind: { degroot: {} } }, { name: Rand, mind: { random: { malformed: 0.2 } } } ]
discussion: { rounds: 2, network: ring }
straw_polls: [before, each_round, after]
replicates: 2
";

/// One alternative, of which the amount alone is decided; somebody knows which is right.
const OX: &str = "\
scenario: ox
title: What an ox weighs
motion: { text: How heavy is the ox when dressed? }
alternatives: [{ name: weight, label: The weight of the dressed ox, takes_amount: true }]
amount: { unit: pounds, min: 200, max: 2000 }
truth: { amount: 1198 }
agenda:
  - { name: discussion, discussion: {} }
  - { name: vote, ballot: {} }
default_mind: { random: {} }
discussion: { rounds: 2, order: random, vote: at_end }
decision: { rule: median, of: valid, invalid: abstain, tie_break: lot }
";

/// Seats that name amounts, some so that nobody can read it.
const GUESSES: &str = "\
experiment: trial
scenario: scenario
seed: 42
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [ { count: 4, mind: { random: { malformed: 0.3 } } }, { name: Vera, mind: { voter: { copy: 0.5 } } } ]
straw_polls: [before, each_round, after]
replicates: 3
";

/// A config about an ox, whose prompts are those of the shipped motion.
fn write_ox(folder: &Path) -> PathBuf {
    let own = folder.join("scenario");
    copy(&repository().join("scenarios/motion/prompts/en"), &own.join("prompts/en"));
    fs::write(own.join("scenario.yaml"), OX).unwrap();
    fs::write(own.join("prompts/en/amount.j2"), "Name the {{ alternative.label }}, in {{ unit }}.").unwrap();
    let path = folder.join("config.yaml");
    fs::write(&path, GUESSES).unwrap();
    path
}

/// In every row the crowd's error is that of its members less their diversity, and not always the same.
fn assert_crowds(out: &Path, table: &str, prefixes: &[&str]) {
    for prefix in prefixes {
        let mut seen = BTreeSet::new();
        for row in filed_rows(&out.join(format!("{table}.csv"))) {
            let number = |name: &str| row[&format!("{prefix}_{name}")].parse::<f64>().ok();
            let Some(crowd) = number("crowd_error") else { continue };
            let gap = number("individual_mse").unwrap() - number("diversity").unwrap() - crowd;
            assert!(gap.abs() < 1e-5, "{prefix}: {row:?}");
            seen.insert(row[&format!("{prefix}_crowd_error")].clone());
        }
        assert!(seen.len() > 1, "{table}:{prefix}");
    }
}

/// A results folder of a config.
fn run(config: &Path, folder: &Path, more: &[&str]) {
    let out = folder.join("out");
    let told = ekklesia(&[&["run", text(config), "--out", text(&out)], more].concat());
    assert_eq!(told.code, Some(0), "{told:#?}");
}

/// A table's rows, session by session.
fn filed(out: &Path, spec: &TableSpec) -> BTreeMap<String, Vec<Row>> {
    let mut reader = csv::Reader::from_path(out.join(format!("{}.csv", spec.name))).unwrap();
    let mut sessions: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in reader.deserialize() {
        let row: Row = row.unwrap();
        sessions.entry(row["session"].clone()).or_default().push(row);
    }
    sessions
}

/// Explains every column of every table in some rows of every session; tells of which columns a value was seen.
fn walk(
    out: &Path,
    stride: usize,
    mut check: impl FnMut(&TableSpec, &str, &Row, &Explained, &Evidence),
) -> BTreeSet<String> {
    let experiment = Inputs::read_results(out).unwrap().resolve().unwrap().experiment;
    let (layout, arms) = experiment_facts(&experiment);
    let specs = table_specs(&layout);
    let folder = ResultsFolder::read_only(out);
    let tables: Vec<_> = specs.iter().map(|spec| filed(out, spec)).collect();
    let (mut seen, mut wrong) = (BTreeSet::new(), BTreeMap::new());
    for session in Planned::all(&experiment) {
        let arm = experiment.arms.iter().position(|plan| plan.arm == session.arm.arm).unwrap();
        let mut evidence = Evidence::read(&folder, &arms[arm], &session).unwrap();
        evidence.find_twins(&folder, &experiment);
        for (place, spec) in specs.iter().enumerate() {
            let folded = evidence.rows(&specs, place);
            let filed = tables[place].get(&session.name()).cloned().unwrap_or_default();
            assert_eq!(folded, filed, "{} of {}", spec.name, session.name());
            for row in filed.iter().step_by(stride) {
                for column in &spec.columns {
                    let explained = evidence.explain(spec.name, column, row).unwrap();
                    let told = explained.worked.value.as_deref().unwrap_or_default();
                    if told != row[&column.name] {
                        let cell = format!("{}:{}", spec.name, column.name);
                        wrong.entry(cell).or_insert_with(|| {
                            format!("{:?}, not {:?} of {row:?}", explained.worked, row[&column.name])
                        });
                        continue;
                    }
                    if !row[&column.name].is_empty() {
                        seen.insert(format!("{}:{}", spec.name, column.name));
                    }
                    check(spec, &column.name, row, &explained, &evidence);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    seen
}

/// What every explanation has: a value with steps that end in it, or a reason; and a record, a setting or a file behind it.
fn complete(out: &Path) -> impl FnMut(&TableSpec, &str, &Row, &Explained, &Evidence) {
    let mut settings: BTreeMap<Vec<String>, bool> = BTreeMap::new();
    move |spec, column, row, explained, _| {
        let cell = format!("{}:{column} of {row:?}: {explained:?}", spec.name);
        match &explained.worked.value {
            Ok(value) => {
                let last = explained.worked.steps.last().unwrap_or_else(|| panic!("no step: {cell}"));
                assert!(last.ends_with(value), "the last step does not end with the value: {cell}");
            }
            Err(reason) => {
                assert!(!reason.is_empty(), "no reason: {cell}");
                let is_code = ["event.", "given.", "at.", "usage."].iter().any(|path| reason.contains(path));
                assert!(!is_code, "a reason in the words of the file: {cell}");
            }
        }
        let has_setting = !explained.keys.is_empty()
            && *settings.entry(explained.keys.clone()).or_insert_with(|| !plan_lines(out, &explained.keys).is_empty());
        // A count of nothing names no record; the status comes from run.json.
        let is_nothing = explained.worked.value.as_deref().is_ok_and(|value| ["0", "0.000000"].contains(&value));
        let is_empty = explained.worked.value.is_err();
        let of_run = spec.name == "sessions" && ["status", "fault"].contains(&column);
        let of_item = column == "item";
        assert!(
            !explained.places.is_empty() || has_setting || is_nothing || is_empty || of_run || of_item,
            "nothing behind {cell}"
        );
    }
}

#[test]
fn every_column_says_where_it_comes_from() {
    for spec in table_specs(&Layout::default()) {
        for column in spec.columns {
            assert!(column.why.is_some(), "{}:{} does not", spec.name, column.name);
        }
    }
}

/// The columns seen where somebody knows which amount is right, and where the truth of a verdict is drawn.
fn estimates_and_verdicts() -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    run(&write_ox(folder.path()), folder.path(), &[]);
    let out = folder.path().join("out");
    let mut seen = walk(&out, 1, complete(&out));
    assert_crowds(&out, "rounds", &["stance", "straw", "ballot"]);
    assert_crowds(&out, "sessions", &["straw_before", "straw_after"]);
    let folder = tempfile::tempdir().unwrap();
    let jury = repository().join("configs/jury.yaml");
    run(&jury, folder.path(), &["--replicates", "1", "--set", "discussion.rounds=2"]);
    let out = folder.path().join("out");
    let of_jury = walk(&out, 2, complete(&out));
    for column in ["rounds:stance_correct_share", "rounds:flip_cw", "rounds:flip_wc_n", "rounds:ballot_group_correct"] {
        assert!(of_jury.contains(column), "{column}: {of_jury:?}");
    }
    seen.extend(of_jury);
    seen
}

/// What no run here brings about: tables written by hand cover it, or it has no value yet.
const NEVER: [&str; 18] = [
    "payoffs:panel",
    "counterfactuals:panel",
    "payoffs:wave",
    "counterfactuals:wave",
    "payoffs:item",
    "counterfactuals:item",
    "harvests:panel",
    "harvests:wave",
    "harvests:item",
    "sessions:fault",
    "statements:by",
    "statements:to",
    // `tests/minds/ballots.rs` walks these.
    "ballots:score",
    "ballots:chosen",
    "tallies:points",
    "tallies:condorcet_winner",
    "tallies:quorum_met",
    "tallies:tie_ballots",
];

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn every_cell_of_the_shipped_experiments_is_explained_by_its_records() {
    let mut seen = BTreeSet::new();
    let shipped = [
        ("justice", "1", 5),
        ("justice-rawls", "1", 5),
        ("first", "2", 1),
        ("justice-memory-by-rule", "1", 11),
        ("panel", "1", 3),
        ("hidden_profile", "1", 3),
        ("jury", "1", 5),
        ("commons", "1", 1),
        ("estimation", "1", 11),
        ("debate_qa", "1", 7),
        ("conformity", "1", 13),
    ];
    let sample = sample_cases(shipped, 4);
    let is_sample = sample.len() < shipped.len();
    for (config, replicates, stride) in sample {
        let folder = tempfile::tempdir().unwrap();
        run(&repository().join(format!("configs/{config}.yaml")), folder.path(), &["--replicates", replicates]);
        let out = folder.path().join("out");
        seen.extend(walk(&out, stride, complete(&out)));
    }
    let folder = tempfile::tempdir().unwrap();
    run(&write_justice(folder.path(), FAULTY), folder.path(), &["--set", "parameters.comprehension=excludes"]);
    let out = folder.path().join("out");
    seen.extend(walk(&out, 2, complete(&out)));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("items.csv"), "id,text,options,key\nq1,Which?,this|that,that\nq2,And now?,a|b|c,\n")
        .unwrap();
    run(&write_config(folder.path(), QUIZ), folder.path(), &[]);
    let out = folder.path().join("out");
    seen.extend(walk(&out, 1, complete(&out)));
    for body in [MARKED, NAMED, OPINIONS] {
        let folder = tempfile::tempdir().unwrap();
        run(&write_config(folder.path(), body), folder.path(), &[]);
        let out = folder.path().join("out");
        seen.extend(walk(&out, 1, complete(&out)));
    }
    seen.extend(estimates_and_verdicts());
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let looking = mixed(&server.base_url(), "random") + "memory: { look_up: true }\n";
    run(&write_config(folder.path(), &looking), folder.path(), &[]);
    let out = folder.path().join("out");
    seen.extend(walk(&out, 1, complete(&out)));
    // Only all of them have a value in every column.
    if is_sample {
        return;
    }
    let all = table_specs(&Layout::default());
    let unseen: Vec<String> = all
        .iter()
        .flat_map(|spec| spec.columns.iter().map(move |column| format!("{}:{}", spec.name, column.name)))
        .filter(|name| {
            !seen.contains(name) && !NEVER.iter().any(|known| name == known || name.ends_with(&format!(":{known}")))
        })
        .collect();
    assert_eq!(unseen, Vec::<String>::new(), "no cell of these was seen with a value");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn the_numbers_follow_from_the_named_records_and_nothing_else() {
    let server = Server::start();
    let mut known: BTreeMap<String, u32> = BTreeMap::new();
    let mixed = mixed(&server.base_url(), "random");
    for (write, body) in [(write_justice as fn(&Path, &str) -> PathBuf, FAULTY), (write_config, &mixed)] {
        let own = tempfile::tempdir().unwrap();
        run(&write(own.path(), body), own.path(), &[]);
        walk(&own.path().join("out"), 1, |spec, column, row, explained, evidence| {
            if !["sessions", "rounds", "seats", "tallies"].contains(&spec.name) {
                return;
            }
            let records: Vec<Value> =
                explained.places.iter().map(|place| serde_json::to_value(&evidence.records[*place]).unwrap()).collect();
            if let Some(value) = oracle(spec.name, column, row, &records, 4) {
                assert_eq!(value, row[column], "{}:{column} of {row:#?}", spec.name);
                *known.entry(format!("{}:{column}", spec.name)).or_default() += 1;
            }
        });
    }
    for column in [
        "rounds:straw_modal_share",
        "rounds:ballot_entropy_norm",
        "rounds:stance_pair_agreement",
        "rounds:n_switch",
        "tallies:margin",
        "seats:rank_footrule",
        "rounds:prompt_tokens",
        "seats:payoff_total_cents",
    ] {
        assert!(known.get(column).is_some_and(|n| *n > 1), "{column} was not recomputed: {known:?}");
    }
}

/// A small experiment whose seat Zoe is asked again now and then.
fn small() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    run(&repository().join("configs/first.yaml"), folder.path(), &["--replicates", "2"]);
    folder
}

#[test]
fn why_tells_value_formula_steps_records_and_words() {
    let folder = small();
    let table = folder.path().join("out/rounds.csv");
    let row = filed_rows(&table).iter().position(|row| !row["straw_modal_share"].is_empty()).unwrap() + 1;
    let told = ekklesia(&["why", &format!("{}:{row}:straw_modal_share", text(&table))]);
    told.says(
        0,
        &[
            "straw_modal_share",
            "max c / straw_n",
            "Step by step",
            "max c / n =",
            "5 records enter",
            "minutes.jsonl",
            "Polled alternative",
            "| ",
        ],
    );
    let long: Vec<&str> = told
        .stdout
        .lines()
        .filter(|line| line.chars().count() > 80 && line.trim().contains(' ') && !line.contains("/"))
        .collect();
    assert!(long.is_empty(), "{long:#?}");
    let json = ekklesia(&["why", &format!("{}:{row}:straw_modal_share", text(&table)), "--json"]);
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["records"].as_array().unwrap().len(), 5);
    assert_eq!(json["value"], Value::from(filed_rows(&table)[row - 1]["straw_modal_share"].clone()));
}

fn filed_rows(path: &Path) -> Vec<Row> {
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

#[test]
fn a_cell_that_is_wrongly_named_is_told_with_what_there_is() {
    let folder = small();
    let out = folder.path().join("out");
    let cell = |rest: &str| format!("{}/{rest}", text(&out));
    let cases = [
        ("sessions.csv:3", 2, "TABLE:ROW:COLUMN"),
        ("sessions.csv:3", 2, "straw_before_modal_share"),
        ("session.csv:1:status", 2, "did you mean \"sessions\"?"),
        ("rounds.csv:1:straw_modal_shar", 2, "did you mean \"straw_modal_share\"?"),
        ("rounds.csv:0:round", 2, "counted from 1"),
        ("rounds.csv:x:round", 2, "counted from 1"),
        ("sessions.csv:5:status", 2, "the table has 4 rows"),
        ("sessions:1:status", 0, "completed"),
        ("sessions.csv:2:outcome", 0, "Adjourned"),
        ("payoffs.csv:1:table", 2, "the table has 0 rows"),
    ];
    for (rest, code, words) in cases {
        ekklesia(&["why", &cell(rest)]).says(code, &[words]);
    }
    ekklesia(&["why", "rounds.csv:1:round"]).says(2, &["not the folder of an experiment"]);
}

#[test]
fn a_table_that_was_changed_is_told() {
    let folder = small();
    let path = folder.path().join("out/sessions.csv");
    let sound = fs::read_to_string(&path).unwrap();
    fs::write(&path, sound.replace("completed", "failed")).unwrap();
    ekklesia(&["why", &format!("{}:1:status", text(&path))]).says(3, &["CHANGED", "completed"]);
}

#[test]
fn minutes_that_are_not_those_recorded_are_refused() {
    let folder = small();
    let out = folder.path().join("out");
    let minutes = fs::read_dir(out.join("sessions")).unwrap().map(|entry| entry.unwrap().path().join("minutes.jsonl"));
    for path in minutes {
        let sound = fs::read_to_string(&path).unwrap();
        fs::write(&path, sound.replacen("\"raw\":\"", "\"raw\":\"x", 1)).unwrap();
    }
    ekklesia(&["why", &format!("{}:1:outcome", text(&out.join("sessions.csv")))])
        .says(3, &["changed since they were written"]);
}
