//! The program is killed, interrupted, started twice, or has no room left, while models are called: what was answered is kept, and
//! the folder comes out as if nothing had happened. Sessions that failed are run again when the user says so, and that shows.
//!
//! What happens comes with a request, never with a time.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::fixtures::cli::{self, Told, assert_same, calls, ekklesia, ended, reached, text};
use crate::fixtures::faulty::experiment::{Trial, questions, records};
use crate::fixtures::faulty::{Asked, Faulty, Play, completion};
use crate::fixtures::sample::{law_cases, sample_cases};
use crate::fixtures::trial::write_config;
use proptest::prelude::*;
use serde_json::json;

/// The most calls under way at once: two models, four calls each.
const LANES: usize = 8;

/// Tells when so many requests were made; those after it are held.
fn told_at(server: &Faulty, place: usize) -> Receiver<()> {
    let (sender, receiver) = channel();
    server.hold();
    server.play(move |asked| {
        if asked.place == place {
            sender.send(()).unwrap();
        }
        if asked.place < place { Play::Answer } else { Play::Hold }
    });
    receiver
}

/// Begins a run; what it says is kept.
fn begun(trial: &Trial, name: &str) -> Child {
    trial.command(name).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn told(child: Child) -> Told {
    let output = child.wait_with_output().unwrap();
    let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Told { code: output.status.code(), stdout: words(&output.stdout), stderr: words(&output.stderr) }
}

fn interrupt(child: &Child) {
    // A program that has just ended cannot be told anything.
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status().unwrap();
    while is_signal_pending(child) {
        std::thread::yield_now();
    }
}

/// Whether the program has not taken a signal yet; on systems without `/proc` it is not known.
fn is_signal_pending(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    status.lines().any(|line| line.strip_prefix("ShdPnd:").is_some_and(|bits| bits.trim().contains(|bit| bit != '0')))
}

/// The questions of one list that stand in another less often.
fn surplus(more: &[String], less: &[String]) -> usize {
    let mut counts: BTreeMap<&String, isize> = BTreeMap::new();
    more.iter().for_each(|question| *counts.entry(question).or_default() += 1);
    less.iter().for_each(|question| *counts.entry(question).or_default() -= 1);
    counts.into_values().map(|count| count.max(0) as usize).sum()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_run_killed_during_calls_pays_again_for_those_in_flight_at_the_most() {
    let trial = Trial::new("");
    let mut answered = Vec::new();
    let kills = sample_cases([0, 1, 5, 0, 9, 3, 7], 2);
    for &place in &kills {
        let at = told_at(&trial.server, place);
        let mut child = begun(&trial, "killed");
        reached(&at, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        answered.extend(trial.server.answered());
        // What was held is of nobody any more.
        trial.server.play(|_| Play::Answer);
        trial.server.let_go();
    }
    trial.run("killed").says(0, &["2 of 2 sessions"]);
    answered.extend(trial.server.answered());
    trial.is_whole("killed");
    let again = surplus(&answered, &trial.questions);
    assert!(again <= kills.len() * LANES, "{again} calls were paid again");
    assert_eq!(surplus(&trial.questions, &answered), 0);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn calls_in_flight_at_a_kill_count_against_the_budget() {
    let trial = Trial::new("");
    let limited = |command: &mut Command| {
        command.args(["--budget-tokens", "100000000"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let at = told_at(&trial.server, 7);
    let mut child = limited(&mut trial.command("limited"));
    reached(&at, &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    let in_flight = trial.server.asked().len() - trial.server.answered().len();
    trial.server.play(|_| Play::Answer);
    trial.server.let_go();
    assert!(limited(&mut trial.command("limited")).wait().unwrap().success());
    let told: serde_json::Value =
        serde_json::from_slice(&fs::read(trial.out("limited").join("experiment.json")).unwrap()).unwrap();
    let untold = told["account"]["all"]["attempts_untold"].as_u64().unwrap() as usize;
    assert!(in_flight > 0 && (in_flight..=LANES).contains(&untold), "{untold} of {in_flight}: {told:#}");
    trial.is_whole("limited");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn an_interrupted_run_records_the_replies_in_flight_and_begins_no_call() {
    let trial = Trial::new("");
    for (name, place) in [("at once", 0), ("early", 4), ("late", 17)] {
        let at = told_at(&trial.server, place);
        let mut child = begun(&trial, name);
        reached(&at, &mut child);
        interrupt(&child);
        // The signal is there when the folder says so: nothing more is asked, whatever is answered.
        let asked = loop {
            std::thread::yield_now();
            let asked = trial.server.asked().len();
            if asked > place {
                break asked;
            }
        };
        trial.server.let_go();
        let told = told(child);
        told.says(130, &["the same command again goes on"]);
        let answered = trial.server.answered();
        assert!(answered.len() >= asked, "{name}: what is in flight is waited for");
        assert_eq!(questions(&trial.out(name)).len(), answered.len(), "{name}: and recorded");
        trial.server.play(|_| Play::Answer);
        trial.run(name).says(0, &["2 of 2 sessions"]);
        let mut all = [answered, trial.server.answered()].concat();
        all.sort();
        assert_eq!(all, trial.questions, "{name}: nothing is paid twice");
        trial.is_whole(name);
    }
}

#[test]
fn a_second_interrupt_leaves_at_once_while_a_reply_is_still_owed() {
    let trial = Trial::new("");
    let at = told_at(&trial.server, 3);
    let mut child = begun(&trial, "twice");
    reached(&at, &mut child);
    let code = loop {
        interrupt(&child);
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
    };
    assert_eq!(code, Some(130));
    assert_eq!(trial.server.answered().len(), 3, "the reply was never given");
    trial.server.play(|_| Play::Answer);
    trial.server.let_go();
    trial.run("twice").says(0, &["2 of 2 sessions"]);
    trial.is_whole("twice");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_second_engine_on_a_folder_is_refused_until_the_first_is_gone() {
    let trial = Trial::new("");
    let at = told_at(&trial.server, 6);
    let mut first = begun(&trial, "shared");
    reached(&at, &mut first);
    let asked = trial.server.asked().len();
    for more in [&[][..], &["--budget-tokens", "1"], &["--retry-failed"], &["--offline"]] {
        let refused = ended(trial.command("shared").args(more));
        refused.says(1, &["shared: another run is writing to this folder"]);
    }
    assert!(trial.server.asked().len() <= asked + LANES, "the second asks nothing");
    assert!(first.try_wait().unwrap().is_none(), "the first goes on");
    first.kill().unwrap();
    first.wait().unwrap();
    trial.server.play(|_| Play::Answer);
    trial.server.let_go();
    trial.run("shared").says(0, &["2 of 2 sessions"]);
    trial.is_whole("shared");
}

/// The program where no file may be longer than so many blocks of 1024 bytes, as on a disk that is full.
fn within_blocks(trial: &Trial, name: &str, blocks: u32) -> Told {
    let command = trial.command(name);
    let mut limited = Command::new("bash");
    limited.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\""), "bash"]);
    limited.arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    for (key, value) in command.get_envs() {
        match value {
            Some(value) => limited.env(key, value),
            None => limited.env_remove(key),
        };
    }
    ended(&mut limited)
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn where_there_is_no_room_the_file_is_named_and_with_room_the_run_goes_on() {
    let trial = Trial::new("");
    trial.server.play(|_| Play::Answer);
    let (mut torn, mut paid) = (0, 0);
    for blocks in [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24] {
        let before = questions_if_any(&trial, "full");
        let told = within_blocks(&trial, "full", blocks);
        if told.code == Some(0) {
            break;
        }
        told.says(1, &["(os error 27)", "; raise the limit on the size of files (ulimit -f)", "/full/"]);
        for file in ["calls.jsonl", "minutes.jsonl"] {
            let sessions = fs::read_dir(trial.out("full").join("sessions"));
            let files = sessions.into_iter().flatten().map(|entry| entry.unwrap().path().join(file));
            torn += files
                .filter(|path| fs::read(path).is_ok_and(|bytes| !bytes.is_empty() && !bytes.ends_with(b"\n")))
                .count();
        }
        let after = questions_if_any(&trial, "full");
        assert!(before.iter().all(|question| after.contains(question)), "what was written is still there");
        paid += 1;
    }
    assert!(torn > 0, "some line was torn, so that this is tried");
    trial.run("full").says(0, &["2 of 2 sessions"]);
    let again = surplus(&trial.server.answered(), &trial.questions);
    assert!(again <= paid * LANES, "{again} calls were paid again");
    trial.is_whole("full");
}

/// The recorded questions, torn lines left out; none where no record is yet.
fn questions_if_any(trial: &Trial, name: &str) -> Vec<String> {
    if !trial.out(name).join("sessions").is_dir() {
        return Vec::new();
    }
    let mut all = Vec::new();
    for file in records(&trial.out(name)) {
        let text = fs::read_to_string(&file).unwrap();
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        all.extend(text[..whole].lines().map(|line| format!("{} {line}", file.display())));
    }
    all
}

/// A table where the scripted seat has nothing to say in a second round, which there is unless the model calls a vote in the first.
fn scripted(server: &Faulty) -> String {
    let url = server.base_url();
    format!(
        "
replicates: 2
models:
  sim: {{ simulated: {{}} }}
  small: {{ openai: {{ base_url: \"{url}\", model: m, max_tokens: 60, context_window: 9000 }} }}
seats:
  - {{ name: Alice, model: small }}
  - name: Bob
    model: sim
    mind: {{ scripted: {{ table: [
      {{ phase: discussion, round: 1, step: statement, statement: \"I have made up my mind.\", stance: for }},
      {{ phase: discussion, round: 1, step: vote_call, assent: false }},
      {{ phase: discussion, round: 1, step: confirmation, assent: true }},
      {{ phase: discussion, round: 1, step: ballot, choice: for }},
      {{ phase: vote, round: 0, step: ballot, choice: for }} ] }} }}
discussion: {{ rounds: 2, order: fixed, vote: on_call }}
decision: {{ rule: plurality }}
"
    )
}

/// Answers, and calls a vote or does not.
fn calling(vote: &'static str) -> impl Fn(&Asked) -> Play + Send + Sync + 'static {
    move |asked| {
        let properties = &asked.body["response_format"]["json_schema"]["schema"]["properties"];
        let content = match properties.as_object() {
            Some(properties) if properties.contains_key("answer") => json!({ "answer": vote }),
            Some(properties) if properties.contains_key("choice") => json!({ "choice": "for" }),
            _ => json!({ "statement": "Let us see.", "stance": "for" }),
        };
        Play::Respond(200, Vec::new(), completion(&content.to_string(), "stop").to_string())
    }
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_session_that_failed_is_run_again_when_told_so_and_that_it_was_shows() {
    let (place, server) = (tempfile::tempdir().unwrap(), Faulty::start());
    let config = write_config(place.path(), &scripted(&server));
    let out = place.path().join("out");
    let run = ["run", text(&config), "--out", text(&out)];
    server.play(calling("no"));
    ekklesia(&run)
        .says(1, &["the script of Bob has no line", "--retry-failed", "0 of 2 sessions", "2 failed sessions"]);
    let first = calls(&out.join("sessions/baseline-r000001/calls.jsonl"));
    assert!(!first.is_empty());
    server.play(calling("yes"));
    ekklesia(&run).says(1, &["the script of Bob has no line"]);
    assert!(server.asked().is_empty(), "the plain command asks nothing: the session is as it was");
    assert_eq!(calls(&out.join("sessions/baseline-r000001/calls.jsonl")), first);

    let again = [&run[..], &["--retry-failed"]].concat();
    // What the first attempts took counts: 98 tokens a call.
    let spent = (first.len() * 2 * 98).to_string();
    ekklesia(&[&again[..], &["--budget-tokens", &spent]].concat())
        .says(4, &["the budget of", &format!("{spent} are spent")]);
    ekklesia(&[&again[..], &["--offline"]].concat()).says(2, &["--offline"]);
    // The sessions were set aside; any command goes on with them.
    ekklesia(&run).says(0, &["2 of 2 sessions"]);
    assert_eq!(calls(&out.join("failed/baseline-r000001.1/calls.jsonl")), first, "what failed is kept");
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("Sessions retried: 2.") && methods.contains("`script_ended`"), "{methods}");
    let totals: serde_json::Value = serde_json::from_slice(&fs::read(out.join("experiment.json")).unwrap()).unwrap();
    assert_eq!(totals["retried"]["baseline-r000002"][0]["fault"], "script_ended");
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    ekklesia(&again).says(0, &["no session failed"]);

    // The recorded calls alone tell it, too.
    let copy = place.path().join("copy");
    for file in records(&out) {
        let there = copy.join(file.strip_prefix(&out).unwrap());
        fs::create_dir_all(there.parent().unwrap()).unwrap();
        fs::copy(&file, there).unwrap();
    }
    ekklesia(&["run", text(&config), "--offline", "--out", text(&copy)]).says(0, &["2 of 2 sessions"]);
    fs::remove_dir_all(out.join("failed")).unwrap();
    assert_same(&out, &copy);
}

/// Runs failed sessions again and kills the program when so many requests were answered.
fn killed_at(server: &Faulty, config: &Path, out: &Path, place: usize) {
    let (sender, receiver) = channel();
    let answer = calling("yes");
    server.hold();
    server.play(move |asked| {
        if asked.place == place {
            sender.send(()).unwrap();
        }
        if asked.place < place { answer(asked) } else { Play::Hold }
    });
    let mut command = Command::new(crate::fixtures::sample::program());
    let command = command.args(["run", text(config), "--out", text(out), "--retry-failed"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    reached(&receiver, &mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    server.play(calling("yes"));
    server.let_go();
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_second_attempt_that_is_killed_goes_on_and_no_attempt_is_counted_twice() {
    let (place, server) = (tempfile::tempdir().unwrap(), Faulty::start());
    let config = write_config(place.path(), &scripted(&server));
    let (whole, out) = (place.path().join("whole"), place.path().join("out"));
    let run = |folder: &Path, more: &[&str]| ekklesia(&[&["run", text(&config), "--out", text(folder)], more].concat());
    for folder in [&whole, &out] {
        server.play(calling("no"));
        run(folder, &[]).says(1, &["2 failed sessions"]);
    }
    server.play(calling("yes"));
    run(&whole, &["--retry-failed"]).says(0, &["2 of 2 sessions"]);
    assert_eq!(server.asked().len(), 6, "the kills below count on it");

    // Killed when only the first one was set aside, and before anything was written of the second attempt.
    let (name, aside) = ("baseline-r000001", out.join("failed"));
    fs::create_dir_all(&aside).unwrap();
    fs::rename(out.join("sessions").join(name), aside.join(format!("{name}.1"))).unwrap();
    killed_at(&server, &config, &out, 0);
    // And while the line that tells of the first attempt was written.
    let record = out.join("sessions").join(name).join("calls.jsonl");
    let bytes = fs::read(&record).unwrap();
    let line = bytes.iter().position(|byte| *byte == b'\n').unwrap();
    for cut in [0, 1, line / 2, line] {
        fs::write(&record, &bytes[..cut]).unwrap();
        run(&out, &["--retry-failed", "--budget-tokens", "1"]).says(4, &[]);
        assert!(fs::read(&record).unwrap().starts_with(&bytes[..=line]), "cut after {cut} bytes");
    }
    // What the first two kills leave unanswered is enough for the third to be reached.
    for place in [1, 2, 1] {
        killed_at(&server, &config, &out, place);
    }
    run(&out, &[]).says(0, &["2 of 2 sessions"]);
    let kept: BTreeSet<_> = fs::read_dir(&aside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(kept, BTreeSet::from(["baseline-r000001.1".into(), "baseline-r000002.1".into()]));
    for folder in [&whole, &out] {
        fs::remove_dir_all(folder.join("failed")).unwrap();
    }
    assert_same(&whole, &out);
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
}

#[test]
fn a_session_of_simulated_seats_that_failed_would_fail_again() {
    let place = tempfile::tempdir().unwrap();
    let body = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats: [{ name: Alice, mind: { scripted: { list: [{ statement: Yes., stance: for }] } } }]
discussion: { rounds: 2, vote: at_end }
";
    let config = write_config(place.path(), body);
    let out = place.path().join("out");
    let run = ["run", text(&config), "--out", text(&out)];
    ekklesia(&run).says(1, &["it fails again until the config changes"]);
    let before = cli::contents(&out);
    ekklesia(&[&run[..], &["--retry-failed"]].concat())
        .says(2, &["would fail again in the same way", "baseline-r000001"]);
    assert_eq!(cli::contents(&out), before);
    assert!(!out.join("failed").exists());
}

/// What goes wrong with a request, by a number.
fn fault(lot: u64) -> Play {
    let respond = |status, body: &str| Play::Respond(status, Vec::new(), body.to_owned());
    let soon = vec![("retry-after", "0".to_owned())];
    match lot % 9 {
        0 => Play::Respond(429, soon, String::new()),
        1 => respond(500, "oh"),
        2 => Play::Respond(503, soon, "<p>busy</p>".to_owned()),
        3 => respond(200, "<p>hello</p>"),
        4 => respond(200, "{\"choices\": []}"),
        5 => Play::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"choices\"".to_vec()),
        6 => Play::Reset(b"HTTP/1.1 200 OK\r\ncontent-le".to_vec()),
        7 => Play::Raw(Vec::new()),
        _ => Play::Down(Some(Duration::from_millis(5))),
    }
}

proptest! {
    #![proptest_config(law_cases(2))]

    #[test]
    #[ignore = "slow: `.ci/run` runs it"]
    fn whatever_fails_whenever_the_folder_is_the_same(seed: u64, percent in 3_u64..15) {
        let trial = Trial::new("");
        trial.server.play(move |asked| {
            let lot = blake3::hash(format!("{seed} {} {}", asked.digest(), asked.before).as_bytes());
            let lot = u64::from_le_bytes(lot.as_bytes()[..8].try_into().unwrap());
            if lot % 100 < percent && asked.before < 2 { fault(lot / 100) } else { Play::Answer }
        });
        let told = trial.run("faulty");
        prop_assert_eq!(told.code, Some(0), "{:#?}", told);
        trial.is_whole("faulty");
        // A server that goes takes with it what others were just told.
        prop_assert!(surplus(&trial.questions, &trial.server.answered()) == 0);
    }
}
