//! Roles: fills them in for seats, checks them, and lowers them.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::config::lower::grouping::list_roles;
use crate::config::lower::scope::{OF_SEATS, RESERVED, is_value_name};
use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::scenario::Scenario;
use crate::config::tree::{MapEntry, Node, Value};
use crate::config::written::config::{Config, SeatConfig};
use crate::config::written::participants::RoleConfig;
use crate::config::written::scenario::is_answer;
use crate::expression::{Function, KEYWORDS};
use crate::plan::{DeclaredRole, Scalar, SeatRole};

/// The role of a seat that deliberates, where the scenario declares no roles.
pub const MEMBER: &str = "member";
/// The role of a seat that pushes what the others rank lowest, where the scenario declares no roles.
const MANIPULATOR: &str = "manipulator";

/// Gives seats without a role those that the scenario declares, in their order, and all seats the model and language of their role.
pub fn fill_roles(tree: &mut Node, scenario: &Scenario) {
    let roles = &scenario.written.roles;
    let seats = tree.find_mut("seats").map(Node::items_mut).unwrap_or_default();
    let is_of = |seat: &Node, role: &str| seat.text_at("role") == Some(role);
    let count_given = |name: &str| seats.iter().filter(|seat| is_of(seat, name)).count();
    let open = |(name, role): (&String, &RoleConfig)| (role.seats as usize).saturating_sub(count_given(name));
    let mut left: Vec<(&String, usize)> = roles.keys().zip(roles.iter().map(open)).collect();
    for seat in seats.iter_mut() {
        if seat.get("role").is_none()
            && let Some((name, count)) = left.iter_mut().find(|(_, count)| *count > 0)
        {
            *count -= 1;
            seat.insert_default("role", Value::Text((*name).clone()));
        }
        let Some(name) = seat.text_at("role").map(str::to_owned) else { continue };
        let Some(role) = roles.get(&name) else { continue };
        for (key, word) in [("model", &role.model), ("language", &role.language)] {
            if let (Some(word), None) = (word, seat.get(key)) {
                let place = scenario.tree.place_of(&format!("roles.{name}.{key}"));
                seat.insert_entry(MapEntry::new(key, Node::from_text(word, place.clone())));
            }
        }
    }
}

/// Whether a seat deliberates or manipulates.
pub fn seat_role(seat: &SeatConfig, roles: &IndexMap<String, RoleConfig>) -> SeatRole {
    let manipulates = if roles.is_empty() { seat.role == MANIPULATOR } else { seat.manipulator == Some(true) };
    if manipulates { SeatRole::Manipulator } else { SeatRole::Member }
}

/// The path of what makes a seat a manipulator.
pub fn manipulator_path(seat: &SeatConfig, scenario: &Scenario) -> String {
    format!("seats.{}.{}", seat.name, if scenario.written.roles.is_empty() { "role" } else { MANIPULATOR })
}

/// Checks the roles of seats: that they exist, and that each has as many seats as the scenario says.
pub fn check_seat_roles(config: &Config, scenario: &Scenario, tree: &Node, problems: &mut Problems) {
    let roles = &scenario.written.roles;
    let total: u64 = roles.values().map(|role| u64::from(role.seats)).sum();
    if !roles.is_empty() && total != config.seats.len() as u64 {
        let all: Vec<String> = roles.iter().map(|(name, role)| format!("{name} {}", role.seats)).collect();
        let message = format!(
            "the scenario's roles have {total} seats ({}), and there are {}",
            all.join(", "),
            config.seats.len()
        );
        problems.push(tree.problem("seats", message));
        return;
    }
    for seat in &config.seats {
        let path = format!("seats.{}.role", seat.name);
        if roles.is_empty() {
            if ![MEMBER, MANIPULATOR].contains(&seat.role.as_str()) {
                let message = format!("no role is named \"{}\": the scenario declares no roles", seat.role);
                let hint = suggest_word(&seat.role, [MEMBER, MANIPULATOR]);
                let usual = || format!("write {MEMBER} or {MANIPULATOR}, or leave it out");
                problems.push(tree.problem(&path, message).with_hint(hint.or_else(|| Some(usual()))));
            }
            if seat.manipulator.is_some() {
                let problem = tree.problem(
                    &format!("seats.{}.manipulator", seat.name),
                    "only where the scenario declares roles is a manipulator marked so",
                );
                problems.push(problem.with_advice(format!("write role: {MANIPULATOR}")));
            }
        } else if !roles.contains_key(&seat.role) {
            let problem = tree.problem(&path, format!("no role is named \"{}\"", seat.role));
            let hint = match seat.role == MANIPULATOR {
                true => Some("where the scenario declares roles, write manipulator: true".to_owned()),
                false => suggest_word(&seat.role, roles.keys().map(String::as_str)),
            };
            problems.push(problem.with_hint(hint));
        }
    }
    for (name, role) in roles {
        let of_role: Vec<&SeatConfig> = config.seats.iter().filter(|seat| seat.role == *name).collect();
        if of_role.len() > role.seats as usize {
            let path = format!("seats.{}.role", of_role[role.seats as usize].name);
            let message = format!("the role {name} has {} in the scenario, and {} here", role.seats, of_role.len());
            problems.push(tree.problem(&path, message));
        }
    }
}

/// Checks the names of roles, declared and assigned, and of the assignments.
pub fn check_roles(scenario: &Scenario, problems: &mut Problems) {
    let written = &scenario.written;
    let mut named: IndexMap<(&str, &str), String> = IndexMap::new();
    for name in written.roles.keys() {
        named.insert(("", name), format!("roles.{name}"));
    }
    for (phase, assignment, role, _) in list_roles(scenario) {
        let path = format!("agenda.{}.assign.{assignment}", phase.name);
        named.entry((assignment, role)).or_insert_with(|| format!("{path}.roles.{role}"));
        named.entry((".", assignment)).or_insert(path);
    }
    for ((_, name), path) in &named {
        let is_taken = RESERVED.contains(name)
            || OF_SEATS.contains(name)
            || KEYWORDS.contains(name)
            || Function::find_by_name(name).is_some();
        let message = if !is_value_name(name) {
            format!("\"{name}\" is no name of a role: small letters, digits and `_`, a letter first")
        } else if is_taken {
            format!("\"{name}\" means something else in expressions; choose another name")
        } else if scenario.variables.contains_key(*name) || is_answer(&written.agenda, name) {
            format!("a value, field or phase is called \"{name}\", too; rename one")
        } else if named.keys().filter(|(_, other)| other == name).count() > 1 {
            format!("another role or assignment is called \"{name}\", too; rename one")
        } else {
            continue;
        };
        problems.push(Problem::at_place(scenario.tree.key_place_of(path), path, message));
    }
}

/// The roles of a scenario, with the values of parameters in their instructions.
pub fn lower_roles(
    scenario: &Scenario,
    values: &IndexMap<String, Scalar>,
    problems: &mut Problems,
) -> Vec<Arc<DeclaredRole>> {
    let lower = |(name, role): (&String, &RoleConfig)| {
        let path = format!("roles.{name}.instructions");
        let instructions = role.instructions.as_ref().map(|text| scenario.fill_text(text, &path, values));
        Arc::new(DeclaredRole {
            name: name.clone(),
            seats: role.seats,
            speaks: role.speaks,
            votes: role.votes,
            instructions: instructions.and_then(|text| problems.ok_or_report(text)),
        })
    };
    scenario.written.roles.iter().map(lower).collect()
}
