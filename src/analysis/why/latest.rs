//! The records behind columns of answers and variables: of each seat, the one that said it last.

use std::collections::BTreeMap;

use crate::analysis::facts::ArmFacts;
use crate::analysis::layout::AnswerColumn;
use crate::analysis::why::TracedRow;
use crate::domain::{Record, SeatName};

/// Narrows the records behind a column of an answer or of a variable to those that gave it last: one of each seat, or of the session. The
/// answers behind a column of sessions are those of the last pass. A variable that was never computed has the value of the beginning.
/// Returns the places of any other column as they are.
pub(super) fn keep_latest(
    (arm, column): (&ArmFacts, &str),
    all: &[Record],
    places: Vec<usize>,
    row: &TracedRow,
) -> Vec<usize> {
    let is_it = |answer: &&AnswerColumn| answer.name() == column || answer.correct_name() == column;
    let layout = &arm.layout;
    let answer = layout.answers.iter().find(is_it);
    let variable = layout.variables.iter().find(|variable| variable.column_name() == column);
    if answer.is_none() && variable.is_none() {
        return places;
    }
    let mut latest: BTreeMap<Option<&SeatName>, usize> = BTreeMap::new();
    for place in places {
        let record = &all[place];
        let computed = record.event.computed();
        match computed.filter(|computed| variable.is_some_and(|variable| variable.name == computed.name)) {
            Some(computed) => latest.extend(computed.values.iter().map(|(seat, _)| (seat, place))),
            None if answer.is_some_and(|answer| answer.phase == record.at.phase.written()) => {
                latest.insert(record.seat.as_ref(), place);
            }
            None => {}
        }
    }
    let own = row.seat();
    latest.retain(|seat, _| own.is_none() || *seat == own.as_ref());
    let starts = variable.and_then(|variable| arm.starts.get(&variable.name)).filter(|starts| !starts.is_empty());
    if latest.is_empty() && starts.is_some() {
        // A value that was never computed is the one with which the session began.
        return all.iter().position(|record| record.event.is_convened()).into_iter().collect();
    }
    if own.is_none() && answer.is_some() {
        keep_last_pass(arm, all, &mut latest);
    }
    let mut places: Vec<usize> = latest.into_values().collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Narrows the latest answers of seats to those of the last pass, and within groups to each group's last.
fn keep_last_pass(arm: &ArmFacts, all: &[Record], latest: &mut BTreeMap<Option<&SeatName>, usize>) {
    let phase_of = |place: &usize| arm.find_phase(&all[*place].at.phase);
    let last = latest.values().filter_map(phase_of).map(|phase| phase.passes.outside.clone()).max();
    latest.retain(|_, place| phase_of(place).map(|phase| &phase.passes.outside) == last.as_ref());
    let mut of_groups: BTreeMap<Option<u32>, Vec<u32>> = BTreeMap::new();
    for phase in latest.values().filter_map(phase_of) {
        let within = of_groups.entry(phase.group_number()).or_default();
        if *within < phase.passes.within {
            within.clone_from(&phase.passes.within);
        }
    }
    latest.retain(|_, place| {
        phase_of(place).is_some_and(|phase| of_groups[&phase.group_number()] == phase.passes.within)
    });
}
