//! An arm of the design: its levels, and what it sets.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::problem::{Problem, Problems, SourcePlace, Spot, gather_spots, spot_of};
use crate::config::tree::MapEntry;
use crate::plan::{Level, NullWord};

/// More arms than this are taken for a slip.
pub const ARMS_MAX: usize = 10_000;

/// An arm of the design.
#[derive(Debug, Clone, PartialEq)]
pub struct Arm {
    /// Its level labels joined by `-`; `baseline` without factors.
    pub name: String,
    /// One level a factor.
    pub levels: Vec<Level>,
    /// Dotted keys and the values this arm gives them; the place of a key is where the author names it.
    pub values: Vec<MapEntry>,
    /// What makes it a null; `None` for an arm of the author's.
    pub null: Option<Null>,
}

/// A level as it is referred to.
pub struct NamedLevel {
    pub factor: String,
    pub label: String,
}

impl Arm {
    pub fn has_level(&self, named: &NamedLevel) -> bool {
        self.levels.iter().any(|level| level.factor == named.factor && level.label == named.label)
    }
}

/// What makes an arm a null.
#[derive(Debug, Clone, PartialEq)]
pub struct Null {
    /// The arm that it stands beside, by name.
    pub of: String,
    /// Its kind.
    pub word: NullWord,
    /// Dotted keys and the values it gives them, over those of its arm's levels.
    pub values: Vec<MapEntry>,
    /// Where the author names it.
    pub place: SourcePlace,
}

impl Problems {
    /// Takes the problems of each arm: one that every arm has is told once and of none. Any other names the arms that have
    /// it, unless it stands in a level and every arm of that level has it: then the place says which.
    pub fn extend_of_arms(&mut self, arms: &[(Arm, Problems)]) {
        let mut told: BTreeMap<Problem, (Option<String>, Vec<usize>)> = BTreeMap::new();
        for (place, (_, problems)) in arms.iter().enumerate() {
            for problem in problems.iter() {
                // What it clashes with may differ from arm to arm: the first is told.
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

/// How many arms have a level that holds a value or key at a place: looked up, as there may be thousands of levels and of
/// problems in them.
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
