//! Results go to stdout, in one place: a reader that has seen enough is no failure, a full disk is one.

use std::io::{self, ErrorKind, Write};

use super::exit::Refusal;
use crate::report::inert_json;

/// Prints a text to stdout, with a line end unless it has one.
///
/// # Errors
/// When stdout takes no more, unless its reader has gone.
pub fn say(text: &str) -> Result<(), Refusal> {
    let mut out = io::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    match write!(out, "{text}{end}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Refusal::failed(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a value as one JSON object.
///
/// # Errors
/// As [`say`].
pub fn say_json(value: &impl serde::Serialize) -> Result<(), Refusal> {
    say(&inert_json(&serde_json::to_string(value).expect("invariant: what is printed has a JSON form")))
}
