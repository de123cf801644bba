//! A bundle is opened where nothing else is and runs again to the same bytes; Parquet files hold what the tables hold.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::fixtures::cli::{self, Server, Told, contents, ekklesia, ended, mixed, text};
use crate::fixtures::trial::write_config;
use flate2::read::GzDecoder;

const BODY: &str = "
replicates: 2
models: { sim: { simulated: {} } }
seat_defaults: { model: sim }
seats:
  - { count: 2, name: \"Member {n}\", mind: { voter: { copy: 0.4 } } }
  - { name: Rand, mind: { random: { malformed: 0.3 } } }
straw_polls: [before, after]
discussion: { rounds: 2, order: random }
design:
  factors:
    rule: { key: decision.rule, levels: [unanimity, majority] }
";

/// A results folder of simulated seats.
fn simulated(place: &Path) -> PathBuf {
    let out = place.join("out");
    ekklesia(&["run", text(&write_config(place, BODY)), "--out", text(&out)]).says(0, &[]);
    out
}

/// Exports a folder without the program, and opens the archive in an empty place.
fn bundled(results: &Path, place: &Path, more: &[&str]) -> PathBuf {
    let archive = place.join("bundle.tar.gz");
    let mut arguments = vec!["export", text(results), "--format", "bundle", "--out", text(&archive)];
    arguments.extend(more);
    ekklesia(&arguments).says(0, &[]);
    unpacked(&archive, &place.join("elsewhere"))
}

fn unpacked(archive: &Path, place: &Path) -> PathBuf {
    unpack(archive, place);
    place.join("out")
}

fn unpack(archive: &Path, place: &Path) {
    // By another process: a program that is still open here for writing cannot be started.
    fs::create_dir_all(place).unwrap();
    let done = Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(place).status().unwrap();
    assert!(done.success());
}

/// Runs `again.sh` where nothing but the system's own programs can be found, or the one that is built as well.
fn again(bundle: &Path, program: Program) -> Told {
    let path = match program {
        Program::InTheBundle => "/usr/bin:/bin".to_owned(),
        Program::OnThePath => {
            let program = crate::fixtures::sample::program();
            let folder = program.parent().unwrap();
            format!("{}:/usr/bin:/bin", folder.display())
        }
    };
    let mut command = Command::new("/bin/sh");
    command.arg(bundle.join("again.sh")).env_clear().env("PATH", path).stdin(Stdio::null()).current_dir("/");
    ended(&mut command)
}

#[derive(Clone, Copy)]
enum Program {
    InTheBundle,
    OnThePath,
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_bundle_runs_again_on_a_machine_that_has_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let results = simulated(place.path());
    let archive = place.path().join("out.tar.gz");
    ekklesia(&["export", text(&results), "--format", "bundle"]).says(0, &["out.tar.gz", "sh out/again.sh"]);
    let bundle = unpacked(&archive, &place.path().join("elsewhere"));
    // What made it is gone.
    fs::remove_dir_all(&results).unwrap();
    fs::remove_file(place.path().join("config.yaml")).unwrap();
    again(&bundle, Program::InTheBundle)
        .says(0, &["every file is what SHA256SUMS says", "no divergence", "the same bytes"]);
    assert!(!bundle.join("again").exists());
    let readme = fs::read_to_string(bundle.join("README.txt")).unwrap();
    let platform = format!("bin/{}-{}/ekklesia", std::env::consts::ARCH, std::env::consts::OS);
    for part in
        ["4 of 4 planned sessions", "Every seat was simulated", &platform, "unanimity: b3:", env!("CARGO_PKG_VERSION")]
    {
        assert!(readme.contains(part), "{part}\n{readme}");
    }
    assert!(!readme.contains('{'), "every place is filled: {readme}");
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn a_flipped_byte_and_a_changed_cell_make_the_bundle_fail() {
    let place = tempfile::tempdir().unwrap();
    let bundle = bundled(&simulated(place.path()), place.path(), &["--without-program"]);
    again(&bundle, Program::OnThePath).says(0, &["the same bytes"]);
    let one = [
        ("results/sessions/majority-r000002/minutes.jsonl", "stance\":\"for", "stance\":\"fox"),
        ("results/sessions.csv", "completed", "Completed"),
        ("README.txt", "experiment", "Experiment"),
        ("results/plan.yaml", "42", "43"),
        ("results/inputs/config.yaml", "replicates: 2", "replicates: 1"),
        ("results/inputs/scenario/scenario.yaml", "For the motion", "For this motion"),
    ];
    for (name, old, new) in one {
        let file = bundle.join(name);
        let before = fs::read_to_string(&file).unwrap();
        assert!(before.contains(old), "{}", file.display());
        fs::write(&file, before.replacen(old, new, 1)).unwrap();
        let told = again(&bundle, Program::OnThePath);
        assert!(told.code.is_some_and(|code| code != 0) && !told.stdout.contains("the same bytes"), "{old}: {told:?}");
        let named: Vec<&str> = told.stderr.lines().filter(|line| line.contains(": FAILED")).collect();
        assert_eq!(named, [format!("{name}: FAILED")], "{told:?}");
        fs::write(&file, before).unwrap();
        let _ = fs::remove_dir_all(bundle.join("again"));
    }
    again(&bundle, Program::OnThePath).says(0, &["the same bytes"]);
}

#[test]
fn recorded_answers_run_again_without_their_model() {
    let place = tempfile::tempdir().unwrap();
    let server = Server::start();
    let config = write_config(place.path(), &format!("replicates: 2\n{}", mixed(&server.base_url(), "random")));
    let live = place.path().join("live");
    ekklesia(&["run", text(&config), "--out", text(&live)]).says(0, &[]);
    let asked = server.requests();
    drop(server);
    assert!(asked > 0);
    bundled(&live, place.path(), &["--without-program"]);
    let bundle = place.path().join("elsewhere/live");
    again(&bundle, Program::OnThePath).says(0, &["no divergence", "the same bytes"]);
    let readme = fs::read_to_string(bundle.join("README.txt")).unwrap();
    assert!(readme.contains("Language models answered: played."), "{readme}");
    // Without its recorded answers a folder is no bundle.
    fs::remove_file(live.join("sessions/baseline-r000002/calls.jsonl")).unwrap();
    let out = place.path().join("other.tar.gz");
    let told = ekklesia(&["export", text(&live), "--format", "bundle", "--without-program", "--out", text(&out)]);
    told.says(3, &["baseline-r000002/calls.jsonl is missing"]);
    assert!(!out.exists());
}

#[test]
fn the_same_folder_gives_the_same_archive_with_nothing_of_the_machine() {
    let place = tempfile::tempdir().unwrap();
    let results = simulated(place.path());
    fs::write(results.join("notes-and-keys.txt"), "sk-secret").unwrap();
    let archives: Vec<Vec<u8>> = ["one", "two"]
        .map(|name| {
            let out = place.path().join(name);
            let told =
                ekklesia(&["export", text(&results), "--format", "bundle", "--without-program", "--out", text(&out)]);
            told.says(0, &["notes-and-keys.txt is no part of the experiment and stays out"]);
            fs::read(out).unwrap()
        })
        .into();
    assert!(archives[0] == archives[1]);
    let mut archive = tar::Archive::new(GzDecoder::new(archives[0].as_slice()));
    let mut names = Vec::new();
    for entry in archive.entries().unwrap() {
        let entry = entry.unwrap();
        let header = entry.header();
        assert_eq!((header.mtime().unwrap(), header.uid().unwrap(), header.gid().unwrap()), (0, 0, 0));
        assert!(header.username().unwrap().unwrap_or_default().is_empty());
        let name = entry.path().unwrap().display().to_string();
        assert_eq!(header.mode().unwrap(), if name.ends_with("again.sh") { 0o755 } else { 0o644 }, "{name}");
        names.push(name);
    }
    let mut sorted = names.clone();
    sorted.sort();
    assert_eq!(names, sorted);
    for name in ["out/MANIFEST", "out/README.txt", "out/results/inputs/config.yaml", "out/results/methods.md"] {
        assert!(names.iter().any(|other| other == name), "{name} in {names:?}");
    }
    assert!(!names.iter().any(|name| name.contains("notes-and-keys") || name.contains(".lock")));
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn bundles_of_forks_and_of_their_parent_are_unpacked_beside_each_other() {
    let place = tempfile::tempdir().unwrap();
    let results = simulated(place.path());
    let session = results.join("sessions/majority-r000001");
    for (name, rounds) in [("out-fork-one", 1), ("out fork two", 2)] {
        let change = place.path().join("change.yaml");
        fs::write(&change, format!("set: {{ discussion.rounds: {rounds} }}\n")).unwrap();
        let fork = place.path().join(name);
        ekklesia(&["fork", text(&session), "--change", text(&change), "--out", text(&fork)]).says(0, &[]);
    }
    let elsewhere = place.path().join("elsewhere");
    let folders = [
        ("out", "sh out/again.sh"),
        ("out-fork-one", "sh out-fork-one/again.sh"),
        ("out fork two", "sh 'out fork two/again.sh'"),
    ];
    for (name, typed) in folders {
        let folder = place.path().join(name);
        ekklesia(&["export", text(&folder), "--format", "bundle", "--without-program"]).says(0, &[typed]);
        unpack(&place.path().join(format!("{name}.tar.gz")), &elsewhere);
    }
    let mut unpacked: Vec<_> = fs::read_dir(&elsewhere).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    unpacked.sort();
    assert_eq!(unpacked, ["out", "out fork two", "out-fork-one"]);
    for (name, _) in folders {
        again(&elsewhere.join(name), Program::OnThePath).says(0, &["every file is what", "the same bytes"]);
        assert_eq!(contents(&elsewhere.join(name).join("results")), contents(&place.path().join(name)), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_gives_the_same_archive_by_whatever_path_it_is_named() {
    let place = tempfile::tempdir().unwrap();
    let results = simulated(place.path());
    let link = place.path().join("link");
    std::os::unix::fs::symlink(&results, &link).unwrap();
    let archives: Vec<Vec<u8>> = [text(&results), "out/", ".", "../out", text(&link)]
        .iter()
        .enumerate()
        .map(|(number, path)| {
            let out = place.path().join(format!("{number}.tar.gz"));
            let from = if path.starts_with('.') { &results } else { place.path() };
            let arguments = ["export", path, "--format", "bundle", "--without-program", "--out", text(&out)];
            ended(cli::program(&arguments).current_dir(from)).says(0, &["sh out/again.sh"]);
            fs::read(out).unwrap()
        })
        .collect();
    assert!(archives.iter().all(|archive| *archive == archives[0]));
}

#[test]
fn the_manifest_and_the_sums_hold_every_other_file() {
    let place = tempfile::tempdir().unwrap();
    let bundle = bundled(&simulated(place.path()), place.path(), &["--without-program"]);
    let manifest = fs::read_to_string(bundle.join("MANIFEST")).unwrap();
    let listed: BTreeMap<PathBuf, String> = manifest
        .lines()
        .map(|line| {
            let mut parts = line.splitn(3, ' ');
            let (digest, bytes) = (parts.next().unwrap(), parts.next().unwrap());
            (PathBuf::from(parts.next().unwrap()), format!("{digest} {bytes}"))
        })
        .collect();
    let mut there = cli::everything(&bundle);
    let sums = fs::read_to_string(bundle.join("SHA256SUMS")).unwrap();
    there.remove(Path::new("SHA256SUMS"));
    let mut summed: Vec<PathBuf> = sums.lines().map(|line| PathBuf::from(line.split_once("  ").unwrap().1)).collect();
    summed.sort();
    assert!(summed.iter().eq(there.keys()), "{summed:?}");
    there.remove(Path::new("MANIFEST"));
    let measured: BTreeMap<PathBuf, String> = there
        .into_iter()
        .map(|(path, bytes)| (path, format!("b3:{} {}", blake3::hash(&bytes).to_hex(), bytes.len())))
        .collect();
    assert_eq!(listed, measured);
}

#[test]
fn a_folder_that_is_not_whole_is_bundled_only_when_that_is_said() {
    let place = tempfile::tempdir().unwrap();
    let results = simulated(place.path());
    fs::remove_file(results.join("sessions/majority-r000002/run.json")).unwrap();
    let out = place.path().join("b.tar.gz");
    let arguments = ["export", text(&results), "--format", "bundle", "--without-program", "--out", text(&out)];
    ekklesia(&arguments).says(4, &["1 session not complete", "--incomplete"]);
    assert!(!out.exists());
    let mut said = arguments.to_vec();
    said.push("--incomplete");
    ekklesia(&said).says(0, &["3 complete sessions"]);
    let bundle = unpacked(&out, &place.path().join("elsewhere"));
    again(&bundle, Program::OnThePath).says(0, &["compared as far as it goes"]);
    // And nothing is ever written over.
    ekklesia(&said).says(2, &["is there already"]);
    // What is missing or changed is named.
    fs::write(results.join("sessions/majority-r000001/minutes.jsonl"), "{}\n").unwrap();
    let other = place.path().join("c.tar.gz");
    said[6] = text(&other);
    said.retain(|word| *word != "--incomplete");
    ekklesia(&said).says(4, &["2 sessions not complete"]);
    fs::remove_file(results.join("plan.yaml")).unwrap();
    said.push("--incomplete");
    ekklesia(&said).says(3, &["plan.yaml is missing"]);
    ekklesia(&["export", text(place.path()), "--format", "bundle"]).says(2, &["no results folder"]);
}

#[test]
fn a_results_folder_is_run_from_its_own_inputs_and_as_it_was() {
    let place = tempfile::tempdir().unwrap();
    let results = simulated(place.path());
    let copy = place.path().join("copy");
    ekklesia(&["run", text(&results), "--offline", "--out", text(&copy)]).says(0, &[]);
    cli::assert_same(&results, &copy);
    ekklesia(&["run", text(&results), "--seed", "1", "--out", text(&copy)]).says(2, &["is run as it was"]);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_program_without_parquet_says_how_to_build_one_with_it() {
    let place = tempfile::tempdir().unwrap();
    let results = simulated(place.path());
    ekklesia(&["export", text(&results), "--format", "parquet"]).says(2, &["--features parquet"]);
}

#[cfg(feature = "parquet")]
mod columns {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    /// A value as a table's cell.
    fn cell(field: &Field) -> String {
        match field {
            Field::Null => String::new(),
            Field::Str(text) => text.clone(),
            Field::Long(number) => number.to_string(),
            Field::Double(number) => format!("{number:.6}"),
            Field::Bool(truth) => u8::from(*truth).to_string(),
            other => panic!("no type of a table: {other:?}"),
        }
    }

    #[test]
    fn parquet_files_hold_what_the_tables_hold_with_their_types_and_meanings() {
        let place = tempfile::tempdir().unwrap();
        let results = simulated(place.path());
        let tables = fs::read_dir(&results)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".csv") && name != "codebook.csv")
            .count();
        assert!(tables >= 10);
        ekklesia(&["export", text(&results), "--format", "parquet"])
            .says(0, &[&format!("out-parquet: {tables} tables")]);
        let mut codebook = csv::Reader::from_path(results.join("codebook.csv")).unwrap();
        let codebook: Vec<csv::StringRecord> = codebook.records().map(Result::unwrap).collect();
        for (table, rows_min) in [("sessions", 4), ("seats", 12), ("answers", 30), ("payoffs", 0)] {
            let file = fs::File::open(place.path().join(format!("out-parquet/{table}.parquet"))).unwrap();
            let reader = SerializedFileReader::new(file).unwrap();
            let about = reader.metadata().file_metadata().key_value_metadata().unwrap();
            let mut csv = csv::Reader::from_path(results.join(format!("{table}.csv"))).unwrap();
            let head = csv.headers().unwrap().clone();
            let expected: Vec<Vec<String>> =
                csv.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
            let mut read: Vec<Vec<String>> = Vec::new();
            for row in reader.get_row_iter(None).unwrap() {
                let row = row.unwrap();
                assert!(row.get_column_iter().map(|(name, _)| name.as_str()).eq(&head));
                read.push(row.get_column_iter().map(|(_, field)| cell(field)).collect());
            }
            assert!(read.len() >= rows_min);
            assert_eq!(read, expected, "{table}");
            for row in codebook.iter().filter(|row| &row[0] == table) {
                let key = format!("column:{}", &row[1]);
                let told = about.iter().find(|pair| pair.key == key).unwrap();
                assert_eq!(told.value.as_deref(), Some(&row[4]));
            }
        }
        ekklesia(&["export", text(&results), "--format", "parquet"]).says(2, &["is there already"]);
        // A cell that is not what the codebook says is named, and nothing is left behind.
        let sessions = fs::read_to_string(results.join("sessions.csv")).unwrap();
        fs::write(results.join("sessions.csv"), sessions.replace(",recomputed,", ",").replacen(",1,", ",one,", 1))
            .unwrap();
        let out = place.path().join("again");
        ekklesia(&["export", text(&results), "--format", "parquet", "--out", text(&out)]).says(3, &["sessions.csv"]);
        assert!(!out.exists());
    }

    #[test]
    fn a_codebook_that_names_a_table_elsewhere_has_nothing_read_or_written_there() {
        let place = tempfile::tempdir().unwrap();
        let results = simulated(place.path());
        let out = place.path().join("tables");
        fs::write(place.path().join("elsewhere.csv"), "secret\nfound\n").unwrap();
        let codebook = fs::read_to_string(results.join("codebook.csv")).unwrap();
        let head = codebook.lines().next().unwrap();
        let rest = ",".repeat(head.split(',').count() - 3);
        for table in ["../elsewhere", text(&place.path().join("elsewhere")), "unheard_of"] {
            fs::write(results.join("codebook.csv"), format!("{codebook}{table},secret,text{rest}\n")).unwrap();
            ekklesia(&["export", text(&results), "--format", "parquet", "--out", text(&out)])
                .says(3, &["codebook.csv", table, "is no table of this version"]);
            let written: Vec<_> = fs::read_dir(place.path())
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .filter(|name| name.contains("parquet") || name == "tables")
                .collect();
            assert!(written.is_empty(), "{written:?}");
        }
    }
}
