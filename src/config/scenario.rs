//! A scenario: what its author wrote, and its texts with the parameters filled in.
//!
//! The sections that a config may override (`discussion`, `decision`, …) are removed and merged elsewhere.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::config::texts::Texts;
use crate::config::tree::Node;
use crate::config::written::each::ForConfig;
use crate::config::written::participants::SeatsConfig;
use crate::config::written::scenario::{PhaseConfig, ScenarioConfig};
use crate::domain::{Holder, Language};
use crate::expression::Type;
use crate::memory::Strategy;
use crate::plan::{LoopColumn, LoopItem, Scalar};

/// A scenario, checked as far as possible without a config.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The tree, for the places of later problems; the numbers of phases are computed.
    pub tree: Node,
    /// The tree as written.
    pub source: Node,
    /// The decoded scenario.
    pub written: ScenarioConfig,
    /// Parameters with an invalid declaration; errors in their uses are not reported.
    pub broken_parameters: BTreeSet<String>,
    /// The blocks of the agenda, which `written` has as a flat list of phases.
    pub blocks: Vec<AgendaBlock>,
    /// The variables, in the order in which they are declared or first computed.
    pub variables: IndexMap<String, ScenarioVariable>,
    /// Whether the phases are valid.
    pub agenda: Soundness,
    /// What the config's items give it.
    pub items: ItemsGiven,
    /// The language of its texts; `None` for the scenario's own.
    pub texts_of: Option<Language>,
    /// The cache of filled texts.
    pub texts: Texts,
}

/// What the items of a config give a scenario.
#[derive(Debug, Clone, Default)]
pub struct ItemsGiven {
    /// The value of `item.text` in the texts of sessions about one item; `None` in an experiment without items.
    pub text: Option<String>,
    /// Whether the config has been read: before, a scenario may turn out to ask about items.
    pub are_known: bool,
    /// The items that blocks take place for; empty where a session is about one item, or none.
    pub of_loops: Arc<[LoopItem]>,
    /// Their further columns.
    pub columns: Arc<[LoopColumn]>,
}

/// A variable of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct ScenarioVariable {
    /// What has a value of it.
    pub of: Holder,
    /// The type of its values, as far as it is clear.
    pub kind: Type,
    /// Its value before it is computed.
    pub start: Option<Scalar>,
}

/// A block of phases.
#[derive(Debug, Clone, PartialEq)]
pub struct AgendaBlock {
    /// Its name.
    pub name: String,
    /// How many passes it has, if that is known only when it begins.
    pub live_times: Option<Scalar>,
    /// The most passes; `None` if it is not repeated, and its phases keep their names.
    pub times: Option<u32>,
    /// The things for each of which it takes place; `None` if it is repeated otherwise, or not.
    pub each: Option<ForConfig>,
    /// Whether it takes place.
    pub when: Option<Scalar>,
    /// When it ends before the last pass.
    pub until: Option<Scalar>,
    /// The seats that take part in its phases.
    pub who: Option<SeatsConfig>,
    /// The seats that hear its discussions and votes.
    pub heard_by: Option<SeatsConfig>,
    /// How memories take what its phases bring.
    pub remember: Option<Strategy>,
    /// The assignment in each of whose groups it takes place.
    pub groups: Option<String>,
}

/// Whether other parts can depend on a part; the greatest of several is `Broken` if one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Soundness {
    /// It has no errors.
    Sound,
    /// It has a reported error, so dependent parts are skipped.
    Broken,
}

impl Scenario {
    /// Takes what the items of the config give. Without a motion, the question of the session's item is the motion.
    pub fn take_items(&mut self, items: ItemsGiven) {
        if items.text.is_some() && self.written.motion.text.is_empty() && self.tree.find("motion").is_none() {
            self.written.motion.text = "{{ item.text }}".to_string();
        }
        self.items = items;
    }

    /// The names of the phases as they are written, in order.
    pub fn phase_names(&self) -> impl Iterator<Item = &str> {
        self.written.agenda.iter().map(|phase| phase.name.as_str())
    }

    /// The nodes of the phases, in order.
    pub fn phase_nodes(&self) -> Vec<&Node> {
        self.agenda_nodes().into_iter().filter(|node| node.get("phases").is_none()).collect()
    }

    /// The names of phases and blocks with their nodes, in the order in which they are written.
    pub fn agenda_names(&self) -> Vec<(&str, &Node)> {
        self.agenda_nodes().into_iter().filter_map(|node| Some((node.text_at("name")?, node))).collect()
    }

    /// The nodes of phases and blocks, in the order in which they are written.
    pub fn agenda_nodes(&self) -> Vec<&Node> {
        fn gather<'n>(items: &'n [Node], found: &mut Vec<&'n Node>) {
            for item in items {
                found.push(item);
                gather(item.items_at("phases"), found);
            }
        }
        let mut found = Vec::new();
        gather(self.tree.items_at("agenda"), &mut found);
        found
    }

    /// The phase of this name, as it is written.
    pub fn find_phase(&self, name: &str) -> Option<&PhaseConfig> {
        self.written.agenda.iter().find(|phase| phase.name == name)
    }

    /// The blocks that hold a phase, the outermost first.
    pub fn blocks_around<'a>(
        &'a self,
        phase: &'a PhaseConfig,
    ) -> impl DoubleEndedIterator<Item = &'a AgendaBlock> + Clone {
        phase.within.iter().map(|block| &self.blocks[*block])
    }
}
