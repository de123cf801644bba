//! Cells about the answers to forms, read from the JSON of their records.

use ekklesia::domain::{Consequence, Event, Fault, Record};
use serde_json::Value;

use super::{Cell, real, show};

/// A value as its record has it; `None` for nothing.
fn read_value(record: &Record, field: &str) -> Option<Value> {
    let Event::Answered { values, .. } = &record.event else { return None };
    let value = serde_json::to_value(values.get(field)?).ok()?;
    (!value.is_null()).then_some(value)
}

pub fn word_value(value: &Value) -> String {
    let joined = |values: &[Value], joint: &str| values.iter().map(word_value).collect::<Vec<_>>().join(joint);
    match value {
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(ranks) if ranks[0].is_array() => ranks
            .iter()
            .map(|rank| joined(rank.as_array().map_or(&[], Vec::as_slice), " = "))
            .collect::<Vec<_>>()
            .join(" > "),
        Value::Array(names) => joined(names, ", "),
        Value::Object(shares) => {
            shares.iter().map(|(name, share)| format!("{name} = {share}")).collect::<Vec<_>>().join(", ")
        }
        Value::String(words) => words.clone(),
        other => other.to_string(),
    }
}

/// All values of a form: one alone, or each behind its field.
pub fn word_all(values: &Value) -> Option<String> {
    let values = values.as_object()?;
    let word = |value: &Value| if value.is_null() { String::new() } else { word_value(value) };
    match values.len() {
        1 => values.values().next().filter(|only| !only.is_null()).and_then(|only| show(word_value(only))),
        _ => {
            show(values.iter().map(|(field, value)| format!("{field}: {}", word(value))).collect::<Vec<_>>().join("; "))
        }
    }
}

pub fn count_value(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_bool().map(|yes| if yes { 1.0 } else { 0.0 }))
}

pub fn word_field(cell: &Cell<'_>) -> Option<String> {
    show(word_value(&read_value(cell.last()?, cell.row.cell_text("field")?)?))
}

pub fn count_field(cell: &Cell<'_>) -> Option<String> {
    real(count_value(&read_value(cell.last()?, cell.row.cell_text("field")?)?)?)
}

/// The field is one of the form that the row's phase asks.
pub fn find_field(cell: &Cell<'_>) -> Option<String> {
    let field = cell.row.cell_text("field")?;
    show(cell.phase()?.fields.iter().find(|own| *own == field)?)
}

pub fn read_status(cell: &Cell<'_>) -> Option<String> {
    show(match &cell.last()?.event {
        Event::Answered { .. } => "valid",
        Event::Faulted { fault: Fault::Refused, then: Consequence::TriesUsedUp, .. } => "refused",
        Event::Faulted { then: Consequence::TriesUsedUp, .. } => "invalid",
        _ => return None,
    })
}

/// The values of the column's field among the cell's records: each seat's last.
fn list_values(cell: &Cell<'_>) -> Vec<Value> {
    let field_of = |record: &&&Record| {
        let phase = record.at.phase.written().replace('-', "_");
        let field = cell.name.strip_prefix(&phase)?.strip_prefix('_')?;
        let asked = cell.arm().phases.iter().find(|phase| phase.name == record.at.phase)?;
        asked.fields.iter().find(|own| *own == field)
    };
    let seats = cell.seat_names().into_iter();
    let last = |seat: &str| {
        let mut own = cell.records.iter().filter(|record| record.seat.as_ref().is_some_and(|own| own.as_str() == seat));
        let last = own.rfind(|record| field_of(record).is_some())?;
        read_value(last, field_of(&last)?)
    };
    seats.filter_map(last).collect()
}

pub fn seat_answer(cell: &Cell<'_>) -> Option<String> {
    let value = list_values(cell).pop()?;
    count_value(&value).map_or_else(|| show(word_value(&value)), real)
}

pub fn mean_answer(cell: &Cell<'_>) -> Option<String> {
    let numbers: Vec<f64> = list_values(cell).iter().filter_map(count_value).collect();
    (!numbers.is_empty()).then(|| real(numbers.iter().sum::<f64>() / numbers.len() as f64))?
}
