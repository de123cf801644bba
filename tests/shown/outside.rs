//! What lies outside of a results folder is on no page and in no answer, by whatever link it is reached; and nobody waits for a pipe.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::cell::Cell;
use std::fs;
use std::path::Path;

use crate::fixtures::cli::{ekklesia, everything, run_body, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::served::{Stream, served};
use crate::fixtures::trial::write_config;

/// Two arms of three groups.
const BODY: &str = "
replicates: 3
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 3, name: \"Member {n}\", mind: { voter: { copy: 0.4 } } }
discussion: { rounds: 1, vote: every_round }
design:
  factors:
    rule: { key: decision.rule, levels: [unanimity, majority] }
";

#[test]
fn what_lies_behind_a_link_that_leads_out_of_the_folder_is_shown_to_nobody() {
    use std::os::unix::fs::symlink;
    let (place, _, out) = run_body(BODY);
    let page = || page_of(&out, place.path());
    let away = place.path().join("away");
    fs::create_dir(&away).unwrap();
    fs::write(away.join("secret"), "password: hunter2\n").unwrap();
    let replaced = |name: &str, by: &Path| {
        let there = out.join(name);
        fs::rename(&there, away.join(name.replace('/', "-"))).unwrap();
        symlink(by, there).unwrap();
    };
    replaced("plan.yaml", &away.join("secret"));
    replaced("sessions/majority-r000001", &away.join("sessions-majority-r000001"));
    let minutes = "sessions/majority-r000002/minutes.jsonl";
    replaced(minutes, &away.join(minutes.replace('/', "-")));
    let told = page();
    for line in [
        "plan.yaml: this is a link that leads out of the folder; it is not followed",
        "sessions/majority-r000001: not read: counted nowhere: sessions/majority-r000001: this is a link",
        "sessions/majority-r000002: not read: counted nowhere: sessions/majority-r000002/minutes.jsonl: this is a link",
        "4 of 6 planned sessions complete; 0 incomplete, 0 failed, 2 not read.",
    ] {
        assert!(told.contains(line), "{line:?} is not told");
    }
    assert!(
        told.contains(">not read</th>") && told.contains("a session is not read, and the tables may still count it")
    );
    assert!(!told.contains("hunter2"));
    replaced("inputs/config.yaml", &away.join("secret"));
    let told = page();
    assert!(
        told.contains("inputs/config.yaml: this is a link that leads out of the folder") && !told.contains("password")
    );
    assert!(told.contains("<a href=\"#unanimity-r000001\">"));
    fs::remove_dir_all(out.join("sessions")).unwrap();
    fs::write(out.join("sessions"), "").unwrap();
    assert!(page().contains("sessions: "));
}

/// Writes the page of a path elsewhere, and reads it.
fn page_of(folder: &Path, place: &Path) -> String {
    let page = place.join("page.html");
    ekklesia(&["report", text(folder), "--out", text(&page)]).says(0, &["page.html"]);
    fs::read_to_string(page).unwrap()
}

/// Moves what lies somewhere to another place, and leaves a link to it.
fn moved(from: &Path, to: &Path) {
    fs::rename(from, to).unwrap();
    std::os::unix::fs::symlink(to, from).unwrap();
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_fork_whose_change_lies_outside_of_its_folder_is_not_told_and_another_is() {
    let (dir, _, out) = run_body(BODY);
    let place = dir.path();
    let session = out.join("sessions/majority-r000001");
    let forked = |name: &str, change: &str| {
        let (file, fork) = (place.join(format!("{name}.yaml")), place.join(name));
        fs::write(&file, change).unwrap();
        ekklesia(&["fork", text(&session), "--change", text(&file), "--out", text(&fork)]).says(0, &[]);
        fork
    };
    forked("sound", "set: { discussion.rounds: 2 }\n");
    let linked = forked("linked", "set: { discussion.rounds: 3 }\n");
    let behind = forked("behind", "set: { discussion.rounds: 4 }\n");
    let told = page_of(&out, place);
    assert!(["rounds: 2", "rounds: 3", "rounds: 4"].iter().all(|change| told.contains(change)));
    let secret = place.join("secret");
    fs::write(&secret, "the combination is 12-34-56\n").unwrap();
    fs::remove_file(linked.join("inputs/change.yaml")).unwrap();
    std::os::unix::fs::symlink(&secret, linked.join("inputs/change.yaml")).unwrap();
    fs::create_dir(place.join("away")).unwrap();
    moved(&behind.join("sessions"), &place.join("away/sessions"));
    let told = page_of(&out, place);
    assert!(told.contains("rounds: 2") && !told.contains("12-34-56") && !told.contains("rounds: 4"));
    // A parent's record that lies elsewhere stands beside no fork; neither does its plan.
    let sound = place.join("sound");
    assert!(page_of(&sound, place).contains("class=\"pair"));
    moved(&out.join("inputs/config.yaml"), &place.join("away/config.yaml"));
    let told = page_of(&sound, place);
    assert!(told.contains("class=\"pair") && told.contains("or is a link that leads out of its folder"));
    moved(&session.join("minutes.jsonl"), &place.join("away/minutes.jsonl"));
    let told = page_of(&sound, place);
    assert!(!told.contains("class=\"pair") && told.contains("is in no folder beside this one"));
}

#[test]
fn what_is_said_not_to_be_followed_is_not_read_either() {
    let (dir, _, out) = run_body(BODY);
    let place = dir.path();
    fs::create_dir(place.join("away")).unwrap();
    let rewritten = |name: &str, old: &str, new: &str| {
        let text = fs::read_to_string(out.join(name)).unwrap();
        assert!(text.contains(old), "{text}");
        fs::write(out.join(name), text.replacen(old, new, 1)).unwrap();
    };
    let changed = "\"deviations\": [{\"what\": \"who.told\", \"from\": null, \"to\": null, \"sessions_done\": 3}]";
    rewritten("experiment.json", "\"deviations\": []", changed);
    let run = "sessions/majority-r000001/run.json";
    let own = concat!("\"ekklesia\": \"", env!("CARGO_PKG_VERSION"), "\"");
    rewritten(run, own, "\"ekklesia\": \"0.0.0-elsewhere\"");
    let told = page_of(&out, place);
    assert!(told.contains("who.told") && told.contains("0.0.0-elsewhere"), "they are told where they are the folder's");
    moved(&out.join("experiment.json"), &place.join("away/experiment.json"));
    moved(&out.join(run), &place.join("away/run.json"));
    moved(&out.join("sessions.csv"), &place.join("away/sessions.csv"));
    let calls = "sessions/majority-r000002/calls.jsonl";
    fs::write(place.join("away/calls.jsonl"), "a secret\n").unwrap();
    std::os::unix::fs::symlink(place.join("away/calls.jsonl"), out.join(calls)).unwrap();
    let told = page_of(&out, place);
    assert!(!told.contains("a secret") && !told.contains("who.told") && !told.contains("0.0.0-elsewhere"));
    for link in ["experiment.json", run, calls, "sessions.csv"] {
        assert!(told.contains(&format!("{link}: this is a link that leads out of the folder")), "{link}");
    }
}

#[test]
fn sessions_on_another_disk_are_not_read_and_a_folder_that_is_a_link_itself_is() {
    let (dir, _, out) = run_body(BODY);
    let place = dir.path();
    let whole = page_of(&out, place);
    fs::create_dir(place.join("scratch")).unwrap();
    let scratch = place.join("scratch/results");
    moved(&out, &scratch);
    assert_eq!(page_of(&out, place), whole, "the folder as a whole may lie elsewhere");
    fs::create_dir(place.join("scratch/more")).unwrap();
    fs::create_dir(scratch.join("sessions/my-diary")).unwrap();
    moved(&scratch.join("sessions"), &place.join("scratch/more/sessions"));
    let told = page_of(&out, place);
    for line in [
        "sessions/unanimity-r000003: not read: counted nowhere: sessions: this is a link that leads out of the folder",
        "0 of 6 planned sessions complete; 0 incomplete, 0 failed, 6 not read.",
    ] {
        assert!(told.contains(line), "{line:?} is not told");
    }
    assert!(!told.contains("my-diary"), "what else lies there is told to nobody");
}

#[test]
fn a_table_that_is_a_link_is_not_compared() {
    let (dir, _, out) = run_body(BODY);
    let place = dir.path();
    let why = "a table is a link that leads out of the folder; it is not followed";
    assert!(!page_of(&out, place).contains(why));
    moved(&out.join("sessions.csv"), &place.join("sessions.csv"));
    assert!(page_of(&out, place).contains(why));
}

#[test]
fn the_talk_of_another_session_that_lies_elsewhere_is_not_read() {
    let body = "
replicates: 2
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.5 } } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }]
discussion: { rounds: 2, order: random }
design:
  factors: { memory: { key: memory.policy, levels: [shuffled, selective] } }
  baseline: { memory: selective }
";
    let (dir, _, out) = run_body(body);
    let place = dir.path();
    let borrower = out.join("sessions/shuffled-r000001");
    assert!(page_of(&borrower, place).contains("class=\"sight\""));
    moved(&out.join("sessions/selective-r000002/minutes.jsonl"), &place.join("minutes.jsonl"));
    let told = page_of(&borrower, place);
    let link = "sessions/selective-r000002/minutes.jsonl: this is a link that leads out of the folder";
    assert!(told.contains(link) && !told.contains("class=\"sight\""));
}

/// Every command that reads a results folder, or writes into one, by what it is given of this one.
fn commands(out: &Path, place: &Path) -> Vec<Vec<String>> {
    let session = out.join("sessions/majority-r000001");
    let change = place.join("change.yaml");
    fs::write(&change, "set: { discussion.rounds: 2 }\n").unwrap();
    let (out, session, elsewhere) = (text(out), text(&session), place.join("elsewhere"));
    let all = [
        format!("show {session}"),
        format!("context {session} --seat Member~1"),
        format!("search {out} for"),
        format!("compare {out}"),
        format!("export {out} --format bundle --without-program --out {}", text(&elsewhere)),
        format!("export {out} --format preflib --out {}", text(&elsewhere)),
        format!("retally {out}"),
        format!("why {out}/sessions.csv:1:outcome"),
        format!("replay {out}"),
        format!("fork {session} --change {} --out {}", text(&change), text(&elsewhere)),
        format!("run {} --out {out}", text(&place.join("config.yaml"))),
    ];
    all.iter().map(|line| line.split(' ').map(|word| word.replace('~', " ")).collect()).collect()
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn no_command_follows_a_link_out_of_the_folder_or_waits_for_a_pipe_and_each_says_so_in_the_same_words() {
    let (dir, _, out) = run_body(&BODY.replace("replicates: 3", "replicates: 1"));
    let place = dir.path();
    let session = "sessions/majority-r000001";
    fs::write(out.join(session).join("calls.jsonl"), "").unwrap();
    ekklesia(&["search", text(&out), "for"]).says(0, &[]);
    let (before, away) = (everything(&out), place.join("away"));
    fs::create_dir(&away).unwrap();
    // One in four takes each part with two or three commands, and each command with every fourth part.
    let (tried, number) = (sample_cases(0..400, 4), Cell::new(0));
    let refused = |part: &str, why: &str| {
        for command in commands(&out, place) {
            if !tried.contains(&number.replace(number.get() + 1)) {
                continue;
            }
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            let told = ekklesia(&words);
            let file = text(&out.join(part)).to_owned();
            assert!([Some(1), Some(2)].contains(&told.code), "{words:?}: {told:#?}");
            told.says(told.code.unwrap(), &[&file, why]);
            assert!(!place.join("elsewhere").exists(), "{words:?}");
        }
    };
    let parts = ["sessions", session, "inputs/config.yaml", "experiment.json", "plan.yaml", "sessions.csv", ".lock"];
    let parts = parts.into_iter();
    let files = ["minutes.jsonl", "calls.jsonl", "run.json"].map(|file| format!("{session}/{file}"));
    for part in parts.chain(files.iter().map(String::as_str)) {
        let there = away.join("it");
        moved(&out.join(part), &there);
        refused(part, "this is a link that leads out of the folder; it is not followed");
        fs::remove_file(out.join(part)).unwrap();
        if there.is_file() {
            assert!(std::process::Command::new("mkfifo").arg(out.join(part)).status().unwrap().success());
            refused(part, "this is a pipe or a device, not a file");
            fs::remove_file(out.join(part)).unwrap();
        }
        fs::rename(&there, out.join(part)).unwrap();
        assert!(everything(&out) == before, "{part}: something was written");
    }
    // What hangs in the air is not written through either.
    let minutes = out.join(session).join("minutes.jsonl");
    fs::rename(&minutes, away.join("minutes.jsonl")).unwrap();
    std::os::unix::fs::symlink(away.join("not there"), &minutes).unwrap();
    refused(&format!("{session}/minutes.jsonl"), "this is a link to nothing that can be read");
    assert!(!away.join("not there").exists());
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn links_within_a_folder_and_to_the_whole_of_it_are_followed_by_every_command() {
    use std::os::unix::fs::symlink;
    let (dir, _, out) = run_body(BODY);
    let place = dir.path();
    let whole = page_of(&out, place);
    fs::create_dir(out.join("kept")).unwrap();
    for name in ["sessions/majority-r000001", "sessions/majority-r000002/minutes.jsonl", "inputs/scenario"] {
        let kept = out.join("kept").join(name.replace('/', "-"));
        fs::rename(out.join(name), &kept).unwrap();
        symlink(&kept, out.join(name)).unwrap();
    }
    fs::create_dir(place.join("scratch")).unwrap();
    let scratch = place.join("scratch/results");
    fs::rename(&out, &scratch).unwrap();
    // The links above name the folder by the path that it had.
    symlink(&scratch, &out).unwrap();
    // What no run writes is of no interest, nor is it read: a folder of notes, and the lock of an editor.
    let secret = place.join("secret");
    fs::create_dir(&secret).unwrap();
    let others = [secret.join("minutes.jsonl"), secret.join(".ekklesia-other")];
    others.iter().for_each(|other| fs::write(other, "a secret\n").unwrap());
    for beside in ["notes", "sessions/unanimity-r000001/notes", "inputs/.notes"] {
        symlink(&secret, scratch.join(beside)).unwrap();
    }
    symlink("me@host.123", scratch.join("inputs/.#config.yaml")).unwrap();
    for command in commands(&out, place) {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let told = ekklesia(&words);
        assert!(told.code == Some(0), "{words:?}: {told:#?}");
        let elsewhere = place.join("elsewhere");
        if words.contains(&"bundle") {
            let listed = std::process::Command::new("tar").args(["tzf", text(&elsewhere)]).output().unwrap();
            let listed = String::from_utf8(listed.stdout).unwrap();
            assert!(listed.contains("inputs/config.yaml"), "{listed}");
            assert!(!listed.contains("/notes/") && !listed.contains("/."), "{listed}");
        }
        let gone = if elsewhere.is_dir() { fs::remove_dir_all(&elsewhere) } else { fs::remove_file(&elsewhere) };
        assert!(gone.is_ok() || !elsewhere.exists());
    }
    assert!(others.iter().all(|other| fs::read_to_string(other).unwrap() == "a secret\n"), "nothing is cleared there");
    assert_eq!(page_of(&out, place), whole);
    let server = served(&out);
    let watch = server.get("/e/results/watch").body;
    assert!(watch.contains("6 of 6") && !watch.contains("this is a link"), "{watch}");
    let mut stream = Stream::open(&server, "/e/results/live?session=majority-r000001", None);
    assert!(stream.until("record").data.contains("\"session\":\"majority-r000001\""));
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn the_live_view_counts_and_tells_nothing_from_outside_and_what_came_to_lie_there_is_gone() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path();
    let out = place.join("all/results");
    ekklesia(&["run", text(&write_config(place, BODY)), "--out", text(&out)]).says(0, &[]);
    let server = served(&place.join("all"));
    let mut stream = Stream::open(&server, "/e/results/live", None);
    stream.until("record");
    assert!(server.get("/").body.contains("6 of 6"));
    fs::create_dir(place.join("away")).unwrap();
    let minutes = "sessions/majority-r000002/minutes.jsonl";
    moved(&out.join(minutes), &place.join("away/minutes.jsonl"));
    let out_of_it = "this is a link that leads out of the folder; it is not followed";
    let fresh = || {
        // What a server knew of a session at its end it does not look at again; one that begins sees what lies there.
        let server = served(&place.join("all"));
        let mut stream = Stream::open(&server, "/e/results/live", None);
        (server.get("/").body, stream.until("state").data)
    };
    let (index, state) = fresh();
    let line = format!("{minutes}: {out_of_it}");
    assert!(index.contains("5 of 6, 1 unreadable") && index.contains(&line.replace('/', "&#x2f;")), "{index}");
    assert!(state.contains(&line) && state.contains("\"unreadable\":1"), "{state}");
    moved(&out.join("sessions"), &place.join("away/sessions"));
    let (index, state) = fresh();
    let line = format!("sessions: {out_of_it}");
    assert!(index.contains("0 of 6") && index.contains(&line), "{index}");
    assert!(state.contains(&line) && state.contains("\"records\":0") && state.contains("\"sessions\":[]"), "{state}");
    // Who follows is told that they are gone.
    let mut gone = 0;
    while gone < 6 {
        gone += usize::from(stream.next().kind == "gone");
    }
    assert!(stream.heard.iter().any(|event| event.kind == "state" && event.data.contains(&line)));
}
