//! Reads files of personas and items: CSV with a header, as a table of texts.

use crate::config::{PersonaFile, PersonaRow, Problem, Problems, report_rows};
use crate::domain::Digest;
use crate::store::cells::{self, CellPlace, UnclosedQuote};

/// Other separators of cells, with their names.
const DIVIDERS: [(char, &str); 3] = [(';', "semicolons"), ('\t', "tabs"), ('|', "bars")];

/// Parses a file; `shown` is its path in messages. `None` after a reported problem: not UTF-8, no header, or a row with a wrong
/// number of cells.
pub fn parse_persona_file(bytes: &[u8], shown: &str, problems: &mut Problems) -> Option<PersonaFile> {
    let text = problems.ok_or_report(crate::config::yaml::decode_text(bytes, shown))?;
    // Spreadsheet programs write a byte order mark before the first column's name.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    problems.ok_or_report(divided_otherwise(text, shown))?;
    let places =
        problems.ok_or_report(cells::cell_places(text).map_err(|quote| unclosed_quote_problem(quote, text, shown)))?;
    let mut places = places.into_iter();
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let unread = |error: csv::Error| Problem::of_file(shown, error.to_string());
    let columns: Vec<String> =
        problems.ok_or_report(reader.headers().map_err(unread))?.iter().map(str::to_string).collect();
    if columns.iter().all(String::is_empty) {
        problems.push(Problem::of_file(shown, "the file is empty"));
        return None;
    }
    let header = places.next().unwrap_or_default();
    let mut rows = Vec::new();
    let mut wrong = Vec::new();
    for (row, places) in reader.records().zip(places) {
        let row = problems.ok_or_report(row.map_err(unread))?;
        match ragged_row_problem(&places, row.len(), columns.len(), text, shown) {
            Some(problem) => wrong.push(problem),
            None => rows.push(PersonaRow { cells: row.iter().map(str::to_string).collect(), places }),
        }
    }
    let file = PersonaFile { shown: shown.to_string(), digest: Digest::of_text(text), columns, header, rows };
    let is_whole = wrong.is_empty();
    report_rows(&file, wrong, problems);
    is_whole.then_some(file)
}

/// Fails if the header has no comma but another separator.
fn divided_otherwise(text: &str, shown: &str) -> Result<(), Problem> {
    let header = text.lines().find(|line| !line.is_empty()).unwrap_or_default();
    let found = DIVIDERS.iter().filter(|_| !header.contains(',')).find_map(|(divider, name)| {
        let place = header.chars().position(|character| character == *divider)?;
        Some((u32::try_from(place + 1).unwrap_or(u32::MAX), name))
    });
    let Some((column, name)) = found else { return Ok(()) };
    let message = format!("{name} divide the cells of this file; commas do in CSV");
    let hint = "save it again as CSV with commas; a cell that holds a comma is put in quotes (\")".to_string();
    let problem = Problem { line: Some(1), column: Some(column), ..Problem::of_file(shown, message) };
    Err(problem.with_hint(Some(hint)))
}

/// The problem of an unclosed quotation mark. It points to the opening mark if the next mark is on another line, because that one
/// probably belongs to another cell.
fn unclosed_quote_problem(UnclosedQuote { open, closed }: UnclosedQuote, text: &str, shown: &str) -> Problem {
    let told = |(line, column): CellPlace, message: &str, hint: &str| Problem {
        line: Some(line),
        column: Some(column),
        hint: Some(hint.to_string()),
        ..Problem::of_file(shown, message)
    };
    let rest_of_line = |(line, column): CellPlace| {
        let line = text.lines().nth(line as usize - 1).unwrap_or_default();
        line.chars().skip(column as usize).collect::<String>()
    };
    match closed {
        Some(closed) if closed.0 == open.0 => {
            let is_blank = rest_of_line(closed).split(',').next().is_some_and(|rest| rest.trim().is_empty());
            match is_blank {
                true => told(closed, "blanks stand between this quotation mark and the end of the cell", "delete them"),
                false => told(
                    closed,
                    "this quotation mark ends the cell, and more follows",
                    "write \"\" for one within a cell",
                ),
            }
        }
        _ => told(open, "this quotation mark is not closed", "close it with a second \" at the end of its cell"),
    }
}

/// The problem of a row whose number of cells differs from the header's.
fn ragged_row_problem(places: &[CellPlace], found: usize, expected: usize, text: &str, shown: &str) -> Option<Problem> {
    if found == expected {
        return None;
    }
    let nouns = |count: usize| if count == 1 { "1 cell".to_string() } else { format!("{count} cells") };
    let message = format!("{}, where the header has {expected}", nouns(found));
    let (line, column) = match places.get(expected) {
        Some(surplus) => *surplus,
        None => {
            let (line, _) = *places.last()?;
            let written = text.lines().nth(line as usize - 1).unwrap_or_default();
            (line, u32::try_from(written.chars().count() + 1).unwrap_or(u32::MAX))
        }
    };
    let hint = match found > expected {
        true => "put a cell that holds a comma in quotes: \"…\", without a blank before them",
        false => "an empty cell needs its comma, too",
    };
    let problem = Problem { line: Some(line), column: Some(column), ..Problem::of_file(shown, message) };
    Some(problem.with_hint(Some(hint.to_string())))
}
