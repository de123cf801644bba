//! The program is interrupted or killed while it runs, and completes the same folder afterwards.
#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "a kill comes when it comes; nothing that is asserted depends on it")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use crate::fixtures::cli::{self, assert_same, begun, ekklesia, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::write_config;

const BODY: &str = "
replicates: 20
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 9, name: \"Member {n}\", mind: { voter: { copy: 0.4 } } }
  - { name: Rand, mind: { random: { malformed: 0.3 } } }
straw_polls: [before, each_round, after]
discussion: { rounds: 12, order: simultaneous, vote: at_end }
";

fn sessions_begun(out: &Path) -> usize {
    fs::read_dir(out.join("sessions")).map_or(0, |entries| entries.count())
}

/// Begins a run, and waits until it has begun so many more sessions or has ended by itself.
fn begun_until(arguments: &[&str], out: &Path, more: usize) -> Child {
    let sessions = sessions_begun(out) + more;
    let mut child = begun(arguments);
    while child.try_wait().expect("a child").is_none() && sessions_begun(out) < sessions {
        sleep(Duration::from_millis(1));
    }
    child
}

/// Kills a run so long after it has begun so many more sessions, one time after the other.
fn kill_again_and_again(arguments: &[&str], out: &Path, kills: impl IntoIterator<Item = (usize, u64)>) {
    for (sessions, wait_us) in kills {
        let mut child = begun_until(arguments, out, sessions);
        sleep(Duration::from_micros(wait_us));
        let _ = child.kill();
        child.wait().expect("a run");
    }
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    // A program that has just ended cannot be told anything; its exit code says so below.
    let _ = sent;
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn an_interrupted_run_says_so_and_goes_on_to_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    let arguments = ["run", text(&config), "--jobs", "1", "--out", text(&cut)];
    for sessions in [1, 2, 3, 5] {
        let mut child = begun_until(&arguments, &cut, sessions);
        interrupt(&child);
        let code = child.wait().unwrap().code();
        assert!(code == Some(130) || code == Some(0), "{sessions}: {code:?}");
        if code == Some(130) {
            // What is there can be told and proved as far as it goes.
            ekklesia(&["replay", text(&cut)]).says(4, &["no divergence"]);
        }
    }
    ekklesia(&arguments).says(0, &[]);
    ekklesia(&["run", text(&config), "--out", text(&whole)]).says(0, &[]);
    assert_same(&whole, &cut);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_run_killed_again_and_again_goes_on_to_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    let arguments = ["run", text(&config), "--jobs", "2", "--out", text(&cut)];
    kill_again_and_again(
        &arguments,
        &cut,
        [(0, 0), (0, 900), (1, 0), (2, 700), (3, 1_900), (1, 300), (0, 4_100), (4, 2_300), (5, 600), (20, 0)],
    );
    ekklesia(&arguments).says(0, &[]);
    ekklesia(&["run", text(&config), "--out", text(&whole)]).says(0, &[]);
    assert_same(&whole, &cut);
    ekklesia(&["replay", text(&cut)]).says(0, &["no divergence"]);
}

/// Three meetings of the same seats, of which one arm is shown what the other arm's said.
const PANEL: &str = "
replicates: 8
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.4 } } }
seats: [{ count: 5, name: \"Member {n}\" }, { name: Rand, mind: { random: { malformed: 0.3 } } }]
discussion: { rounds: 4, order: random, vote: at_end }
panel: { waves: 3 }
memory: { notes: { max_lines: 6 } }
design:
  factors: { memory: { key: memory.policy, levels: [shuffled, selective] } }
  baseline: { memory: selective }
";

#[test]
#[ignore = "slowest: `.ci/full` runs it"]
fn a_panel_killed_within_and_between_its_waves_goes_on_to_the_same_bytes_with_any_jobs() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), PANEL);
    let whole = place.path().join("whole");
    ekklesia(&["run", text(&config), "--jobs", "1", "--out", text(&whole)]).says(0, &["48 of 48 sessions"]);
    for jobs in sample_cases(["2", "1", "5"], 3) {
        let cut = place.path().join(format!("cut{jobs}"));
        let arguments = ["run", text(&config), "--jobs", jobs, "--out", text(&cut)];
        // A stage has 8 sessions: the first kills come within one, at its end, and at the end of the next.
        kill_again_and_again(
            &arguments,
            &cut,
            sample_cases([(3, 0), (5, 0), (0, 800), (8, 0), (1, 1_500), (15, 300)], 3),
        );
        ekklesia(&arguments).says(0, &[]);
        assert_same(&whole, &cut);
        ekklesia(&["replay", text(&cut)]).says(0, &["no divergence"]);
        // Between stages, whatever the kills met.
        let stages = [("shuffled-r00000", 1), ("selective-r00000", 2), ("shuffled-r00000", 3)];
        for stage in sample_cases(stages, 3) {
            let sessions: Vec<_> =
                fs::read_dir(cut.join("sessions")).unwrap().map(|entry| entry.unwrap().path()).collect();
            for folder in sessions {
                let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
                let wave: u32 = name.rsplit("-w0").next().unwrap().parse().unwrap();
                if wave > stage.1 || (wave == stage.1 && name.starts_with(stage.0)) {
                    fs::remove_dir_all(&folder).unwrap();
                }
            }
            ekklesia(&arguments).says(0, &[]);
            assert_same(&whole, &cut);
        }
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_run_of_models_killed_again_and_again_asks_no_recorded_question_twice() {
    let server = cli::Server::start();
    let place = tempfile::tempdir().unwrap();
    let config =
        write_config(place.path(), &format!("replicates: 6\n{}", cli::mixed(&server.base_url(), "simultaneous")));
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    let arguments = ["run", text(&config), "--jobs", "2", "--out", text(&cut)];
    kill_again_and_again(&arguments, &cut, [(1, 0), (1, 9_000), (0, 40_000), (2, 21_000), (6, 2_000)]);
    ekklesia(&arguments).says(0, &[]);
    ekklesia(&["run", text(&config), "--out", text(&whole)]).says(0, &[]);
    assert_same(&whole, &cut);
    for session in fs::read_dir(cut.join("sessions")).unwrap() {
        let calls = cli::calls(&session.unwrap().path().join("calls.jsonl"));
        let mut questions: Vec<String> = calls.iter().map(|line| line["question"].to_string()).collect();
        let all = questions.len();
        questions.sort();
        questions.dedup();
        assert_eq!(questions.len(), all);
    }
    ekklesia(&["replay", text(&cut)]).says(0, &["no divergence"]);
}
