//! Reports what models lack in sound inputs: keys in the environment, known context windows, and room for prompts.

use std::collections::BTreeSet;

use super::Inputs;
use crate::config::yaml;
use crate::config::{Node, Problem, Problems, SourcePlace};
use crate::plan::{Experiment, Origin, OverfullSeat, UnknownWindow};

impl Inputs {
    fn config_tree(&self) -> Option<Node> {
        yaml::read_document(&self.config.bytes, &self.config.shown, Origin::Config).ok()
    }

    /// Reports each model of the experiment whose key is in no environment variable. `is_set` says whether a variable is set.
    pub fn missing_keys_of(&self, experiment: &Experiment, is_set: impl Fn(&str) -> bool) -> Problems {
        let mut missing = Problems::default();
        let Some(tree) = self.config_tree() else { return missing };
        for plan in &experiment.arms {
            for model in plan.models_asked() {
                let model = &plan.models[model];
                let Some(variable) = model.api_key_env.as_deref().filter(|variable| !is_set(variable)) else {
                    continue;
                };
                let path = format!("models.{}.openai.api_key_env", model.name);
                missing.push(missing_key(tree.place_of(&path), path.clone(), variable));
            }
        }
        missing
    }

    /// Reports missing keys for a config that cannot be resolved, for models whose names occur elsewhere in it or in `--set`.
    pub fn missing_keys(&self, is_set: impl Fn(&str) -> bool) -> Problems {
        let mut missing = Problems::default();
        let Some(tree) = self.config_tree() else { return missing };
        let mut words: Vec<&str> = Vec::new();
        tree.entries()
            .iter()
            .filter(|entry| entry.key != "models")
            .for_each(|entry| collect_texts(&entry.node, &mut words));
        let is_set_to = |name: &str| self.overrides.set.iter().any(|set| set.contains(name));
        for model in tree.get("models").map(Node::entries).unwrap_or_default() {
            let is_used = words.contains(&model.key.as_str()) || is_set_to(&model.key);
            let named = model.node.find("openai.api_key_env").filter(|_| is_used);
            let Some((key, variable)) = named.and_then(|key| Some((key, key.as_text()?))) else { continue };
            if !is_set(variable) {
                missing.push(missing_key(&key.place, format!("models.{}.openai.api_key_env", model.key), variable));
            }
        }
        missing
    }

    /// Reports each model with an unknown context window.
    pub fn unknown_windows(&self, unknown: &[UnknownWindow]) -> Problems {
        let mut problems = Problems::default();
        let Some(tree) = self.config_tree() else { return problems };
        for model in unknown {
            let path = format!("models.{}", model.name);
            let problem = Problem::at_place(tree.key_place_of(&path), &path, model.to_string());
            problems.push(problem.with_hint(Some(model.way_out())));
        }
        problems
    }

    /// Reports each model with a seat whose prompts always exceed its context window.
    pub fn too_full<'f>(&self, found: impl Iterator<Item = &'f OverfullSeat>) -> Problems {
        let mut problems = Problems::default();
        let Some(tree) = self.config_tree() else { return problems };
        let mut told: BTreeSet<&str> = BTreeSet::new();
        for full in found {
            if told.insert(&full.model) {
                problems.push(full.to_problem(&tree));
            }
        }
        problems
    }
}

fn missing_key(place: &SourcePlace, path: String, variable: &str) -> Problem {
    let message = format!("the environment variable {variable}, which holds the key, is not set");
    let hint = format!("set it, as in export {variable}=…, or run with --offline");
    Problem::at_place(place, path, message).with_hint(Some(hint))
}

fn collect_texts<'a>(node: &'a Node, found: &mut Vec<&'a str>) {
    found.extend(node.as_text());
    node.items().iter().for_each(|item| collect_texts(item, found));
    node.entries().iter().for_each(|entry| collect_texts(&entry.node, found));
}
