//! Broken experiments of every kind, and the whole text that an author reads about each.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fixtures::desk::copy::copy;
use ekklesia::adapters::inputs::{Inputs, Overrides};
use ekklesia::plan::Problems;
use ekklesia::report::{Style, diagnose, diagnoses_json, tell};

const CASES: &str = "tests/data/broken";

/// A folder with the shipped scenarios, and over them the files of a case, without those that it leaves out.
struct Bench(tempfile::TempDir);

impl Bench {
    fn new(case: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for scenario in ["motion", "justice"] {
            copy(&Path::new("scenarios").join(scenario), &folder.path().join(scenario));
        }
        copy(case, folder.path());
        for name in fs::read_to_string(case.join("without")).unwrap_or_default().lines() {
            fs::remove_file(folder.path().join(name)).expect("a file to leave out");
        }
        Self(folder)
    }

    fn problems(&self) -> Problems {
        let set = fs::read_to_string(self.0.path().join("set")).unwrap_or_default();
        let overrides = Overrides { set: set.lines().map(str::to_owned).collect(), ..Overrides::default() };
        let read = Inputs::read(&self.0.path().join("config.yaml"), overrides);
        read.and_then(|inputs| inputs.resolve()).map(|_| ()).err().unwrap_or_default()
    }

    fn told(&self, problems: &Problems) -> String {
        let lines = |file: &str| fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let text = tell(&diagnose(problems, lines), Style::Plain);
        text.replace(&format!("{}/", self.0.path().display()), "")
    }
}

fn cases() -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> =
        fs::read_dir(CASES).expect("the cases").map(|entry| entry.expect("a case").path()).collect();
    cases.sort();
    cases
}

#[test]
fn every_broken_experiment_is_told_as_it_is_written_down() {
    let mut wrong = Vec::new();
    let cases = cases();
    assert!(cases.len() >= 50, "only {} cases", cases.len());
    for case in cases {
        let expected = fs::read_to_string(case.join("expected.txt")).unwrap_or_default();
        let bench = Bench::new(&case);
        let found = bench.told(&bench.problems());
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
fn the_number_of_problems_does_not_depend_on_the_order_of_sections() {
    for case in cases() {
        let bench = Bench::new(&case);
        let Ok(config) = fs::read_to_string(case.join("config.yaml")) else { continue };
        let problems = bench.problems();
        // Where the text is no YAML, its sections are no sections.
        let told: Vec<String> = problems.iter().map(|problem| problem.path.clone()).collect();
        if told.iter().any(String::is_empty) || !config.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        fs::write(bench.0.path().join("config.yaml"), turned(&config).expect("sections")).expect("a config");
        let turned = bench.problems();
        assert_eq!(turned.len(), problems.len(), "{}\n{problems}\n\n{turned}", case.display());
    }
}

#[test]
fn editors_read_the_problems_that_people_read() {
    let bench = Bench::new(&Path::new(CASES).join("ten_mistakes"));
    let problems = bench.problems();
    let json = diagnoses_json(&diagnose(&problems, |_| None));
    let listed = json.as_array().expect("a list");
    assert!(listed.len() >= 10 && listed.len() == problems.len());
    for (told, problem) in listed.iter().zip(problems.iter()) {
        assert_eq!((told["message"].as_str(), told["path"].as_str()), (Some(&*problem.message), Some(&*problem.path)));
        assert_eq!(told["line"].as_u64(), problem.line.map(u64::from));
    }
}
