//! Checks values that prompts print literally: they must not contain tags of scenario templates.

use crate::config::lower::policy::FOCUSED;
use crate::config::problem::{Problem, Problems};
use crate::config::tree::{MapEntry, Node};
use crate::text::template_tag;

/// The names that scenario texts print. A value that uses one was probably meant as a template.
const PRINTED: [&str; 2] = ["item", "parameters"];

/// Reports every parameter, persona, intervention and focus that contains a tag for an item or a parameter.
pub fn check_literal_values(tree: &Node, problems: &mut Problems) {
    let mut values: Vec<(String, &Node)> = Vec::new();
    let parameters = tree.entries_at("parameters");
    values.extend(parameters.iter().map(|MapEntry { key, node, .. }| (format!("parameters.{key}"), node)));
    for (section, keys) in [("seats", &["persona"][..]), ("interventions", &["text", "compact.focus"])] {
        for (place, item) in tree.items_at(section).iter().enumerate() {
            let path = format!("{section}.{}", item.segment(place));
            values.extend(keys.iter().filter_map(|key| Some((format!("{path}.{key}"), item.find(key)?))));
        }
    }
    let focus = FOCUSED.map(|policy| format!("memory.policy.{policy}.focus"));
    values.extend(focus.into_iter().filter_map(|path| tree.find(&path).map(|node| (path, node))));
    for (path, node) in values {
        problems.ok_or_report(node.as_text().map_or(Ok(()), |text| check_text(text, node, &path)));
    }
}

fn check_text(text: &str, node: &Node, path: &str) -> Result<(), Problem> {
    let named = |name: &str| PRINTED.contains(&name.split('.').next().unwrap_or_default());
    let Some((tag, name)) = template_tag(text).filter(|(_, name)| named(name)) else { return Ok(()) };
    let message = format!("seats would read {tag} as it stands: only texts of the scenario print something");
    let hint = match name.split('.').next() {
        Some("item") => "the scenario's motion.text is where an item is printed",
        _ => "write the words themselves, or print the parameter in a text of the scenario",
    };
    Err(Problem::at_place(&node.place, path, message).with_advice(hint).with_words(tag))
}
