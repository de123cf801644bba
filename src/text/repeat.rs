//! A text cut or repeated to a length.

use super::truncate::{cluster_start, offset_of};

/// The beginning of a text that is repeated over and over, with a blank between, of this many Unicode scalar values: shorter by
/// part of a grapheme cluster where one would be split, and empty where the text is. Costs O(`chars`), and O(text) where that
/// is more.
///
/// ```
/// use ekklesia::text::repeat_to;
///
/// assert_eq!(repeat_to("Keep it.", 4), "Keep");
/// assert_eq!(repeat_to("Keep it.", 13), "Keep it. Keep");
/// ```
pub fn repeat_to(text: &str, chars: usize) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut repeated = text.to_owned();
    let once = text.chars().count() + 1;
    // Once more than is needed: what follows the cut decides whether it splits a cluster.
    for _ in 0..=chars / once {
        repeated.push(' ');
        repeated.push_str(text);
    }
    repeated.truncate(cluster_start(&repeated, offset_of(&repeated, chars)));
    repeated
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::repeat_to;

    proptest! {
        #[test]
        fn it_is_as_long_as_was_asked_and_begins_the_endless_repetition(
            text in "[a-z .]{1,40}|(👨‍👩‍👧|é|漢字 |\u{600}|\r\n){1,9}", chars in 0..200usize
        ) {
            let endless = vec![text.as_str(); chars + 1].join(" ");
            let repeated = repeat_to(&text, chars);
            let wanted: String = endless.chars().take(chars).collect();
            prop_assert!(wanted.starts_with(&repeated));
            let lacks = wanted.chars().count() - repeated.chars().count();
            let longest = endless.graphemes(true).map(|cluster| cluster.chars().count()).max().unwrap_or(1);
            prop_assert!(lacks < longest, "{lacks} of {longest}");
            prop_assert!(endless.grapheme_indices(true).any(|(start, _)| start == repeated.len()));
        }
    }
}
