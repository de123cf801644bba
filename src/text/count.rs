//! Counts the characters and words of a text.

use unicode_segmentation::UnicodeSegmentation;

/// The length in Unicode scalar values.
///
/// ```
/// assert_eq!(ekklesia::text::char_count("né"), 2);
/// ```
pub fn char_count(text: &str) -> u64 {
    text.chars().count() as u64
}

/// The number of words: segments between the word boundaries of Unicode Standard Annex #29 that hold a letter or a digit.
///
/// ```
/// assert_eq!(ekklesia::text::word_count("It can't cost $3.50!"), 4);
/// ```
pub fn word_count(text: &str) -> u64 {
    text.unicode_words().count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_combining_mark_is_a_character_of_its_own() {
        assert_eq!(char_count("e\u{301}"), 2);
        assert_eq!(char_count("👩\u{200d}🚀"), 3);
    }

    #[test]
    fn marks_and_blanks_are_no_words() {
        assert_eq!(word_count(""), 0);
        assert_eq!(word_count(" — … !"), 0);
        assert_eq!(word_count("one  two\nthree"), 3);
    }

    /// The example of Unicode Standard Annex #29, section 4.
    #[test]
    fn the_quick_fox_of_the_standard_has_its_words() {
        assert_eq!(word_count("The quick (“brown”) fox can’t jump 32.3 feet, right?"), 9);
    }

    proptest! {
        #[test]
        fn there_are_no_more_words_than_characters_nor_characters_than_bytes(text: String) {
            prop_assert!(word_count(&text) <= char_count(&text));
            prop_assert!(char_count(&text) <= text.len() as u64);
        }
    }
}
