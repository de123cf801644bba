//! Results folders as a user finds them: killed, resumed, extended, and the same.

mod trial;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use trial::write_config;

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

fn ekklesia(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("ekklesia").expect("the program was built");
    command.args(arguments).assert()
}

fn run(config: &Path, out: &Path, more: &[&str]) -> assert_cmd::assert::Assert {
    let mut arguments = vec!["run", config.to_str().expect("a path of text"), "--out", out.to_str().expect("text")];
    arguments.extend(more);
    ekklesia(&arguments)
}

/// Every file of a folder that two equal runs must have alike, by its path within.
fn contents(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if !["run.json", "calls.jsonl", "experiment.json"].contains(&name.as_str()) {
                files.insert(path.strip_prefix(root).expect("within").to_owned(), fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (contents(one), contents(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (path, bytes) in &one {
        assert!(bytes == &other[path], "{} differs", path.display());
    }
}

#[test]
fn one_job_and_two_leave_the_same_folder() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (one, two) = (place.path().join("one"), place.path().join("two"));
    run(&config, &one, &["--jobs", "1"]).success();
    run(&config, &two, &["--jobs", "2"]).success();
    assert_same(&one, &two);
}

#[test]
fn twenty_replicates_extended_to_forty_equal_forty() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (grown, whole) = (place.path().join("grown"), place.path().join("whole"));
    run(&config, &grown, &["--replicates", "20"]).success();
    let first: BTreeMap<PathBuf, Vec<u8>> =
        contents(&grown).into_iter().filter(|(path, _)| path.ends_with("minutes.jsonl")).collect();
    assert_eq!(first.len(), 40);
    run(&config, &grown, &["--replicates", "40"]).success();
    run(&config, &whole, &["--replicates", "40"]).success();
    assert_same(&grown, &whole);
    let grown = contents(&grown);
    assert!(first.iter().all(|(path, bytes)| grown[path] == *bytes), "the first 20 are untouched");
}

#[test]
fn a_deleted_table_is_restored() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let out = place.path().join("out");
    run(&config, &out, &[]).success();
    let before = contents(&out);
    for (path, _) in before.iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "csv")) {
        fs::remove_file(out.join(path)).unwrap();
    }
    run(&config, &out, &[]).success();
    assert_eq!(contents(&out), before);
}

#[test]
fn a_folder_cut_anywhere_is_completed_to_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let (whole, cut) = (place.path().join("whole"), place.path().join("cut"));
    run(&config, &whole, &[]).success();
    run(&config, &cut, &[]).success();
    // As a kill leaves it: one session torn, one without its run.json, one not begun, no tables.
    let sessions = cut.join("sessions");
    let torn = sessions.join("unanimity-r000002");
    let minutes = fs::read(torn.join("minutes.jsonl")).unwrap();
    fs::write(torn.join("minutes.jsonl"), &minutes[..minutes.len() / 2]).unwrap();
    fs::remove_file(torn.join("run.json")).unwrap();
    fs::remove_file(sessions.join("majority-r000001/run.json")).unwrap();
    fs::remove_dir_all(sessions.join("majority-r000003")).unwrap();
    fs::remove_file(cut.join("sessions.csv")).unwrap();
    let again = run(&config, &cut, &[]).success();
    let told = String::from_utf8_lossy(&again.get_output().stderr).into_owned();
    assert!(told.contains("unanimity-r000002") && told.contains("torn"), "{told}");
    assert_same(&whole, &cut);
}

#[test]
fn a_run_that_has_nothing_to_do_changes_nothing() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let out = place.path().join("out");
    run(&config, &out, &[]).success();
    let times = |out: &Path| {
        let minutes = out.join("sessions/unanimity-r000001");
        ["minutes.jsonl", "run.json"].map(|name| fs::metadata(minutes.join(name)).unwrap().modified().unwrap())
    };
    let before = times(&out);
    run(&config, &out, &[]).success();
    assert_eq!(times(&out), before);
}

#[test]
fn another_plan_is_refused_and_the_key_is_named() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let out = place.path().join("out");
    run(&config, &out, &[]).success();
    let before = contents(&out);
    let refused = run(&config, &out, &["--set", "discussion.rounds=1"]).code(2);
    let told = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(told.contains("discussion.rounds"), "{told}");
    let refused = run(&config, &out, &["--seed", "7"]).code(2);
    let told = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(told.contains("seed"), "{told}");
    run(&config, &out, &["--replicates", "2"]).code(2);
    assert_eq!(contents(&out), before);
}

#[test]
fn minutes_of_another_format_are_refused_and_kept() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let out = place.path().join("out");
    run(&config, &out, &[]).success();
    let session = out.join("sessions/unanimity-r000001");
    let minutes = fs::read_to_string(session.join("minutes.jsonl")).unwrap();
    let other = minutes.replacen("\"format\":1", "\"format\":99", 1);
    assert_ne!(minutes, other);
    fs::write(session.join("minutes.jsonl"), &other).unwrap();
    fs::remove_file(session.join("run.json")).unwrap();
    let refused = run(&config, &out, &[]).code(3);
    let told = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(told.contains("unanimity-r000001") && told.contains("format 99"), "{told}");
    assert_eq!(fs::read_to_string(session.join("minutes.jsonl")).unwrap(), other);
}

#[test]
fn a_folder_is_written_to_by_one_run_at_a_time() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), BODY);
    let out = place.path().join("out");
    let held = ekklesia::adapters::results::ResultsFolder::open(&out).unwrap();
    let refused = run(&config, &out, &[]).code(1);
    let told = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(told.contains("another run"), "{told}");
    drop(held);
    run(&config, &out, &[]).success();
}
