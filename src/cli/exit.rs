//! Exit codes and error messages of the verbs.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use super::output::{note, print_warning};
use super::output_style;
use crate::config::{Problem, Problems, did_you_mean, suggest_word};
use crate::report::{Diagnostic, diagnose, diagnoses_json, listed, render_problems};
use crate::store::calls::CallRecordError;
use crate::store::files::FileError;
use crate::store::fold::FoldError;
use crate::store::inputs::read_file;
use crate::store::needed::NeededError;

/// Error messages quote no lines of larger files.
const SOURCE_BYTES_MAX: u64 = 20_000_000;

/// How a verb ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Everything is done.
    Done,
    /// Something could not be done: disk, network, a failed session.
    Failed,
    /// The config or the command line is wrong.
    Wrong,
    /// What was reproduced is not what was recorded.
    Diverged,
    /// Incomplete, and another run can go on.
    Resumable,
    /// The user stopped it.
    Interrupted,
}

impl Ending {
    /// Its exit code.
    pub const fn code(self) -> u8 {
        match self {
            Ending::Done => 0,
            Ending::Failed => 1,
            Ending::Wrong => 2,
            Ending::Diverged => 3,
            Ending::Resumable => 4,
            Ending::Interrupted => 130,
        }
    }
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        ExitCode::from(ending.code())
    }
}

/// Why a verb stopped: its ending and its message.
#[derive(Debug)]
pub struct Refusal {
    /// The ending.
    pub ending: Ending,
    /// The message; unused if there are problems.
    pub message: String,
    /// Errors in the user's files, in place of a message.
    pub problems: Problems,
}

impl Refusal {
    /// A refusal with an ending and a message.
    pub fn with_ending(ending: Ending, message: impl fmt::Display) -> Self {
        Self { ending, message: message.to_string(), problems: Problems::default() }
    }

    /// The command line, the config or the folder is unusable.
    pub fn wrong_input(message: impl fmt::Display) -> Self {
        Self::with_ending(Ending::Wrong, message)
    }

    /// The disk, the network or the operating system failed.
    pub fn machine_failure(message: impl fmt::Display) -> Self {
        Self::with_ending(Ending::Failed, message)
    }
}

/// Prints a refusal on stderr.
pub fn print_refusal(refusal: Refusal) -> Ending {
    let Refusal { ending, message, problems } = refusal;
    if problems.is_empty() {
        print_warning(&message);
    } else {
        note!("{}", render_problems(&with_lines(&problems), output_style::stream_style(&std::io::stderr())));
    }
    ending
}

/// The errors in the user's files, as JSON.
pub fn problems_json(refusal: &Refusal) -> serde_json::Value {
    serde_json::json!({ "problems": diagnoses_json(&with_lines(&refusal.problems)) })
}

/// Adds the source lines to problems.
fn with_lines(problems: &Problems) -> Vec<Diagnostic> {
    diagnose(problems, |file| {
        let bytes = read_file(Path::new(file), file, SOURCE_BYTES_MAX).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    })
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Problems::from(problem).into()
    }
}

impl From<Problems> for Refusal {
    fn from(problems: Problems) -> Self {
        Self { problems, ..Self::wrong_input("") }
    }
}

/// Unreadable minutes are a failure; changed ones are a divergence.
impl From<FoldError> for Refusal {
    fn from(error: FoldError) -> Self {
        match &error {
            FoldError::Unreadable { .. } => Refusal::machine_failure(error),
            FoldError::Line { .. } | FoldError::Format { .. } | FoldError::Changed { .. } => {
                Refusal::with_ending(Ending::Diverged, error)
            }
        }
    }
}

impl From<FileError> for Refusal {
    fn from(error: FileError) -> Self {
        Self::machine_failure(error)
    }
}

impl From<CallRecordError> for Refusal {
    fn from(error: CallRecordError) -> Self {
        Self::machine_failure(error)
    }
}

/// Refuses a session that lacks what it needs from others; changed minutes are a divergence.
pub fn refuse_needed(session: &str, error: &NeededError) -> Refusal {
    let ending = if error.is_divergence() { Ending::Diverged } else { Ending::Failed };
    Refusal::with_ending(ending, format!("{session}: {error}"))
}

/// The end of a message about an unknown name: a suggestion, or nothing if no known name is similar.
pub fn similar_name_hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    did_you_mean(word, known).map_or(String::new(), |hint| format!("; {hint}"))
}

/// Refuses an unknown name, with a suggestion or the list of known names.
pub fn refuse_unknown<'a>(what: &str, word: &str, known: impl IntoIterator<Item = &'a str>) -> Refusal {
    let known: Vec<&str> = known.into_iter().collect();
    let hint = suggest_word(word, known.iter().copied())
        .unwrap_or_else(|| format!("there are:{}", listed(known.iter().copied())));
    Refusal::wrong_input(format!("no {what} {word:?}; {hint}"))
}
