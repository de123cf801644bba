//! Texts that are kept under a name.

use indexmap::IndexSet;

use crate::config::lower::grouping::{count_members, find_groups};
use crate::config::scenario::Scenario;
use crate::config::written::scenario::{FieldConfig, PhaseConfig, fields_of};
use crate::domain::TextId;
use crate::plan::KeptField;

/// The names of kept texts, in the order in which they are first written.
pub fn list_texts(agenda: &[PhaseConfig]) -> IndexSet<&str> {
    fields_of(agenda).filter_map(|(_, field)| field.keep_as.as_deref()).collect()
}

/// The position of a name among those of kept texts.
pub fn find_texts(agenda: &[PhaseConfig], name: &str) -> Option<usize> {
    list_texts(agenda).get_index_of(name)
}

/// The phases that keep texts under a name, with the assignments in whose groups they take place.
pub fn list_keepers<'a>(scenario: &'a Scenario, name: &str) -> Vec<(&'a PhaseConfig, Option<&'a str>)> {
    let keepers = scenario.written.agenda.iter().filter(|phase| keeps_texts(phase, name));
    keepers.map(|phase| (phase, find_groups(scenario, phase))).collect()
}

/// The texts that there may be under a name, with so many seats: of each group as many as its members can write.
pub fn list_ids(scenario: &Scenario, name: &str, seats: u32) -> Vec<TextId> {
    let keepers = list_keepers(scenario, name);
    let count = |field: &FieldConfig| field.text.as_ref().and_then(|text| text.count).map_or(1, |(_, most)| most);
    let kept = fields_of(&scenario.written.agenda).filter(|(_, field)| field.keep_as.as_deref() == Some(name));
    let own = kept.map(|(_, field)| count(field)).max().unwrap_or(0);
    let of_group =
        |group: u32, members: u32| (0..own.saturating_mul(members)).map(move |number| TextId { group, number });
    let outside = keepers.iter().any(|(_, groups)| groups.is_none());
    let mut all: Vec<TextId> = of_group(0, if outside { seats } else { 0 }).collect();
    if let Some(assignment) = keepers.iter().find_map(|(_, groups)| *groups) {
        let (groups, members) = count_members(scenario, assignment, seats);
        all.extend((1..=groups).flat_map(|group| of_group(group, members)));
    }
    all
}

/// Whether a phase keeps texts under a name.
pub fn keeps_texts(phase: &PhaseConfig, name: &str) -> bool {
    phase.fields().iter().any(|field| field.keep_as.as_deref() == Some(name))
}

/// The fields of a form whose texts are kept.
pub fn lower_kept(fields: &[FieldConfig], agenda: &[PhaseConfig]) -> Vec<KeptField> {
    let kept = fields.iter().enumerate().filter_map(|(field, written)| {
        let name = written.keep_as.clone()?;
        let pool = find_texts(agenda, &name)?;
        Some(KeptField { field, name, pool })
    });
    kept.collect()
}
