//! What all seats know of each other: answers that everyone hears, and values that a brief tells.

use crate::config::lower::formula::write_scalar;
use crate::config::lower::grouping::find_groups;
use crate::config::scenario::Scenario;
use crate::config::written::participants::SeatsConfig;
use crate::config::written::scenario::{PhaseConfig, fields_of};
use crate::domain::Language;
use crate::expression::NameRead;
use crate::prompt::LiveText;

/// What a rule may read of other seats.
pub const RULE_READS: &str =
    "of other seats a rule reads only what a brief tells them all, and answers outside groups with heard_by: everyone";
/// What of other seats stands before the name of a value in a text.
const OTHERS: [&str; 4] = ["seats", "everyone", "group", "others"];

/// Whether every seat, or in groups every member, may know a value of other seats in the phase at a place.
pub fn is_known_of_others(scenario: &Scenario, place: usize, name: &str) -> bool {
    is_heard_by_all(scenario, name) || is_told_to_all(scenario, place, name)
}

/// Whether all seats hear all answers to the fields of this id, or to the form of the phase of this name.
pub fn is_heard_by_all(scenario: &Scenario, name: &str) -> bool {
    let agenda = &scenario.written.agenda;
    let mut forms = fields_of(agenda).filter(|(phase, field)| field.id == name || phase.name == name).peekable();
    let hears_all = |phase: &PhaseConfig| match &phase.heard_by {
        Some(SeatsConfig::Expression(word)) => write_scalar(word).trim() == "everyone",
        _ => false,
    };
    let is_named = !scenario.variables.contains_key(name) && forms.peek().is_some();
    is_named && forms.all(|(phase, _)| hears_all(phase) && find_groups(scenario, phase).is_none())
}

/// Whether a brief that always comes before the phase at a place prints a value of all seats to everyone, or in groups to the group.
fn is_told_to_all(scenario: &Scenario, place: usize, name: &str) -> bool {
    list_above(scenario, place)
        .any(|brief| find_limit(scenario, place, brief).is_none() && prints_every_value(brief, name) == Some(true))
}

/// Why a rule in the phase at a place may not read a value of other seats, and what to write instead.
pub fn explain_unknown(scenario: &Scenario, place: usize, name: &str) -> String {
    let why = list_above(scenario, place).find_map(|brief| {
        let limit = match prints_every_value(brief, name)? {
            true => find_limit(scenario, place, brief)?,
            false => "an `if` chooses of which seats",
        };
        Some(format!("; the brief {} prints {name}, but {limit}", brief.name))
    });
    let why = why.unwrap_or_default();
    let in_groups = scenario.written.agenda.get(place).is_some_and(|phase| find_groups(scenario, phase).is_some());
    let whom = if in_groups { "group" } else { "everyone" };
    format!(
        "{RULE_READS}{why}; print {name} of {whom} in a brief without conditions, or compute for each seat what its rule reads, as in compute: {{ seat.NAME: EXPRESSION }}"
    )
}

/// The phases above the phase at a place.
fn list_above(scenario: &Scenario, place: usize) -> std::slice::Iter<'_, PhaseConfig> {
    let agenda = &scenario.written.agenda;
    agenda[..place.min(agenda.len())].iter()
}

/// Whether a brief prints a value of other seats, and not only of those that a condition in a loop chooses; `None` if it prints none.
fn prints_every_value(brief: &PhaseConfig, name: &str) -> Option<bool> {
    let live = LiveText::compile(brief.brief.as_ref()?.text.as_ref()?, Language::En).ok()?;
    let is_of_others = |root: Option<&str>| root.is_none_or(|root| OTHERS.contains(&root));
    let tells = |read: &NameRead| is_of_others(read.name.as_deref()) && read.attributes == [name];
    let told: Vec<NameRead> = live.list_reads().into_iter().filter(tells).collect();
    let chosen = live.list_chosen_reads();
    (!told.is_empty()).then(|| told.iter().any(|read| !chosen.contains(read)))
}

/// Why a brief does not always tell every seat that the phase at a place asks, or in groups its group; `None` if it does.
fn find_limit(scenario: &Scenario, place: usize, brief: &PhaseConfig) -> Option<&'static str> {
    let reader = scenario.written.agenda.get(place).and_then(|phase| find_groups(scenario, phase));
    let own = find_groups(scenario, brief);
    let mut blocks = scenario.blocks_around(brief);
    match brief {
        PhaseConfig { when: Some(_), .. } => Some("it has a `when`"),
        PhaseConfig { who: Some(_), .. } => Some("it has a `who`"),
        _ if blocks.any(|block| block.who.is_some() || block.when.is_some()) => {
            Some("a block around it has a `when` or a `who`")
        }
        _ if own.is_some() && own != reader => Some("it is in groups of its own"),
        _ => None,
    }
}
