//! A message to a model, as the texts that it is made of: each is counted once, however many prompts show it.

use crate::domain::spelled;
use crate::text::{CountedText, Tokenizer};

/// Who speaks in a message to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Role {
    /// The frame.
    System,
    /// Everyone else.
    User,
    /// The seat itself.
    Assistant,
}

/// One message to a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    first: CountedText,
    rest: Vec<(Joint, CountedText)>,
}

/// What separates a text from the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    Paragraph,
    Line,
}

impl Joint {
    /// Line feeds only: no word and no token of the estimate reaches over one, so that counts of texts add up.
    fn as_str(self) -> &'static str {
        match self {
            Joint::Paragraph => "\n\n",
            Joint::Line => "\n",
        }
    }

    fn json(self) -> &'static str {
        match self {
            Joint::Paragraph => "\\n\\n",
            Joint::Line => "\\n",
        }
    }

    /// Its tokens by the estimate: one each.
    pub(super) fn tokens(self) -> u64 {
        self.as_str().len() as u64
    }
}

impl Message {
    /// A message of one text.
    pub fn new(role: Role, text: impl Into<CountedText>) -> Self {
        Self { role, first: text.into(), rest: Vec::new() }
    }

    /// Adds a text.
    pub(super) fn add(&mut self, joint: Joint, text: CountedText) {
        self.rest.push((joint, text));
    }

    /// Its words in one piece.
    pub fn content(&self) -> String {
        let mut content = String::with_capacity(self.bytes());
        content.extend(self.pieces());
        content
    }

    /// The same in pieces, which follow each other without anything between them.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        let rest = self.rest.iter().flat_map(|(joint, text)| [joint.as_str(), text.as_str()]);
        std::iter::once(self.first.as_str()).chain(rest)
    }

    /// The same in pieces as JSON writes them between quotes.
    pub fn json_pieces(&self) -> impl Iterator<Item = &str> {
        let rest = self.rest.iter().flat_map(|(joint, text)| [joint.json(), text.json()]);
        std::iter::once(self.first.json()).chain(rest)
    }

    /// The texts that it is made of, without the line feeds between them.
    pub fn texts(&self) -> impl Iterator<Item = &CountedText> {
        std::iter::once(&self.first).chain(self.rest.iter().map(|(_, text)| text))
    }

    /// Its length in bytes.
    pub fn bytes(&self) -> usize {
        self.pieces().map(str::len).sum()
    }

    /// Its words, see [`crate::text::word_count`].
    pub fn words(&self) -> u64 {
        self.texts().map(CountedText::words).sum()
    }

    /// Its tokens by the estimate, see [`crate::text::tokens_at_most`].
    pub fn tokens_estimated(&self) -> u64 {
        let joints: u64 = self.rest.iter().map(|(joint, _)| joint.tokens()).sum();
        joints + self.texts().map(CountedText::tokens_at_most).sum::<u64>()
    }

    /// Its tokens by a model's own tokenizer where that is known, else by the estimate. A tokenizer may join characters on both
    /// sides of a line feed, so that it reads the whole message.
    pub fn tokens_at_most(&self, tokenizer: Option<Tokenizer>) -> u64 {
        tokenizer.map_or_else(|| self.tokens_estimated(), |own| own.count_tokens(&self.content()))
    }
}

spelled!(Role);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::{tokens_at_most, word_count};

    proptest! {
        #[test]
        fn counts_of_pieces_add_up_to_those_of_the_whole_message(
            first in "[a-c0-9 .:,'\"_\r\n é汉🙂\u{301}\u{200d}]{0,20}",
            more in prop::collection::vec((any::<bool>(), prop_oneof![any::<String>(), "[a-c0-9 .:,'\"_\r\né汉\u{301}\u{200d}]{0,20}"]), 0..6),
        ) {
            let mut message = Message::new(Role::User, first);
            for (is_line, text) in more {
                message.add(if is_line { Joint::Line } else { Joint::Paragraph }, text.into());
            }
            let content = message.content();
            prop_assert_eq!(message.bytes(), content.len());
            prop_assert_eq!(message.words(), word_count(&content));
            prop_assert_eq!(message.tokens_estimated(), tokens_at_most(&content));
            // They are the same when they are asked for again.
            prop_assert_eq!(message.words(), word_count(&content));
            prop_assert_eq!(message.tokens_at_most(None), tokens_at_most(&content));
        }
    }
}
