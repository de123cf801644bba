//! Texts that are counted once, however often they are shown.

use std::sync::{Arc, OnceLock};

use super::{tokens_at_most, word_count};

/// A text that never changes. Copies share it, and each of its counts is worked out when it is first asked for.
#[derive(Debug, Clone)]
pub struct CountedText(Arc<TextCounts>);

#[derive(Debug)]
struct TextCounts {
    text: Box<str>,
    tokens_at_most: OnceLock<u64>,
    words: OnceLock<u64>,
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

    /// Whether the other is the same copy of a text, so that its counts are known as soon as this one's are.
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
        }))
    }
}
