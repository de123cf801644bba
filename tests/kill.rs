//! The program is interrupted or killed while it runs, and completes the same folder afterwards.
#![cfg(unix)]

mod cli;
mod common;

use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use cli::{assert_same, begun, ekklesia, json_lines, text};
use common::write_config;

const BODY: &str = "
replicates: 60
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 9, name: \"Member {n}\", mind: { voter: { copy: 0.4 } } }
  - { name: Rand, mind: { random: { malformed: 0.3 } } }
straw_polls: [before, each_round, after]
discussion: { rounds: 12, order: simultaneous, vote: at_end }
";

/// Waits until so many sessions were begun, or the program has ended by itself.
fn wait_for(child: &mut Child, out: &Path, sessions: usize) {
    while child.try_wait().expect("a child").is_none() {
        let begun = fs::read_dir(out.join("sessions")).map_or(0, |entries| entries.count());
        if begun >= sessions {
            return;
        }
        sleep(Duration::from_millis(1));
    }
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    // A program that has just ended cannot be told anything; its exit code says so below.
    let _ = sent;
}

#[test]
fn an_interrupted_run_says_so_and_goes_on_to_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    let arguments = ["run", text(&config), "--jobs", "1", "--out", text(&cut)];
    for sessions in [1, 3, 9, 20, 40] {
        let mut child = begun(&arguments);
        wait_for(&mut child, &cut, sessions);
        interrupt(&child);
        let code = child.wait().unwrap().code();
        assert!(code == Some(130) || code == Some(0), "{sessions}: {code:?}");
        if code == Some(130) {
            // What is there can be told and proved as far as it goes.
            ekklesia(&["replay", text(&cut)]).says(0, &["no divergence"]);
        }
    }
    ekklesia(&arguments).says(0, &[]);
    ekklesia(&["run", text(&config), "--out", text(&whole)]).says(0, &[]);
    assert_same(&whole, &cut);
}

#[test]
fn a_run_killed_again_and_again_goes_on_to_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    let arguments = ["run", text(&config), "--jobs", "2", "--out", text(&cut)];
    for (sessions, wait_us) in [(0, 0), (0, 900), (1, 0), (2, 700), (5, 1_900), (12, 300), (25, 4_100), (50, 2_300)] {
        let mut child = begun(&arguments);
        wait_for(&mut child, &cut, sessions);
        sleep(Duration::from_micros(wait_us));
        let _ = child.kill();
        child.wait().unwrap();
    }
    ekklesia(&arguments).says(0, &[]);
    ekklesia(&["run", text(&config), "--out", text(&whole)]).says(0, &[]);
    assert_same(&whole, &cut);
    ekklesia(&["replay", text(&cut)]).says(0, &["no divergence"]);
}

#[test]
fn a_run_of_models_killed_again_and_again_asks_no_recorded_question_twice() {
    let server = cli::Server::start();
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &format!("replicates: 6\n{}", cli::mixed(&server.base_url(), "simultaneous")));
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    let arguments = ["run", text(&config), "--jobs", "2", "--out", text(&cut)];
    for (sessions, wait_us) in [(1, 0), (2, 9_000), (3, 4_000), (5, 21_000), (6, 2_000)] {
        let mut child = begun(&arguments);
        wait_for(&mut child, &cut, sessions);
        sleep(Duration::from_micros(wait_us));
        let _ = child.kill();
        child.wait().unwrap();
    }
    ekklesia(&arguments).says(0, &[]);
    ekklesia(&["run", text(&config), "--out", text(&whole)]).says(0, &[]);
    assert_same(&whole, &cut);
    for session in fs::read_dir(cut.join("sessions")).unwrap() {
        let calls = json_lines(&session.unwrap().path().join("calls.jsonl"));
        let mut questions: Vec<String> = calls.iter().map(|line| line["question"].to_string()).collect();
        let all = questions.len();
        questions.sort();
        questions.dedup();
        assert_eq!(questions.len(), all);
    }
    ekklesia(&["replay", text(&cut)]).says(0, &["no divergence"]);
}
