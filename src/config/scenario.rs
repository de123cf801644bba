//! A scenario: what its author wrote, and its texts with the parameters filled in.
//!
//! The sections that a config may override (`discussion`, `decision`, …) are removed and merged elsewhere.

use std::collections::BTreeSet;

use crate::config::texts::Texts;
use crate::config::tree::Node;
use crate::config::written::scenario::ScenarioConfig;
use crate::domain::Language;

/// A scenario, checked as far as possible without a config.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The tree as written, for the places of later problems.
    pub tree: Node,
    /// The decoded scenario.
    pub written: ScenarioConfig,
    /// Parameters with an invalid declaration; errors in their uses are not reported.
    pub broken_parameters: BTreeSet<String>,
    /// Whether the phases are valid.
    pub agenda: Soundness,
    /// The value of `item.text` in its texts; `None` in an experiment without items.
    pub item: Option<String>,
    /// The language of its texts; `None` for the scenario's own.
    pub texts_of: Option<Language>,
    /// The cache of filled texts.
    pub texts: Texts,
}

/// Whether other parts can depend on a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Soundness {
    /// It has no errors.
    Sound,
    /// It has a reported error, so dependent parts are skipped.
    Broken,
}

impl Scenario {
    /// The names of the phases, in order.
    pub fn phase_names(&self) -> impl Iterator<Item = &str> {
        self.written.agenda.iter().map(|phase| phase.name.as_str())
    }

    pub fn item_node(&self, section: &str, position: usize) -> Option<&Node> {
        self.tree.get(section).and_then(|section| section.items().get(position))
    }
}
