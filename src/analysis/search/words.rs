//! The words of a record: what a seat, the facilitator or a human said or wrote, unabridged.
//!
//! Content that a record only names (alternatives, numbers) is in the tables. Technical content (options, a mind's state) is left
//! out.

use std::borrow::Cow;

use crate::domain::{Matter, Record, Reply, Step};

/// The kinds of records that hold words: the step of a valid answer, `fault` for an invalid one, `inquiry`, `instruction`, and
/// `exhibit` and `item` for texts that records only refer to.
pub const KINDS: [&str; 22] = [
    "statement",
    "ask",
    "volunteer",
    "reasoning",
    "instruction",
    "ranking",
    "comprehension",
    "application",
    "vote_call",
    "confirmation",
    "straw_poll",
    "ballot",
    "amount",
    "integration",
    "compression",
    "inquiry",
    "naming",
    "notes",
    "recognition",
    "fault",
    "exhibit",
    "item",
];

/// The kind of a record, also of one without words.
pub fn kind_of(record: &Record) -> &'static str {
    match record.event.briefed() {
        Some(briefing) => match briefing.what {
            Matter::Instruction { .. } | Matter::Case { .. } | Matter::Decision { .. } => "instruction",
            Matter::Exhibit { .. } => "exhibit",
            Matter::Notes { .. } => "notes",
        },
        None if record.event.is_faulted() => "fault",
        None if record.event.is_inquired() => "inquiry",
        None => Step::as_str(record.at.step),
    }
}

/// The full words of a record; `None` if it has none.
pub fn words_of(record: &Record) -> Option<Cow<'_, str>> {
    let event = &record.event;
    let text = match event.briefed() {
        Some(briefing) => Cow::Borrowed(briefing.text.as_str()),
        None => match record.full_reply() {
            Some(Reply::Statement { text, .. } | Reply::Note(text)) => Cow::Owned(text.to_string()),
            // The raw answer contains the reasoning unless the reply's format escapes it.
            Some(Reply::Application { reasoning, .. } | Reply::Reasoned { reasoning, .. })
                if !event.raw().contains(&*reasoning) =>
            {
                Cow::Owned(format!("{reasoning}\n{}", event.raw()))
            }
            _ => Cow::Borrowed(event.raw()),
        },
    };
    Some(text).filter(|text| !text.trim().is_empty())
}
