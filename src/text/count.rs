//! How long a text is, in characters and in words.

use unicode_segmentation::UnicodeSegmentation;

/// The length in Unicode scalar values.
///
/// ```
/// assert_eq!(ekklesia::text::chars("né"), 2);
/// ```
pub fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}

/// The number of words: segments between the word boundaries of Unicode Standard Annex #29 that hold a letter or a digit.
///
/// ```
/// assert_eq!(ekklesia::text::words("It can't cost $3.50!"), 4);
/// ```
pub fn words(text: &str) -> u64 {
    text.unicode_words().count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_combining_mark_is_a_character_of_its_own() {
        assert_eq!(chars("e\u{301}"), 2);
        assert_eq!(chars("👩\u{200d}🚀"), 3);
    }

    #[test]
    fn marks_and_blanks_are_no_words() {
        assert_eq!(words(""), 0);
        assert_eq!(words(" — … !"), 0);
        assert_eq!(words("one  two\nthree"), 3);
    }

    /// The example of Unicode Standard Annex #29, section 4.
    #[test]
    fn the_quick_fox_of_the_standard_has_its_words() {
        assert_eq!(words("The quick (“brown”) fox can’t jump 32.3 feet, right?"), 9);
    }

    proptest! {
        #[test]
        fn there_are_no_more_words_than_characters_nor_characters_than_bytes(text: String) {
            prop_assert!(words(&text) <= chars(&text));
            prop_assert!(chars(&text) <= text.len() as u64);
        }
    }
}
