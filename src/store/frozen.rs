//! The design at the time of its first session and its later changes, kept in `experiment.json`.
//!
//! Nothing here is compared between equal runs. The code that prepares a folder decides which changes are allowed.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::config::ResolvedExperiment;
use crate::domain::Digest;
use crate::plan::{CORRECT_WITHIN, Deviation, PrimaryComparison, REPLICATES, Shard, find_differences, item_of_key};
use crate::store::files::{FileError, read_whole, write_json};
use crate::store::results::{ResultsFolder, RunStatus};

const FILE: &str = "experiment.json";
/// Changes that are reported at once, because they affect what the sessions mean.
const SAID: [&str; 8] = [
    "primary.metric",
    "primary.contrast",
    "primary.correction",
    "primary.unit",
    "primary.replicates",
    "baseline",
    CORRECT_WITHIN,
    REPLICATES,
];

/// A design, frozen by its first session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrozenDesign {
    /// The digest of the design at its first session.
    pub plan_digest: Digest,
    /// The changes since then, oldest first.
    #[serde(default)]
    pub deviations: Vec<Deviation>,
    /// The replicates of the full design, if only a pilot runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pilot_of: Option<u32>,
    /// The shard of the sessions that the folder holds, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The number of deviations that were recorded earlier.
    #[serde(skip)]
    known: usize,
}

impl FrozenDesign {
    /// A design without sessions.
    pub fn from_resolved(resolved: &ResolvedExperiment) -> Self {
        Self { plan_digest: resolved.design_digest(), deviations: Vec::new(), pilot_of: None, shard: None, known: 0 }
    }

    /// The design of a folder with the changes from `before` to `now`. A folder without sessions has no changes.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn with_changes(
        folder: &ResultsFolder,
        before: &ResolvedExperiment,
        now: &ResolvedExperiment,
    ) -> Result<Self, FileError> {
        let sessions = folder.session_names()?;
        if sessions.is_empty() {
            return Ok(Self::from_resolved(now));
        }
        let mut frozen = Self::read(folder.root()).unwrap_or_else(|| Self::from_resolved(before));
        frozen.known = frozen.deviations.len();
        let mut changes = find_differences(&before.design, &now.design);
        changes.retain(|change| !change.is_move_on_this_machine());
        // The keys of a new item had no earlier value.
        changes.retain(|change| {
            item_of_key(&change.key).is_none_or(|id| before.design.contains_key(&format!("items.{id}")))
        });
        // Running the announced replicates is no deviation, in however many steps.
        let announced = before.experiment.primary.as_ref().and_then(|PrimaryComparison { replicates, .. }| *replicates);
        changes.retain(|change| {
            let is_announced = change.key == REPLICATES
                && announced.is_some_and(|most| now.experiment.replicates <= most)
                && now.experiment.replicates > before.experiment.replicates;
            !is_announced
        });
        if changes.is_empty() {
            return Ok(frozen);
        }
        let completed = |name: &&String| folder.run_file(name).is_some_and(|run| run.status == RunStatus::Completed);
        let sessions_done = sessions.iter().filter(completed).count() as u64;
        for change in changes {
            let deviation = Deviation { what: change.key, from: change.old, to: change.new, sessions_done };
            // A killed run may have recorded a change without keeping the changed config: do not record it twice.
            let is_known = frozen.deviations.iter().rev().find(|known| known.what == deviation.what);
            if is_known != Some(&deviation) {
                frozen.deviations.push(deviation);
            }
        }
        Ok(frozen)
    }

    /// Merges the designs of shards, with all their changes.
    ///
    /// # Panics
    /// If there is no shard.
    pub fn of_shards<'f>(mut shards: impl Iterator<Item = &'f Self>) -> Self {
        let first = shards.next().expect("invariant: there is a shard");
        let mut frozen = Self { shard: None, ..first.clone() };
        for deviation in shards.flat_map(|other| &other.deviations) {
            let is_same = |known: &&mut Deviation| {
                (&known.what, &known.from, &known.to) == (&deviation.what, &deviation.from, &deviation.to)
            };
            match frozen.deviations.iter_mut().find(is_same) {
                Some(known) => known.sessions_done += deviation.sessions_done,
                None => frozen.deviations.push(deviation.clone()),
            }
        }
        frozen
    }

    /// Reads the design from a results folder; `None` if `experiment.json` is missing or holds none.
    pub fn read(root: &Path) -> Option<Self> {
        serde_json::from_slice(&read_whole(&root.join(FILE)).ok()?).ok()
    }

    /// Writes the design into the folder's `experiment.json` and keeps the file's other keys.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_to(&self, root: &Path) -> Result<(), FileError> {
        let path = root.join(FILE);
        let there = read_whole(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let mut file: Map<String, Value> = there.unwrap_or_default();
        let Value::Object(own) = serde_json::to_value(self).expect("invariant: a design has a JSON form") else {
            unreachable!("invariant: a struct with names is an object")
        };
        file.extend(own);
        write_json(&path, &file)
    }

    /// Describes the new changes that affect what the sessions mean.
    pub fn change_notices(&self) -> Vec<String> {
        let new = self
            .deviations
            .iter()
            .skip(self.known)
            .filter(|new| SAID.contains(&new.what.as_str()) || item_of_key(&new.what).is_some());
        new.map(|deviation| format!("{deviation}; experiment.json records it")).collect()
    }
}
