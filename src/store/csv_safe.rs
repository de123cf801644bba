//! `export --format csv-safe`: copies the tables so that a spreadsheet does not run any cell as a formula.
//!
//! An apostrophe goes before a cell that begins like a formula, as OWASP advises ("CSV Injection", owasp.org). Numbers stay
//! numbers.

use std::fs;
use std::path::Path;

use crate::store::files::{FileError, file_error};
use crate::store::places::file_names;
use crate::store::staging::Staging;

/// The characters that begin a formula, including the full-width forms that East Asian versions accept and the white space that
/// programs strip first.
const FORMULA_STARTS: [char; 11] =
    ['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// Writes every table of a results folder into a new folder. Returns their number.
///
/// # Errors
/// When a table is missing or is not CSV, or a file cannot be written. Nothing is left behind then.
pub fn write_tables(results: &Path, out: &Path) -> Result<u64, FileError> {
    let staging = Staging::begin(out)?;
    let folder = staging.path();
    fs::create_dir(&folder).map_err(|error| file_error(out, &error))?;
    let tables: Vec<String> = file_names().into_iter().filter(|name| name.ends_with(".csv")).collect();
    for name in &tables {
        copy_table(&results.join(name), &folder.join(name))?;
    }
    staging.publish()?;
    Ok(tables.len() as u64)
}

/// Copies a table cell by cell, including the header, whose names may come from the author.
fn copy_table(from: &Path, to: &Path) -> Result<(), FileError> {
    let wrong = |error: csv::Error| FileError { path: from.to_owned(), reason: error.to_string() };
    let unwritable = |error: csv::Error| FileError { path: to.to_owned(), reason: error.to_string() };
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(from).map_err(wrong)?;
    let mut writer = csv::Writer::from_path(to).map_err(unwritable)?;
    for row in reader.records() {
        let row = row.map_err(wrong)?;
        writer.write_record(row.iter().map(make_inert)).map_err(unwritable)?;
    }
    writer.flush().map_err(|error| file_error(to, &error))
}

fn make_inert(cell: &str) -> String {
    match cell.starts_with(FORMULA_STARTS) && !is_number(cell) {
        true => format!("'{cell}"),
        false => cell.to_owned(),
    }
}

/// Whether a cell is a number as the tables write numbers.
fn is_number(cell: &str) -> bool {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    all_digits(whole) && all_digits(decimals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_begins_as_a_formula_gets_an_apostrophe_and_numbers_do_not() {
        let formulas =
            ["=1+1", "+1", "-1+1", "-", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "-1e5", "-.5", "-1.", "-inf", "\u{ff1d}1"];
        for cell in formulas {
            assert_eq!(make_inert(cell), format!("'{cell}"));
        }
        for cell in ["", "1", "-1", "-1.5", "-0.000001", "a=1", "'=1", " word", "0", "12:30"] {
            assert_eq!(make_inert(cell), cell);
        }
    }
}
