//! What the terminal prints fits into 80 columns, but for what cannot be broken: commands to type, paths, and words as they came.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use crate::fixtures::cli::{ekklesia, text};
use crate::fixtures::sample::sample_cases;
use unicode_width::UnicodeWidthStr;

const COLUMNS: usize = 80;
const SHIPPED: [&str; 4] = ["first", "justice", "justice-memory-by-rule", "justice-rawls"];

/// The lines that are too wide, each behind the command that printed it.
fn wide(command: &[&str], printed: &str) -> Vec<String> {
    let is_whole = |line: &str| {
        let is_command = line.contains(" ekklesia ");
        let is_quoted = line.trim_start().starts_with("| ");
        let is_one_word = line.trim().split(' ').any(|word| word.width() + 20 > COLUMNS);
        is_command || is_quoted || is_one_word
    };
    let wide = printed.lines().filter(|line| line.width() > COLUMNS && !is_whole(line));
    wide.map(|line| format!("{}: {line}", command.join(" "))).collect()
}

#[track_caller]
fn assert_narrow(wide: &[String]) {
    assert!(wide.is_empty(), "\n{}\n", wide.join("\n"));
}

#[test]
fn a_line_that_can_be_broken_is_seen_to_be_too_wide() {
    assert_eq!(wide(&["run"], &"word ".repeat(17)).len(), 1);
    assert!(wide(&["run"], &"word ".repeat(16)[..80]).is_empty());
}

#[test]
fn every_help_fits_and_shows_an_example() {
    let help = ekklesia(&["--help"]).stdout;
    let verbs = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let verbs: Vec<&str> =
        verbs.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(verbs.contains(&"run") && verbs.contains(&"completions"), "{verbs:?}");
    let mut commands: Vec<Vec<&str>> =
        verbs.into_iter().filter(|verb| *verb != "help").map(|verb| vec![verb]).collect();
    commands.extend([vec![], vec!["import", "rawls"]]);
    let mut found = Vec::new();
    for command in commands {
        for form in ["-h", "--help"] {
            let command = [&command[..], &[form]].concat();
            let told = ekklesia(&command);
            told.says(0, &["Usage: ekklesia", "Example"]);
            let lines = told.stdout.lines().filter(|line| line.width() > COLUMNS);
            found.extend(lines.map(|line| format!("{}: {line}", command.join(" "))));
        }
    }
    assert_narrow(&found);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_is_told_before_a_run_fits() {
    let mut found = Vec::new();
    for config in SHIPPED.iter().chain(&["first-local-model", "justice-local-model"]) {
        let path = format!("configs/{config}.yaml");
        let check = ["check", &path];
        found.extend(wide(&check, &ekklesia(&check).says(0, &["forecast"]).stdout));
        let has_alice = fs::read_to_string(&path).unwrap().contains("name: Alice");
        let seat = if has_alice { "Alice:ballot" } else { "Member 1:ballot" };
        let show = ["check", &path, "--show", seat];
        let told = ekklesia(&show);
        // What follows are the messages as they would be sent.
        let head = told.says(0, &["--- "]).stdout.split("\n---").next().unwrap();
        found.extend(wide(&show, head));
    }
    assert_narrow(&found);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn what_is_told_after_a_run_fits() {
    let place = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    for config in SHIPPED {
        let (path, out) = (format!("configs/{config}.yaml"), place.path().join(config));
        let pilot = place.path().join(format!("{config}-pilot"));
        let out = text(&out);
        let mut tell = |command: &[&str]| found.extend(wide(command, &ekklesia(command).says(0, &[]).stdout));
        tell(&["run", &path, "--replicates", "3", "--out", out]);
        tell(&["run", &path, "--pilot", "1", "--out", text(&pilot)]);
        if config == "justice-memory-by-rule" {
            tell(&["compare", out]);
            tell(&["compare", out, "--metric", "rounds_used", "--by", "arm"]);
        }
        if config == "first" || config == "justice" {
            let tables = ["sessions", "rounds", "seats", "ballots"].iter();
            for cell in sample_cases(tables.flat_map(|table| cells(Path::new(out), table)), 12) {
                tell(&["why", &cell]);
            }
        }
    }
    assert_narrow(&found);
}

fn cells(folder: &Path, table: &str) -> Vec<String> {
    let table = folder.join(format!("{table}.csv"));
    let written = fs::read_to_string(&table).unwrap();
    let columns = written.lines().next().unwrap().split(',');
    columns.map(|column| format!("{}:2:{column}", table.display())).collect()
}

#[test]
fn names_that_are_offered_fit() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("first");
    ekklesia(&["run", "configs/first.yaml", "--replicates", "2", "--out", text(&out)]).says(0, &[]);
    let cell = format!("{}:1:straw", out.join("rounds.csv").display());
    for command in [vec!["why", &cell], vec!["compare", text(&out), "--metric", "nonsense"]] {
        let told = ekklesia(&command);
        told.says(2, &["speaking_gini"]);
        // The first line holds a path.
        let lines: Vec<&str> = told.stderr.lines().skip(1).collect();
        assert!(lines.len() > 4, "{told:?}");
        assert_narrow(&wide(&command, &lines.join("\n")));
    }
}
