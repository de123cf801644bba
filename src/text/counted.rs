//! Shared texts whose counts and JSON form are computed once.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::{escape_json, tokens_at_most, word_count};

/// An immutable text. Clones share the text and its counts, each computed at first use.
#[derive(Debug, Clone)]
pub struct CountedText(Arc<TextCounts>);

#[derive(Debug)]
struct TextCounts {
    text: Box<str>,
    tokens_at_most: OnceLock<u64>,
    words: OnceLock<u64>,
    /// Its escaped form; `None` if that is the text itself.
    json: OnceLock<Option<Box<str>>>,
}

impl CountedText {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Its tokens, see [`tokens_at_most`].
    pub fn tokens_at_most(&self) -> u64 {
        *self.0.tokens_at_most.get_or_init(|| tokens_at_most(&self.0.text))
    }

    /// Its words, see [`word_count`].
    pub fn words(&self) -> u64 {
        *self.0.words.get_or_init(|| word_count(&self.0.text))
    }

    /// The text as JSON writes it between quotes, see [`escape_json`].
    pub fn json(&self) -> &str {
        let escaped = self.0.json.get_or_init(|| match escape_json(&self.0.text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(escaped) => Some(escaped.into_boxed_str()),
        });
        escaped.as_deref().unwrap_or(&self.0.text)
    }

    /// Whether both are clones of one text and therefore share their counts.
    pub fn is_same_copy(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl PartialEq for CountedText {
    fn eq(&self, other: &Self) -> bool {
        self.is_same_copy(other) || self.as_str() == other.as_str()
    }
}

impl Eq for CountedText {}

impl From<String> for CountedText {
    fn from(text: String) -> Self {
        Self(Arc::new(TextCounts {
            text: text.into_boxed_str(),
            tokens_at_most: OnceLock::new(),
            words: OnceLock::new(),
            json: OnceLock::new(),
        }))
    }
}
