//! Texts that are kept under a name.

use crate::config::lower::conditions::is_value_name;
use crate::config::lower::scope::RESERVED;
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::Scenario;
use crate::config::written::scenario::{FieldConfig, PhaseConfig, fields_of};
use crate::expression::{Function, KEYWORDS};
use crate::plan::KeptField;

/// The names of kept texts, in the order in which they are first written.
pub fn list_texts(scenario: &Scenario) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (_, field) in fields_of(&scenario.written.agenda) {
        if let Some(name) = field.keep_as.as_deref()
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// The position of a name among those of kept texts.
pub fn find_texts(scenario: &Scenario, name: &str) -> Option<usize> {
    list_texts(scenario).iter().position(|own| *own == name)
}

/// The most texts of one author under a name.
pub fn count_at_most(scenario: &Scenario, name: &str) -> u32 {
    let kept = fields_of(&scenario.written.agenda).filter(|(_, field)| field.keep_as.as_deref() == Some(name));
    let count = |field: &FieldConfig| field.text.as_ref().and_then(|text| text.count).map_or(1, |(_, most)| most);
    kept.map(|(_, field)| count(field)).max().unwrap_or(0)
}

/// Whether a phase keeps texts under a name.
pub fn keeps_texts(phase: &PhaseConfig, name: &str) -> bool {
    phase.ask.iter().flat_map(|ask| ask.fields()).any(|field| field.keep_as.as_deref() == Some(name))
}

/// The fields of a form whose texts are kept.
pub fn lower_kept(fields: &[FieldConfig], scenario: &Scenario) -> Vec<KeptField> {
    let kept = fields.iter().enumerate().filter_map(|(field, written)| {
        let name = written.keep_as.clone()?;
        let pool = find_texts(scenario, &name)?;
        Some(KeptField { field, name, pool })
    });
    kept.collect()
}

/// Reports what is wrong with the names under which texts are kept.
pub fn check_texts(scenario: &Scenario, problems: &mut Problems) {
    let mut told: Vec<&str> = Vec::new();
    for (phase, nodes) in scenario.written.agenda.iter().zip(scenario.phase_nodes()) {
        let Some(ask) = &phase.ask else { continue };
        let (list, key) = match nodes.get("ask").and_then(|ask| ask.get("form")) {
            Some(list) => (list, "ask.form"),
            None => (nodes.get("ask").unwrap_or(nodes), "ask"),
        };
        for (position, field) in ask.fields().iter().enumerate() {
            let Some(name) = field.keep_as.as_deref() else { continue };
            let node = list.items().get(position).unwrap_or(list);
            let own_twice = ask.fields()[..position].iter().any(|other| other.keep_as.as_deref() == Some(name));
            let message = if field.text.is_none() {
                Some("only texts are kept: write text: {}, or leave keep_as out".to_owned())
            } else if ask.per().is_some() {
                Some("no texts are kept of a form about each of several seats".to_owned())
            } else if is_in_groups(scenario, phase) {
                Some("no texts are kept within groups: ask outside them".to_owned())
            } else if own_twice {
                Some(format!("another field of this form keeps its texts as \"{name}\""))
            } else if told.contains(&name) {
                None
            } else {
                told.push(name);
                find_clash(scenario, name)
            };
            if let Some(message) = message {
                let path = format!("agenda.{}.{key}.{position}.keep_as", phase.name);
                problems.push(Problem::at_place(node.place_of("keep_as"), path, message));
            }
        }
    }
}

/// Whether a phase takes place in groups.
pub fn is_in_groups(scenario: &Scenario, phase: &PhaseConfig) -> bool {
    phase.groups.is_some() || phase.within.iter().any(|block| scenario.blocks[*block].groups.is_some())
}

/// What is wrong with a name of kept texts.
fn find_clash(scenario: &Scenario, name: &str) -> Option<String> {
    if !is_value_name(name) {
        Some(format!("\"{name}\" is no name of texts: small letters, digits and `_`, a letter first"))
    } else if RESERVED.contains(&name) || KEYWORDS.contains(&name) || name == "this" {
        Some(format!("\"{name}\" means something else in expressions; choose another name"))
    } else if Function::find_by_name(name).is_some() {
        Some(format!("\"{name}\" is a function; choose another name"))
    } else if scenario.variables.contains_key(name) {
        Some(format!("a variable is called \"{name}\", too; rename one"))
    } else if scenario.written.roles.contains_key(name) {
        Some(format!("a role is called \"{name}\", too; rename one"))
    } else if scenario.agenda_names().iter().any(|(other, _)| *other == name) {
        Some(format!("a phase or block is called \"{name}\", too; rename one"))
    } else {
        None
    }
}
