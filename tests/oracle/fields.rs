//! Cells that are read off a record, or that count records.

use std::collections::BTreeSet;

use ekklesia::analysis::Status;
use ekklesia::domain::{Record, Reply};
use serde_json::Value;

use super::{Cell, flag, list, list_statements, real, share, show};

/// The value of a field of a record; the path begins at the record, `event.` at the inside of its event.
fn find_field(record: &Record, path: &str) -> Option<Value> {
    let mut value = serde_json::to_value(record).expect("a record has a JSON form");
    let event = &mut value["event"];
    *event = event.as_object().and_then(|kinds| kinds.values().next().cloned()).unwrap_or_default();
    path.split('.').try_fold(value, |value, key| value.get(key).cloned()).filter(|value| !value.is_null())
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(flag) => u8::from(*flag).to_string(),
        other => other.to_string(),
    }
}

impl Cell<'_> {
    pub(super) fn field(&self, path: &str) -> Option<String> {
        find_field(self.last()?, path).map(|value| text_of(&value))
    }

    /// Reads a field in billionths, as a number from 0 to 1.
    pub(super) fn billionths(&self, path: &str) -> Option<String> {
        real(find_field(self.last()?, path)?.as_u64()? as f64 / 1e9)
    }

    pub(super) fn names(&self, path: &str) -> Option<String> {
        list(find_field(self.last()?, path)?.as_array()?.iter().map(text_of))
    }
}

pub fn count_records(cell: &Cell<'_>) -> Option<String> {
    show(cell.records.len())
}

pub fn has_record(cell: &Cell<'_>) -> Option<String> {
    flag(!cell.records.is_empty())
}

pub fn count_rounds(cell: &Cell<'_>) -> Option<String> {
    let rounds: BTreeSet<_> = cell.records.iter().map(|record| (&record.at.phase, record.at.round)).collect();
    show(rounds.len())
}

pub fn read_status(cell: &Cell<'_>) -> Option<String> {
    show(match cell.status {
        Status::Completed => "completed",
        Status::Incomplete => "incomplete",
        Status::Failed(_) => "failed",
    })
}

pub fn read_fault(cell: &Cell<'_>) -> Option<String> {
    match cell.status {
        Status::Failed(fault) => show(fault),
        Status::Completed | Status::Incomplete => None,
    }
}

pub fn read_recognised(cell: &Cell<'_>) -> Option<String> {
    match cell.last()?.reply()? {
        Reply::Recognition { recognised, .. } => show(if recognised { "yes" } else { "no" }),
        _ => None,
    }
}

/// Whether no other session of the arm has the same statements.
pub fn is_transcript_distinct(cell: &Cell<'_>) -> Option<String> {
    let own = list_statements(cell.records.iter().copied());
    if own.is_empty() { None } else { flag(!cell.others.contains(&own)) }
}

/// What votes took, as a share of what they are matched to.
pub fn compare_with_target(cell: &Cell<'_>) -> Option<String> {
    let mut events = cell.records.iter().map(|record| &record.event);
    let target = events.clone().find_map(|event| event.convened()?.target.as_ref())?;
    let taken = events.find_map(|event| event.tallied()?.sampled)?.taken?;
    share(taken as usize, target.amount as usize)
}
