//! Texts that seats were shown and that records only name: exhibits, and the questions of items.

use std::collections::BTreeMap;

use super::index::item_of;
use crate::domain::{Digest, Event, Record};

/// A text that seats were shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownText {
    /// The kind of the records that name it.
    pub kind: &'static str,
    /// Its file.
    pub file: String,
    /// The line of the file in which it stands; `None` where it is the file.
    pub line: Option<u64>,
    /// Its words.
    pub text: String,
}

impl ShownText {
    /// Where a byte of it stands: file and line.
    pub fn locate_byte(&self, byte: usize) -> String {
        let lines_before = self.text.bytes().take(byte).filter(|byte| *byte == b'\n').count() as u64;
        format!("{}:{}", self.file, self.line.unwrap_or(lines_before + 1))
    }
}

/// All texts that the sessions of an experiment were shown and their records only name.
#[derive(Debug, Clone, Default)]
pub struct ShownTexts {
    exhibits: BTreeMap<Digest, ShownText>,
    items: BTreeMap<String, ShownText>,
}

impl ShownTexts {
    /// Adds the text of an exhibit, by its file.
    pub fn add_exhibit(&mut self, file: String, text: String) {
        self.exhibits.insert(Digest::of_text(&text), ShownText { kind: "exhibit", file, line: None, text });
    }

    /// Adds the question of an item, which stands in a line of a file.
    pub fn add_item(&mut self, id: &str, (file, line): (String, u64), text: String) {
        self.items.insert(id.to_owned(), ShownText { kind: "item", file, line: Some(line), text });
    }

    /// The text that a record of a session names.
    pub fn find_text(&self, record: &Record, session: &str) -> Option<&ShownText> {
        match &record.event {
            Event::Exhibited { text, .. } => self.exhibits.get(text),
            Event::SessionConvened { arm, .. } => self.items.get(item_of(session, arm)?),
            _ => None,
        }
    }

    /// Tells these texts from any others; `None` when there are none.
    pub fn digest(&self) -> Option<[u8; 32]> {
        let mut hasher = blake3::Hasher::new();
        for digest in self.exhibits.keys() {
            hasher.update(digest.as_str().as_bytes());
        }
        for (id, item) in &self.items {
            hasher.update(format!("\n{id}\n{}", item.text).as_bytes());
        }
        (!self.exhibits.is_empty() || !self.items.is_empty()).then(|| *hasher.finalize().as_bytes())
    }
}
