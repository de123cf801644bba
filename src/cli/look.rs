//! How a stream is written on: in colour or not, and how wide. A stream that is no terminal is plain, and as wide as a page.

use std::io::IsTerminal;

use crate::report::{Sheet, Style};
use terminal_size::{Width, terminal_size};

/// Colour on a terminal, unless the user wants none: <https://no-color.org>.
pub fn stream_style(stream: &impl IsTerminal) -> Style {
    let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|wish| !wish.is_empty());
    if stream.is_terminal() && !is_unwanted { Style::Coloured } else { Style::Plain }
}

/// The columns of a line.
fn stream_columns(stream: &impl IsTerminal) -> usize {
    match stream.is_terminal().then(terminal_size).flatten() {
        Some((Width(columns), _)) if columns > 0 => usize::from(columns),
        _ => Sheet::PAGE.columns,
    }
}

/// The sheet of a stream that is a terminal; `None` for any other.
pub fn terminal_sheet(stream: &impl IsTerminal) -> Option<Sheet> {
    stream.is_terminal().then(|| stream_sheet(stream))
}

/// What a stream is written on.
pub fn stream_sheet(stream: &impl IsTerminal) -> Sheet {
    Sheet { columns: stream_columns(stream), style: stream_style(stream) }
}
