//! Broken experiments of every kind, and the whole text that an author reads about each.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::desk::copy::copy;
use crate::fixtures::sample::sample_cases;
use ekklesia::config::Problems;
use ekklesia::report::{Style, diagnose, diagnoses_json, render_problems};
use ekklesia::store::inputs::{Inputs, Overrides};

const CASES: &str = "tests/data/broken";

/// The shipped scenarios that cases use and change.
const SCENARIOS: [&str; 2] = ["motion", "justice"];

/// A folder with the shipped scenarios, which each case changes and then gives back. To copy the scenarios for each case would take
/// far longer than to check it.
struct Bench(tempfile::TempDir);

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for scenario in SCENARIOS {
            copy(&Path::new("scenarios").join(scenario), &folder.path().join(scenario));
        }
        Self(folder)
    }

    /// Writes the files of a case over the scenarios.
    fn lay_out(&self, case: &Path) -> LaidCase<'_> {
        let laid = LaidCase { bench: self, files: list_files(case, Path::new("")) };
        copy(case, self.0.path());
        laid
    }
}

/// A case on the bench. When it is dropped, the bench holds the shipped scenarios again and nothing else.
struct LaidCase<'b> {
    bench: &'b Bench,
    files: Vec<PathBuf>,
}

impl LaidCase<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.bench.0.path().join(name)
    }

    fn problems(&self) -> Problems {
        let set = fs::read_to_string(self.path("set")).unwrap_or_default();
        let overrides = Overrides { set: set.lines().map(str::to_owned).collect(), ..Overrides::default() };
        let read = Inputs::read_config(&self.path("config.yaml"), overrides);
        read.and_then(|inputs| inputs.resolve()).map(|_| ()).err().unwrap_or_default()
    }

    fn told(&self, problems: &Problems) -> String {
        let lines = |file: &str| fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let text = render_problems(&diagnose(problems, lines), Style::Plain);
        text.replace(&format!("{}/", self.bench.0.path().display()), "")
    }
}

impl Drop for LaidCase<'_> {
    fn drop(&mut self) {
        for file in &self.files {
            let (shipped, target) = (Path::new("scenarios").join(file), self.bench.0.path().join(file));
            let is_shipped = SCENARIOS.iter().any(|scenario| file.starts_with(scenario)) && shipped.is_file();
            let given_back = if is_shipped { fs::copy(shipped, target).map(drop) } else { fs::remove_file(target) };
            let _ = given_back;
        }
        remove_empty_folders(self.bench.0.path());
    }
}

/// The files of a case by their paths within it.
fn list_files(case: &Path, within: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(case.join(within)).expect("a folder of a case");
    let paths = entries.map(|entry| within.join(entry.expect("an entry").file_name()));
    paths.flat_map(|path| if case.join(&path).is_dir() { list_files(case, &path) } else { vec![path] }).collect()
}

/// Removes the folders that a case brought along and left empty.
fn remove_empty_folders(folder: &Path) {
    for entry in fs::read_dir(folder).expect("a folder of the bench") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            remove_empty_folders(&path);
            // One that is not empty stays.
            let _ = fs::remove_dir(path);
        }
    }
}

fn cases() -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> =
        fs::read_dir(CASES).expect("the cases").map(|entry| entry.expect("a case").path()).collect();
    cases.sort();
    cases
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn every_broken_experiment_is_told_as_it_is_written_down() {
    let mut wrong = Vec::new();
    let cases = cases();
    assert!(cases.len() >= 50, "only {} cases", cases.len());
    let bench = Bench::new();
    for case in sample_cases(cases, 3) {
        let expected = fs::read_to_string(case.join("expected.txt")).unwrap_or_default();
        let laid = bench.lay_out(&case);
        let found = laid.told(&laid.problems());
        if found != expected.trim_end() {
            wrong.push(format!("== {}\n{found}\n", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The sections of a config, each with its lines, in another order.
fn turned(config: &str) -> Option<String> {
    let mut sections: Vec<String> = Vec::new();
    for line in config.lines() {
        match line.starts_with(|c: char| c.is_ascii_alphabetic()) || sections.is_empty() {
            true => sections.push(format!("{line}\n")),
            false => sections.last_mut()?.push_str(&format!("{line}\n")),
        }
    }
    sections.reverse();
    Some(sections.concat())
}

#[test]
#[ignore = "slow: `.ci/run` runs it"]
fn the_number_of_problems_does_not_depend_on_the_order_of_sections() {
    let bench = Bench::new();
    for case in sample_cases(cases(), 8) {
        let laid = bench.lay_out(&case);
        let Ok(config) = fs::read_to_string(case.join("config.yaml")) else { continue };
        let problems = laid.problems();
        // Where the text is no YAML, its sections are no sections.
        let told: Vec<String> = problems.iter().map(|problem| problem.path.clone()).collect();
        if told.iter().any(String::is_empty) || !config.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        fs::write(laid.path("config.yaml"), turned(&config).expect("sections")).expect("a config");
        let turned = laid.problems();
        assert_eq!(turned.len(), problems.len(), "{}\n{problems}\n\n{turned}", case.display());
    }
}

#[test]
fn editors_read_the_problems_that_people_read() {
    let bench = Bench::new();
    let problems = bench.lay_out(&Path::new(CASES).join("ten_mistakes")).problems();
    let json = diagnoses_json(&diagnose(&problems, |_| None));
    let listed = json.as_array().expect("a list");
    assert!(listed.len() >= 10 && listed.len() == problems.len());
    for (told, problem) in listed.iter().zip(problems.iter()) {
        assert_eq!((told["message"].as_str(), told["path"].as_str()), (Some(&*problem.message), Some(&*problem.path)));
        assert_eq!(told["line"].as_u64(), problem.line.map(u64::from));
    }
}
