//! What lowering has found so far, and what other files hold.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::config::arms::Arm;
use crate::config::packs::PackCache;
use crate::config::personas::PersonaFile;
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::Node;
use crate::config::wording::PromptWording;
use crate::domain::{ImportedNotes, Language};
use crate::plan::{Item, PersonaPool};

/// The file of an exhibit as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExhibitFile {
    /// The file as it is named to the author.
    pub shown: String,
    /// Its text; line ends are LF.
    pub text: String,
}

/// What other files hold than the config and the scenario.
#[derive(Debug, Clone, Copy)]
pub struct Files<'a> {
    /// The templates of the prompts.
    pub wording: &'a PromptWording,
    /// The scenario's folder as it is named to the author.
    pub scenario_folder: &'a str,
    /// The files of personas, by the pool's name.
    pub personas: &'a BTreeMap<String, PersonaFile>,
    /// The pools made of them; `None` when something in them is wrong and was told.
    pub pools: Option<&'a [PersonaPool]>,
    /// The packs that other arms were lowered with.
    pub packs: &'a PackCache,
    /// The items, by id; empty without.
    pub items: &'a IndexMap<String, Arc<Item>>,
    /// The files of exhibits, by the exhibit's name.
    pub exhibits: &'a BTreeMap<String, ExhibitFile>,
    /// The files of edges, by where they are kept.
    pub networks: &'a BTreeMap<String, PersonaFile>,
    /// The notes of another experiment; `None` where the config names none, or they could not be read.
    pub imported_notes: Option<&'a ImportedNotes>,
}

/// What the plan of an arm is made of.
#[derive(Debug, Clone, Copy)]
pub struct ArmDraft<'a> {
    /// What was written, with everything that follows from it.
    pub tree: &'a Node,
    /// The arm.
    pub arm: &'a Arm,
    /// The scenario in the language of the session.
    pub scenario: &'a Scenario,
    /// The scenario in each language.
    pub spoken: &'a BTreeMap<Language, Scenario>,
    /// The other files.
    pub files: Files<'a>,
    /// Whether all names of seats are known.
    pub seats: Soundness,
}
