//! The built-in templates, which every scenario has where its own folders have none.

use std::collections::{BTreeMap, BTreeSet};

use super::reading::SCENARIO_YAML;
use super::variants::PROMPTS;
use crate::builtin;
use crate::config::{Node, yaml};
use crate::domain::Language;
use crate::plan::Origin;

/// Adds the built-in templates to a scenario's files: in English, in each language that the scenario has texts in, and in each that
/// has a folder of prompts. So the copy that a run keeps has every template that was used.
pub(super) fn add_templates(files: &mut BTreeMap<String, Vec<u8>>) {
    for folder in prompt_folders(files) {
        let Some(language) = Language::of_pack(&folder) else { continue };
        for (name, bytes) in builtin::template_files(language.code()) {
            files.entry(format!("{PROMPTS}/{folder}/{name}")).or_insert_with(|| bytes.to_vec());
        }
    }
}

fn prompt_folders(files: &BTreeMap<String, Vec<u8>>) -> BTreeSet<String> {
    let within = |name: &String| Some(name.strip_prefix(PROMPTS)?.strip_prefix('/')?.split_once('/')?.0.to_owned());
    let mut folders: BTreeSet<String> = files.keys().filter_map(within).collect();
    folders.insert(Language::default().code().to_owned());
    // A file that is no YAML is reported where it is read.
    let scenario = files.get(SCENARIO_YAML).map(|bytes| yaml::read_document(bytes, SCENARIO_YAML, Origin::Scenario));
    if let Some(Ok(scenario)) = scenario {
        let languages = scenario.get("languages").map(Node::entries).unwrap_or_default();
        folders.extend(languages.iter().map(|entry| entry.key.clone()));
    }
    folders
}
