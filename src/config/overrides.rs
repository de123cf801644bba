//! What the command line or a fork changes: values for dotted keys, in the tree of what was written and in the arms, whose
//! levels may speak against them.

use crate::config::arms::Arm;
use crate::config::check::structure::StructureCheck;
use crate::config::lower::design::{Design, keys_overlap};
use crate::config::lower::panel::NOTES_FROM;
use crate::config::lower::{design, seats};
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::Soundness;
use crate::config::tree::{MapEntry, Node};
use crate::plan::Origin;

/// What cannot be changed from the command line or in a fork: the inputs are read before.
const FIXED_BY_THE_CONFIG: [&str; 4] = ["scenario", "about", "personas", "prompts"];
/// What of the items cannot be changed there either: the number of those that are drawn can.
const ITEMS_SAMPLE: &str = "items.sample";

/// Sets what the command line or a fork changes; where a fork takes a value away, what `below` the config holds comes back.
/// Tells whether all names of seats are still known.
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
        seats = combine_soundness(seats, seats::write_out(tree, problems));
    }
    // What the file says of factors was checked with it; what a change says of them was not.
    if changes.iter().any(|(path, _)| root_of(path) == "design") {
        problems.extend(StructureCheck::of_factors(tree));
    }
    seats
}

/// Makes the changes of a fork or of the command line in every arm.
pub fn change_arms(design: &mut Design, changes: &[(String, Node)], problems: &mut Problems) {
    for (path, value) in changes {
        let refused: Vec<Problem> =
            design.arms.iter_mut().filter_map(|arm| arm.apply_change(path, value).err()).collect();
        refused.into_iter().for_each(|problem| problems.push(problem));
    }
}

impl Arm {
    /// Lets a change have the last word: a fork's is about one session and outdoes the arm's level, and what makes it a null; the
    /// command line's would be lost in every arm that sets the key, and is refused. What a null sets it loses to the null.
    ///
    /// # Errors
    /// When a change from the command line concerns a key of the design.
    fn apply_change(&mut self, path: &str, value: &Node) -> Result<(), Problem> {
        if value.is_taking_away() {
            return self.remove_values(path, value);
        }
        let is_fork = value.place.origin == Origin::Fork;
        let entry = MapEntry { key: path.to_string(), place: value.place.clone(), node: value.clone() };
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

    /// Takes away what a level, or what makes it a null, says at a dotted key, or below it.
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

/// Broken where one of the two is.
pub fn combine_soundness(one: Soundness, other: Soundness) -> Soundness {
    if one == Soundness::Sound { other } else { one }
}
