//! The inputs of lowering: the results so far, and the contents of other files.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::config::arms::Arm;
use crate::config::pack_cache::PackCache;
use crate::config::personas::PersonaFile;
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::Node;
use crate::config::wording::PromptWording;
use crate::domain::{ImportedNotes, Language};
use crate::plan::{Item, PersonaPool};

/// An exhibit's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExhibitFile {
    /// The file name to show to the author.
    pub shown: String,
    /// Its text, with LF line ends.
    pub text: String,
}

/// The contents of all files except the config and the scenario.
#[derive(Debug, Clone, Copy)]
pub struct Files<'a> {
    /// The prompt templates.
    pub wording: &'a PromptWording,
    /// The scenario's folder as shown to the author.
    pub scenario_folder: &'a str,
    /// Persona files by pool name.
    pub personas: &'a BTreeMap<String, PersonaFile>,
    /// The pools read from them; `None` if one has an error, which was reported.
    pub pools: Option<&'a [PersonaPool]>,
    /// The packs compiled for other arms.
    pub packs: &'a PackCache,
    /// The items by id; empty without items.
    pub items: &'a IndexMap<String, Arc<Item>>,
    /// Exhibit files by exhibit name.
    pub exhibits: &'a BTreeMap<String, ExhibitFile>,
    /// Edge files by their stored path.
    pub networks: &'a BTreeMap<String, PersonaFile>,
    /// The notes of another experiment; `None` if the config names none or they could not be read.
    pub imported_notes: Option<&'a ImportedNotes>,
}

/// The inputs of an arm's plan.
#[derive(Debug, Clone, Copy)]
pub struct ArmDraft<'a> {
    /// The complete tree, with defaults and derived values.
    pub tree: &'a Node,
    /// The arm.
    pub arm: &'a Arm,
    /// The scenario in the session's language.
    pub scenario: &'a Scenario,
    /// The scenario in each language.
    pub spoken: &'a BTreeMap<Language, Scenario>,
    /// The other files.
    pub files: Files<'a>,
    /// Whether all names of seats are known.
    pub seats: Soundness,
}
