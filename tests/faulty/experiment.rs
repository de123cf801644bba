//! A small experiment on a server that may fail, and the folder of its run without faults.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Faulty;
use crate::cli::{Told, assert_same, calls, ekklesia, ended, json_lines, program, text};
use crate::trial::write_config;

/// A key that must stand nowhere.
pub const KEY: &str = "sk-planted/0123456789abcdef+end";

/// Three seats under both forms of answers, two groups.
pub fn body(server: &Faulty, more: &str) -> String {
    let url = server.base_url();
    let model = |name: &str, answers: &str| {
        format!(
            "  {name}: {{ openai: {{ base_url: \"{url}\", model: {name}, max_tokens: 60, context_window: 9000, answers: {answers}{more} }} }}\n"
        )
    };
    format!(
        "
replicates: 2
models:
{}{}seats:
  - {{ name: Alice, model: strict, persona: \"A retired teacher.\" }}
  - {{ name: Bob, model: plain }}
  - {{ name: Carol, model: strict }}
straw_polls: [before]
controls: {{ option_order: seeded }}
discussion: {{ rounds: 2, order: random, vote: at_end }}
",
        model("strict", "json_schema"),
        model("plain", "anchored")
    )
}

/// An experiment, and the folder of its run without faults.
pub struct Trial {
    pub place: tempfile::TempDir,
    pub config: PathBuf,
    pub server: Faulty,
    /// The questions that the whole takes, each as often as it is put.
    pub questions: Vec<String>,
}

impl Trial {
    pub fn new(more: &str) -> Self {
        let (place, server) = (tempfile::tempdir().unwrap(), Faulty::start());
        let config = write_config(place.path(), &body(&server, more));
        let mut trial = Self { place, config, server, questions: Vec::new() };
        trial.run("whole").says(0, &["2 of 2 sessions"]);
        trial.questions = trial.server.answered();
        assert!(trial.questions.len() > 20, "{}", trial.questions.len());
        trial
    }

    pub fn out(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    pub fn run(&self, name: &str) -> Told {
        ended(&mut self.command(name))
    }

    pub fn command(&self, name: &str) -> std::process::Command {
        let mut command = program(&["run", text(&self.config), "--jobs", "2", "--out", text(&self.out(name))]);
        command.env("TRIAL_KEY", KEY);
        command
    }

    /// The folder is that of the run without faults, proven again, and no question was answered twice.
    #[track_caller]
    pub fn is_whole(&self, name: &str) {
        assert_same(&self.out("whole"), &self.out(name));
        assert_eq!(questions(&self.out(name)), questions(&self.out("whole")), "{name}");
        ekklesia(&["replay", text(&self.out(name))]).says(0, &["no divergence"]);
    }
}

pub fn records(out: &Path) -> Vec<PathBuf> {
    let sessions = fs::read_dir(out.join("sessions")).unwrap().map(|entry| entry.unwrap().path().join("calls.jsonl"));
    sessions.filter(|file| file.exists()).collect()
}

/// The questions that were answered, with their sessions.
pub fn questions(out: &Path) -> Vec<String> {
    let each = records(out).into_iter().flat_map(|file| {
        let session = file.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
        calls(&file).into_iter().map(move |line| format!("{session} {}", line["question"]))
    });
    let mut all: Vec<String> = each.collect();
    all.sort();
    all
}

/// All attempts that are recorded.
pub fn attempts(out: &Path) -> Vec<Value> {
    let lines = records(out).into_iter().flat_map(|file| json_lines(&file));
    lines.flat_map(|line| line["attempts"].as_array().cloned().unwrap_or_default()).collect()
}

pub fn failed(out: &Path) -> Vec<Value> {
    attempts(out).into_iter().filter(|attempt| attempt.get("failure").is_some()).collect()
}
