//! The same agents meet again: what they bring, what they note, in which order sessions are held, and what goes wrong.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::cli::{assert_same, calls, ekklesia, text};
use crate::fixtures::desk::copy::copy;
use crate::fixtures::meeting::{noting, run, session};
use crate::fixtures::recount::notes::Notebook;
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::{self, write_config};
use ekklesia::domain::{Before, Brief, Briefing, Digest, EntryKind, Event, Needed, OwnEntry, Record, Step};
use ekklesia::engine::{Next, handed_on};
use ekklesia::plan::Plan;
use ekklesia::session::Visibility;
use serde_json::{Value, json};
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

const SIMULATED: &str =
    "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim, mind: { voter: { copy: 0.5 } } }\n";
const THREE: &str = "seats: [{ name: Alice }, { name: Bob }, { name: Carol }]\n";
const TALK: &str = "discussion: { rounds: 2, order: random, vote: at_end }\n";

fn panel(waves: u32, rest: &str) -> String {
    format!("{SIMULATED}{THREE}{TALK}panel: {{ waves: {waves} }}\n{rest}")
}

fn records(out: &Path, wave: u32) -> Vec<Record> {
    let minutes = fs::read_to_string(session(out, wave).join("minutes.jsonl")).unwrap();
    minutes.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The lines of each seat's notes in a session's folder.
fn notes(out: &Path, wave: u32) -> BTreeMap<String, Vec<String>> {
    let text = fs::read(session(out, wave).join("notes.json")).unwrap();
    let notes: Value = serde_json::from_slice(&text).unwrap();
    let seats = notes["seats"].as_array().unwrap().iter();
    seats
        .map(|seat| (seat["seat"].as_str().unwrap().to_owned(), serde_json::from_value(seat["lines"].clone()).unwrap()))
        .collect()
}

fn rows(out: &Path, table: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let mut rows = csv::Reader::from_path(out.join(table)).unwrap();
    let headers = rows.headers().unwrap().clone();
    let places: Vec<usize> = columns.iter().map(|name| headers.iter().position(|h| h == *name).unwrap()).collect();
    rows.records().map(|row| places.iter().map(|place| row.as_ref().unwrap()[*place].to_owned()).collect()).collect()
}

#[test]
fn the_shipped_panel_is_held_wave_by_wave_and_replayed_and_every_table_says_which_it_is() {
    let place = tempfile::tempdir().unwrap();
    let (one, two) = (place.path().join("one"), place.path().join("two"));
    let config = trial::repository().join("configs/panel.yaml");
    ekklesia(&["run", text(&config), "--out", text(&one), "--jobs", "1"]).says(0, &["20 of 20 sessions"]);
    ekklesia(&["run", text(&config), "--out", text(&two), "--jobs", "4"]).says(0, &["20 of 20 sessions"]);
    assert_same(&one, &two);
    ekklesia(&["replay", text(&one)]).says(0, &["no divergence", "no seat was shown anything"]);
    let keys = rows(&one, "sessions.csv", &["replicate", "panel", "wave", "session"]);
    assert_eq!(keys[0], ["1", "baseline-r000001", "1", "baseline-r000001-w01"]);
    assert_eq!(keys[19], ["5", "baseline-r000005", "4", "baseline-r000005-w04"]);
    for table in ["seats.csv", "rounds.csv", "statements.csv", "answers.csv"] {
        assert!(rows(&one, table, &["panel", "wave"]).iter().all(|row| !row[0].is_empty() && !row[1].is_empty()));
    }
    for cell in ["answers.csv:1:wave", "seats.csv:7:panel", "sessions.csv:2:plan_digest", "sessions.csv:3:session"] {
        ekklesia(&["why", &format!("{}/{cell}", one.display())]).says(0, &[]);
    }
    ekklesia(&["search", text(&one), "favoured", "--kind", "notes"]).says(0, &["I favoured"]);
    ekklesia(&["show", text(&session(&one, 2))]).says(0, &["notes from before", "I favoured"]);
}

#[test]
fn a_session_begins_with_the_minutes_before_it_and_the_same_agents_draw_anew() {
    let place = tempfile::tempdir().unwrap();
    let mind = "{ justice: { risk_aversion: { uniform: [0, 8] } } }";
    let body = format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim, mind: {mind} }}\n\
         seats: [{{ count: 3, name: \"Member {{n}}\" }}]\npanel: {{ waves: 3 }}\nmemory: {{ notes: {{}} }}\n\
         discussion: {{ rounds: 4, order: random }}\n"
    );
    let config = trial::write_justice(place.path(), &body);
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["3 of 3 sessions"]);
    let seated =
        |records: &[Record]| records.iter().find(|r| matches!(r.event, Event::Seated { .. })).unwrap().event.clone();
    let order = |records: &[Record]| records.iter().find(|r| r.event.opens_talk_round()).unwrap().event.clone();
    let waves: Vec<Vec<Record>> = (1..=3).map(|wave| records(&out, wave)).collect();
    assert_eq!(seated(&waves[0]), seated(&waves[1]));
    assert_eq!(seated(&waves[0]), seated(&waves[2]));
    assert!(order(&waves[0]) != order(&waves[1]) || order(&waves[1]) != order(&waves[2]));
    for wave in 2..=3 {
        let minutes = fs::read(session(&out, wave - 1).join("minutes.jsonl")).unwrap();
        let expected = Needed { session: format!("baseline-r000001-w{:02}", wave - 1), minutes: Digest::of(&minutes) };
        assert_eq!(Before::of(&records(&out, wave)).unwrap().needed, expected);
    }
    // Without a panel the session is the first of it, but for its plan and the notes.
    let alone = body.replace("panel: { waves: 3 }\nmemory: { notes: {} }\n", "");
    let config = trial::write_justice(place.path(), &alone);
    let single = place.path().join("single");
    ekklesia(&["run", text(&config), "--out", text(&single)]).says(0, &[]);
    let minutes = fs::read_to_string(single.join("sessions/baseline-r000001/minutes.jsonl")).unwrap();
    let alone: Vec<Record> = minutes.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(seated(&alone), seated(&waves[0]));
    assert_eq!(order(&alone), order(&waves[0]));
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
}

#[test]
fn notes_are_what_a_naive_reader_of_the_minutes_makes_of_them() {
    let place = tempfile::tempdir().unwrap();
    let (out, told) = run(place.path(), &noting(4), "out", &[]);
    told.says(0, &["4 of 4 sessions"]);
    let mut notebook = Notebook::new(3);
    for wave in 1..=4 {
        let records = records(&out, wave);
        for record in &records {
            notebook.read(record);
        }
        assert_eq!(notes(&out, wave), notebook.lines, "after wave {wave}");
        let asked: Vec<&Record> = records.iter().filter(|record| record.at.step == Step::Notes).collect();
        assert!(asked.iter().all(|record| record.at.phase.as_str() == "session"), "asked when all is over");
    }
    // Bob has nothing that he could replace; his tries are used up and nothing is changed, nor anything added.
    let faulted = records(&out, 1).iter().filter(|r| r.event.is_faulted()).count();
    assert_eq!((faulted, notebook.lines.contains_key("Bob")), (3, false));
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let context = ekklesia(&["context", text(&session(&out, 4)), "--seat", "Ann", "--at", "vote:0:ballot"]);
    context.says(0, &["Your notes from when you met before", "Bob yields.", "· pinned"]);
    // Of six lines of Ann's the newest three are shown.
    assert_eq!(notes(&out, 3)["Ann"].len(), 6);
    let last = records(&out, 4);
    let mut brought = last.iter().filter_map(|record| record.event.briefed()?.notes());
    assert_eq!(brought.find(|(seat, _)| seat.as_str() == "Ann").unwrap().1.len(), 6, "none is lost");
    let at =
        ["context", text(&session(&out, 4)), "--seat", "Ann", "--at", "vote:0:ballot", "--json"].map(str::to_owned);
    let context = ekklesia(&at.each_ref().map(String::as_str));
    let context: Value = serde_json::from_str(&context.stdout).unwrap();
    let told = context["messages"].to_string();
    let times = |words: &str| told.matches(words).count();
    assert_eq!(2 * times("Bob yields."), times("Carol does not."), "the oldest of four lines is not shown");
}

/// The second session of a panel as a plan that begins with what its first handed on, and the records of the first.
fn second() -> (Arc<Plan>, Arc<Plan>, Vec<Record>) {
    let arm = trial::plan(&noting(2));
    let first = Arc::new(arm.of_wave(1));
    let records = trial::whole(&first, 1);
    let (names, notes) = handed_on(&first, &records);
    let needed = Needed { session: first.session_name(1), minutes: Digest::of(b"the minutes") };
    (first, Arc::new(arm.of_wave(2).with_previous_outcome(Before { needed, names, notes })), records)
}

#[test]
fn what_a_session_hands_on_is_what_its_state_holds_after_every_cut() {
    let (first, plan, before) = second();
    let live = trial::folded(&first, 1, &before);
    assert_eq!((live.names(), live.notes()), handed_on(&first, &before));
    let whole = trial::whole(&plan, 1);
    assert_eq!(Before::of(&whole).as_ref(), plan.previous_outcome(), "the records say what it began with");
    for cut in 0..whole.len() {
        let mut state = trial::folded(&plan, 1, &whole[..cut]);
        let mut kept = whole[..cut].to_vec();
        trial::go_on(&mut state, &plan, &mut kept).unwrap();
        assert!(kept == whole, "cut after {cut} records");
        assert_eq!(state.notes(), handed_on(&plan, &whole).1);
    }
}

#[test]
fn the_notes_of_another_seat_and_notes_that_nobody_took_are_leaks() {
    let (_, plan, _) = second();
    let whole = trial::whole(&plan, 1);
    let is_anns = |record: &Record| record.seat.as_ref().is_some_and(|seat| seat.as_str() == "Ann");
    let asked = whole.iter().position(|record| record.at.step == Step::Statement && is_anns(record)).unwrap();
    let state = trial::folded(&plan, 1, &whole[..asked]);
    let mut account = Visibility::new(&plan);
    whole[..asked].iter().for_each(|record| account.witness_record(record));
    let Next::Ask(queries) = state.next() else { panic!("a seat is asked to speak") };
    let query = &queries[0];
    assert!(account.clone().check_query(query).is_ok());
    let own = query.brief.pinned.iter().find(|entry| entry.kind == EntryKind::Notes).unwrap().clone();
    for text in [
        "Your notes from when you met before (this is meeting 2):\nI was told everything.".to_owned(),
        own.text.replace("favour", "favored").replace("Bob", "Rob"),
        "Carol does not.".to_owned(),
    ] {
        let pinned = [OwnEntry { text, ..own.clone() }];
        let mut leaking = query.clone();
        leaking.brief = Brief { pinned: &pinned, ..query.brief.clone() };
        leaking.shown.pinned = 1;
        let leak = account.clone().check_query(&leaking).unwrap_err().to_string();
        assert!(leak.contains("which it did not note"), "{leak}");
    }
    let chosen = vec![Some("Zoë".to_owned()); 3];
    let mut renamed = query.clone();
    renamed.chosen = &chosen;
    assert!(account.clone().check_query(&renamed).unwrap_err().to_string().contains("a name that it did not choose"));
}

#[test]
fn what_is_cut_anywhere_between_and_within_waves_goes_on_to_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let (whole, told) = run(place.path(), &panel(3, "memory: { notes: { max_lines: 5 } }\n"), "whole", &[]);
    told.says(0, &[]);
    let config = place.path().join("config.yaml");
    let minutes = fs::read_to_string(session(&whole, 2).join("minutes.jsonl")).unwrap();
    let lines = minutes.lines().count();
    for kept in sample_cases([0, 1, 2, 3, lines / 2, lines - 3, lines - 2, lines - 1], 3) {
        let cut = place.path().join(format!("cut{kept}"));
        copy(&whole, &cut);
        fs::remove_dir_all(session(&cut, 3)).unwrap();
        for file in ["run.json", "notes.json"] {
            fs::remove_file(session(&cut, 2).join(file)).unwrap();
        }
        let part: String = minutes.split_inclusive('\n').take(kept).collect();
        fs::write(session(&cut, 2).join("minutes.jsonl"), part + "{\"seq\":").unwrap();
        ekklesia(&["run", text(&config), "--out", text(&cut)]).says(0, &["1 session complete already"]);
        assert_same(&whole, &cut);
    }
    // A panel that meets more often later is the panel that met so often at once.
    let (grown, told) = run(place.path(), &panel(2, "memory: { notes: { max_lines: 5 } }\n"), "grown", &[]);
    told.says(0, &["2 of 2 sessions"]);
    let (_, told) = run(place.path(), &panel(3, "memory: { notes: { max_lines: 5 } }\n"), "grown", &[]);
    told.says(0, &["2 sessions complete already"]);
    for wave in 1..=3 {
        for file in ["minutes.jsonl", "notes.json"] {
            assert_eq!(
                fs::read(session(&grown, wave).join(file)).unwrap(),
                fs::read(session(&whole, wave).join(file)).unwrap()
            );
        }
    }
}

#[test]
fn minutes_that_were_changed_are_no_memory() {
    let place = tempfile::tempdir().unwrap();
    let (out, told) = run(place.path(), &noting(3), "out", &[]);
    told.says(0, &[]);
    let config = place.path().join("config.yaml");
    let change = |wave: u32, old: &str, new: &str| {
        let path = session(&out, wave).join("minutes.jsonl");
        let sound = fs::read_to_string(&path).unwrap();
        assert!(sound.contains(old), "{old} in wave {wave}");
        fs::write(&path, sound.replacen(old, new, 1)).unwrap();
        (path, sound)
    };
    // In a record of the session itself, in what it brought, and in what it needs.
    for (wave, old, new) in [
        (2, "Carol does not.\"", "Carol does not!\""),
        (2, "baseline-r000001-w01", "baseline-r000001-w09"),
        (1, "Bob yields.", "Bob yields!"),
    ] {
        let (path, sound) = change(wave, old, new);
        let told = ekklesia(&["replay", text(&session(&out, 2))]);
        told.says(3, &["record"]);
        ekklesia(&["replay", text(&out)]).says(3, &["record"]);
        fs::write(path, sound).unwrap();
    }
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    fs::remove_dir_all(session(&out, 3)).unwrap();
    let (path, sound) = change(2, "Bob yields.", "Bob yields!");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(3, &["changed since they were written"]);
    fs::write(&path, "\u{0}\n".repeat(sound.len() / 2)).unwrap();
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(3, &["baseline-r000001-w02"]);
    fs::write(path, sound).unwrap();
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &["3 of 3 sessions"]);
}

#[test]
fn after_a_session_that_failed_no_later_one_is_held_and_that_is_said_and_counted() {
    let place = tempfile::tempdir().unwrap();
    let body = "models: { sim: { simulated: {} } }\nseat_defaults: { model: sim }\n\
                seats: [{ name: Ann, mind: { scripted: { list: [] } } }, { name: Bob }]\n\
                discussion: { rounds: 1, order: fixed, vote: at_end }\npanel: { waves: 3 }\nmemory: { notes: {} }\n";
    let (out, told) = run(place.path(), body, "out", &[]);
    told.says(
        1,
        &["the script of Ann has no line", "it needs the minutes of baseline-r000001-w01, which is not complete"],
    );
    let statuses = rows(&out, "sessions.csv", &["wave", "status", "fault"]);
    assert_eq!(statuses, [["1", "failed", "script_ended"], ["2", "incomplete", ""], ["3", "incomplete", ""]]);
    assert!(!session(&out, 2).exists());
    ekklesia(&["replay", text(&out)]).says(4, &["no divergence"]);
}

#[test]
fn a_fork_of_a_later_session_begins_with_the_same_notes_and_a_bundle_holds_them() {
    let place = tempfile::tempdir().unwrap();
    let (out, told) = run(place.path(), &noting(2), "out", &[]);
    told.says(0, &[]);
    let change = place.path().join("change.yaml");
    fs::write(&change, "at: { seat: Ann, phase: vote }\nballot: against\n").unwrap();
    let fork = place.path().join("fork");
    let told = ekklesia(&["fork", text(&session(&out, 2)), "--change", text(&change), "--out", text(&fork)]);
    told.says(0, &[]);
    let brought = |out: &Path| {
        let all =
            records(out, 2).into_iter().filter(|record| record.event.briefed().and_then(Briefing::notes).is_some());
        all.collect::<Vec<Record>>()
    };
    assert_eq!(brought(&fork), brought(&out));
    ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
    let bundle = place.path().join("bundle.tar.gz");
    ekklesia(&["export", text(&out), "--format", "bundle", "--without-program", "--out", text(&bundle)]).says(0, &[]);
    let unpacked = place.path().join("unpacked");
    let tar = flate2::read::GzDecoder::new(fs::File::open(&bundle).unwrap());
    tar::Archive::new(tar).unpack(&unpacked).unwrap();
    let folder = fs::read_dir(&unpacked).unwrap().next().unwrap().unwrap().path().join("results");
    assert!(session(&folder, 1).join("notes.json").is_file());
    ekklesia(&["replay", text(&folder)]).says(0, &["no divergence"]);
}

#[test]
fn notes_without_a_panel_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let check = |body: &str| ekklesia(&["check", text(&write_config(place.path(), body))]);
    let without = format!("{SIMULATED}{THREE}{TALK}memory: {{ notes: {{ max_lines: 9 }} }}\n");
    check(&without).says(2, &["memory.notes: notes are for the next meeting", "write panel: { waves: 2 }"]);
    check(&panel(2, "memory: { notes: {} }\n")).says(0, &["2 sessions"]);
    for (bad, words) in [
        (panel(0, ""), "panel.waves"),
        (panel(100, ""), "panel.waves"),
        (panel(2, "memory: { notes: { max_lines: 0 } }\n"), "memory.notes.max_lines"),
        (panel(2, "memory: { notes: { lines: 3 } }\n"), "memory.notes.lines"),
        (
            panel(2, "design: { factors: { panel: { key: panel.waves, levels: [1, 2] } } }\n"),
            "is the same for every arm",
        ),
    ] {
        check(&bad).says(2, &[words]);
    }
}

#[test]
fn a_comparison_counts_panels_and_not_their_sessions() {
    let place = tempfile::tempdir().unwrap();
    let body = panel(
        3,
        "replicates: 4\ndesign: { factors: { rule: { key: decision.rule, levels: [majority, unanimity] } } }\n",
    );
    let (out, told) = run(place.path(), &body, "out", &[]);
    told.says(0, &["24 of 24 sessions"]);
    for unit in [&["--unit", "panel"][..], &[]] {
        let told = ekklesia(&[&["compare", text(&out), "--metric", "carried"], unit].concat());
        told.says(0, &["paired by panel"]);
    }
}

/// What a model says: notes by the number of the meeting, as the prompt shows it.
fn reply(request: &Request) -> ResponseTemplate {
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    let properties = &body["response_format"]["json_schema"]["schema"]["properties"];
    let told = body["messages"].to_string();
    let content = if properties.get("append").is_some() {
        if told.contains("does not stand exactly once") {
            json!({ "append": "Asked twice.", "replace": null, "with": null })
        } else if told.contains("First.") && !told.contains("Second.") {
            json!({ "append": "Second.", "replace": "First", "with": "The first time" })
        } else if told.contains("Second.") {
            json!({ "append": null, "replace": "nowhere in them", "with": "x" })
        } else {
            json!({ "append": "Before all.\nFirst.", "replace": null, "with": null })
        }
    } else if properties.get("text").is_some() {
        json!({ "text": "We decided." })
    } else if properties.get("choice").is_some() {
        json!({ "choice": "for" })
    } else {
        json!({ "statement": "I have thought about it for a while.", "stance": "for" })
    };
    ResponseTemplate::new(200).set_body_json(json!({
        "choices": [{ "index": 0, "finish_reason": "stop",
                      "message": { "role": "assistant", "content": content.to_string() } }],
        "model": "played-1",
    }))
}

#[test]
fn models_take_notes_and_are_shown_the_newest_lines_and_a_replacement_that_fails_changes_nothing() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(MockServer::start());
    runtime.block_on(Mock::given(method("POST")).respond_with(reply).mount(&server));
    let place = tempfile::tempdir().unwrap();
    let url = server.uri();
    let body = format!(
        "models: {{ small: {{ openai: {{ base_url: \"{url}/v1\", model: m, max_tokens: 120, context_window: 100000 }} }} }}\n\
         seat_defaults: {{ model: small }}\nseats: [{{ name: Ann }}]\nmemory: {{ notes: {{ max_lines: 2 }} }}\n\
         discussion: {{ rounds: 1, order: fixed, vote: at_end }}\npanel: {{ waves: 3 }}\n"
    );
    let (out, told) = run(place.path(), &body, "out", &[]);
    told.says(0, &["3 of 3 sessions"]);
    let mut notebook = Notebook::new(2);
    for wave in 1..=3 {
        records(&out, wave).iter().for_each(|record| notebook.read(record));
        assert_eq!(notes(&out, wave), notebook.lines, "after wave {wave}");
    }
    assert_eq!(notes(&out, 1)["Ann"], ["Before all.", "First."]);
    assert_eq!(notes(&out, 2)["Ann"], ["Before all.", "The first time.", "Second."]);
    assert_eq!(notes(&out, 3)["Ann"], ["Before all.", "The first time.", "Second.", "Asked twice."]);
    let prompts = calls(&session(&out, 3).join("calls.jsonl"));
    assert_eq!(prompts.len(), 5, "a turn, a ballot, a memory that is rewritten, and notes that are asked for twice");
    let received = runtime.block_on(server.received_requests()).unwrap();
    let told: Vec<String> = received.iter().map(|request| String::from_utf8(request.body.clone()).unwrap()).collect();
    let third: Vec<&String> = told.iter().filter(|prompt| prompt.contains("Second.")).collect();
    assert!(
        third.iter().all(|prompt| prompt.contains("The first time.") && !prompt.contains("Before all.")),
        "{third:?}"
    );
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    // Without the server the same folder comes from the recorded calls.
    let offline = place.path().join("offline");
    copy(&out, &offline);
    for wave in 1..=3 {
        for file in ["minutes.jsonl", "run.json", "notes.json"] {
            fs::remove_file(session(&offline, wave).join(file)).unwrap();
        }
    }
    let config = place.path().join("config.yaml");
    drop(server);
    ekklesia(&["run", text(&config), "--out", text(&offline), "--offline"]).says(0, &["3 of 3 sessions"]);
    assert_same(&out, &offline);
}
