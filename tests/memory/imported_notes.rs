//! Seats begin with the notes that seats of the same names took in a session of another experiment.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{self, ekklesia, text};
use crate::fixtures::trial::write_config;
use ekklesia::domain::{Digest, Matter, Needed, Record, SeatNotes, Step};
use serde_json::Value;

const TALK: &str = "discussion: { rounds: 1, order: random, vote: at_end }\n";
const FROM: &str = "from: { session: ../first/out/sessions/baseline-r000001-w02 }";

/// Three seats, the first of which notes what its script says.
fn seats(names: [&str; 3]) -> String {
    let [ann, bob, carol] = names;
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim, mind: {{ voter: {{ copy: 0.5 }} }} }}\nseats:\n\
         \x20 - name: {ann}\n    mind: {{ scripted: {{ table: [\n\
         \x20     {{ phase: discussion, round: 1, step: statement, statement: \"I favour it.\", stance: for }},\n\
         \x20     {{ phase: vote, round: 0, step: ballot, choice: for }},\n\
         \x20     {{ phase: session, round: 0, step: notes, append: \"The quagga was striped.\" }} ] }} }}\n\
         \x20 - {{ name: {bob} }}\n  - {{ name: {carol} }}\n{TALK}"
    )
}

/// Folders of two experiments, the first of which is a panel that was run and whose seats took notes.
struct Two(tempfile::TempDir);

impl Two {
    fn begin() -> Self {
        let two = Self(tempfile::tempdir().unwrap());
        for folder in ["first", "second"] {
            fs::create_dir(two.path(folder)).unwrap();
        }
        let body = seats(["Ann", "Bob", "Carol"]) + "panel: { waves: 2 }\nmemory: { notes: {} }\n";
        let config = write_config(&two.path("first"), &body);
        ekklesia(&["run", text(&config), "--out", text(&two.path("first/out"))]).says(0, &[]);
        two
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Writes the config of the second experiment with the seats of the first.
    fn config(&self, more: &str) -> PathBuf {
        write_config(&self.path("second"), &(seats(["Ann", "Bob", "Carol"]) + more))
    }

    fn check(&self, more: &str) -> cli::Told {
        ekklesia(&["check", text(&self.config(more))])
    }

    fn run(&self, more: &str) -> cli::Told {
        ekklesia(&["run", text(&self.config(more)), "--out", text(&self.path("second/out"))])
    }

    fn session(&self, name: &str) -> PathBuf {
        self.path("second/out/sessions").join(name)
    }

    fn source(&self) -> PathBuf {
        self.path("first/out/sessions/baseline-r000001-w02")
    }
}

fn records(session: &Path) -> Vec<Record> {
    let minutes = fs::read_to_string(session.join("minutes.jsonl")).unwrap();
    minutes.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn brought(records: &[Record]) -> (Vec<SeatNotes>, Option<Needed>) {
    let told = records.iter().filter_map(|record| record.event.briefed());
    let mut first = None;
    let notes: Vec<SeatNotes> = told
        .filter_map(|told| {
            let Matter::Notes { from } = &told.what else { return None };
            let (seat, lines) = told.notes()?;
            first.get_or_insert(from.clone());
            Some(SeatNotes { seat: seat.clone(), lines })
        })
        .collect();
    (notes, first.unwrap())
}

/// The notes that lie in a session's folder.
fn left(session: &Path) -> Vec<SeatNotes> {
    let read: Value = serde_json::from_slice(&fs::read(session.join("notes.json")).unwrap()).unwrap();
    serde_json::from_value(read["seats"].clone()).unwrap()
}

#[test]
fn a_session_without_a_panel_begins_with_the_notes_and_needs_the_other_folder_no_more() {
    let two = Two::begin();
    two.run(&format!("memory: {{ notes: {{ {FROM} }} }}\n")).says(0, &["1 of 1 session"]);
    let session = two.session("baseline-r000001");
    let own = records(&session);
    let minutes = fs::read(two.source().join("minutes.jsonl")).unwrap();
    let from = Needed { session: "baseline-r000001-w02".to_owned(), minutes: Digest::of(&minutes) };
    assert_eq!(brought(&own), (left(&two.source()), Some(from)));
    assert!(own.iter().all(|record| record.at.step != Step::Notes) && !session.join("notes.json").exists());
    let plan = fs::read_to_string(two.path("second/out/plan.yaml")).unwrap();
    assert!(plan.contains("session: notes.json") && !plan.contains("../first"), "{plan}");
    fs::remove_dir_all(two.path("first")).unwrap();
    let out = two.path("second/out");
    ekklesia(&["replay", text(&out)]).says(0, &["no divergence"]);
    let at = ["--seat", "Bob", "--at", "vote:0:ballot"];
    let told = ekklesia(&[&["context", text(&session)][..], &at].concat());
    told.says(0, &["Your notes from an earlier meeting:", "· pinned"]);
    ekklesia(&["show", text(&session)])
        .says(0, &["notes from before · taken in baseline-r000001-w02", "The quagga was striped."]);
    ekklesia(&["search", text(&out), "quag", "--kind", "notes"]).says(0, &["1 of"]);
    ekklesia(&["report", text(&out)]).says(0, &[]);
    let methods = fs::read_to_string(out.join("methods.md")).unwrap();
    assert!(methods.contains("had taken in `baseline-r000001-w02`, a session of another experiment"), "{methods}");
    assert!(!methods.contains("When a meeting was over"), "{methods}");
    let change = two.path("change.yaml");
    fs::write(&change, "at: { seat: Bob, phase: vote }\nballot: against\n").unwrap();
    let fork = two.path("fork");
    ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
    assert_eq!(brought(&records(&fork.join("sessions/baseline-r000001"))), brought(&own));
    ekklesia(&["replay", text(&fork)]).says(0, &["no divergence"]);
    fs::remove_dir_all(&session).unwrap();
    ekklesia(&["run", text(&out)]).says(0, &["1 of 1 session"]);
    assert_eq!(records(&session), own);
    // Notes that were changed are those of another session.
    let kept = out.join("inputs/notes.json");
    let changed = fs::read_to_string(&kept).unwrap().replace("quagga", "zebra");
    fs::write(&kept, changed).unwrap();
    ekklesia(&["replay", text(&out)]).says(3, &["record 0 differs"]);
    fs::write(&kept, "[]").unwrap();
    ekklesia(&["replay", text(&out)]).says(2, &["inputs/notes.json: not the notes that were kept"]);
    fs::remove_file(&kept).unwrap();
    ekklesia(&["replay", text(&out)]).says(2, &["inputs/notes.json: no such file"]);
}

#[test]
fn a_panel_begins_with_the_notes_and_adds_to_them() {
    let two = Two::begin();
    two.run(&format!("panel: {{ waves: 2 }}\nmemory: {{ notes: {{ max_lines: 2, {FROM} }} }}\n")).says(0, &["2 of 2"]);
    let [first, second] = ["baseline-r000001-w01", "baseline-r000001-w02"].map(|name| two.session(name));
    assert_eq!(brought(&records(&first)).0, left(&two.source()));
    assert_eq!(brought(&records(&second)), (left(&first), None));
    for (before, after) in left(&two.source()).iter().zip(left(&first)) {
        assert!(after.lines.starts_with(&before.lines) && after.lines.len() > before.lines.len(), "{after:?}");
    }
    ekklesia(&["replay", text(&two.path("second/out"))]).says(0, &["no divergence"]);
    let at = ["--seat", "Ann", "--at", "vote:0:ballot"];
    let told = ekklesia(&[&["context", text(&second)][..], &at].concat());
    told.says(0, &["Your notes from when you met before (this is meeting 2):"]);
}

#[test]
fn arms_may_begin_with_and_without_the_notes() {
    let two = Two::begin();
    let more = format!(
        "memory: {{ notes: {{ {FROM} }} }}\ndesign: {{ factors: {{ notes: {{ set: {{ with: {{}}, without: {{ memory.notes.from: none }} }} }} }} }}\n"
    );
    two.run(&more).says(0, &["2 of 2 sessions"]);
    let has_notes = |name: &str| {
        records(&two.session(name))
            .iter()
            .any(|record| record.event.briefed().is_some_and(|told| told.notes().is_some()))
    };
    assert!(has_notes("with-r000001") && !has_notes("without-r000001"));
}

#[test]
fn notes_that_cannot_be_had_are_refused_with_the_reason_and_a_remedy() {
    let two = Two::begin();
    let from = |session: &str| format!("memory: {{ notes: {{ from: {{ session: {session} }} }} }}\n");
    for (session, words) in [
        ("../thirst/out/sessions/baseline-r000001-w02", "thirst/out/sessions/baseline-r000001-w02: no such folder"),
        ("../first/out", "first/out: not the folder of a session"),
        ("../first/out/sessions/baseline-r000001", "first/out has no session \"baseline-r000001\""),
        ("../first/out/sessions/baseline-r000001-w03", "did you mean \"baseline-r000001-w0"),
    ] {
        two.check(&from(session)).says(2, &["config.yaml:", "memory.notes.from.session: ", words]);
    }
    let given = from("../first/out/sessions/baseline-r000001-w02");
    two.check(&given).says(0, &[]);
    let others = write_config(&two.path("second"), &(seats(["Ann", "Bea", "Cleo"]) + &given));
    let missing = "baseline-r000001-w02 has no notes of Bea, Cleo; it has notes of Ann, Bob, Carol";
    ekklesia(&["check", text(&others)]).says(2, &[missing, "give every seat the name that it had there"]);
    let config = two.config(&given);
    let set = ekklesia(&[
        "check",
        text(&config),
        "--set",
        "memory.notes.from.session=../first/out/sessions/baseline-r000001-w01",
    ]);
    set.says(2, &["memory.notes.from.session", "only the config itself can say this"]);
    ekklesia(&["check", text(&config), "--set", "memory.notes.from=none"]).says(0, &[]);
    let level = "design: { factors: { s: { key: memory.notes.from.session, levels: { a: x, b: y } } } }\n";
    let told = two.check(&format!("{given}{level}"));
    told.says(2, &["only the config itself can name a session", "memory.notes.from: none in the levels"]);
    let run = two.source().join("run.json");
    let sound = fs::read_to_string(&run).unwrap();
    fs::write(&run, sound.replace("\"completed\"", "\"incomplete\"")).unwrap();
    two.check(&given).says(2, &["memory.notes.from.session: baseline-r000001-w02 is not complete", "finish it with"]);
    fs::write(&run, sound).unwrap();
    let minutes = two.source().join("minutes.jsonl");
    let sound = fs::read_to_string(&minutes).unwrap();
    fs::write(&minutes, sound.replace("quagga", "zebras")).unwrap();
    two.check(&given).says(2, &["the minutes of baseline-r000001-w02 changed since they were written"]);
    fs::write(&minutes, sound).unwrap();
    two.run("").says(0, &[]);
    let alone = from("out/sessions/baseline-r000001");
    two.check(&alone).says(2, &["no seat took notes in baseline-r000001", "whose config has memory.notes"]);
}

#[test]
fn other_notes_make_other_sessions() {
    let two = Two::begin();
    let given = |wave: u32| FROM.replace("w02", &format!("w{wave:02}"));
    two.run(&format!("memory: {{ notes: {{ {} }} }}\n", given(2))).says(0, &[]);
    let told = two.run(&format!("memory: {{ notes: {{ {} }} }}\n", given(1)));
    assert_ne!(told.code, Some(0), "{told:#?}");
    assert!(told.stderr.contains("memory.notes.from was changed"), "{told:#?}");
}
