//! Texts that are kept under a name.

use indexmap::IndexSet;

use crate::config::lower::formula::write_scalar;
use crate::config::lower::grouping::{count_members, find_groups};
use crate::config::scenario::{AgendaBlock, Scenario};
use crate::config::written::participants::SeatsConfig;
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
    let kept = fields_of(&scenario.written.agenda).filter(|(_, field)| field.keep_as.as_deref() == Some(name));
    let own = kept.map(|(_, field)| count_answers(field)).max().unwrap_or(0);
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

/// The most texts in an answer to a field.
fn count_answers(field: &FieldConfig) -> u32 {
    field.text.as_ref().and_then(|text| text.count).map_or(1, |(_, most)| most)
}

/// The most texts that are kept under a name at once, with so many seats: fewer than there may be where `who` says how many seats write
/// them.
pub fn count_kept(scenario: &Scenario, name: &str, seats: u32) -> u32 {
    let all = list_ids(scenario, name, seats).len() as u32;
    let of_phase = |(phase, groups): (&PhaseConfig, Option<&str>)| {
        let is_repeated = |block: &AgendaBlock| block.times.is_some() || block.each.is_some();
        if groups.is_some() || scenario.blocks_around(phase).any(is_repeated) {
            return None;
        }
        let fields = phase.fields().iter().filter(|field| field.keep_as.as_deref() == Some(name));
        let own: u32 = fields.map(count_answers).sum();
        Some(own.saturating_mul(count_writers(scenario, phase, seats)?))
    };
    let known: Option<u32> = list_keepers(scenario, name).into_iter().map(of_phase).sum();
    known.map_or(all, |known| known.min(all))
}

/// The most seats that take part in a phase outside groups; `None` if no `who` says it: a list, a role of the scenario, or who won a vote.
fn count_writers(scenario: &Scenario, phase: &PhaseConfig, seats: u32) -> Option<u32> {
    let of_blocks = scenario.blocks_around(phase).filter_map(|block| block.who.as_ref());
    let counts = of_blocks.chain(&phase.who).filter_map(|who| match who {
        SeatsConfig::Names(names) => u32::try_from(names.len()).ok(),
        SeatsConfig::Expression(expression) => {
            let text = write_scalar(expression);
            let role = scenario.written.roles.get(text.trim()).map(|role| role.seats);
            role.or_else(|| count_winners(scenario, text.trim(), seats))
        }
    });
    counts.min()
}

/// The number of seats that an expression such as `seat in pick.winner` selects at the most; `None` of any other.
fn count_winners(scenario: &Scenario, text: &str, seats: u32) -> Option<u32> {
    let won = text.strip_prefix("seat in ").or_else(|| text.strip_prefix("seat == "))?;
    let name = won.trim().strip_suffix(".winner")?;
    let vote = scenario.written.agenda.iter().find(|phase| phase.name == name && phase.vote.is_some())?;
    Some(find_groups(scenario, vote).map_or(1, |assignment| count_members(scenario, assignment, seats).0))
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
