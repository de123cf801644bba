//! Numbers words in order of first occurrence, across texts.

use std::ops::Range;

use indexmap::IndexSet;

use super::split_terms;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedWord {
    /// Its number.
    pub number: u32,
    /// Its position, in bytes.
    pub place: Range<usize>,
}

/// The words numbered so far.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    words: IndexSet<String>,
}

impl Vocabulary {
    /// The words of a text, which are those of [`split_terms`], with their numbers and positions, in order.
    ///
    /// ```
    /// let mut vocabulary = ekklesia::text::Vocabulary::default();
    /// let numbers: Vec<u32> = vocabulary.place_words("Vote, or do not vote!").iter().map(|word| word.number).collect();
    /// assert_eq!(numbers, [0, 1, 2, 3, 0]);
    /// ```
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
