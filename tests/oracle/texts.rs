//! Cells about texts that are kept, read from the JSON of their records.

use serde_json::Value;

use super::{Cell, show};

/// The text of a row, by its letter.
fn find_text(cell: &Cell<'_>) -> Option<Value> {
    let letter = cell.row.cell_text("letter")?;
    let written = serde_json::to_value(&cell.last()?.event).ok()?;
    let texts = written.get("Computed")?.get("values")?.get("texts")?.as_array()?;
    texts.iter().find(|text| text["letter"] == letter).cloned()
}

pub fn read_name(cell: &Cell<'_>) -> Option<String> {
    show(serde_json::to_value(&cell.last()?.event).ok()?.get("Computed")?.get("name")?.as_str()?)
}

pub fn read_text(cell: &Cell<'_>) -> Option<String> {
    match find_text(cell)?.get(cell.name)? {
        Value::String(words) => show(words),
        other => show(other),
    }
}
