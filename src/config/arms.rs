//! An arm of the design: its levels and the keys it sets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::config::problem::{Problem, Problems, SourcePlace, Spot, gather_spots, spot_of};
use crate::config::tree::MapEntry;
use crate::plan::{Level, NullWord, Plan};

/// The limit on arms: a larger number is probably a mistake.
pub const ARMS_MAX: usize = 10_000;

/// An arm of the design.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    /// The labels of its levels joined by `-`; `baseline` without factors.
    pub name: String,
    /// One level per factor.
    pub levels: Vec<Level>,
    /// Dotted keys and the values this arm gives them; each key's place is where the author wrote it.
    pub values: Vec<MapEntry>,
    /// `None` unless the arm is a null.
    pub null: Option<Null>,
}

/// The plans of all arms in order, and their identities by arm name.
pub type ArmPlans = (Vec<(Arm, Arc<Plan>)>, Vec<(String, BTreeMap<String, String>)>);

/// A reference to a level.
pub struct NamedLevel {
    pub factor: String,
    pub label: String,
}

impl Arm {
    pub fn has_level(&self, factor: &str, label: &str) -> bool {
        self.levels.iter().any(|level| level.factor == factor && level.label == label)
    }
}

/// A null arm's source and changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Null {
    /// The name of the arm it is compared with.
    pub of: String,
    /// The kind of null.
    pub word: NullWord,
    /// Dotted keys and their values, which override those of the arm's levels.
    pub values: Vec<MapEntry>,
    /// Where the author wrote it.
    pub place: SourcePlace,
}

impl Problems {
    /// Adds the problems of each arm. A problem that every arm has is reported once and names no arm. Any other names the arms
    /// that have it, unless all arms of the level that contains it have it: then the place identifies the level.
    pub fn extend_of_arms(&mut self, arms: &[(Arm, Problems)]) {
        let mut told: BTreeMap<Problem, (Option<String>, Vec<usize>)> = BTreeMap::new();
        for (place, (_, problems)) in arms.iter().enumerate() {
            for problem in problems.iter() {
                // The hint may differ between arms: the first is kept.
                let told = told.entry(Problem { hint: None, ..problem.clone() });
                told.or_insert_with(|| (problem.hint.clone(), Vec::new())).1.push(place);
            }
        }
        let levels = if told.is_empty() { BTreeMap::new() } else { places_of_levels(arms) };
        for (problem, (hint, having)) in told {
            let place = problem.line.zip(problem.column).map(|(line, column)| (problem.file.as_str(), line, column));
            let of_level = place.and_then(|place| levels.get(&place)).copied().unwrap_or(0);
            let first = &arms[having[0]].0.name;
            let is_clear = having.len() == arms.len() || having.len() == of_level;
            let arm = match having.len() {
                _ if is_clear => None,
                1 => Some(first.clone()),
                some => Some(format!("{first} and {} more", some - 1)),
            };
            self.push(Problem { arm, hint, ..problem });
        }
    }
}

/// Counts the arms whose levels set a value or key at each place. A map, because there may be thousands of each.
fn places_of_levels(arms: &[(Arm, Problems)]) -> BTreeMap<Spot<'_>, usize> {
    let mut levels = BTreeMap::new();
    for (arm, _) in arms {
        let mut places = BTreeSet::new();
        for value in &arm.values {
            places.insert(spot_of(&value.place));
            gather_spots(&value.node, &mut places);
        }
        places.into_iter().for_each(|place| *levels.entry(place).or_insert(0) += 1);
    }
    levels
}
