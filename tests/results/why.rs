//! `why` on every column of every table: the records it names suffice to compute the cell again.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{Server, ekklesia, mixed, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{repository, write_agenda, write_config, write_justice};
use crate::oracle::{check_cells, knows_column};
use ekklesia::analysis::{ColumnLayout, table_specs};
use serde_json::Value;

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
  - { name: vote, vote: {} }
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

fn write_ox(folder: &Path) -> PathBuf {
    let own = folder.join("scenario");
    fs::create_dir_all(own.join("prompts/en")).unwrap();
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

fn run(config: &Path, folder: &Path, more: &[&str]) {
    let out = folder.join("out");
    let told = ekklesia(&[&["run", text(config), "--out", text(&out)], more].concat());
    assert_eq!(told.code, Some(0), "{told:#?}");
}

#[test]
fn the_oracle_computes_every_column() {
    let layout = ColumnLayout { alternatives: vec!["floor".to_owned()], ..ColumnLayout::default() };
    let [factors, traits, attributes, ranked] = ["tone", "risk", "age", "floor"].map(|name| vec![name.to_owned()]);
    for spec in table_specs(&ColumnLayout { factors, traits, attributes, ranked, ..layout }) {
        for column in spec.columns {
            assert!(knows_column(spec.name, &column), "{}:{}", spec.name, column.name);
        }
    }
}

/// The columns seen where somebody knows which amount is right, and where the truth of a verdict is drawn.
fn estimates_and_verdicts() -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    run(&write_ox(folder.path()), folder.path(), &[]);
    let out = folder.path().join("out");
    let mut seen = check_cells(&out, 1);
    assert_crowds(&out, "rounds", &["stance", "straw", "ballot"]);
    assert_crowds(&out, "sessions", &["straw_before", "straw_after"]);
    let folder = tempfile::tempdir().unwrap();
    let jury = repository().join("configs/jury.yaml");
    run(&jury, folder.path(), &["--replicates", "1", "--set", "discussion.rounds=2"]);
    let out = folder.path().join("out");
    let of_jury = check_cells(&out, 2);
    for column in ["rounds:stance_correct_share", "rounds:flip_cw", "rounds:flip_wc_n", "rounds:ballot_group_correct"] {
        assert!(of_jury.contains(column), "{column}: {of_jury:?}");
    }
    seen.extend(of_jury);
    seen
}

/// What no run here brings about: tables written by hand cover it, or it has no value yet.
const NEVER: [&str; 17] = [
    "payoffs:panel",
    "counterfactuals:panel",
    "payoffs:wave",
    "counterfactuals:wave",
    "payoffs:item",
    "counterfactuals:item",
    "sessions:fault",
    "statements:by",
    "statements:to",
    // `tests/engine/blocks.rs` sees it in every table.
    "pass",
    // `tests/engine/groups.rs` sees it in every table.
    "group",
    // `tests/minds/ballots.rs` sees these.
    "ballots:score",
    "ballots:chosen",
    "tallies:points",
    "tallies:condorcet_winner",
    "tallies:quorum_met",
    "tallies:tie_ballots",
];

/// An agenda with roles for a while and values of seats.
const ASSIGNED: &str = "agenda:
  - { name: cast, assign: { part: { roles: { chief: 1, staff: rest }, by: lot } } }
  - { name: shares, compute: { seat.half: \"seat.index / 2\" } }
  - { name: vote, vote: {} }
";

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
        ("commons", "1", 9),
        ("estimation", "1", 11),
        ("debate_qa", "1", 7),
        ("conformity", "1", 13),
    ];
    let sample = sample_cases(shipped, 6);
    let is_sample = sample.len() < shipped.len();
    for (config, replicates, stride) in sample {
        let folder = tempfile::tempdir().unwrap();
        run(&repository().join(format!("configs/{config}.yaml")), folder.path(), &["--replicates", replicates]);
        let out = folder.path().join("out");
        seen.extend(check_cells(&out, stride));
    }
    let folder = tempfile::tempdir().unwrap();
    run(&write_justice(folder.path(), FAULTY), folder.path(), &["--set", "parameters.comprehension=excludes"]);
    let out = folder.path().join("out");
    seen.extend(check_cells(&out, 2));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("items.csv"), "id,text,options,key\nq1,Which?,this|that,that\nq2,And now?,a|b|c,\n")
        .unwrap();
    run(&write_config(folder.path(), QUIZ), folder.path(), &[]);
    let out = folder.path().join("out");
    seen.extend(check_cells(&out, 1));
    for body in [MARKED, NAMED, OPINIONS] {
        let folder = tempfile::tempdir().unwrap();
        run(&write_config(folder.path(), body), folder.path(), &[]);
        let out = folder.path().join("out");
        seen.extend(check_cells(&out, 1));
    }
    for more in ["panel: { waves: 2 }\n", "items: { file: items.csv, id: id, text: text }\n"] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("items.csv"), "id,text\nq1,Which?\n").unwrap();
        run(&write_agenda(folder.path(), ASSIGNED, more), folder.path(), &[]);
        seen.extend(check_cells(&folder.path().join("out"), 1));
    }
    seen.extend(estimates_and_verdicts());
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let looking = mixed(&server.base_url(), "random") + "memory: { look_up: true }\n";
    run(&write_config(folder.path(), &looking), folder.path(), &[]);
    let out = folder.path().join("out");
    seen.extend(check_cells(&out, 1));
    // Only all of them have a value in every column.
    if is_sample {
        return;
    }
    let all = table_specs(&ColumnLayout::default());
    let unseen: Vec<String> = all
        .iter()
        .flat_map(|spec| spec.columns.iter().map(move |column| format!("{}:{}", spec.name, column.name)))
        // `tests/engine/` sees these tables.
        .filter(|name| {
            !["values:", "texts:"].iter().any(|table| name.starts_with(table))
                && !seen.contains(name)
                && !NEVER.iter().any(|known| name == known || name.ends_with(&format!(":{known}")))
        })
        .collect();
    assert_eq!(unseen, Vec::<String>::new(), "no cell of these was seen with a value");
}

/// A small experiment whose seat Zoe is asked again now and then.
fn small() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    run(&repository().join("configs/first.yaml"), folder.path(), &["--replicates", "2"]);
    folder
}

#[test]
fn why_shows_value_formula_records_and_words() {
    let folder = small();
    let table = folder.path().join("out/rounds.csv");
    let row = filed_rows(&table).iter().position(|row| !row["straw_modal_share"].is_empty()).unwrap() + 1;
    let told = ekklesia(&["why", &format!("{}:{row}:straw_modal_share", text(&table))]);
    told.tells(&[
        "straw_modal_share",
        "max c / straw_n",
        "5 records enter",
        "minutes.jsonl",
        "in the straw poll · shown in the order ",
        "| ",
    ]);
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

/// A computed value follows from what its expression is said to have read, and each answer among it is in the record that is named.
#[test]
fn why_shows_what_an_expression_read_and_the_records_that_set_it() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let config = repository().join("configs/public_goods.yaml");
    ekklesia(&["run", text(&config), "--set", "replicates=1", "--out", text(&out)]).says(0, &[]);
    let values = filed_rows(&out.join("values.csv"));
    let variables = filed_rows(&out.join("variables.csv"));
    let of_gross = variables.iter().enumerate().filter(|(_, row)| row["name"] == "gross");
    for (row, variable) in of_gross.step_by(37) {
        let told = ekklesia(&["why", &format!("{}:{}:value", text(&out.join("variables.csv")), row + 1), "--json"]);
        let told: Value = serde_json::from_str(&told.stdout).unwrap();
        let read = |name: &str| told["reads"].as_array().unwrap().iter().find(|read| read["name"] == name);
        let number = |read: &Value| read["value"].as_str().unwrap().parse::<f64>().unwrap_or(0.0);
        let in_pass = |row: &&Row| ["session", "pass", "group"].iter().all(|key| row[*key] == variable[*key]);
        let given: Vec<&Row> = values.iter().filter(|row| row["field"] == "c").filter(in_pass).collect();
        assert_eq!(given.len(), 4);
        let mut all = 0.0;
        for answer in given {
            let read = read(&format!("{}: c", answer["seat"])).unwrap();
            all += number(read);
            if answer["status"] == "valid" {
                assert_eq!(
                    (&read["records"][0], number(read)),
                    (&answer["seq"].parse().unwrap(), answer["value"].parse().unwrap())
                );
            }
        }
        let own = number(read(&format!("{}: c", variable["seat"])).unwrap());
        let of_plan = |name: &str| number(read(&format!("parameters.{name}")).unwrap());
        let gross = of_plan("endowment") - own + of_plan("mpcr") * all;
        assert!((gross - variable["value"].parse::<f64>().unwrap()).abs() < 1e-6, "{told}");
    }
    let payoffs = format!("{}:1:payoff", text(&out.join("payoffs.csv")));
    ekklesia(&["why", &payoffs]).says(0, &["What the expression read", "net in all passes = ", "(records "]);
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
