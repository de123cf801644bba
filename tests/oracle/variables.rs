//! Cells about computed values and payments by expressions, read from the JSON of their records.

use ekklesia::domain::Record;
use serde_json::Value;

use super::values::{count_value, word_value};
use super::{Cell, real, show};

/// What a record of a computation says of a seat, or of the session; `None` for nothing.
fn read_computed(record: &Record, name: &str, seat: Option<&str>) -> Option<Value> {
    let written = serde_json::to_value(&record.event).ok()?;
    let computed = written.get("Computed")?;
    if computed.get("name")? != name {
        return None;
    }
    let values = computed.get("values")?;
    match seat {
        Some(seat) => values.get("seats")?.get(seat).cloned(),
        None => values.get("session").or_else(|| values.get("group")).cloned(),
    }
}

fn row_value(cell: &Cell<'_>) -> Option<Value> {
    let (name, seat) = (cell.row.cell_text("name")?, cell.row.cell_text("seat").filter(|seat| !seat.is_empty()));
    read_computed(cell.last()?, name, seat).filter(|value| !value.is_null())
}

pub fn word_variable(cell: &Cell<'_>) -> Option<String> {
    show(word_value(&row_value(cell)?))
}

pub fn count_variable(cell: &Cell<'_>) -> Option<String> {
    real(count_value(&row_value(cell)?)?)
}

/// Whether the record is about the session or about seats.
pub fn find_scope(cell: &Cell<'_>) -> Option<String> {
    let written = serde_json::to_value(&cell.last()?.event).ok()?;
    let values = written.get("Computed")?.get("values")?.as_object()?;
    show(values.keys().next()?.trim_end_matches('s'))
}

pub fn find_seat(cell: &Cell<'_>) -> Option<String> {
    let seat = cell.row.cell_text("seat").filter(|seat| !seat.is_empty())?;
    let written = serde_json::to_value(&cell.last()?.event).ok()?;
    written.get("Computed")?.get("values")?.get("seats")?.get(seat)?;
    show(seat)
}

/// The last value of a variable: a computed one, or the one that it begins with.
fn last_value(cell: &Cell<'_>, seat: Option<&str>) -> Option<Value> {
    let computed = cell.records.iter().rev().find_map(|record| read_computed(record, cell.name, seat));
    let start = || {
        let position = seat.and_then(|seat| cell.arm().seats.iter().position(|own| own.name.as_str() == seat));
        let start = cell.arm().starts.get(cell.name)?.get(position.unwrap_or(0))?.as_ref();
        serde_json::to_value(start?).ok()
    };
    computed.or_else(start).filter(|value| !value.is_null())
}

fn word_last(value: &Value) -> Option<String> {
    count_value(value).map_or_else(|| show(word_value(value)), real)
}

pub fn seat_variable(cell: &Cell<'_>) -> Option<String> {
    word_last(&last_value(cell, Some(cell.seat()?.as_str()))?)
}

/// The value of the session, or the mean over the seats.
pub fn session_variable(cell: &Cell<'_>) -> Option<String> {
    if let Some(value) = last_value(cell, None).filter(|_| !is_of_seats(cell)) {
        return word_last(&value);
    }
    let seats = cell.seat_names().into_iter().filter(|_| is_of_seats(cell));
    let values: Vec<f64> = seats.filter_map(|seat| count_value(&last_value(cell, Some(seat))?)).collect();
    (!values.is_empty()).then(|| real(values.iter().sum::<f64>() / values.len() as f64))?
}

fn is_of_seats(cell: &Cell<'_>) -> bool {
    let mut columns = cell.arm().layout.variables.iter();
    columns.any(|column| column.name == cell.name && column.of == ekklesia::domain::Holder::Seat)
}

/// What an expression paid the row's seat, as its record says.
fn read_paid(cell: &Cell<'_>, key: &str) -> Option<Value> {
    let written = serde_json::to_value(&cell.last()?.event).ok()?;
    let payoffs = written.get("Paid")?.get("payoffs")?.as_array()?.clone();
    let seat = cell.seat()?;
    payoffs.iter().find(|payoff| payoff["seat"] == seat.as_str())?.get(key).cloned()
}

pub fn read_payoff(cell: &Cell<'_>) -> Option<String> {
    real(read_paid(cell, "payoff")?.as_f64()?)
}

pub fn read_cents(cell: &Cell<'_>) -> Option<String> {
    show(read_paid(cell, "payoff_cents")?.as_i64()?)
}

pub fn read_seat(cell: &Cell<'_>) -> Option<String> {
    show(read_paid(cell, "seat")?.as_str()?)
}

/// The group of an assignment in which the row's seat is: its number, and its name.
fn find_own_group(cell: &Cell<'_>) -> Option<(usize, String)> {
    let seat = cell.row.cell_text("seat")?;
    let written = serde_json::to_value(&cell.last()?.event).ok()?;
    let groups = written.get("Assigned")?.get("groups")?.as_array()?.clone();
    let place =
        groups.iter().position(|group| group.as_array().is_some_and(|seats| seats.iter().any(|own| own == seat)))?;
    Some((place + 1, seat.to_owned()))
}

/// The number of the group that the row's seat was put into, or in which it got a role.
pub fn find_group(cell: &Cell<'_>) -> Option<String> {
    match find_role(cell) {
        Some(_) => cell.field("at.phase")?.split_once('#').map(|(_, group)| group.to_owned()),
        None => show(find_own_group(cell)?.0),
    }
}

/// The role that the row's seat got.
pub fn find_role(cell: &Cell<'_>) -> Option<String> {
    let written = serde_json::to_value(&cell.last()?.event).ok()?;
    show(written.get("Assigned")?.get("roles")?.get(find_own_group(cell)?.0 - 1)?.as_str()?)
}

/// The seat of the row, if it was put into a group.
pub fn find_assigned(cell: &Cell<'_>) -> Option<String> {
    show(find_own_group(cell)?.1)
}
