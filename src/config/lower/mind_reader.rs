//! The context in which minds are lowered.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::config::problem::Problems;
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::Node;
use crate::config::written::minds::TraitConfig;
use crate::domain::Motion;
use crate::mechanism::IncomePrinciples;
use crate::minds::TraitValue;
use crate::plan::{Item, VotePhase, Voting, parts_per_million, scale_decimal};

/// The maximum number of decimals of a trait.
const DECIMALS: usize = 6;

/// Lowers minds, with their references.
#[derive(Clone, Copy)]
pub struct MindReader<'a> {
    /// The alternatives that a line may choose.
    pub motion: &'a Motion,
    /// The phases that a line may name.
    pub scenario: &'a Scenario,
    /// The pay for decisions; `None` if there is none, or the mechanism has an error.
    pub mechanism: Option<&'a Arc<IncomePrinciples>>,
    /// If sound, a missing mechanism means that the scenario has none.
    pub soundness: Soundness,
    /// The columns of items that lines may name, and the items; empty without items.
    pub asked: (&'a [String], &'a IndexMap<String, Arc<Item>>),
    /// The ballots of the section `decision`, or of the vote that a line names; `None` if they have an error.
    pub voting: Option<Voting>,
    /// The votes of the agenda by the names of their phases; `None` after an error.
    pub votes: Option<&'a BTreeMap<String, Arc<VotePhase>>>,
    /// The config's tree, for places.
    pub tree: &'a Node,
}

impl MindReader<'_> {
    pub fn read_ppm(&self, probability: f64, path: &str, problems: &mut Problems) -> Option<u32> {
        problems.ok_or_report_at(self.tree, path, parts_per_million(probability))
    }
}

pub fn trait_value(written: TraitConfig) -> Result<TraitValue, String> {
    let millionths =
        |number| scale_decimal(number, DECIMALS).map(|millionths| i64::try_from(millionths).unwrap_or(i64::MAX));
    match written {
        TraitConfig::Fixed(number) => millionths(number).map(TraitValue::Fixed),
        TraitConfig::Uniform { uniform: (least, greatest) } if least > greatest => {
            Err(format!("uniform: [{least}, {greatest}] is not in order"))
        }
        TraitConfig::Uniform { uniform: (least, greatest) } => {
            Ok(TraitValue::Uniform { least: millionths(least)?, greatest: millionths(greatest)? })
        }
    }
}
