//! What the command line or a fork changes: values for dotted keys, in the tree of what was written and in the arms, whose
//! levels may speak against them.

use super::design::Design;
use super::scenario::Soundness;
use super::structure::Findings;
use super::tree::Node;
use super::{Problem, Problems, design, seats};

/// What cannot be changed from the command line or in a fork: the inputs are read before.
const FIXED_BY_THE_CONFIG: [&str; 4] = ["scenario", "about", "personas", "prompts"];
/// What of the items cannot be changed there either: the number of those that are drawn can.
const ITEMS_SAMPLE: &str = "items.sample";

/// Sets what the command line or a fork changes; where a fork takes a value away, what `below` the config holds comes back.
/// Tells whether all names of seats are still known.
pub fn change(tree: &mut Node, changes: &[(String, Node)], below: &Node, problems: &mut Problems) -> Soundness {
    let mut seats = Soundness::Sound;
    for (path, value) in changes {
        let root = root_of(path);
        let of_items = root == "items" && path != ITEMS_SAMPLE;
        let of_exhibits = root == "exhibits" && path.ends_with(".file");
        let of_edges = path == "discussion.network.file";
        if FIXED_BY_THE_CONFIG.contains(&root) || of_items || of_exhibits || of_edges {
            problems.push(Problem::at(&value.place, path, "only the config itself can say this"));
            continue;
        }
        let named = problems.keep(design::check_named(path, &value.place, path, tree));
        problems.keep(named.map_or(Ok(()), |()| match value.is_taking_away() {
            true => tree.unset(path, below.find(path), &value.place),
            false => tree.set(path, value.clone()),
        }));
        seats = worse(seats, seats::write_out(tree, problems));
    }
    // What the file says of factors was checked with it; what a change says of them was not.
    if changes.iter().any(|(path, _)| root_of(path) == "design") {
        problems.extend(Findings::of_levels(tree));
    }
    seats
}

/// Makes the changes of a fork or of the command line in every arm.
pub fn change_arms(design: &mut Design, changes: &[(String, Node)], problems: &mut Problems) {
    for (path, value) in changes {
        let refused: Vec<Problem> = design.arms.iter_mut().filter_map(|arm| arm.change(path, value).err()).collect();
        refused.into_iter().for_each(|problem| problems.push(problem));
    }
}

/// The section of a dotted key.
pub fn root_of(path: &str) -> &str {
    path.split('.').next().unwrap_or_default()
}

/// Broken where one of the two is.
pub fn worse(one: Soundness, other: Soundness) -> Soundness {
    if one == Soundness::Sound { other } else { one }
}
