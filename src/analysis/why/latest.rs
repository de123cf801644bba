//! The records behind columns of answers and variables: of each seat, the one that said it last.

use std::collections::BTreeMap;

use crate::analysis::layout::{AnswerColumn, ColumnLayout};
use crate::analysis::why::Scope;
use crate::domain::{Event, Record, SeatName};

/// Narrows the records behind a column of an answer or of a variable to those that gave it last: one of each seat, or of the session.
/// Returns the places of any other column as they are.
pub(super) fn keep_latest(
    (layout, column): (&ColumnLayout, &str),
    all: &[Record],
    places: Vec<usize>,
    row: &Scope,
) -> Vec<usize> {
    let is_it = |answer: &&AnswerColumn| answer.name() == column || answer.correct_name() == column;
    let answer = layout.answers.iter().find(is_it);
    let variable = layout.variables.iter().find(|variable| variable.column_name() == column);
    if answer.is_none() && variable.is_none() {
        return places;
    }
    let mut latest: BTreeMap<Option<&SeatName>, usize> = BTreeMap::new();
    for place in places {
        let record = &all[place];
        match &record.event {
            Event::Computed { name, values } if variable.is_some_and(|variable| variable.name == *name) => {
                latest.extend(values.iter().map(|(seat, _)| (seat, place)));
            }
            _ if answer.is_some_and(|answer| answer.phase == record.at.phase.written()) => {
                latest.insert(record.seat.as_ref(), place);
            }
            _ => {}
        }
    }
    let own = row.seat();
    latest.retain(|seat, _| own.is_none() || *seat == own.as_ref());
    let mut places: Vec<usize> = latest.into_values().collect();
    places.sort_unstable();
    places.dedup();
    places
}
