//! The names of files and folders in a results folder.

use crate::analysis::{ColumnLayout, table_specs};

/// The prefix of unfinished files, which a kill may leave behind.
pub const UNFINISHED: &str = ".ekklesia-";
/// The folder of packs.
pub const PACKS: &str = "packs";

/// A file of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SessionPart {
    /// The answers of models and people.
    Calls,
    /// The minutes.
    Minutes,
    /// The notes of a panel's session.
    Notes,
    /// Facts that may differ between equal runs.
    Run,
}

impl SessionPart {
    /// All parts, in the order of their file names and of their creation. `run.json` completes a session.
    pub const ALL: [SessionPart; 4] = [SessionPart::Calls, SessionPart::Minutes, SessionPart::Notes, SessionPart::Run];

    /// The file's name in a session's folder.
    pub fn file_name(self) -> &'static str {
        match self {
            SessionPart::Calls => "calls.jsonl",
            SessionPart::Minutes => "minutes.jsonl",
            SessionPart::Notes => "notes.json",
            SessionPart::Run => "run.json",
        }
    }

    /// The name of the pack file that holds this part.
    pub fn pack_name(self, number: u32) -> String {
        let kind = self.file_name().split('.').next().unwrap_or_default();
        format!("{kind}-{number:06}.zst")
    }
}

/// Whether a file of a session has this name.
pub fn is_session_file(name: &str) -> bool {
    SessionPart::ALL.iter().any(|part| part.file_name() == name)
}

/// Whether a pack's file can have this name.
pub fn is_pack_name(name: &str) -> bool {
    let digits = name.rsplit_once('-').and_then(|(_, end)| end.strip_suffix(".zst")?.parse().ok());
    digits.is_some_and(|number| SessionPart::ALL.iter().any(|part| part.pack_name(number) == name))
}

/// Whether the program writes something of this name into a results folder.
pub fn is_results_name(name: &str) -> bool {
    const OWN: [&str; 7] = ["inputs", "sessions", PACKS, "failed", "plan.yaml", "experiment.json", ".lock"];
    OWN.contains(&name) || file_names().iter().any(|table| table == name)
}

/// The names of all tables and of the files that describe them, in order.
pub fn file_names() -> Vec<String> {
    let mut names: Vec<String> =
        table_specs(&ColumnLayout::default()).iter().map(|spec| format!("{}.csv", spec.name)).collect();
    names.extend(["codebook.csv", "datapackage.json", "load.R", "load.py", "methods.md"].map(str::to_owned));
    names
}
