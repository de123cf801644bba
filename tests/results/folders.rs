//! Results folders: continued where they lie, checked before they are read, and written whatever becomes of stderr.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;

use crate::fixtures::cli::{assert_same, ekklesia, ended, everything, program, run_body, text};
use crate::fixtures::faulty::Play;
use crate::fixtures::faulty::experiment::Trial;

const BODY: &str = "
replicates: 3
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.4 } } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }]
straw_polls: [before]
discussion: { rounds: 2, order: random }
design: { factors: { rule: { key: decision.rule, levels: [unanimity, majority] } } }
";

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_results_folder_is_continued_where_it_lies_and_no_call_is_paid_twice() {
    let trial = Trial::new(", concurrency: 1, retry_for_s: 0");
    trial.server.play(|asked| match asked.place {
        0..7 => Play::Answer,
        _ => Play::Respond(401, Vec::new(), "no".to_owned()),
    });
    trial.run("begun").says(1, &[]);
    let paid = trial.server.answered();
    assert_eq!(paid.len(), 7);
    fs::rename(trial.out("begun"), trial.out("moved away")).unwrap();
    let within = |arguments: &[&str]| ended(program(arguments).current_dir(trial.place.path()));
    trial.server.play(|_| Play::Answer);
    let told = within(&["run", "moved away"]);
    told.says(0, &["2 of 2 sessions", "ekklesia replay 'moved away'"]);
    assert!(!told.stdout.contains("--replicates"), "a results folder is run as it is: {}", told.stdout);
    let mut all = [trial.server.answered(), paid].concat();
    all.sort();
    assert_eq!(all, trial.questions, "what was answered is not asked again");
    trial.is_whole("moved away");
    trial.server.play(|_| Play::Answer);
    within(&["run", "moved away/"]).says(0, &["2 of 2 sessions"]);
    within(&["run", "moved away", "--out", "./moved away"]).says(0, &["2 of 2 sessions"]);
    within(&["run", "moved away", "--out", "other"]).says(2, &["would pay for all its calls again", "leave --out out"]);
    within(&["run", "moved away", "--pilot", "1"]).says(2, &["is run as it was"]);
    let config = trial.out("moved away").join("inputs/config.yaml");
    let kept = fs::read_to_string(&config).unwrap();
    fs::write(&config, kept.replacen("retired teacher", "retired judge", 1)).unwrap();
    within(&["run", "moved away"]).says(2, &["plan.yaml is not what moved away/inputs says"]);
    assert_eq!(trial.server.asked().len(), 0, "nothing is asked");
    for made in ["results", "other", "moved away-pilot"] {
        assert!(!trial.out(made).exists(), "{made}");
    }
}

#[test]
fn a_fork_is_not_continued_by_run() {
    let (place, _config, out) = run_body(BODY);
    let change = place.path().join("change.yaml");
    fs::write(&change, "at: { seat: Bob, phase: discussion, round: 1 }\nsilent: true\n").unwrap();
    let (session, fork) = (out.join("sessions/majority-r000001"), place.path().join("fork"));
    ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
    let before = everything(&fork);
    ekklesia(&["run", text(&fork)]).says(2, &["holds a fork", "ekklesia fork"]);
    assert_eq!(everything(&fork), before);
}

#[test]
fn missing_and_extra_session_folders_are_named_by_every_command_that_reads_them() {
    let (place, _config, out) = run_body(BODY);
    fs::remove_dir_all(out.join("sessions/majority-r000002")).unwrap();
    fs::create_dir(out.join("sessions/stranger")).unwrap();
    let session = out.join("sessions/majority-r000001");
    let cell = format!("{}:1:status", out.join("sessions.csv").display());
    let to = |name: &str| place.path().join(name).display().to_string();
    let (bundle, preflib, safe, fork) = (to("bundle"), to("preflib"), to("safe"), to("fork"));
    let change = place.path().join("change.yaml");
    fs::write(&change, "at: { seat: Bob, phase: discussion, round: 1 }\nsilent: true\n").unwrap();
    let (missing, extra) = ("sessions/majority-r000002 has no folder", "sessions/stranger is not in the plan");
    let out = text(&out);
    let commands: [(i32, Vec<&str>); 12] = [
        (0, vec!["retally", out]),
        (0, vec!["retally", text(&session)]),
        (4, vec!["compare", out, "--metric", "rounds_used"]),
        (0, vec!["compare", out, "--metric", "rounds_used", "--tables-alone"]),
        (0, vec!["show", text(&session)]),
        (0, vec!["context", text(&session), "--seat", "Bob"]),
        (0, vec!["search", out, "motion"]),
        (0, vec!["why", &cell]),
        (4, vec!["export", out, "--format", "bundle", "--out", &bundle]),
        (0, vec!["export", out, "--format", "preflib", "--out", &preflib]),
        (0, vec!["export", out, "--format", "csv-safe", "--out", &safe]),
        (0, vec!["fork", text(&session), "--change", text(&change), "--out", &fork]),
    ];
    for (code, command) in commands {
        let told = ekklesia(&command);
        told.says(code, &[missing, extra]);
        assert_eq!(told.stderr.matches(extra).count(), 1, "{command:?} names it once: {told:#?}");
    }
    let page = to("page.html");
    ekklesia(&["report", out, "--out", &page]).says(0, &["stranger"]);
    let page = fs::read_to_string(page).unwrap();
    for named in [
        "sessions/stranger: not a session of this plan",
        "majority-r000002: not begun yet; run the config again to continue",
    ] {
        assert!(page.contains(named), "{named}");
    }
    ekklesia(&["replay", out]).says(2, &["stranger: not a session of this plan"]);
    // While a run is writing, its sessions are not missing.
    let lock = File::open(Path::new(out).join(".lock")).unwrap();
    lock.lock().unwrap();
    let told = ekklesia(&["retally", out]);
    assert!(!told.stderr.contains(missing) && told.stderr.contains(extra), "{told:#?}");
}

#[test]
fn show_and_search_reject_changed_minutes_as_replay_does() {
    let (_place, _config, out) = run_body(BODY);
    let session = out.join("sessions/majority-r000002");
    let (minutes, other) = (session.join("minutes.jsonl"), out.join("sessions/majority-r000001"));
    let whole = fs::read_to_string(&minutes).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let stance = if whole.contains("\"stance\":\"for\"") { "\"stance\":\"for\"" } else { "\"stance\":\"against\"" };
    let changes = [
        whole.replacen(stance, "\"stance\":\"fox\"", 1),
        whole.replacen("\"omitted\":0", "\"omitted\":9", 1),
        lines[..lines.len() - 1].concat(),
        format!("{whole}{}", lines[1]),
        format!("{whole}{{\"seq\""),
        String::new(),
    ];
    for changed in changes {
        assert_ne!(changed, whole);
        fs::write(&minutes, changed).unwrap();
        let words =
            "majority-r000002/minutes.jsonl: changed since they were written; `ekklesia replay` names the record";
        ekklesia(&["replay", text(&session)]).says(3, &[]);
        for command in [
            vec!["show", text(&session)],
            vec!["search", text(&out), "motion"],
            vec!["search", text(&session), "motion"],
        ] {
            let told = ekklesia(&command);
            told.says(3, &[words]);
            assert_eq!(told.stdout, "", "{command:?} prints nothing of them");
        }
        ekklesia(&["show", text(&other)]).says(0, &["majority-r000001"]);
        ekklesia(&["search", text(&other), "motion"]).says(0, &[]);
    }
    fs::write(&minutes, &whole).unwrap();
    ekklesia(&["show", text(&session)]).says(0, &[]);
    ekklesia(&["search", text(&out), "motion"]).says(0, &[]);
}

/// A stderr that takes nothing: a full device, and a pipe whose reader has gone.
fn broken_streams() -> Vec<Stdio> {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let full = Path::new("/dev/full").exists().then(|| File::options().write(true).open("/dev/full").unwrap());
    full.map(Stdio::from).into_iter().chain([Stdio::from(writer)]).collect()
}

#[test]
fn a_failed_write_to_stderr_changes_no_exit_code_and_no_table() {
    let (place, config, out) = run_body(BODY);
    let wrong = place.path().join("wrong.yaml");
    fs::write(&wrong, "experiment: x\n").unwrap();
    fs::write(out.join("notes.txt"), "mine").unwrap();
    let gone = place.path().join("gone");
    ekklesia(&["run", text(&config), "--out", text(&gone)]).says(0, &[]);
    fs::remove_dir_all(gone.join("sessions/majority-r000002")).unwrap();
    for (number, _) in broken_streams().iter().enumerate() {
        let again = place.path().join(format!("again {number}"));
        let (log, bundle) = (again.with_extension("log"), again.with_extension("tar.gz"));
        let commands: [(i32, Vec<&str>); 8] = [
            (0, vec!["run", text(&config), "--out", text(&again), "--follow", "--log", "trace", "--log", text(&log)]),
            (0, vec!["run", text(&config), "--out", text(&again), "--retry-failed"]),
            (2, vec!["run", text(&wrong)]),
            (2, vec!["run", text(&config), "--out", text(&again), "--replicates", "900000"]),
            (0, vec!["search", text(&gone), "motion"]),
            (4, vec!["replay", text(&gone)]),
            (0, vec!["export", text(&out), "--format", "bundle", "--without-program", "--out", text(&bundle)]),
            (2, vec!["show", "no such session"]),
        ];
        for (code, command) in commands {
            let stream = broken_streams().remove(number);
            let told = program(&command).stdout(Stdio::null()).stderr(stream).status().unwrap();
            assert_eq!(told.code(), Some(code), "{command:?} on stream {number}");
        }
        fs::remove_file(out.join("notes.txt")).unwrap();
        assert_same(&out, &again);
        fs::write(out.join("notes.txt"), "mine").unwrap();
    }
}

#[test]
fn a_folder_that_is_no_scenario_is_rejected_without_being_read() {
    let place = tempfile::tempdir().unwrap();
    let huge = place.path().join("huge");
    for file in 0..1_500 {
        let folder = huge.join(format!("part {}", file % 30));
        fs::create_dir_all(&folder).unwrap();
        // A file that cannot be read would be reported, were it read.
        fs::write(folder.join(format!("{file}.md")), [0xff]).unwrap();
    }
    let config = place.path().join("config.yaml");
    let check = |scenario: &str| {
        fs::write(&config, format!("experiment: x\nscenario: {scenario}\n{}", &BODY[..BODY.find("design").unwrap()]))
            .unwrap();
        ekklesia(&["check", text(&config)])
    };
    let told = check("huge");
    told.says(2, &["this folder is no scenario: it has no scenario.yaml"]);
    assert!(told.stderr.len() < 1_000, "nothing else is reported: {}", told.stderr);
    check("config.yaml").says(2, &["config.yaml: not a folder"]);
    check("none").says(2, &["none: no such folder"]);
    fs::write(huge.join("scenario.yaml"), "name: x\n").unwrap();
    check("huge").says(2, &["more than 1000 files in a scenario"]);
}
