//! Folders of an earlier format: their tables can be compared and reported, marked as unverified, and every other command names the
//! version that reads the minutes.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use ekklesia::domain::FORMAT_VERSION;
use serde_json::Value;

use crate::fixtures::cli::{contents, ekklesia, everything, run, text};
use crate::fixtures::trial::write_config;

const BODY: &str = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.5 } } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }]
straw_polls: [before]
discussion: { rounds: 2 }
design: { factors: { rule: { key: decision.rule, levels: [unanimity, plurality] } } }
primary: { metric: carried }
replicates: 6
";

/// What tells the version that wrote the minutes.
const WROTE: &str = concat!("version ", env!("CARGO_PKG_VERSION"), " wrote them");

/// A folder as an earlier version left it: with the number and the grammar of another format, with another order of columns, one that is
/// gone since, and one less than there is now.
fn age(out: &Path) {
    for session in fs::read_dir(out.join("sessions")).unwrap().map(|session| session.unwrap().path()) {
        let minutes = fs::read_to_string(session.join("minutes.jsonl")).unwrap();
        let minutes = minutes
            .replacen(&format!("\"format\":{FORMAT_VERSION}"), "\"format\":6", 1)
            .replace("{\"Answered\":{\"values\":", "{\"Spoken\":{\"reply\":");
        assert!(minutes.contains("Spoken"));
        fs::write(session.join("minutes.jsonl"), &minutes).unwrap();
        let path = session.join("run.json");
        let mut run: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        run["minutes_digest"] = format!("b3:{}", blake3::hash(minutes.as_bytes()).to_hex()).into();
        run["minutes_bytes"] = minutes.len().into();
        fs::write(path, serde_json::to_vec_pretty(&run).unwrap()).unwrap();
    }
    let path = out.join("sessions.csv");
    let mut table = csv::Reader::from_path(&path).unwrap();
    let header = table.headers().unwrap().clone();
    let place = |name: &str| header.iter().position(|column| column == name).unwrap();
    let (gone, digest) = (place("speaking_gini"), place("plan_digest"));
    let mut aged = csv::Writer::from_writer(Vec::new());
    let mut write = |row: &csv::StringRecord, old: &str, plan: &str| {
        let cells = row.iter().enumerate().filter(|(at, _)| *at != gone);
        let mut cells: Vec<&str> = cells.map(|(at, cell)| if at == digest { plan } else { cell }).collect();
        cells.insert(9, old);
        aged.write_record(cells).unwrap();
    };
    write(&header, "of_old", "plan_digest");
    for row in table.records() {
        write(&row.unwrap(), "7", "b3:0123");
    }
    fs::write(path, aged.into_inner().unwrap()).unwrap();
}

fn aged(place: &Path) -> (PathBuf, PathBuf) {
    let (config, out) = (write_config(place, BODY), place.join("out"));
    run(&config, &out, &[]).says(0, &[]);
    age(&out);
    (config, out)
}

#[test]
fn tables_of_an_earlier_format_are_compared_and_reported_and_marked_as_unverified() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = aged(place.path());
    let new = place.path().join("new");
    run(&config, &new, &[]).says(0, &[]);
    let before = everything(&out);
    let compare = |folder: &Path, more: &[&str]| ekklesia(&[&["compare", text(folder), "--json"], more].concat());
    let (old, now) = (compare(&out, &[]), compare(&new, &[]));
    old.says(0, &["the tables are unverified", "the minutes have format 6", WROTE]);
    now.says(0, &[]);
    let [old, now] = [old, now].map(|told| serde_json::from_str::<Value>(&told.stdout).unwrap());
    assert_eq!(old["compared"], now["compared"], "the numbers are those of the tables");
    assert!(old["exploratory_because"].to_string().contains("unverified"), "{old}");
    assert!(!now.to_string().contains("unverified"));
    compare(&out, &["--metric", "speaking_gini"]).says(2, &["no column speaking_gini"]);
    let page = place.path().join("page.html");
    ekklesia(&["report", text(&out), "--out", text(&page)]).says(0, &["format 6", WROTE]);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("The comparison is exploratory: ") && page.contains("the tables are unverified"));
    let wide = place.path().join("wide.csv");
    ekklesia(&["export", text(&out), "--wide", "seat", "--out", text(&wide)]).says(0, &["unverified", WROTE]);
    assert_eq!(everything(&out), before);
    // A table that an editor changed is still no table of this plan.
    let edited =
        fs::read_to_string(out.join("sessions.csv")).unwrap().replacen("unanimity-r000002", "unanimity-r000009", 1);
    fs::write(out.join("sessions.csv"), edited).unwrap();
    compare(&out, &[]).says(2, &["line 3", "unanimity-r000009"]);
}

#[test]
fn every_other_command_names_the_version_that_reads_the_minutes() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = aged(place.path());
    let before = contents(&out);
    let change = place.path().join("change.yaml");
    fs::write(&change, "at: { seat: Bob, phase: discussion, round: 1 }\nsilent: true\n").unwrap();
    let session = out.join("sessions/unanimity-r000002");
    let (made, cell) = (place.path().join("made"), format!("{}/sessions.csv:2:carried", text(&out)));
    let commands: [&[&str]; 12] = [
        &["run", text(&out)],
        &["run", text(&config), "--out", text(&out), "--replicates", "8"],
        &["replay", text(&out)],
        &["replay", text(&session)],
        &["show", text(&session)],
        &["context", text(&session), "--seat", "Bob"],
        &["why", &cell],
        &["search", text(&out), "favour"],
        &["retally", text(&out)],
        &["fork", text(&session), "--change", text(&change), "--out", text(&made)],
        &["export", text(&out), "--format", "bundle", "--without-program", "--out", text(&made)],
        &["export", text(&out), "--format", "preflib", "--out", text(&made)],
    ];
    for command in commands {
        ekklesia(command).says(3, &["the minutes have format 6", WROTE, "that"]);
        assert!(!made.exists(), "{command:?}");
    }
    assert_eq!(contents(&out), before);
}
