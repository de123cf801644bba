//! Exports that are killed: what they leave is neither taken for an export nor in the way of the next one.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::fixtures::cli::{begun, ekklesia, everything, text};
use crate::fixtures::sample::sample_cases;
use crate::fixtures::trial::write_config;

const BODY: &str = "
replicates: 20
models: { sim: { simulated: {} } }
seat_defaults: { model: sim, mind: { voter: { copy: 0.4 } } }
seats: [{ name: Alice }, { name: Bob }, { name: Carol }]
straw_polls: [before, after]
discussion: { rounds: 2, order: random }
";

/// The formats, each with how the names of its exports end.
const FORMATS: [(&str, &str); 4] =
    [("bundle", ".tar.gz"), ("preflib", "-preflib"), ("csv-safe", "-csv-safe"), ("parquet", "-parquet")];

fn formats() -> Vec<(&'static str, &'static str)> {
    FORMATS.into_iter().filter(|(format, _)| *format != "parquet" || cfg!(feature = "parquet")).collect()
}

/// A file, or a folder's files.
fn contents(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    if path.is_dir() { everything(path) } else { BTreeMap::from([(PathBuf::new(), fs::read(path).unwrap())]) }
}

/// What lies in a folder under names that begin with a dot.
fn hidden(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with('.')).collect()
}

/// How many bytes the exports that grow in a folder have by now; `None` if none grows.
fn growing(folder: &Path) -> Option<u64> {
    let mut bytes = None;
    let mut folders: Vec<PathBuf> = hidden(folder);
    while let Some(path) = folders.pop() {
        let about = fs::symlink_metadata(&path).ok();
        bytes =
            about.as_ref().map(|about| bytes.unwrap_or(0) + if about.is_file() { about.len() } else { 0 }).or(bytes);
        folders.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
    }
    bytes
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_killed_export_leaves_nothing_that_looks_finished_or_blocks_the_next_one() {
    let place = tempfile::tempdir().unwrap();
    let (config, out) = (write_config(place.path(), BODY), place.path().join("out"));
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    for (format, end) in formats() {
        let target = place.path().join(format!("out{end}"));
        let export = ["export", text(&out), "--format", format];
        ekklesia(&export).says(0, &[]);
        let whole = contents(&target);
        let remove =
            || if target.is_dir() { fs::remove_dir_all(&target).unwrap() } else { fs::remove_file(&target).unwrap() };
        remove();
        // Whenever the kill comes, the assertions hold: these are bytes after which it is sent.
        for bytes in sample_cases([0, 1, 2_000, 20_000, 200_000, 2_000_000], 3) {
            let mut child = begun(&export);
            while growing(place.path()).is_none_or(|now| now < bytes) && child.try_wait().unwrap().is_none() {}
            child.kill().unwrap();
            child.wait().unwrap();
            if target.exists() {
                assert!(contents(&target) == whole, "{format}: what has the name of an export is a whole one");
                remove();
            }
            ekklesia(&export).says(0, &[]);
            assert!(contents(&target) == whole, "{format} after a kill at {bytes} bytes");
            assert_eq!(hidden(place.path()), Vec::<PathBuf>::new(), "{format}");
            remove();
        }
    }
}

#[test]
fn what_a_killed_export_left_is_removed_by_the_next_and_what_grows_is_not() {
    let place = tempfile::tempdir().unwrap();
    let config = write_config(place.path(), &BODY.replace("replicates: 20", "replicates: 1"));
    let out = place.path().join("out");
    ekklesia(&["run", text(&config), "--out", text(&out)]).says(0, &[]);
    let left = |name: &str| {
        let folder = place.path().join(name);
        fs::create_dir_all(folder.join("out-preflib")).unwrap();
        fs::write(folder.join("out-preflib/half.soc"), "half").unwrap();
        (File::create(folder.join(".lock")).unwrap(), folder)
    };
    let (_, dead) = left(".ekklesia-export-dead");
    let (lock, alive) = left(".ekklesia-export-alive");
    let (_, of_others) = left(".ekklesia-other");
    lock.lock().unwrap();
    for (format, end) in formats() {
        ekklesia(&["export", text(&out), "--format", format]).says(0, &[]);
        assert!(place.path().join(format!("out{end}")).exists(), "{format}");
        assert!(!dead.exists() && alive.exists() && of_others.exists(), "{format}");
        left(".ekklesia-export-dead");
    }
    // An export into the results folder is not in the way of a run.
    let within = out.join(".ekklesia-export-dead");
    fs::rename(&dead, &within).unwrap();
    ekklesia(&["run", text(&out)]).says(0, &["1 of 1 session"]);
    assert!(!within.exists());
    // Where nothing can be written, nothing is left.
    let taken = place.path().join("taken");
    fs::write(&taken, "mine").unwrap();
    ekklesia(&["export", text(&out), "--format", "preflib", "--out", text(&taken.join("x"))]).says(1, &["taken/x"]);
    assert_eq!(fs::read_to_string(&taken).unwrap(), "mine");
}
