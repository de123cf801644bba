//! Which variables may hold what is right: the key of an item, or the truth of the session.

use super::{Plan, Thing};
use crate::expression::{NameRead, may_be};

impl Plan {
    /// The variables whose value may be the key of an item or the truth itself, and not only something that follows from it, such as a payoff.
    pub fn list_key_holders(&self) -> Vec<&str> {
        let mut held: Vec<&str> = Vec::new();
        loop {
            let phases = self.agenda.iter().enumerate();
            let mut all =
                phases.flat_map(|(place, phase)| phase.kind.assignments().iter().map(move |one| (place, one)));
            let more = all.find_map(|(place, one)| {
                let name = self.variables[one.variable].name.as_str();
                let is_key = |read: &NameRead| self.is_key(place, read) || is_among(read, &held);
                (!held.contains(&name) && may_be(&one.formula.expression, &is_key)).then_some(name)
            });
            match more {
                Some(name) => held.push(name),
                None => return held,
            }
        }
    }

    /// Whether a name that is read at a place is the key of an item, or the truth.
    fn is_key(&self, place: usize, read: &NameRead) -> bool {
        let root = read.name.as_deref().unwrap_or_default();
        let is_item = |thing: &Thing| matches!(thing, Thing::Item { name, .. } if name == root);
        let things = self.agenda[place].passes.iter().filter_map(|pass| pass.thing.as_ref());
        let is_truth = root == "truth" && self.evidence.as_ref().is_some_and(|evidence| evidence.truth.is_some());
        is_truth || read.attributes == ["key"] && (root == "item" || { things }.any(is_item))
    }
}

/// Whether the value that is read is one of these variables.
fn is_among(read: &NameRead, variables: &[&str]) -> bool {
    let of_plan = read.name.as_deref() == Some("parameters");
    let last = read.attributes.last().or(read.name.as_ref());
    !of_plan && last.is_some_and(|last| variables.contains(&last.as_str()))
}
