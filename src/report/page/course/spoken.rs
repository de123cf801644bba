//! The statements of a session as its moves and news read them.

use super::choices::with_amount;
use crate::report::page::cells::Row;
use crate::text::{MARKER, truncate_text};

/// The most characters to show of the statement that declares a move.
const WORDS: u32 = 200;

/// A statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spoken {
    /// The seat.
    pub seat: String,
    /// The phase.
    pub phase: String,
    /// The round.
    pub round: u64,
    /// The record.
    pub seq: u64,
    /// The declared stance, with its amount; empty without one.
    pub stance: String,
    /// The declared stance, without its amount.
    pub alternative: String,
    /// The declared amount; `None` without one.
    pub amount: Option<u64>,
    /// The beginning of the text.
    pub words: String,
    /// The ids of the facts that the statement cites.
    pub facts: Vec<String>,
}

/// The statements of a session, in order.
pub fn read_spoken(rows: &[Row<'_>]) -> Vec<Spoken> {
    let statements = rows.iter().filter(|row| row.text("kind") == Some("statement"));
    let turn = |row: &Row<'_>| Spoken {
        seat: row.owned("seat").unwrap_or_default(),
        phase: row.owned("phase").unwrap_or_default(),
        round: row.count("round").unwrap_or(0),
        seq: row.count("seq").unwrap_or(0),
        stance: with_amount(row.owned("stance").unwrap_or_default(), row.count("stance_amount")),
        alternative: row.owned("stance").unwrap_or_default(),
        amount: row.count("stance_amount"),
        words: shorten_words(row.text("text").unwrap_or_default()),
        facts: row.list("facts"),
    };
    statements.map(turn).collect()
}

/// The beginning of a text, on one line.
pub(super) fn shorten_words(text: &str) -> String {
    let cut = truncate_text(text, WORDS);
    let line = text[..cut.kept_bytes].split_whitespace().collect::<Vec<_>>().join(" ");
    if cut.is_cut { line + MARKER } else { line }
}
