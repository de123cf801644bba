//! Words as numbers: the same word has the same number, whichever text it stands in.
//!
//! Numbers are given in the order of first occurrence; they mean nothing beyond that.

use indexmap::IndexSet;

use super::terms;

/// The words met so far.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    words: IndexSet<String>,
}

impl Vocabulary {
    /// The numbers of a text's words, in their order; words are those of [`terms`].
    ///
    /// ```
    /// let mut vocabulary = ekklesia::text::Vocabulary::default();
    /// assert_eq!(vocabulary.read("Vote, or do not vote!"), [0, 1, 2, 3, 0]);
    /// ```
    ///
    /// # Panics
    /// After 2^32 different words.
    pub fn read(&mut self, text: &str) -> Vec<u32> {
        terms(text).map(|term| self.number(&term.word)).collect()
    }

    fn number(&mut self, word: &str) -> u32 {
        let place = match self.words.get_index_of(word) {
            Some(place) => place,
            None => self.words.insert_full(word.to_owned()).0,
        };
        u32::try_from(place).expect("invariant: a session has fewer than 2^32 different words")
    }
}
