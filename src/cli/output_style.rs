//! The colour and width of an output stream. Streams other than terminals are plain and as wide as a page.

use std::io::IsTerminal;

use crate::report::{Sheet, Style};
use terminal_size::{Width, terminal_size};

/// Colour on a terminal, unless the user disables it: <https://no-color.org>.
pub fn stream_style(stream: &impl IsTerminal) -> Style {
    let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|wish| !wish.is_empty());
    if stream.is_terminal() && !is_unwanted { Style::Coloured } else { Style::Plain }
}

fn stream_columns(stream: &impl IsTerminal) -> usize {
    match stream.is_terminal().then(terminal_size).flatten() {
        Some((Width(columns), _)) if columns > 0 => usize::from(columns),
        _ => Sheet::PAGE.columns,
    }
}

/// The sheet of a terminal; `None` for other streams.
pub fn terminal_sheet(stream: &impl IsTerminal) -> Option<Sheet> {
    stream.is_terminal().then(|| stream_sheet(stream))
}

/// The width and style of a stream.
pub fn stream_sheet(stream: &impl IsTerminal) -> Sheet {
    Sheet { columns: stream_columns(stream), style: stream_style(stream) }
}
