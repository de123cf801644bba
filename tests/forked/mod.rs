//! A run and its forks.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::{Told, ekklesia, json_lines, text};
use crate::trial::{write_config, write_justice};

/// The session that is forked.
pub const SESSION: &str = "baseline-r000001";

/// A run, and a place for its forks.
pub struct Parent {
    pub place: tempfile::TempDir,
}

impl Parent {
    pub fn run(body: &str) -> Self {
        Self::of(body, write_config)
    }

    /// The same on the shipped scenario of justice.
    pub fn justice(body: &str) -> Self {
        Self::of(body, write_justice)
    }

    fn of(body: &str, write: fn(&Path, &str) -> PathBuf) -> Self {
        let place = tempfile::tempdir().unwrap();
        let config = write(place.path(), body);
        let parent = Self { place };
        ekklesia(&["run", text(&config), "--out", text(&parent.folder())]).says(0, &[]);
        parent
    }

    pub fn folder(&self) -> PathBuf {
        self.place.path().join("parent")
    }

    pub fn session(&self) -> PathBuf {
        self.folder().join("sessions").join(SESSION)
    }

    pub fn minutes(&self) -> Vec<Value> {
        json_lines(&self.session().join("minutes.jsonl"))
    }

    /// The record in which a seat's question was answered for good.
    pub fn answer(&self, seat: &str, phase: &str, round: u64, step: &str) -> Value {
        let minutes = self.minutes();
        let found = minutes.into_iter().rfind(|record| is_answer(record, seat, phase, round, step));
        found.unwrap_or_else(|| panic!("{seat} was asked for a {step}"))
    }

    /// Forks the first session; the fork's folder and what was said.
    pub fn fork(&self, name: &str, change: &str, more: &[&str]) -> (PathBuf, Told) {
        let file = self.place.path().join(format!("{name}.yaml"));
        fs::write(&file, change).unwrap();
        let out = self.place.path().join(name);
        let session = self.session();
        let mut arguments = vec!["fork", text(&session), "--change", text(&file), "--out", text(&out)];
        arguments.extend(more);
        let told = ekklesia(&arguments);
        (out, told)
    }
}

pub fn is_answer(record: &Value, seat: &str, phase: &str, round: u64, step: &str) -> bool {
    let at = &record["at"];
    record["seat"] == seat && at["phase"] == phase && at["round"] == round && at["step"] == step
}

pub fn minutes_of(folder: &Path) -> PathBuf {
    folder.join("sessions").join(SESSION).join("minutes.jsonl")
}

/// A text as YAML writes it on one line.
pub fn quoted(text: &Value) -> String {
    serde_json::to_string(text.as_str().expect("a text")).unwrap()
}
