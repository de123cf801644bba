//! Writes `plan.yaml`: the resolved config with the origin of every value, then the arms.
//!
//! It is for readers; the program reads `inputs/`. It contains no path, date or random id, so equal experiments have equal files.

use std::fmt::Write as _;

use crate::config::arms::Arm;
use crate::config::lower::mechanism::settings;
use crate::config::scenario::Scenario;
use crate::config::tree::{MapEntry, Node, Value};
use crate::config::written::mechanism::MechanismConfig;
use crate::plan::{Origin, Plan, Scalar};

const PARAMETERS: &str = "parameters";

/// Formats the resolved config and its arms.
pub fn plan_yaml(tree: &Node, arms: &[(Arm, std::sync::Arc<Plan>)]) -> String {
    let mut out = String::from("# The resolved config. Behind each value: where it comes from.\n");
    for entry in tree.entries() {
        write_value(&mut out, 0, &format_scalar(&entry.key), &entry.node);
    }
    out.push_str("arms:\n");
    for (arm, plan) in arms {
        let _ = writeln!(out, "  - name: {}", format_scalar(&arm.name));
        let _ = writeln!(out, "    digest: {}", format_scalar(plan.digest.as_str()));
        if let Some(null) = &arm.null {
            let _ = writeln!(out, "    null_arm: {}", format_scalar(null.word.as_str()));
            let _ = writeln!(out, "    beside: {}", format_scalar(&null.of));
        }
        let of_null = arm.null.iter().flat_map(|null| &null.values);
        let values: Vec<&MapEntry> = arm.values.iter().chain(of_null).collect();
        out.push_str(if values.is_empty() { "    sets: {}\n" } else { "    sets:\n" });
        for MapEntry { key: path, node, .. } in values {
            write_value(&mut out, 6, &format_scalar(path), node);
        }
    }
    out
}

/// Adds the mechanism's settings that the scenario does not declare to the parameters, as defaults.
pub fn with_undeclared_settings(tree: &Node, scenario: &Scenario) -> Node {
    let mut told = tree.clone();
    let Some(MechanismConfig::IncomePrinciples(written)) = &scenario.written.mechanism else { return told };
    told.insert_default(PARAMETERS, Value::Map(Vec::new()));
    let parameters = told.child_mut(PARAMETERS).expect("invariant: it was just put there");
    for (name, holds) in settings::undeclared_settings(scenario, written) {
        let value = match holds {
            Scalar::Bool(is) => Value::Bool(is),
            Scalar::Int(number) => Value::Int(number),
            Scalar::Real(number) => Value::Real(number),
            Scalar::Text(text) => Value::Text(text),
        };
        parameters.insert_default(name, value);
    }
    told
}

/// Writes `key: value` and everything below it at an indentation.
fn write_value(out: &mut String, indent: usize, key: &str, node: &Node) {
    let pad = " ".repeat(indent);
    match &node.value {
        Value::Map(entries) if !entries.is_empty() => {
            let _ = writeln!(out, "{pad}{key}:");
            for entry in entries {
                write_value(out, indent + 2, &format_scalar(&entry.key), &entry.node);
            }
        }
        Value::List(items) if !items.is_empty() => {
            let _ = writeln!(out, "{pad}{key}:");
            for item in items {
                list_item(out, indent + 2, item);
            }
        }
        _ => {
            let _ = writeln!(out, "{pad}{key}: {}{}", format_leaf(node), origin_comment(node.place.origin));
        }
    }
}

fn list_item(out: &mut String, indent: usize, item: &Node) {
    let pad = " ".repeat(indent);
    match &item.value {
        Value::Map(entries) if !entries.is_empty() => {
            let mut inner = String::new();
            for entry in entries {
                write_value(&mut inner, indent + 2, &format_scalar(&entry.key), &entry.node);
            }
            let _ = write!(out, "{pad}- {}", inner.trim_start());
        }
        _ => {
            let _ = writeln!(out, "{pad}- {}{}", format_leaf(item), origin_comment(item.place.origin));
        }
    }
}

fn origin_comment(origin: Origin) -> String {
    format!(" # {}", origin.as_str())
}

fn format_leaf(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => format_scalar(text),
        _ => quote_json(&node.to_json()),
    }
}

/// Formats a text as a YAML scalar: plain if it is unambiguous, else in double quotes.
fn format_scalar(text: &str) -> String {
    let plain = text.chars().next().is_some_and(|c| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-. ".contains(c))
        && !text.ends_with(' ')
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&text.to_lowercase().as_str());
    if plain { text.to_string() } else { quote_json(&text.into()) }
}

/// Formats JSON on one line and escapes the characters that YAML does not allow.
fn quote_json(json: &serde_json::Value) -> String {
    let mut out = String::new();
    for character in json.to_string().chars() {
        match character {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out
}
