//! What lies where in a results folder, by name.

use crate::analysis::{ColumnLayout, table_specs};

/// How the names of files begin that are not whole yet. A kill may leave them behind.
pub const UNFINISHED: &str = ".ekklesia-";
/// The folder of the packs in a results folder.
pub const PACKS: &str = "packs";
/// The index's file in the experiment's folder. It begins as unfinished files do, so that no bundle takes it for a result.
pub const INDEX_FILE: &str = ".ekklesia-search";

/// A file that a session may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SessionPart {
    /// Answers of models and people.
    Calls,
    /// The record.
    Minutes,
    /// The notes of a session of a panel.
    Notes,
    /// What may differ between equal runs.
    Run,
}

impl SessionPart {
    /// All, in the order of the names of their files, in which a session's folder gets them: with its account of the run it is complete.
    pub const ALL: [SessionPart; 4] = [SessionPart::Calls, SessionPart::Minutes, SessionPart::Notes, SessionPart::Run];

    /// Its name in a session's folder.
    pub fn file_name(self) -> &'static str {
        match self {
            SessionPart::Calls => "calls.jsonl",
            SessionPart::Minutes => "minutes.jsonl",
            SessionPart::Notes => "notes.json",
            SessionPart::Run => "run.json",
        }
    }

    /// The name of the file of a pack that holds it.
    pub fn pack_name(self, number: u32) -> String {
        let kind = self.file_name().split('.').next().unwrap_or_default();
        format!("{kind}-{number:06}.zst")
    }
}

/// Whether a file of a pack can have this name.
pub fn is_pack_name(name: &str) -> bool {
    let digits = name.rsplit_once('-').and_then(|(_, end)| end.strip_suffix(".zst")?.parse().ok());
    digits.is_some_and(|number| SessionPart::ALL.iter().any(|part| part.pack_name(number) == name))
}

/// Whether something of this name in a results folder is what this program writes there.
pub fn is_results_name(name: &str) -> bool {
    const OWN: [&str; 8] = ["inputs", "sessions", PACKS, "failed", "plan.yaml", "experiment.json", ".lock", INDEX_FILE];
    OWN.contains(&name) || file_names().iter().any(|table| table == name)
}

/// The names of all files that a finished set leaves, in order.
pub fn file_names() -> Vec<String> {
    let mut names: Vec<String> =
        table_specs(&ColumnLayout::default()).iter().map(|spec| format!("{}.csv", spec.name)).collect();
    names.extend(["codebook.csv", "datapackage.json", "load.R", "load.py", "methods.md"].map(str::to_owned));
    names
}
