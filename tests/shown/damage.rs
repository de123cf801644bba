//! A results folder in which files are damaged: what its records hold is shown, and of everything else it is said that it is not right.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{self, Server, ekklesia, mixed, text};
use crate::fixtures::forked::Parent;
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::write_config;

/// Two arms of three groups, of which one never agrees.
const BODY: &str = "
replicates: 3
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 3, name: \"Member {n}\", mind: { voter: { copy: 0.4 } } }
straw_polls: [before, after]
discussion: { rounds: 2, vote: at_end }
design:
  factors:
    rule: { key: decision.rule, levels: [unanimity, majority] }
";

fn run(place: &Path) -> PathBuf {
    let out = place.join("results");
    ekklesia(&["run", text(&write_config(place, BODY)), "--out", text(&out)]).says(0, &[]);
    out
}

fn page(folder: &Path, place: &Path) -> String {
    let page = place.join("page.html");
    ekklesia(&["report", text(folder), "--out", text(&page)]).says(0, &["page.html"]);
    fs::read_to_string(page).unwrap()
}

/// What becomes of a file; `None` takes it away.
type Damage = fn(&str) -> Option<Vec<u8>>;

/// The file, what becomes of it, and what the page then says; of the first cell with a digit another digit is made.
const DAMAGED: [(&str, Damage, &str); 12] = [
    ("sessions.csv", |_| None, "sessions.csv: missing"),
    ("sessions.csv", |_| Some(Vec::new()), "sessions.csv: differs from what this version makes of the records"),
    ("sessions.csv", |was| Some(was[..was.len() - 40].into()), "sessions.csv: differs from what this version makes"),
    ("sessions.csv", |was| Some(format!("{was}\n").into()), "sessions.csv: differs from what this version makes"),
    ("rounds.csv", |_| Some(b"a,b,c\n1,2,3\n".to_vec()), "rounds.csv: differs from what this version makes"),
    (
        "rounds.csv",
        |was| Some([was.as_bytes(), b"\xff\xfe\n"].concat()),
        "rounds.csv: differs from what this version makes",
    ),
    (
        "tallies.csv",
        |was| Some(was.replace(",3,", ",99999999999999999999999,").into()),
        "tallies.csv: differs from what this",
    ),
    ("statements.csv", |was| Some(was.replacen("against", "for", 1).into()), "statements.csv: differs from what this"),
    (
        "answers.csv",
        |was| Some(was.split_inclusive('\n').take(9).collect::<String>().into()),
        "answers.csv: differs from what",
    ),
    ("experiment.json", |_| None, "is unknown: experiment.json is missing or does not say"),
    ("experiment.json", |_| Some(Vec::new()), "is unknown: experiment.json is missing or does not say"),
    ("experiment.json", |was| Some(was[..was.len() / 2].into()), "is unknown: experiment.json is missing"),
];

#[test]
fn a_damaged_file_is_named_and_nothing_is_said_to_follow_from_it() {
    let dir = tempfile::tempdir().unwrap();
    let out = run(dir.path());
    let whole = page(&out, dir.path());
    assert!(!whole.contains("What does not count here") && whole.contains("the design was not changed"));
    for (name, damage, told) in sample_cases(DAMAGED, 3) {
        let path = out.join(name);
        let was = fs::read(&path).unwrap();
        match damage(std::str::from_utf8(&was).unwrap()) {
            Some(bytes) => {
                assert!(bytes != was, "{name} is as it was");
                fs::write(&path, bytes).unwrap();
            }
            None => fs::remove_file(&path).unwrap(),
        }
        let page = page(&out, dir.path());
        assert!(page.contains(told), "{told:?} is not told");
        assert_eq!(page.contains("the design was not changed"), name != "experiment.json");
        fs::write(&path, was).unwrap();
        let outcome = |page: &str| {
            page.split_once("id=\"rounds\"").unwrap().1.split_once("id=\"integrity\"").unwrap().0.to_owned()
        };
        assert_eq!(outcome(&page), outcome(&whole), "what the records say");
    }
}

#[test]
fn a_table_with_other_numbers_than_the_records_is_compared_by_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let out = run(dir.path());
    let compared = |page: &str| {
        ["than", "and"].iter().any(|word| page.contains(&format!("under majority {word} under unanimity")))
    };
    assert!(compared(&page(&out, dir.path())));
    let path = out.join("sessions.csv");
    let mut table = csv::Reader::from_path(&path).unwrap();
    let header = table.headers().unwrap().clone();
    let place = |name: &str| header.iter().position(|one| one == name).unwrap();
    let (carried, arm) = (place("carried"), place("arm"));
    let mut changed = csv::Writer::from_writer(Vec::new());
    changed.write_record(&header).unwrap();
    for row in table.records() {
        let row = row.unwrap();
        let forged = if &row[arm] == "majority" { "0" } else { "1" };
        changed
            .write_record(row.iter().enumerate().map(|(at, cell)| if at == carried { forged } else { cell }))
            .unwrap();
    }
    fs::write(&path, changed.into_inner().unwrap()).unwrap();
    let told = page(&out, dir.path());
    assert!(told.contains("sessions.csv: differs from what this version makes of the records"));
    assert!(told.contains("sessions.csv is not what the records make"));
    assert!(!compared(&told));
}

#[test]
fn without_a_plan_show_prints_what_the_record_holds_and_says_what_is_wrong_with_the_plan() {
    let dir = tempfile::tempdir().unwrap();
    let out = run(dir.path());
    let session = out.join("sessions/majority-r000002");
    let whole = ekklesia(&["show", text(&session)]);
    let talk = whole.says(0, &["## discussion"]).stdout.split_once("## ").unwrap().1.to_owned();
    let config = out.join("inputs/config.yaml");
    let text_of = fs::read_to_string(&config).unwrap();
    fs::write(&config, &text_of[..text_of.find("seats:").unwrap()]).unwrap();
    let told = ekklesia(&["show", text(&session)]);
    told.says(2, &["# majority-r000002", "Its plan cannot be read", "inputs/config.yaml:", "\"seats\" is missing"]);
    // Without the plan, options have no labels.
    let talk = talk.lines().map(|line| match line.starts_with('>') {
        true => format!("{line}\n"),
        false => line.replace("For the motion", "for").replace("Against the motion", "against") + "\n",
    });
    let talk: String = talk.collect();
    assert_eq!(told.stdout.split_once("## ").unwrap().1, talk, "its words are all there");
    let one = ekklesia(&["show", text(&session), "--seat", "Member 2"]);
    assert!(one.stdout.contains("**Member 2**") && !one.stdout.contains("**Member 1**"), "{}", one.stdout);
}

/// What is said of tables that lack nothing but a run.
const AWAITED: &str = "the tables that it is read from are made when a run ends";
/// What is said of tables that are to be made once more.
const AGAIN: &str = "makes the tables again";

/// Takes all tables of a folder away.
fn without_tables(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "csv") {
            fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn tables_that_a_run_has_still_to_make_are_missed_by_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let out = run(dir.path());
    // They are of before, and a run is writing.
    let table = out.join("sessions.csv");
    let was = fs::read_to_string(&table).unwrap();
    fs::write(&table, was.lines().take(3).collect::<Vec<_>>().join("\n") + "\n").unwrap();
    assert!(page(&out, dir.path()).contains("sessions.csv: differs from what this version makes"));
    let lock = File::open(out.join(".lock")).unwrap();
    lock.lock().unwrap();
    let live = page(&out, dir.path());
    assert!(live.contains(AWAITED) && !live.contains("What does not count here") && !live.contains(AGAIN));
    // They are not there, and a run is writing.
    without_tables(&out);
    let live = page(&out, dir.path());
    assert!(live.contains(AWAITED) && !live.contains("What does not count here") && !live.contains(AGAIN));
    // Nobody is writing, and all that they are made of is there.
    lock.unlock().unwrap();
    let told = page(&out, dir.path());
    assert!(told.contains("sessions.csv") && told.contains("missing; `ekklesia run` makes the tables again"));
    // A run was killed before it made any.
    fs::remove_dir_all(out.join("sessions/majority-r000003")).unwrap();
    let killed = page(&out, dir.path());
    assert!(killed.contains("majority-r000003: not begun yet") && killed.contains(AWAITED) && !killed.contains(AGAIN));
}

#[test]
fn the_command_that_is_told_for_a_fork_makes_its_tables_again() {
    let parent = Parent::run(&BODY[..BODY.find("design:").unwrap()]);
    let fork = || parent.fork("fork", "set: { seats.Member 2.persona: \"A baker.\" }\n", &[]);
    let (folder, told) = fork();
    told.says(0, &[]);
    assert!(!page(&folder, parent.place.path()).contains("What does not count here"));
    fs::remove_file(folder.join("sessions.csv")).unwrap();
    let told = page(&folder, parent.place.path());
    assert!(told.contains("sessions.csv: missing; `ekklesia fork` with the same change makes the tables again"));
    assert!(!told.contains("`ekklesia run`"), "a run would play the whole experiment");
    fork().1.says(0, &[]);
    assert!(!page(&folder, parent.place.path()).contains("What does not count here"));
}

#[test]
fn for_a_pilot_the_command_that_made_it_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let config = write_config(dir.path(), BODY);
    let (whole, out) = (dir.path().join("whole"), dir.path().join("whole-pilot"));
    let pilot = || cli::run(&config, &whole, &["--pilot", "2"]);
    pilot().says(0, &["pilot"]);
    let before = page(&out, dir.path());
    fs::remove_file(out.join("rounds.csv")).unwrap();
    assert!(page(&out, dir.path()).contains("rounds.csv: missing; `ekklesia run --pilot` with the same number makes"));
    pilot().says(0, &["pilot"]);
    assert_eq!(page(&out, dir.path()), before);
}

#[test]
fn of_a_table_that_cannot_be_read_nobody_says_what_it_holds() {
    let dir = tempfile::tempdir().unwrap();
    let out = run(dir.path());
    fs::remove_file(out.join("sessions.csv")).unwrap();
    fs::create_dir(out.join("sessions.csv")).unwrap();
    let told = page(&out, dir.path());
    assert!(told.contains("sessions.csv: cannot be read, so whether it matches the records is unknown: this is"));
    assert!(
        told.contains("sessions.csv cannot be read: this is a folder")
            && !told.contains("differs from what this version")
    );
}

#[test]
fn whether_a_session_was_run_again_is_not_known_without_a_sound_record_of_its_calls() {
    const NEVER: &str = "No session was run again after a failure.";
    const NOT_KNOWN: &str = "whether they were run again is unknown";
    let server = Server::start();
    let dir = tempfile::tempdir().unwrap();
    let config = write_config(dir.path(), &mixed(&server.base_url(), "fixed"));
    let out = dir.path().join("results");
    cli::run(&config, &out, &[]).says(0, &[]);
    let whole = page(&out, dir.path());
    assert!(whole.contains(NEVER) && !whole.contains(NOT_KNOWN));
    let calls = out.join("sessions/baseline-r000001/calls.jsonl");
    let was = fs::read_to_string(&calls).unwrap();
    fs::write(&calls, format!("{{\"retried\":[{{\"fault\":\"script_ended\",\"stopped\":\"why\"}}]}}\n{was}")).unwrap();
    let again = page(&out, dir.path());
    assert!(again.contains("script_ended: why") && !again.contains(NEVER) && !again.contains(NOT_KNOWN));
    fs::write(&calls, format!("{{\"retried\":[{{\"fault\":\"script_en\n{was}")).unwrap();
    let damaged = page(&out, dir.path());
    assert!(damaged.contains(NOT_KNOWN) && damaged.contains("calls.jsonl:1: ") && !damaged.contains(NEVER));
    fs::remove_file(&calls).unwrap();
    let missing = page(&out, dir.path());
    assert!(missing.contains(NOT_KNOWN) && missing.contains("calls.jsonl: missing") && !missing.contains(NEVER));
}

#[test]
fn what_is_missing_is_said_in_the_terminal_too() {
    let dir = tempfile::tempdir().unwrap();
    let out = run(dir.path());
    let all = fs::read_dir(out.join("sessions")).unwrap().count();
    let gone = fs::read_dir(out.join("sessions")).unwrap().next().unwrap().unwrap();
    let made = dir.path().join("page.html");
    let whole = ekklesia(&["report", text(&out), "--out", text(&made)]);
    whole.says(0, &[&format!("page.html: {all} sessions, ")]);
    assert!(!whole.stdout.contains("does not count"), "{whole:?}");
    fs::remove_dir_all(gone.path()).unwrap();
    let name = gone.file_name().into_string().unwrap();
    let told = ekklesia(&["report", text(&out), "--out", text(&made)]);
    told.says(0, &[&format!("page.html: {} of {all} sessions complete, ", all - 1), "does not count: ", &name]);
}
