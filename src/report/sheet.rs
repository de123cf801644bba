//! What a text is written on: the width of its lines, and whether it has colours.

/// Whether the terminal is told to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Letters only.
    Plain,
    /// With the codes of a terminal for bold and red.
    Coloured,
}

/// The emphasis of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Strong,
    Faint,
}

impl Style {
    /// The escape sequences around words of a tone.
    pub(super) fn tone_codes(self, tone: Tone) -> (&'static str, &'static str) {
        match (self, tone) {
            (Style::Plain, _) | (_, Tone::Plain) => ("", ""),
            (Style::Coloured, Tone::Strong) => ("\u{1b}[1m", "\u{1b}[0m"),
            (Style::Coloured, Tone::Faint) => ("\u{1b}[2m", "\u{1b}[0m"),
        }
    }
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
}
