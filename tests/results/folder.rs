//! Results folders as a user finds them: killed, resumed, extended, and the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fixtures::cli::{assert_same, contents, ekklesia, run, run_body, text};
use crate::fixtures::trial::{read, write_config};
use ::ekklesia::analysis::table_specs;
use ::ekklesia::domain::FORMAT_VERSION;
use ::ekklesia::session::run_simulated;
use ::ekklesia::store::fold::fold_records;
use ::ekklesia::store::tables::table_of;

const BODY: &str = "
replicates: 3
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 3, name: \"Member {n}\", mind: { voter: { copy: 0.4 } } }
  - { name: Rand, mind: { random: { malformed: 0.3 } } }
straw_polls: [before, each_round, after]
discussion: { rounds: 2, order: random }
design:
  factors:
    rule: { key: decision.rule, levels: [unanimity, majority] }
";

#[test]
fn one_job_and_two_leave_the_same_folder() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (one, two) = (place.path().join("one"), place.path().join("two"));
    run(&config, &one, &["--jobs", "1"]).says(0, &[]);
    run(&config, &two, &["--jobs", "2"]).says(0, &[]);
    assert_same(&one, &two);
}

#[test]
fn a_session_in_memory_has_the_rows_of_the_folder() {
    let place = tempfile::tempdir().unwrap();
    let body = BODY.split("design:").next().unwrap().replace("replicates: 3", "replicates: 1");
    let config = write_config(place.path(), &body);
    let folder = place.path().join("one");
    run(&config, &folder, &[]).says(0, &[]);
    let plan = Arc::clone(&read(&config).arms[0]);
    let session = fold_records(&plan, 1, &run_simulated(&plan, 1).unwrap()).unwrap();
    for spec in table_specs(&session.facts.arm.layout) {
        let written = fs::read_to_string(folder.join(format!("{}.csv", spec.name))).unwrap();
        assert_eq!(table_of(&session, spec.name).unwrap(), written, "{}", spec.name);
    }
    assert_eq!(table_of(&session, "other"), None);
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn twenty_replicates_extended_to_forty_equal_forty() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (grown, whole) = (place.path().join("grown"), place.path().join("whole"));
    run(&config, &grown, &["--replicates", "20"]).says(0, &[]);
    let first: BTreeMap<PathBuf, Vec<u8>> =
        contents(&grown).into_iter().filter(|(path, _)| path.ends_with("minutes.jsonl")).collect();
    assert_eq!(first.len(), 40);
    run(&config, &grown, &["--replicates", "40"]).says(0, &[]);
    run(&config, &whole, &["--replicates", "40"]).says(0, &[]);
    assert_same(&grown, &whole);
    let grown = contents(&grown);
    assert!(first.iter().all(|(path, bytes)| grown[path] == *bytes), "the first 20 are untouched");
}

#[test]
fn a_changed_file_is_named_where_its_digest_alone_is_in_the_plan() {
    let place = tempfile::tempdir().unwrap();
    let body = "
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.4 } } }
personas: { people: { file: people.csv, id: id, text: persona } }
seats: [{ count: 2, name: \"Member {n}\", personas: people }]
discussion: { rounds: 1, vote: at_end }
";
    let people = place.path().join("people.csv");
    fs::write(&people, "id,persona\na,You are A.\nb,You are B.\n").unwrap();
    let (config, out) = (write_config(place.path(), body), place.path().join("out"));
    run(&config, &out, &[]).says(0, &[]);
    fs::write(&people, "id,persona\na,You are A.\nb,You are C.\n").unwrap();
    let told = run(&config, &out, &[]);
    let kept = out.join("inputs/personas/people.csv");
    let files = format!("{} is no longer the same as {}", people.display(), kept.display());
    told.says(2, &["personas.people.file was changed", &files, "restore it to continue, or give --out another folder"]);
    assert!(!told.stderr.contains("b3:"), "{told:#?}");
}

#[test]
fn a_deleted_table_is_restored() {
    let (_place, config, out) = run_body(BODY);
    assert_tables_restored(&config, &out, &[]);
}

/// Checks that a run makes deleted tables again, byte for byte.
pub fn assert_tables_restored(config: &Path, out: &Path, more: &[&str]) {
    let before = contents(out);
    for (path, _) in before.iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "csv")) {
        fs::remove_file(out.join(path)).expect("a file");
    }
    run(config, out, more).says(0, &[]);
    assert_eq!(contents(out), before);
}

#[test]
fn a_folder_cut_anywhere_is_completed_to_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    run(&config, &whole, &[]).says(0, &[]);
    run(&config, &cut, &[]).says(0, &[]);
    // As a kill leaves it: one session torn, one without its run.json, one not begun, no tables.
    let sessions = cut.join("sessions");
    let torn = sessions.join("unanimity-r000002");
    let minutes = fs::read(torn.join("minutes.jsonl")).unwrap();
    fs::write(torn.join("minutes.jsonl"), &minutes[..minutes.len() / 2]).unwrap();
    fs::remove_file(torn.join("run.json")).unwrap();
    fs::remove_file(sessions.join("majority-r000001/run.json")).unwrap();
    fs::remove_dir_all(sessions.join("majority-r000003")).unwrap();
    fs::remove_file(cut.join("sessions.csv")).unwrap();
    let again = run(&config, &cut, &[]);
    again.says(0, &[]);
    let told = &again.stderr;
    assert!(told.contains("unanimity-r000002") && told.contains("torn"), "{told}");
    assert_same(&whole, &cut);
}

#[test]
fn a_run_that_has_nothing_to_do_changes_nothing() {
    let (_place, config, out) = run_body(BODY);
    let times = |out: &Path| {
        let minutes = out.join("sessions/unanimity-r000001");
        ["minutes.jsonl", "run.json"].map(|name| fs::metadata(minutes.join(name)).unwrap().modified().unwrap())
    };
    let before = times(&out);
    run(&config, &out, &[]).says(0, &[]);
    assert_eq!(times(&out), before);
}

#[test]
fn another_plan_is_refused_and_the_key_is_named() {
    let (_place, config, out) = run_body(BODY);
    let before = contents(&out);
    run(&config, &out, &["--set", "discussion.rounds=1"]).says(2, &["discussion.rounds"]);
    run(&config, &out, &["--seed", "7"]).says(2, &["seed was 42 and is now 7"]);
    run(&config, &out, &["--replicates", "2"])
        .says(2, &["-r000003, which is not in the plan", "give --out another folder"]);
    assert_eq!(contents(&out), before);
}

#[test]
fn minutes_of_another_format_are_refused_and_kept() {
    let (_place, config, out) = run_body(BODY);
    let session = out.join("sessions/unanimity-r000001");
    let minutes = fs::read_to_string(session.join("minutes.jsonl")).unwrap();
    let other = minutes.replacen(&format!("\"format\":{FORMAT_VERSION}"), "\"format\":99", 1);
    assert_ne!(minutes, other);
    fs::write(session.join("minutes.jsonl"), &other).unwrap();
    fs::remove_file(session.join("run.json")).unwrap();
    let refused = run(&config, &out, &[]);
    refused.says(3, &[]);
    let told = &refused.stderr;
    assert!(told.contains("unanimity-r000001") && told.contains("format 99"), "{told}");
    assert_eq!(fs::read_to_string(session.join("minutes.jsonl")).unwrap(), other);
}

#[test]
fn a_folder_of_another_format_takes_no_sessions_of_this_one_and_is_counted_nowhere() {
    let (place, config, out) = run_body(BODY);
    for session in fs::read_dir(out.join("sessions")).unwrap().map(|session| session.unwrap().path()) {
        let path = session.join("minutes.jsonl");
        let minutes = fs::read_to_string(&path).unwrap();
        // Of the same length, as another version's may be.
        fs::write(&path, minutes.replacen(&format!("\"format\":{FORMAT_VERSION}"), "\"format\":1", 1)).unwrap();
    }
    let before = contents(&out);
    let more = run(&config, &out, &["--replicates", "9"]);
    more.says(3, &[]);
    assert!(more.stderr.contains("have format 1; this version") && more.stderr.contains("--out"), "{}", more.stderr);
    assert_eq!(contents(&out).keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "no session was begun");
    let page = place.path().join("page.html");
    ekklesia(&["report", text(&out), "--out", text(&page)]).says(0, &[]);
    let told = fs::read_to_string(&page).unwrap();
    for session in ["majority-r000001", "unanimity-r000003"] {
        let line = format!(
            "sessions/{session}: not read: counted nowhere: sessions/{session}/minutes.jsonl: the minutes have format 1; \
             this version of ekklesia writes and reads format {FORMAT_VERSION}; version {} wrote them</li>",
            env!("CARGO_PKG_VERSION")
        );
        assert!(told.contains(&line), "{line:?} is not told, once and without more");
    }
    assert!(!told.contains("because its record is not what it wrote"), "nobody is accused of it");
    let change = place.path().join("change.yaml");
    fs::write(&change, "set: { discussion.rounds: 1 }\n").unwrap();
    let (fork, bundle) = (place.path().join("fork"), place.path().join("bundle.tar.gz"));
    let session = out.join("sessions/majority-r000001");
    let refusals: [&[&str]; 2] = [
        &["fork", text(&session), "--change", text(&change), "--out", text(&fork)],
        &["export", text(&out), "--format", "bundle", "--without-program", "--out", text(&bundle)],
    ];
    for arguments in refusals {
        let wrote = concat!("version ", env!("CARGO_PKG_VERSION"), " wrote them");
        ekklesia(arguments).says(3, &["minutes.jsonl: the minutes have format 1; this version", wrote]);
    }
    assert!(!fork.exists() && !bundle.exists(), "nothing is made of minutes that this version does not read");
}

#[test]
fn a_folder_is_written_to_by_one_run_at_a_time() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let out = place.path().join("out");
    let held = ekklesia::store::results::ResultsFolder::open_for_writing(&out).unwrap();
    let refused = run(&config, &out, &[]);
    refused.says(1, &[]);
    let told = &refused.stderr;
    assert!(told.contains("another run"), "{told}");
    drop(held);
    run(&config, &out, &[]).says(0, &[]);
}
