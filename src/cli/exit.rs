//! How a verb ends: its exit code, and the words on stderr.

use std::process::ExitCode;

use crate::adapters::results::FileError;
use crate::plan::{Problem, Problems};

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

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        ExitCode::from(match ending {
            Ending::Done => 0,
            Ending::Failed => 1,
            Ending::Wrong => 2,
            Ending::Diverged => 3,
            Ending::Resumable => 4,
            Ending::Interrupted => 130,
        })
    }
}

/// Why a verb could not begin or go on: how it ends, and the words for it.
#[derive(Debug)]
pub struct Refusal {
    /// How it ends.
    pub ending: Ending,
    /// The words.
    pub message: String,
}

impl Refusal {
    /// The command line, the config or the folder is not one to work with.
    pub fn wrong(message: impl Into<String>) -> Self {
        Self { ending: Ending::Wrong, message: message.into() }
    }

    /// The machine did not do its part.
    pub fn failed(message: impl Into<String>) -> Self {
        Self { ending: Ending::Failed, message: message.into() }
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::wrong(problem.to_string())
    }
}

impl From<Problems> for Refusal {
    fn from(problems: Problems) -> Self {
        Self::wrong(problems.to_string())
    }
}

impl From<FileError> for Refusal {
    fn from(error: FileError) -> Self {
        Self::failed(error.to_string())
    }
}
