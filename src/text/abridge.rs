//! Truncates a text after a complete paragraph.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use super::truncate::{Cut, MARKER, offset_of, truncate_text, without_blanks};

/// Cuts a text to at most `chars_max` Unicode scalar values, the marker included, after a complete paragraph if possible.
///
/// A text that fits stays uncut. Otherwise it ends with the last paragraph that ends in the second half of the room before the
/// marker; an earlier end would discard more than half of the room. Without such a paragraph, [`truncate_text`] cuts the text.
/// A paragraph ends before an empty or blank line. Costs O(text).
///
/// ```
/// use ekklesia::text::abridge_text;
///
/// let mut text = "We agreed on the floor.\n\nWhat it will be is open; some would rather have none.".to_owned();
/// abridge_text(&text, 40).apply(&mut text);
/// assert_eq!(text, "We agreed on the floor....");
/// ```
pub fn abridge_text(text: &str, chars_max: u64) -> Cut {
    let characters = usize::try_from(chars_max).unwrap_or(usize::MAX);
    if offset_of(text, characters) == text.len() {
        return Cut { kept_bytes: text.len(), is_cut: false };
    }
    let room = characters.saturating_sub(MARKER.len());
    let (earliest, latest) = (offset_of(text, room - room / 2), offset_of(text, room));
    let end = last_paragraph_end(text, latest).map(|end| without_blanks(text, end));
    match end.filter(|end| *end >= earliest && *end > 0) {
        Some(kept_bytes) => Cut { kept_bytes, is_cut: true },
        None => truncate_text(text, u32::try_from(chars_max).unwrap_or(u32::MAX)),
    }
}

/// A text of at most so many graphemes with a mark in its middle, which stands for what is left out. A text that fits stays as it is.
pub fn cut_middle(text: &str, graphemes_max: usize) -> Cow<'_, str> {
    let bounds: Vec<usize> = text.grapheme_indices(true).map(|(offset, _)| offset).collect();
    if bounds.len() <= graphemes_max {
        return Cow::Borrowed(text);
    }
    let kept = graphemes_max.saturating_sub(3);
    let tail = kept / 2;
    let end = if tail == 0 { text.len() } else { bounds[bounds.len() - tail] };
    Cow::Owned(format!("{} … {}", &text[..bounds[kept - tail]], &text[end..]))
}

/// The end of the last paragraph that ends at or before an offset, without its line break.
fn last_paragraph_end(text: &str, latest: usize) -> Option<usize> {
    let (mut start, mut line_end, mut found) = (0, None, None);
    for line in text.split_inclusive('\n') {
        let written = line.trim_end().len();
        if written > 0 {
            line_end = Some(start + written);
        } else if line_end.is_some_and(|end| end <= latest) {
            found = line_end;
        }
        start += line.len();
        if line_end.is_some_and(|end| end > latest) {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::truncate::tests::tricky;
    use proptest::prelude::*;

    #[test]
    fn the_middle_is_left_out() {
        assert_eq!(cut_middle("abcdefghij", 10), "abcdefghij");
        assert_eq!(cut_middle("abcdefghijk", 10), "abcd … ijk");
        assert_eq!(cut_middle("abcdefghijk", 4), "a … ");
        assert_eq!(cut_middle("e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", 5), "e\u{301} … e\u{301}");
    }

    fn cut(text: &str, chars_max: u64) -> String {
        let mut kept = text.to_owned();
        abridge_text(text, chars_max).apply(&mut kept);
        kept
    }

    #[test]
    fn texts_are_abridged_as_listed() {
        let three = "one one\n\ntwo two\r\n \r\nthree three three";
        for (text, chars_max, expected) in [
            ("", 0, ""),
            ("a\n\nb\n\n", 6, "a\n\nb\n\n"),
            // Whole paragraphs are kept as long as they fit; a line break alone ends none.
            (three, 30, "one one\n\ntwo two..."),
            (three, 19, "one one\n\ntwo two..."),
            (three, 14, "one one..."),
            ("one one one\ntwo two two two", 23, "one one one\ntwo two..."),
            // A paragraph that ends early is not worth the rest.
            ("Yes.\n\nBecause nobody objected at all to it.", 24, "Yes.\n\nBecause nobody..."),
            // Without paragraphs it is cut as any text; U+0600 joins whatever follows it.
            ("We should share the costs fairly.", 28, "We should share the costs..."),
            ("我们应该公平地分担费用", 8, "我们应该公..."),
            ("abcd", 2, ""),
            ("abcd\u{600} \n\nefghijkl", 12, "abcd..."),
        ] {
            assert_eq!(cut(text, chars_max), expected, "{text:?} to {chars_max}");
        }
    }

    fn paragraphs() -> impl Strategy<Value = String> {
        let joint = prop_oneof![Just("\n\n"), Just("\n"), Just("\r\n\r\n"), Just("\n \t\n"), Just("")];
        prop::collection::vec((tricky(), joint), 0..6)
            .prop_map(|parts| parts.into_iter().map(|(text, joint)| text + joint).collect())
    }

    proptest! {
        #[test]
        fn what_is_cut_fits_and_is_marked(text in paragraphs(), chars_max in 3u64..160) {
            let fits = text.chars().count() as u64 <= chars_max;
            let cut = abridge_text(&text, chars_max);
            prop_assert_eq!(cut.is_cut, !fits);
            prop_assert!(self::cut(&text, chars_max).chars().count() as u64 <= chars_max);
        }

        #[test]
        fn cutting_again_changes_nothing(text in paragraphs(), chars_max in 0u64..160) {
            let once = cut(&text, chars_max);
            prop_assert_eq!(cut(&once, chars_max), once);
        }

        #[test]
        fn no_cluster_is_split(text in paragraphs(), chars_max in 0u64..160) {
            let kept = abridge_text(&text, chars_max).kept_bytes;
            let mut ends = text.grapheme_indices(true).map(|(start, cluster)| start + cluster.len());
            prop_assert!(kept == 0 || ends.any(|end| end == kept));
        }

        #[test]
        fn a_paragraph_that_ends_where_the_room_does_is_kept(
            first in "[a-z]{1,40}", rest in "[a-z]{10,40}", blanks in "[ \t]{0,3}"
        ) {
            let text = format!("{first}{blanks}\n{blanks}\n{rest}");
            prop_assert_eq!(cut(&text, first.len() as u64 + 3), format!("{first}..."));
        }
    }
}
