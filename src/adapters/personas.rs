//! Files of personas: CSV with a header, read into a table of texts. What the columns mean is decided in `plan`.

use crate::domain::Digest;
use crate::plan::{PersonaFile, Problem};

/// Reads the bytes of a file; `shown` is its name for the author.
///
/// # Errors
/// When they are no text in UTF-8, hold no header, or a row has another number of cells than the header.
pub fn read(bytes: &[u8], shown: &str) -> Result<PersonaFile, Problem> {
    let text = super::yaml::text(bytes, shown)?;
    // Spreadsheet programs put a byte order mark before the first column's name.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let unread = |error: csv::Error| problem(&error, shown);
    let columns: Vec<String> = reader.headers().map_err(unread)?.iter().map(str::to_string).collect();
    if columns.iter().all(String::is_empty) {
        return Err(Problem::of_file(shown, "the file is empty"));
    }
    let mut rows = Vec::new();
    for row in reader.records() {
        let row = row.map_err(unread)?;
        let line = row.position().map_or(0, csv::Position::line);
        rows.push((line, row.iter().map(str::to_string).collect()));
    }
    Ok(PersonaFile { shown: shown.to_string(), digest: Digest::of_text(text), columns, rows })
}

fn problem(error: &csv::Error, shown: &str) -> Problem {
    let message = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} cells, where the header has {expected_len}")
        }
        _ => error.to_string(),
    };
    let line = error.position().map(|position| u32::try_from(position.line()).unwrap_or(u32::MAX));
    Problem { line, column: line.map(|_| 1), ..Problem::of_file(shown, message) }
}
