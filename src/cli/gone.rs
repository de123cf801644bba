//! Sessions that a plan calls for and that have no folder: a run has not come to them yet, or somebody took them away.

use crate::adapters::results::ResultsFolder;
use crate::plan::Planned;
use crate::report::counted;

/// That sessions have no folder: the first by its name, and how many more there are; `None` where each has one.
pub fn gone(folder: &ResultsFolder, planned: &[Planned]) -> Option<String> {
    let mut gone = planned.iter().map(Planned::name).filter(|name| !folder.session(name).exists());
    let first = gone.next()?;
    Some(format!("sessions/{first} has no folder{}", and_others(gone.count())))
}

/// How many more there are like the one that was named.
pub fn and_others(others: usize) -> String {
    if others == 0 { String::new() } else { format!(" (and {} more like it)", counted(others as u64, "session")) }
}
