//! Results go to stdout: a reader that has seen enough is no failure, a full disk is one. Notes go to stderr, where nothing is a
//! failure: a run whose log reader has gone still writes its tables and ends with its own exit code.

use std::fmt;
use std::io::{self, ErrorKind, Write};

use super::exit::Refusal;
use crate::report::inert_json;

/// Prints a text to stdout, with a line end unless it has one.
///
/// # Errors
/// When stdout takes no more, unless its reader has gone.
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
///
/// # Errors
/// As [`say`].
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Refusal> {
    print_text(&inert_json(&serde_json::to_string(value).expect("invariant: what is printed has a JSON form")))
}

/// Prints a line to stderr; a failed write is ignored.
pub fn print_note(words: fmt::Arguments<'_>) {
    // There is nowhere left to report that stderr takes no more.
    let _ = writeln!(io::stderr().lock(), "{words}");
}

/// Formats a line and prints it to stderr; in place of `eprintln!`, which panics if stderr takes no more.
macro_rules! note {
    ($($words:tt)*) => {
        $crate::cli::say::print_note(format_args!($($words)*))
    };
}
pub(super) use note;
