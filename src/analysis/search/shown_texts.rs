//! Texts shown to seats that records only refer to: exhibits and the questions of items.

use std::collections::BTreeMap;

use super::index::item_of;
use crate::domain::{Briefing, Digest, Matter, Record};

/// A text shown to seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownText {
    /// The kind of the records that refer to it.
    pub kind: &'static str,
    /// Its file.
    pub file: String,
    /// Its line in the file; `None` if it fills the file.
    pub line: Option<u64>,
    /// Its words.
    pub text: String,
}

impl ShownText {
    /// The file and line of a byte of the text.
    pub fn locate_byte(&self, byte: usize) -> String {
        let lines_before = self.text.bytes().take(byte).filter(|byte| *byte == b'\n').count() as u64;
        format!("{}:{}", self.file, self.line.unwrap_or(lines_before + 1))
    }
}

/// All texts shown in an experiment's sessions that records only refer to.
#[derive(Debug, Clone, Default)]
pub struct ShownTexts {
    exhibits: BTreeMap<Digest, ShownText>,
    items: BTreeMap<String, ShownText>,
}

impl ShownTexts {
    /// Adds an exhibit's text, with its file.
    pub fn add_exhibit(&mut self, file: String, text: String) {
        self.exhibits.insert(Digest::of_text(&text), ShownText { kind: "exhibit", file, line: None, text });
    }

    /// Adds an item's question, with its file and line.
    pub fn add_item(&mut self, id: &str, (file, line): (String, u64), text: String) {
        self.items.insert(id.to_owned(), ShownText { kind: "item", file, line: Some(line), text });
    }

    /// The text that a session's record refers to.
    pub fn find_text(&self, record: &Record, session: &str) -> Option<&ShownText> {
        match (record.event.briefed(), record.event.convened()) {
            (Some(Briefing { what: Matter::Exhibit { digest, .. }, .. }), _) => self.exhibits.get(digest),
            (_, Some(convened)) => self.items.get(item_of(session, &convened.arm)?),
            _ => None,
        }
    }
}
