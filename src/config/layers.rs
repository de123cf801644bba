//! Merges the defaults, the scenario's values and the config into one tree, and fills in derived values.

use crate::config::check::declared::SchemaPart;
use crate::config::lower::{
    edges, exhibits, interventions, items, languages, minds, nulls, panel, policy, roles, seats, servers,
};
use crate::config::problem::Problems;
use crate::config::scenario::Scenario;
use crate::config::tree::{MapEntry, Node, Value};
use crate::config::{personas, presets, wording};

/// The values that apply if the config sets nothing: the scenario's over the defaults.
pub fn layer_defaults(mut lower: Node, shared: Vec<MapEntry>, scenario: Option<&Scenario>) -> Node {
    for section in shared {
        let mut upper = Node::empty_map(section.place.clone());
        upper.insert_entry(section);
        lower.overlay(upper, Some(SchemaPart::of_config()));
    }
    let declared = scenario.and_then(|scenario| scenario.tree.get("parameters")).map(Node::entries);
    for parameter in declared.unwrap_or_default() {
        if let (Some(default), Some(values)) = (parameter.node.get("default"), lower.child_mut("parameters")) {
            values.insert_entry(MapEntry::new(&parameter.key, default.clone()));
        }
    }
    lower
}

/// Merges the config over the lower layers. The config's keys come first, then the others.
pub fn merge_config(mut lower: Node, config: Node) -> Node {
    let mut order: Vec<String> = config.entries().iter().map(|entry| entry.key.clone()).collect();
    order.extend(lower.entries().iter().map(|entry| entry.key.clone()));
    lower.overlay(config, Some(SchemaPart::of_config()));
    if let Value::Map(entries) = &mut lower.value {
        entries.sort_by_key(|entry| order.iter().position(|key| key == &entry.key));
    }
    lower
}

/// Adds derived values: presets, model settings, models and minds of seats, the scenario's name, and stored paths, so that
/// `plan.yaml` contains no path of the author's machine.
pub fn fill_tree(
    mut tree: Node,
    of_models: (&Node, &Node),
    scenario: Option<&Scenario>,
    problems: &mut Problems,
) -> Node {
    if let Some(scenario) = scenario {
        presets::lay_presets(&mut tree, scenario, problems);
    }
    languages::lay_language_texts(&mut tree, scenario, problems);
    for MapEntry { key, node, .. } in tree.entries_mut() {
        match key.as_str() {
            "models" => fill_models(node, of_models),
            "scenario" => {
                if let Some(scenario) = scenario {
                    node.value = Value::Text(scenario.written.scenario.clone());
                }
            }
            "personas" => personas::set_stored_persona_paths(node),
            "prompts" => wording::set_stored_wording_paths(node),
            "items" => node.replace_text_at("file", items::KEPT),
            "design" => nulls::fill_null_defaults(node),
            "exhibits" => exhibits::set_stored_exhibit_paths(node),
            "interventions" => interventions::fill_intervention_defaults(node),
            "memory" => {
                policy::fill_policy_defaults(node);
                node.replace_text_at("notes.from.session", panel::KEPT_NOTES);
            }
            "seat_defaults" => minds::fill_mind_defaults(node, "mind"),
            _ => {}
        }
    }
    edges::set_stored_network_paths(&mut tree);
    if let Some(scenario) = scenario {
        roles::fill_roles(&mut tree, scenario);
    }
    seats::fill_seat_defaults(&mut tree, scenario.and_then(|scenario| scenario.tree.get("default_mind")));
    tree
}

fn fill_models(models: &mut Node, (openai_defaults, table): (&Node, &Node)) {
    for model in models.entries_mut() {
        if let Some(mut openai) = model.node.remove_key("openai") {
            if matches!(openai.node.value, Value::Map(_)) {
                servers::fill_server_defaults(&mut openai.node, table);
                openai.node.underlay(openai_defaults);
            }
            model.node.insert_entry(openai);
        }
    }
}
