//! Applies values of dotted keys from the command line or a fork to the config and to the arms, whose levels may set the keys.

use crate::config::arms::Arm;
use crate::config::check::structure::StructureCheck;
use crate::config::lower::design::{DesignDraft, keys_overlap};
use crate::config::lower::panel::NOTES_FROM;
use crate::config::lower::{design, seats};
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::Soundness;
use crate::config::tree::{MapEntry, Node};
use crate::plan::Origin;

/// Sections that neither the command line nor a fork may change, because the inputs are read earlier.
const FIXED_BY_THE_CONFIG: [&str; 4] = ["scenario", "about", "personas", "prompts"];
/// The only key of `items` that they may change.
const ITEMS_SAMPLE: &str = "items.sample";

/// Applies changes to the config; a removed value reverts to that of `below`. Returns whether all names of seats are known.
pub fn apply_changes(tree: &mut Node, changes: &[(String, Node)], below: &Node, problems: &mut Problems) -> Soundness {
    let mut seats = Soundness::Sound;
    for (path, value) in changes {
        let root = root_of(path);
        let of_items = root == "items" && path != ITEMS_SAMPLE;
        let of_exhibits = root == "exhibits" && path.ends_with(".file");
        let of_edges = path == "discussion.network.file";
        let of_notes = path.starts_with(NOTES_FROM) && !value.is_taking_away() && value.as_text() != Some("none");
        if FIXED_BY_THE_CONFIG.contains(&root) || of_items || of_exhibits || of_edges || of_notes {
            problems.push(Problem::at_place(&value.place, path, "only the config itself can say this"));
            continue;
        }
        let named = problems.ok_or_report(design::check_named(path, &value.place, path, tree));
        problems.ok_or_report(named.map_or(Ok(()), |()| match value.is_taking_away() {
            true => tree.unset(path, below.find(path), &value.place),
            false => tree.set(path, value.clone()),
        }));
        seats = seats.max(seats::write_out(tree, problems));
    }
    // The factors of the config have been checked, but not those of a change.
    if changes.iter().any(|(path, _)| root_of(path) == "design") {
        problems.extend(StructureCheck::of_factors(tree));
    }
    seats
}

/// Applies changes to every arm.
pub fn change_arms(design: &mut DesignDraft, changes: &[(String, Node)], problems: &mut Problems) {
    for (path, value) in changes {
        for arm in &mut design.arms {
            problems.ok_or_report(arm.apply_change(path, value));
        }
    }
}

impl Arm {
    /// Gives a fork's change priority over the arm's level and, if the null sets the key, over the null. A change from the
    /// command line would have no effect in arms that set the key, so it is an error.
    ///
    /// # Errors
    /// If the command line changes a key of the design.
    fn apply_change(&mut self, path: &str, value: &Node) -> Result<(), Problem> {
        if value.is_taking_away() {
            return self.remove_values(path, value);
        }
        let is_fork = value.place.origin == Origin::Fork;
        let entry = MapEntry::new(path, value.clone());
        let set_here =
            |values: &[MapEntry]| values.iter().find(|entry| keys_overlap(&entry.key, path)).map(|e| e.key.clone());
        if let Some(key) = set_here(&self.values) {
            if !is_fork {
                let message = format!("the design sets {key} in every arm; change the factor's levels instead");
                return Err(Problem::at_place(&value.place, path, message));
            }
            self.values.push(entry.clone());
        }
        if let Some(null) = self.null.as_mut().filter(|null| is_fork && set_here(&null.values).is_some()) {
            null.values.push(entry);
        }
        Ok(())
    }

    /// Removes the values of levels and nulls at and below a dotted key.
    fn remove_values(&mut self, path: &str, value: &Node) -> Result<(), Problem> {
        let holds = |one: &str, other: &str| one == other || other.starts_with(&format!("{one}."));
        for values in [Some(&mut self.values), self.null.as_mut().map(|null| &mut null.values)].into_iter().flatten() {
            values.retain(|entry| !holds(path, &entry.key));
            for entry in values.iter_mut().filter(|entry| holds(&entry.key, path)) {
                entry.node.unset(&path[entry.key.len() + 1..], None, &value.place)?;
            }
        }
        Ok(())
    }
}

/// The section of a dotted key.
pub fn root_of(path: &str) -> &str {
    path.split('.').next().unwrap_or_default()
}
