//! What all seats know of each other: answers that everyone hears, and values that a brief tells.

use crate::config::lower::formula::write_scalar;
use crate::config::lower::grouping::find_groups;
use crate::config::scenario::Scenario;
use crate::config::written::participants::SeatsConfig;
use crate::config::written::scenario::{PhaseConfig, fields_of};
use crate::domain::Language;
use crate::expression::NameRead;
use crate::prompt::LiveText;

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
    let agenda = &scenario.written.agenda;
    let reader = agenda.get(place).and_then(|phase| find_groups(scenario, phase));
    let is_for_all = |phase: &&PhaseConfig| {
        let mut blocks = scenario.blocks_around(phase);
        let own = find_groups(scenario, phase);
        let is_sure = phase.when.is_none() && phase.who.is_none();
        is_sure && (own.is_none() || own == reader) && blocks.all(|block| block.who.is_none() && block.when.is_none())
    };
    let mut texts = agenda[..place.min(agenda.len())]
        .iter()
        .filter(is_for_all)
        .filter_map(|phase| phase.brief.as_ref()?.text.as_ref());
    texts.any(|text| {
        let Ok(live) = LiveText::compile(text, Language::En) else { return false };
        let chosen = live.list_chosen_reads();
        let is_of_others = |root: Option<&str>| root.is_none_or(|root| OTHERS.contains(&root));
        let tells = |read: &NameRead| is_of_others(read.name.as_deref()) && read.attributes == [name];
        live.list_reads().iter().any(|read| tells(read) && !chosen.contains(read))
    })
}
