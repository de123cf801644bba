//! What minds are read with: the scenario, the seat, and where problems go.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::config::problem::Problems;
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::Node;
use crate::config::written::minds::TraitConfig;
use crate::domain::Motion;
use crate::mechanism::{Commons, IncomePrinciples};
use crate::minds::TraitValue;
use crate::plan::{Item, Voting, parts_per_million, scale_decimal};

/// Decimals of a trait.
const DECIMALS: usize = 6;

/// Makes minds of what was written, with what they refer to.
pub struct MindReader<'a> {
    /// What a line may choose.
    pub motion: &'a Motion,
    /// Whose phases a line may name.
    pub scenario: &'a Scenario,
    /// What decisions pay; `None` where nothing is paid, or where the mechanism is broken.
    pub mechanism: Option<&'a Arc<IncomePrinciples>>,
    /// The stock that is taken from; `None` where there is none.
    pub commons: Option<&'a Commons>,
    /// Whether that the mechanism is not there means that the scenario has none.
    pub soundness: Soundness,
    /// The columns of items that lines may name, and the items; empty without.
    pub asked: (&'a [String], &'a IndexMap<String, Arc<Item>>),
    /// What seats vote by; `None` where that is broken.
    pub voting: &'a Option<Voting>,
    /// Where all stands.
    pub tree: &'a Node,
}

impl MindReader<'_> {
    pub fn read_ppm(&self, probability: f64, path: &str, problems: &mut Problems) -> Option<u32> {
        problems.ok_or_report(parts_per_million(probability).map_err(|message| self.tree.problem(path, message)))
    }
}

pub fn trait_value(written: TraitConfig, greatest: f64) -> Result<TraitValue, String> {
    let millionths = |number: f64| {
        if !(0.0..=greatest).contains(&number) {
            return Err(format!("{number} is outside 0 … {greatest}"));
        }
        scale_decimal(number, DECIMALS).map(|millionths| i64::try_from(millionths).unwrap_or(i64::MAX))
    };
    match written {
        TraitConfig::Fixed(number) => millionths(number).map(TraitValue::Fixed),
        TraitConfig::Uniform(least, greatest) if least > greatest => {
            Err(format!("uniform: [{least}, {greatest}] is not in order"))
        }
        TraitConfig::Uniform(least, greatest) => {
            Ok(TraitValue::Uniform { least: millionths(least)?, greatest: millionths(greatest)? })
        }
    }
}
