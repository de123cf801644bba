//! Repeats or cuts a text to a length.

use super::truncate::{cluster_start, offset_of};

/// Repeats a text, with a blank between, up to this many Unicode scalar values. The result omits a grapheme cluster that the
/// limit would split. It is empty if the text is empty. Costs O(`chars`) or O(text), whichever is more.
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
    // One repetition more than needed: the text after the cut decides whether the cut splits a cluster.
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
