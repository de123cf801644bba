//! Words for session folders that are missing or extra.

use std::collections::BTreeSet;

use super::counted;
use crate::plan::{Experiment, PlannedSession};

/// That planned sessions have no folder: the first by its name, and how many more there are; `None` where each has one.
pub fn name_missing(planned: impl Iterator<Item = String>, folders: &BTreeSet<String>) -> Option<String> {
    name_first(planned.filter(|name| !folders.contains(name)), "has no folder")
}

/// That folders belong to no session of the plan, likewise.
pub fn name_extra(experiment: &Experiment, folders: impl IntoIterator<Item = String>) -> Option<String> {
    let is_extra = |name: &String| PlannedSession::find_by_name(experiment, name).is_none();
    name_first(folders.into_iter().filter(is_extra), "is not in the plan")
}

/// The first of some sessions by its name, what is wrong with it, and how many more there are.
fn name_first(mut names: impl Iterator<Item = String>, what: &str) -> Option<String> {
    let first = names.next()?;
    Some(format!("sessions/{first} {what}{}", and_others(names.count())))
}

/// How many more there are like the one that was named.
pub fn and_others(others: usize) -> String {
    if others == 0 { String::new() } else { format!(" (and {} more like it)", counted(others as u64, "session")) }
}
