//! What a text is written on: the width of its lines, and whether it has colours.

/// Whether the terminal is told to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Letters only.
    Plain,
    /// With the codes of a terminal for bold and red.
    Coloured,
}

/// Width and style of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sheet {
    /// The width of a line, in columns.
    pub columns: usize,
    /// Whether escape sequences set off names and private words.
    pub style: Style,
}

impl Sheet {
    /// For output that is not a terminal.
    pub const PAGE: Self = Self { columns: 80, style: Style::Plain };

    /// Limits the width to a readable range.
    pub fn for_reading(self) -> Self {
        Self { columns: self.columns.clamp(40, 120), ..self }
    }

    /// The escape sequences around a heading.
    pub fn strong(self) -> (&'static str, &'static str) {
        match self.style {
            Style::Plain => ("", ""),
            Style::Coloured => ("\u{1b}[1m", "\u{1b}[0m"),
        }
    }
}
