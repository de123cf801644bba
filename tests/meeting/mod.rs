//! Panels for tests: members who take notes by scripts, and where what they leave stands.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};

use crate::cli::{self, ekklesia, text};
use crate::trial::write_config;

/// A panel whose members note something, add to it, replace it and fail to, by scripts.
pub fn noting(waves: u32) -> String {
    let line = |step: &str, rest: &str| format!("{{ phase: session, round: 0, step: {step}, {rest} }}");
    let talk = "{ phase: discussion, round: 1, step: statement, statement: \"I favour it.\", stance: for }, \
                { phase: vote, round: 0, step: ballot, choice: for }";
    let ann = line("notes", "append: \"Bob yields.\\nCarol does not.\"");
    let bob = line("notes", "replace: { old: yields, new: insists }, append: \"Ann yields 🙂.\"");
    format!(
        "models: {{ sim: {{ simulated: {{}} }} }}\nseat_defaults: {{ model: sim }}\nseats:\n\
         \x20 - {{ name: Ann, mind: {{ scripted: {{ table: [{talk}, {ann}] }} }} }}\n\
         \x20 - {{ name: Bob, mind: {{ scripted: {{ table: [{talk}, {bob}] }} }} }}\n\
         \x20 - {{ name: Carol, mind: {{ voter: {{ copy: 0.5 }} }} }}\n\
         discussion: {{ rounds: 1, order: random, vote: at_end }}\n\
         panel: {{ waves: {waves} }}\nmemory: {{ notes: {{ max_lines: 3 }} }}\n"
    )
}

/// Runs a config; the folder, and what was told.
pub fn run(place: &Path, body: &str, out: &str, more: &[&str]) -> (PathBuf, cli::Told) {
    let config = write_config(place, body);
    let out = place.join(out);
    let told = ekklesia(&[&["run", text(&config), "--out", text(&out)], more].concat());
    (out, told)
}

/// The folder of a session by its wave.
pub fn session(out: &Path, wave: u32) -> PathBuf {
    out.join(format!("sessions/baseline-r000001-w{wave:02}"))
}
