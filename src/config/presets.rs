//! Presets: words of a scenario's parameter that set other keys. They override the scenario's values, but not those of the
//! config, the command line, a fork or an arm.

use crate::config::agenda_settings::AGENDA;
use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::scenario::Scenario;
use crate::config::tree::{Node, Value};
use crate::config::written::scenario::{ParameterKind, SHARED_SECTIONS};
use crate::plan::Origin;

/// Checks that presets belong to words of declared parameters, and give single values to keys that a scenario may set.
pub fn check_presets(scenario: &Scenario, problems: &mut Problems) {
    let written = &scenario.written;
    for (name, words) in &written.presets {
        let path = format!("presets.{name}");
        let parameter = written.parameters.get(name).filter(|parameter| parameter.kind == ParameterKind::Choice);
        let Some(choices) = parameter.and_then(|parameter| parameter.choices.as_ref()) else {
            if parameter.is_none() {
                let message = "there is no parameter of this name and of the type choice";
                problems.push(scenario.tree.problem(&path, message));
            }
            continue;
        };
        for word in words.keys().filter(|word| !choices.contains(word)) {
            let problem = scenario.tree.problem(&format!("{path}.{word}"), "the parameter has no such word");
            problems.push(problem.with_hint(suggest_word(word, choices.iter().map(String::as_str))));
        }
    }
    let presets = scenario.tree.entries_at("presets");
    let words = presets.iter().flat_map(|preset| preset.node.entries());
    for value in words.flat_map(|word| word.node.entries()) {
        let mistake = key_mistake(&value.key, scenario).or_else(|| {
            let is_single = !matches!(value.node.value, Value::Map(_) | Value::List(_) | Value::Null);
            (!is_single).then(|| "a preset gives single values by dotted keys".to_string())
        });
        if let Some(message) = mistake {
            problems.push(Problem::at_place(&value.place, "presets", format!("{}: {message}", value.key)));
        }
    }
}

fn key_mistake(key: &str, scenario: &Scenario) -> Option<String> {
    let Some((section, rest)) = key.split_once('.') else {
        return Some("expected a dotted key, as in parameters.name".to_string());
    };
    if section == "parameters" {
        let is_declared = scenario.written.parameters.contains_key(rest);
        if !is_declared || scenario.written.presets.contains_key(rest) {
            return Some("a preset sets declared parameters that have no presets themselves".to_string());
        }
        return None;
    }
    let is_known = section == AGENDA || SHARED_SECTIONS.contains(&section);
    (!is_known).then(|| format!("a preset sets parameters, {AGENDA}, {}", SHARED_SECTIONS.join(", ")))
}

/// Applies the presets selected by a tree's parameters to values that come from the scenario or the defaults.
pub fn lay_presets(tree: &mut Node, scenario: &Scenario, problems: &mut Problems) {
    for preset in scenario.tree.entries_at("presets") {
        let word = tree.get("parameters").and_then(|parameters| parameters.get(&preset.key)).and_then(Node::as_text);
        let Some(values) = word.and_then(|word| preset.node.get(word)).cloned() else { continue };
        // Invalid keys have been reported with the scenario.
        for value in values.entries().iter().filter(|value| key_mistake(&value.key, scenario).is_none()) {
            let is_said = tree.find(&value.key).is_some_and(|said| {
                matches!(said.place.origin, Origin::Config | Origin::CommandLine | Origin::Fork | Origin::Arm)
            });
            if !is_said {
                problems.ok_or_report(tree.set(&value.key, value.node.clone()));
            }
        }
    }
}
