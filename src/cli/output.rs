//! Prints results to stdout and notes to stderr. A closed pipe on stdout is no error, but a full disk is. Errors on stderr are
//! ignored, so a run without a log reader still completes.

use std::fmt;
use std::io::{self, ErrorKind, Write};

use super::exit::Refusal;
use crate::report::{escape_unseen, inert_json};

/// Formats a line and prints it to stderr. `eprintln!` would panic on a write error.
macro_rules! note {
    ($($words:tt)*) => {
        $crate::cli::output::print_note(format_args!($($words)*))
    };
}
pub(super) use note;

/// Prints a text to stdout and ends its last line.
///
/// # Errors
/// When stdout cannot be written to, unless its reader has closed it.
pub fn print_text(text: &str) -> Result<(), Refusal> {
    let mut out = io::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    match write!(out, "{text}{end}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Refusal::machine_failure(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a value as one JSON object.
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Refusal> {
    print_text(&inert_json(&serde_json::to_string(value).expect("invariant: what is printed has a JSON form")))
}

/// Prints a result to stdout: its JSON if there is one, else the text.
pub fn print_result(json: Option<impl serde::Serialize>, text: impl FnOnce() -> String) -> Result<(), Refusal> {
    json.map_or_else(|| print_text(&text()), |value| print_json(&value))
}

/// Prints a line to stderr and ignores errors.
pub fn print_note(words: fmt::Arguments<'_>) {
    // There is nowhere left to report the error.
    let _ = writeln!(io::stderr().lock(), "{words}");
}

/// Prints a message to stderr after the program's name. Invisible characters are escaped.
pub fn print_warning(message: &str) {
    note!("ekklesia: {}", escape_unseen(message));
}
