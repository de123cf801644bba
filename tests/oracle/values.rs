//! Cells about the answers to forms, read from the JSON of their records.

use ekklesia::domain::{Answered, Consequence, Event, Fault, Faulted, PhaseName, Record};
use serde_json::Value;

use super::{Cell, flag, real, share, show};

/// A value as its record has it; `None` for nothing.
fn read_value(record: &Record, field: &str) -> Option<Value> {
    let Event::Answered(Answered { values, .. }) = &record.event else { return None };
    let value = serde_json::to_value(values.find(field)?).ok()?;
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

/// The id of the row's field in its record: about a seat, with the number of the seat.
fn find_id(cell: &Cell<'_>) -> Option<String> {
    let field = cell.row.cell_text("field")?;
    let about = cell.row.cell_text("target").filter(|target| !target.is_empty());
    let number = about.and_then(|target| cell.seat_names().iter().position(|name| *name == target));
    Some(number.map_or_else(|| field.to_owned(), |number| format!("{field}_{}", number + 1)))
}

/// The seat that the row is about, if its record has a value about it.
pub fn find_target(cell: &Cell<'_>) -> Option<String> {
    let target = cell.row.cell_text("target").filter(|target| !target.is_empty())?;
    let Event::Answered(Answered { values, .. }) = &cell.last()?.event else { return None };
    values.find(&find_id(cell)?).map(|_| target.to_owned())
}

/// What the opening of the record's phase says that its pass takes place for.
pub fn find_thing(cell: &Cell<'_>) -> Option<String> {
    let phase = &cell.last()?.at.phase;
    let openings = cell.records.iter().filter(|record| record.at.phase == *phase);
    openings.filter_map(|record| record.event.phase_opened()).find_map(|opened| opened.thing.clone())
}

pub fn word_field(cell: &Cell<'_>) -> Option<String> {
    show(word_value(&read_value(cell.last()?, &find_id(cell)?)?))
}

pub fn count_field(cell: &Cell<'_>) -> Option<String> {
    real(count_value(&read_value(cell.last()?, &find_id(cell)?)?)?)
}

/// The field is one of the form that the row's phase asks.
pub fn find_field(cell: &Cell<'_>) -> Option<String> {
    let field = cell.row.cell_text("field")?;
    show(cell.phase()?.fields.iter().find(|own| *own == field)?)
}

pub fn read_status(cell: &Cell<'_>) -> Option<String> {
    show(match &cell.last()?.event {
        Event::Answered { .. } => "valid",
        Event::Faulted(Faulted { fault: Fault::Refused, then: Consequence::TriesUsedUp, .. }) => "refused",
        Event::Faulted(Faulted { then: Consequence::TriesUsedUp, .. }) => "invalid",
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

/// Whether a value is the right one, by the JSON of both. Options have no order.
fn is_right(value: &Value, key: &Value) -> bool {
    let sorted = |value: &Value| {
        let mut words: Vec<String> =
            value.as_array().map_or(Vec::new(), |all| all.iter().map(Value::to_string).collect());
        if !value[0].is_array() {
            words.sort();
        }
        words
    };
    if value.is_array() { sorted(value) == sorted(key) } else { value == key }
}

/// The right answer to a field of a phase, in one pass if it is that of the pass's item.
fn find_key(cell: &Cell<'_>, is_it: impl Fn(&PhaseName, &str) -> bool) -> Option<Value> {
    let keys = cell.arm().phases.iter().flat_map(|phase| phase.keys.iter().map(move |key| (&phase.name, key)));
    let (_, (_, key)) = { keys }.find(|(phase, (field, _))| is_it(phase, field))?;
    serde_json::to_value(key).ok()
}

pub fn mark_field(cell: &Cell<'_>) -> Option<String> {
    let (record, field) = (cell.last()?, cell.row.cell_text("field")?);
    let key = find_key(cell, |own, id| *own == record.at.phase && id == field)?;
    flag(is_right(&read_value(record, &find_id(cell)?)?, &key))
}

/// Whether each seat's last value of the column's field is right.
fn list_marks(cell: &Cell<'_>) -> Option<Vec<bool>> {
    let key = find_key(cell, |phase, field| format!("{}_{field}", phase.written().replace('-', "_")) == cell.name)?;
    Some(list_values(cell).iter().map(|value| is_right(value, &key)).collect())
}

pub fn mark_seat(cell: &Cell<'_>) -> Option<String> {
    flag(list_marks(cell)?.pop()?)
}

pub fn share_right(cell: &Cell<'_>) -> Option<String> {
    let marks = list_marks(cell)?;
    share(marks.iter().filter(|right| **right).count(), marks.len())
}

pub fn seat_answer(cell: &Cell<'_>) -> Option<String> {
    let value = list_values(cell).pop()?;
    count_value(&value).map_or_else(|| show(word_value(&value)), real)
}

pub fn mean_answer(cell: &Cell<'_>) -> Option<String> {
    let numbers: Vec<f64> = list_values(cell).iter().filter_map(count_value).collect();
    (!numbers.is_empty()).then(|| real(numbers.iter().sum::<f64>() / numbers.len() as f64))?
}
