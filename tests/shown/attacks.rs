//! Texts that would act where they are shown are shown as text by every command, and stand in the tables as they were said.
//!
//! The texts are in `tests/data/attacks.json`; whoever finds another one adds it there.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use ekklesia::text::acts_unseen;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthChar;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::repository;

/// The most characters in a row that take no room.
fn piled(text: &str) -> usize {
    text.split(|c: char| c.width() != Some(0)).map(|run| run.chars().count()).max().unwrap_or(0)
}

/// A line break or tab is no attack, where each line is taken for itself.
fn acts(c: char) -> bool {
    acts_unseen(c) && c != '\n' && c != '\t'
}

/// The attacks, by what they are.
fn attacks() -> Vec<(String, String)> {
    let told = fs::read_to_string(repository().join("tests/data/attacks.json")).unwrap();
    let told: Vec<Value> = serde_json::from_str(&told).unwrap();
    let word = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    let mut all: Vec<(String, String)> = told.iter().map(|one| (word(one, "name"), word(one, "text"))).collect();
    all.push(("a text without a space".to_owned(), "W".repeat(100_000)));
    all.push(("thousands of accents on a letter".to_owned(), format!("Z{}algo", "\u{351}\u{300}".repeat(5_000))));
    all.push(("thousands of control characters".to_owned(), "\u{1b}]0;x\u{7}".repeat(5_000) + "\u{202e}"));
    all.push(("many lines".to_owned(), (0..3_000).map(|line| format!("line {line}\n")).collect::<String>() + "end"));
    all
}

/// JSON in which every other letter than those of ASCII is an escape, as a config takes it.
fn ascii(config: &Value) -> String {
    let written = |unit: u16| match u8::try_from(unit) {
        Ok(byte @ b' '..=b'~') => char::from(byte).to_string(),
        _ => format!("\\u{unit:04x}"),
    };
    config.to_string().encode_utf16().map(written).collect()
}

/// Runs a session of two seats that say all of it, one after another, on a motion that is an attack itself.
fn ran(place: &Path, texts: &[(String, String)]) -> PathBuf {
    let said = |own: usize| {
        let own = texts.iter().skip(own).step_by(2);
        let mut list: Vec<Value> = own.map(|(_, text)| json!({ "statement": text, "stance": "for" })).collect();
        list.push(json!({ "choice": "for" }));
        list
    };
    let seats = ["שרה", "漢字 O'Neil"].iter().zip([said(0), said(1)]);
    let config = json!({
        "experiment": "attacked",
        "about": { "title": "<svg onload=alert(9)> \u{1b}[31m {{ x }} \u{202e}" },
        "scenario": repository().join("scenarios/motion"),
        "parameters": { "motion": "Ban <script>alert(3)</script> & \"quotes\" \u{202e}now?" },
        "seed": 7,
        "replicates": 1,
        "models": { "sim": { "simulated": {} } },
        "seat_defaults": { "model": "sim" },
        "seats": seats.map(|(name, list)| json!({ "name": name, "mind": { "scripted": { "list": list } } })).collect::<Vec<Value>>(),
        "discussion": { "rounds": texts.len() / 2, "order": "fixed", "vote": "at_end" },
        "decision": { "rule": "majority" },
    });
    let path = place.join("config.yaml");
    fs::write(&path, ascii(&config)).unwrap();
    let out = place.join("results");
    let told = ekklesia(&["run", text(&path), "--out", text(&out), "--follow"]);
    told.says(0, &[]);
    assert!(!told.stderr.chars().any(acts) && !told.stdout.chars().any(acts));
    out
}

/// Every cell of a folder's tables, with where it stands.
fn cells(folder: &Path) -> Vec<(String, String)> {
    let mut names: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|end| end == "csv"));
    names.sort();
    let mut all = Vec::new();
    for path in names {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let mut table = csv::ReaderBuilder::new().has_headers(false).from_path(&path).unwrap();
        for (row, cells) in table.records().map(Result::unwrap).enumerate() {
            all.extend(cells.iter().enumerate().map(|(at, cell)| (format!("{name}:{row}:{at}"), cell.to_owned())));
        }
    }
    all
}

#[test]
fn tables_for_a_spreadsheet_hold_no_formula_and_every_number_as_it_was() {
    let mut texts = attacks();
    texts.retain(|(name, _)| name.starts_with("formula"));
    assert_eq!(texts.len(), 6);
    let dir = tempfile::tempdir().unwrap();
    let out = ran(dir.path(), &texts);
    let safe = dir.path().join("results-csv-safe");
    ekklesia(&["export", text(&out), "--format", "csv-safe"]).says(0, &["results-csv-safe", "tables"]);
    let (own, safe) = (cells(&out), cells(&safe));
    assert_eq!(own.len(), safe.len());
    let mut prefixed = 0;
    for ((place, own), (at, safe)) in own.iter().zip(&safe) {
        assert_eq!(place, at);
        let is_number = own.parse::<f64>().is_ok() && !own.starts_with('+');
        match own.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}']) && !is_number {
            true => assert_eq!(*safe, format!("'{own}"), "{place}"),
            false => assert_eq!(safe, own, "{place}"),
        }
        prefixed += usize::from(safe != own);
    }
    assert!(prefixed >= texts.len(), "{prefixed}");
    for (name, said) in &texts {
        assert!(own.iter().any(|(_, cell)| cell == said), "{name} is changed in the tables");
    }
    ekklesia(&["export", text(&out), "--format", "csv-safe"]).says(2, &["is there already"]);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn no_command_lets_a_text_act_and_the_tables_have_it_as_it_was_said() {
    let texts = attacks();
    assert_eq!(texts.len() % 2, 0, "each seat says as many");
    let dir = tempfile::tempdir().unwrap();
    let out = ran(dir.path(), &texts);
    let session = out.join("sessions/baseline-r000001");
    let mut table = csv::Reader::from_path(out.join("statements.csv")).unwrap();
    let header = table.headers().unwrap().clone();
    let place = |name: &str| header.iter().position(|one| one == name).unwrap();
    let (kind, words) = (place("kind"), place("text"));
    let rows = table.records().map(Result::unwrap).filter(|row| &row[kind] == "statement");
    let said: Vec<String> = rows.map(|row| row[words].to_owned()).collect();
    for ((name, text), said) in texts.iter().zip(&said) {
        assert!(text == said, "{name} is changed in the table");
    }
    assert_eq!(said.len(), texts.len());
    let cell = |row: usize| format!("{}:{row}:text", out.join("statements.csv").display());
    let cells: Vec<String> = (1..=texts.len()).map(cell).collect();
    let mut commands = vec![
        vec!["show", text(&session)],
        vec!["context", text(&session), "--seat", "שרה"],
        vec!["search", text(&out), "alert"],
        vec!["search", text(&out), "\u{1b}[31m"],
        vec!["replay", text(&out)],
        vec!["retally", text(&out)],
        vec!["check", text(&out)],
    ];
    commands.extend(sample_cases(&cells, 6).into_iter().map(|cell| vec!["why", cell]));
    for command in commands {
        let told = ekklesia(&command);
        let shown = told.stdout.clone() + &told.stderr;
        assert!(!shown.is_empty(), "{command:?}");
        if let Some(acting) = shown.chars().find(|c| acts(*c)) {
            panic!("{command:?} prints {acting:?}");
        }
        assert!(piled(&shown) <= 30, "{command:?} prints a pile of accents");
    }
    let page = dir.path().join("page.html");
    ekklesia(&["report", text(&out), "--out", text(&page)]).says(0, &[]);
    let page = fs::read_to_string(page).unwrap();
    assert_eq!(page.chars().find(|c| acts(*c)), None);
    assert!(piled(&page) <= 30, "a pile of accents is on the page");
    assert!(page.matches("class=\"mark\"").count() < 2_000, "too many elements");
    for element in ["<svg/", "<svg onload", "<img", "<plaintext", "<a href=j", "</textarea", "<details open><summary>x"]
    {
        assert!(!page.contains(element), "{element} is an element of the page");
    }
}
