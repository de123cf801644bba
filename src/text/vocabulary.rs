//! Words as numbers: the same word has the same number, whichever text it stands in.
//!
//! Numbers are given in the order of first occurrence; they mean nothing beyond that.

use std::ops::Range;

use indexmap::IndexSet;

use super::split_terms;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedWord {
    /// Its number.
    pub number: u32,
    /// Where it stands, in bytes.
    pub place: Range<usize>,
}

/// The words met so far.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    words: IndexSet<String>,
}

impl Vocabulary {
    /// The numbers of a text's words, in their order; words are those of [`split_terms`].
    ///
    /// ```
    /// let mut vocabulary = ekklesia::text::Vocabulary::default();
    /// assert_eq!(vocabulary.number_words("Vote, or do not vote!"), [0, 1, 2, 3, 0]);
    /// ```
    ///
    /// # Panics
    /// After 2^32 different words.
    pub fn number_words(&mut self, text: &str) -> Vec<u32> {
        self.place_words(text).into_iter().map(|word| word.number).collect()
    }

    /// The same with where each word stands, so that a text is cut into words once whatever is made of them.
    ///
    /// # Panics
    /// After 2^32 different words.
    pub fn place_words(&mut self, text: &str) -> Vec<PlacedWord> {
        split_terms(text).map(|term| PlacedWord { number: self.word_number(&term.word), place: term.place }).collect()
    }

    fn word_number(&mut self, word: &str) -> u32 {
        let place = match self.words.get_index_of(word) {
            Some(place) => place,
            None => self.words.insert_full(word.to_owned()).0,
        };
        u32::try_from(place).expect("invariant: a session has fewer than 2^32 different words")
    }
}
