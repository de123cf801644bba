//! What is deliberated, as a scenario's author writes it, and its texts with the parameters filled in.
//!
//! The sections that a config may overrule (`discussion`, `decision`, …) are taken out before: they are merged, not read here.

use std::collections::BTreeSet;

use crate::config::texts::Texts;
use crate::config::tree::Node;
use crate::config::written::scenario::ScenarioConfig;
use crate::domain::Language;

/// A scenario, checked as far as it can be without a config.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// What was written, for the places of later problems.
    pub tree: Node,
    /// What it says.
    pub written: ScenarioConfig,
    /// The parameters whose declaration is wrong: nothing that reads them is blamed.
    pub broken_parameters: BTreeSet<String>,
    /// Whether the phases can be had as they are written.
    pub agenda: Soundness,
    /// What its texts print as `item.text`; `None` in an experiment without items.
    pub item: Option<String>,
    /// The language whose texts it has beside its own; `None` for its own.
    pub texts_of: Option<Language>,
    /// Its texts with the item printed, as far as they were filled in.
    pub texts: Texts,
}

/// Whether a part can be built upon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Soundness {
    /// It can.
    Sound,
    /// Something in it is wrong and was told: what depends on it is left alone.
    Broken,
}

impl Scenario {
    /// The phases' names, in order.
    pub fn phase_names(&self) -> impl Iterator<Item = &str> {
        self.written.agenda.iter().map(|phase| phase.name.as_str())
    }

    pub fn item_node(&self, section: &str, position: usize) -> Option<&Node> {
        self.tree.get(section).and_then(|section| section.items().get(position))
    }
}
