//! Splits a text into lower-case words with their positions.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term<'t> {
    /// Its position, in bytes.
    pub place: Range<usize>,
    /// The word in lower case.
    pub word: Cow<'t, str>,
}

/// The words of a text in order: segments between the word boundaries of Unicode Standard Annex #29 that contain a letter or a
/// digit, in lower case. Words are not stemmed and keep their accents: `votes` and `vote` differ.
///
/// ```
/// let words: Vec<_> = ekklesia::text::split_terms("Vote! 32.3 votes, 投票").map(|term| term.word).collect();
/// assert_eq!(words, ["vote", "32.3", "votes", "投", "票"]);
/// ```
pub fn split_terms(text: &str) -> impl Iterator<Item = Term<'_>> {
    text.unicode_word_indices()
        .map(|(start, word)| Term { place: start..start + word.len(), word: to_lower_case(word) })
}

fn to_lower_case(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(word.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::word_count;
    use proptest::prelude::*;

    #[test]
    fn capitals_of_any_script_are_one_word() {
        let word = |text| split_terms(text).map(|term| term.word.into_owned()).collect::<Vec<_>>();
        assert_eq!(word("ÉTAT état"), ["état", "état"]);
        assert_eq!(word("can't — …"), ["can't"]);
    }

    proptest! {
        #[test]
        fn there_are_as_many_as_are_counted_and_each_stands_where_it_says(text in "\\PC{0,60}") {
            let found: Vec<Term<'_>> = split_terms(&text).collect();
            prop_assert_eq!(found.len() as u64, word_count(&text));
            for term in &found {
                prop_assert_eq!(text[term.place.clone()].to_lowercase(), term.word.as_ref());
            }
        }
    }
}
