//! `run --follow` shows the talk as it is minuted, on stderr, and changes nothing.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use crate::fixtures::cli::{self, Server, assert_same, ekklesia, json_lines, mixed, statement_of, text, values_at};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{self, hostile, write_config};
use unicode_width::UnicodeWidthStr;

/// Carol's second words are a line of many columns.
fn body(replicates: u32) -> String {
    hostile("{ name: 田中, mind: { voter: { copy: 0.5 } } }", &"x".repeat(50_000), replicates)
}

/// The lines that a run tells while it goes on: between what it says at its start and at its end.
fn followed(told: &cli::Told) -> Vec<&str> {
    let lines = told.stderr.lines();
    lines.filter(|line| !line.contains("results in") && !line.contains("complete already")).collect()
}

/// What of a run's lines is about one session.
fn of<'l>(lines: &[&'l str], session: &str) -> Vec<&'l str> {
    lines.iter().copied().filter(|line| line.starts_with(session)).collect()
}

#[test]
fn what_is_said_is_shown_inert_within_the_terminal_and_the_folder_is_that_of_a_run_nobody_follows() {
    let dir = tempfile::tempdir().unwrap();
    let config = write_config(dir.path(), &body(1));
    let (quiet, loud) = (dir.path().join("quiet"), dir.path().join("loud"));
    let silent = ekklesia(&["run", text(&config), "--out", text(&quiet), "--json"]);
    let told = ekklesia(&["run", text(&config), "--out", text(&loud), "--follow", "--json"]);
    told.tells(&[
        "── discussion",
        "── round 2 · speaking order",
        "#1.",
        "favours “For the motion”",
        "passes",
        "── carried: “For the motion”",
    ]);
    assert_same(&quiet, &loud);
    let elsewhere = told.stdout.replace(text(&loud), text(&quiet));
    assert_eq!(elsewhere, silent.stdout, "stdout holds results only");
    assert_eq!(silent.stderr.lines().count(), 1, "{}", silent.stderr);
    told.says(
        0,
        &["\\u{1b}[2J", "\\u{1b}]0;title\\u{7}", "dlog \\u{2066}", "<img src=x", "漢字", "… 50 000 characters in all"],
    );
    let acts = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    for line in followed(&told) {
        assert!(line.width() <= 80 && !line.chars().any(acts), "{line:?}");
    }
    for record in json_lines(&loud.join("sessions/baseline-r000001/minutes.jsonl")) {
        if let Some(seat) = statement_of(&record).and(record["seat"].as_str()) {
            let head = format!("#{}.{} {seat} ", record["at"]["round"], record["at"]["turn"]);
            assert_eq!(followed(&told).iter().filter(|line| line.starts_with(&head)).count(), 1, "{head}");
        }
    }
}

#[test]
fn with_several_sessions_each_line_names_its_own_and_nothing_else_depends_on_the_number_of_jobs() {
    let dir = tempfile::tempdir().unwrap();
    let config = write_config(dir.path(), &body(4));
    let run = |out: &str, jobs: &str| {
        let out = dir.path().join(out);
        ekklesia(&["run", text(&config), "--out", text(&out), "--follow", "--jobs", jobs])
    };
    let (one, two) = (run("one", "1"), run("two", "2"));
    let (one, two) = (followed(&one), followed(&two));
    assert_eq!(one.len(), two.len());
    let sessions: Vec<String> = (1..=4).map(|replicate| format!("baseline-r00000{replicate}  ")).collect();
    for session in &sessions {
        assert!(of(&one, session).len() > 20, "{one:#?}");
        assert_eq!(of(&one, session), of(&two, session));
    }
    assert!(one.iter().all(|line| sessions.iter().any(|session| line.starts_with(session))), "{one:#?}");
}

/// Leaves so many lines of a session's minutes, as a kill does.
fn cut(minutes: &Path, lines: usize) {
    let whole = fs::read_to_string(minutes).unwrap();
    let kept: String = whole.split_inclusive('\n').take(lines).collect();
    assert!(kept.len() < whole.len());
    fs::write(minutes, kept).unwrap();
    fs::remove_file(minutes.with_file_name("run.json")).unwrap();
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn wherever_a_session_was_cut_what_was_shown_before_is_shown_again_only_when_asked() {
    let dir = tempfile::tempdir().unwrap();
    let (config, out) = (write_config(dir.path(), &body(1)), dir.path().join("out"));
    let whole = ekklesia(&["run", text(&config), "--out", text(&out), "--follow"]);
    let minutes = out.join("sessions/baseline-r000001/minutes.jsonl");
    let records = json_lines(&minutes).len();
    for kept in sample_cases([1, 2, records / 3, records / 2, records - 2], 2) {
        cut(&minutes, kept);
        let all = ekklesia(&["run", text(&config), "--out", text(&out), "--follow=all"]);
        assert_eq!(followed(&all), followed(&whole), "{kept}");
        cut(&minutes, kept);
        let rest = ekklesia(&["run", text(&config), "--out", text(&out), "--follow"]);
        let rest = followed(&rest);
        assert!(rest[0].starts_with(&format!("goes on; {kept} record")), "{rest:#?}");
        assert!(followed(&whole).ends_with(&rest[1..]) && rest.len() > 1, "{rest:#?}");
    }
    ekklesia(&["run", text(&config), "--out", text(&out), "--follow"]);
    let again = ekklesia(&["run", text(&config), "--out", text(&out), "--follow"]);
    assert_eq!(followed(&again), Vec::<&str>::new(), "nothing is left to happen");
}

#[test]
fn what_models_say_is_shown_once_it_is_minuted() {
    let (server, dir) = (Server::start(), tempfile::tempdir().unwrap());
    let config = write_config(dir.path(), &(mixed(&server.base_url(), "random") + "replicates: 2\n"));
    let out = dir.path().join("out");
    let told = ekklesia(&["run", text(&config), "--out", text(&out), "--follow"]);
    told.says(0, &["chooses “Against the motion” in the straw poll", "votes for “Against the motion”"]);
    let mut sessions: Vec<_> = fs::read_dir(out.join("sessions")).unwrap().map(|entry| entry.unwrap().path()).collect();
    sessions.sort();
    let lines = followed(&told);
    for session in sessions {
        let spoken = json_lines(&session.join("minutes.jsonl"));
        let spoken = spoken.iter().filter(|record| values_at(record, "statement").is_some()).count();
        let name = session.file_name().unwrap().to_str().unwrap().to_owned() + "  #";
        assert_eq!(of(&lines, &name).len(), spoken, "{lines:#?}");
    }
}

#[test]
fn a_fork_is_shown_from_its_first_record_on_and_is_that_of_a_fork_nobody_follows() {
    let dir = tempfile::tempdir().unwrap();
    let (config, parent) = (write_config(dir.path(), &body(1)), dir.path().join("parent"));
    let whole = ekklesia(&["run", text(&config), "--out", text(&parent), "--follow"]);
    let change = dir.path().join("change.yaml");
    fs::write(&change, "at: { seat: Alice, phase: discussion, round: 2 }\nsilent: true\n").unwrap();
    let session = parent.join("sessions/baseline-r000001");
    let fork = |out: &Path, more: &[&str]| {
        let arguments = ["fork", text(&session), "--change", text(&change), "--out", text(out), "--json"];
        ekklesia(&[&arguments[..], more].concat())
    };
    let (quiet, loud) = (dir.path().join("quiet"), dir.path().join("loud"));
    fork(&quiet, &[]).says(0, &["first_difference"]);
    let told = fork(&loud, &["--follow"]);
    told.says(0, &["── discussion", "Alice passes", "── carried: “For the motion”"]);
    assert_same(&quiet, &loud);
    let (parents, forks) = (followed(&whole), followed(&told));
    let first = parents.iter().zip(&forks).position(|(one, other)| one != other).unwrap();
    assert!(forks[first].contains("Alice passes") && parents[first].contains("Alice favours"), "{}", forks[first]);
    cut(&loud.join("sessions/baseline-r000001/minutes.jsonl"), 9);
    let rest = fork(&loud, &["--follow"]);
    let rest = followed(&rest);
    assert!(rest[0] == "goes on; 9 records were there before" && forks.ends_with(&rest[1..]), "{rest:#?}");
    assert_same(&quiet, &loud);
}

#[test]
fn a_person_at_the_terminal_is_not_shown_what_others_think() {
    let dir = tempfile::tempdir().unwrap();
    let config = trial::repository().join("configs/motion-with-a-person.yaml");
    let out = dir.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out), "--follow"])
        .says(2, &["a person answers at this terminal", "ekklesia show"]);
    assert!(!out.exists());
}
