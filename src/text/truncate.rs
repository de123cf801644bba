//! Truncates a text to a number of characters or words.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// Marks a cut. Three full stops have one length in every encoding and script.
pub const MARKER: &str = "...";

/// The kept part of a text: its first `kept_bytes`, followed by [`MARKER`] if `is_cut`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The length of the kept part in bytes; always at a grapheme cluster boundary.
    pub kept_bytes: usize,
    /// Whether the marker follows.
    pub is_cut: bool,
}

impl Cut {
    /// Truncates the text and appends the marker.
    ///
    /// # Panics
    /// If the cut belongs to another text and splits a character of this one.
    pub fn apply(self, text: &mut String) {
        text.truncate(self.kept_bytes);
        if self.is_cut {
            text.push_str(MARKER);
        }
    }
}

/// Cuts a text to at most `chars_max` Unicode scalar values, the marker included.
///
/// A text that fits stays uncut. Otherwise it ends at the last word boundary (Unicode Standard Annex #29) in the final fifth of
/// the room before the marker, else at the last grapheme cluster boundary. White space before the marker is dropped. A limit
/// shorter than the marker keeps nothing, without the marker; plans reject these limits.
///
/// ```
/// use ekklesia::text::{Cut, truncate_text};
///
/// let text = "We should share the costs fairly.";
/// let cut = truncate_text(text, 28);
/// assert_eq!((&text[..cut.kept_bytes], cut.is_cut), ("We should share the costs", true));
/// assert_eq!(truncate_text("short", 28), Cut { kept_bytes: 5, is_cut: false });
/// ```
pub fn truncate_text(text: &str, chars_max: u32) -> Cut {
    let chars_max = chars_max as usize;
    if offset_of(text, chars_max) == text.len() {
        return Cut { kept_bytes: text.len(), is_cut: false };
    }
    let Some(room) = chars_max.checked_sub(MARKER.len()) else {
        return Cut { kept_bytes: 0, is_cut: false };
    };
    let latest = cluster_start(text, offset_of(text, room));
    let earliest = offset_of(text, room - room / 5);
    Cut { kept_bytes: without_blanks(text, last_word_end(text, earliest, latest).unwrap_or(latest)), is_cut: true }
}

/// Cuts a text after its first `words_max` words, by the word boundaries of Unicode Standard Annex #29. A text without further
/// words stays uncut. Costs O(text).
///
/// ```
/// use ekklesia::text::first_words;
///
/// let mut text = "They want a floor, most of them.".to_owned();
/// first_words(&text, 4).apply(&mut text);
/// assert_eq!(text, "They want a floor...");
/// ```
pub fn first_words(text: &str, words_max: u32) -> Cut {
    let mut words = text.unicode_word_indices().skip((words_max as usize).saturating_sub(1));
    match (words.next(), words.next()) {
        (Some((start, word)), Some(_)) => Cut { kept_bytes: cluster_start(text, start + word.len()), is_cut: true },
        _ => Cut { kept_bytes: text.len(), is_cut: false },
    }
}

/// The byte offset of the character at a position; the text's end if it has fewer.
pub(super) fn offset_of(text: &str, character: usize) -> usize {
    // A text has at most as many characters as bytes, so a short text needs no scan.
    if text.len() <= character {
        return text.len();
    }
    text.char_indices().nth(character).map_or(text.len(), |(offset, _)| offset)
}

/// The last grapheme cluster boundary at or before an offset.
pub(super) fn cluster_start(text: &str, offset: usize) -> usize {
    let mut cursor = GraphemeCursor::new(offset, text.len(), true);
    if is_boundary(&mut cursor, text) {
        return offset;
    }
    let before = cursor.prev_boundary(text, 0);
    before.expect("invariant: the cursor sees the whole text").unwrap_or(0)
}

fn is_boundary(cursor: &mut GraphemeCursor, text: &str) -> bool {
    cursor.is_boundary(text, 0).expect("invariant: the cursor sees the whole text")
}

/// The last word boundary between two offsets, both included, that splits no grapheme cluster.
fn last_word_end(text: &str, earliest: usize, latest: usize) -> Option<usize> {
    // Boundaries depend on the text that follows, so the search reads beyond the part that fits.
    let from = word_start(text, earliest);
    let starts: Vec<usize> = text[from..]
        .split_word_bound_indices()
        .map(|(start, _)| from + start)
        .take_while(|start| *start <= latest)
        .filter(|start| *start >= earliest && *start > 0)
        .collect();
    // Few word boundaries split a cluster, so the last is tried first.
    let is_whole = |start: &usize| is_boundary(&mut GraphemeCursor::new(*start, text.len(), true), text);
    starts.into_iter().rev().find(is_whole)
}

/// An offset at or before another one from which word boundaries can be found without the text before it.
///
/// There is always a boundary between a space and an ASCII letter or digit, and no rule looks back across it. A long text
/// therefore needs no scan from its beginning.
fn word_start(text: &str, offset: usize) -> usize {
    let pairs = text.as_bytes()[..offset].windows(2);
    let found = pairs.enumerate().rev().find(|(_, pair)| pair[0] == b' ' && pair[1].is_ascii_alphanumeric());
    found.map_or(0, |(place, _)| place + 1)
}

/// The end of the text before an offset without trailing white space, at a grapheme cluster boundary.
pub(super) fn without_blanks(text: &str, offset: usize) -> usize {
    let mut end = offset;
    loop {
        // A blank may belong to a cluster that begins before it; then the cluster is dropped.
        let shorter = cluster_start(text, text[..end].trim_end().len());
        if shorter == end {
            return end;
        }
        end = shorter;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str, chars_max: u32) -> String {
        let mut kept = text.to_owned();
        truncate_text(text, chars_max).apply(&mut kept);
        kept
    }

    #[test]
    fn texts_are_cut_as_listed() {
        for (text, chars_max, expected) in [
            ("", 0, ""),
            ("abc", 3, "abc"),
            ("  abc  ", 7, "  abc  "),
            ("日本語", 3, "日本語"),
            // The limit includes the marker; below it nothing is kept, and no marker is written.
            ("abcdefgh", 7, "abcd..."),
            ("abcd", 3, "..."),
            ("abcd", 2, ""),
            ("abcd", 1, ""),
            ("abcd", 0, ""),
            // A word is kept whole if it ends in the final fifth; a long one is cut rather than dropped.
            ("aaaa bbbb cc dddddddddddd", 18, "aaaa bbbb cc..."),
            ("aaaa bbbbbbbbbbbbbbbbbbbb", 18, "aaaa bbbbbbbbbb..."),
            ("aaaa      bbbbbbbb", 12, "aaaa..."),
            ("             b", 12, "..."),
            // An accent stays on its letter, a family together; U+0600 joins whatever follows it.
            ("e\u{301}e\u{301}e\u{301}e\u{301}", 6, "e\u{301}..."),
            ("ab👩\u{200d}👩\u{200d}👧\u{200d}👦cd", 8, "ab..."),
            ("ab\u{600} cdefgh", 7, "ab..."),
            ("我们应该公平地分担费用", 8, "我们应该公..."),
        ] {
            assert_eq!(cut(text, chars_max), expected, "{text:?} to {chars_max}");
        }
    }

    pub(in crate::text) fn tricky() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            any::<char>().prop_map(String::from),
            "[a-z]{1,9}",
            Just(" ".to_owned()),
            Just("\r\n".to_owned()),
            Just("\u{301}".to_owned()),
            Just("\u{200d}".to_owned()),
            Just("\u{600}".to_owned()),
            Just("🇨🇭".to_owned()),
            Just("👩\u{200d}🚀".to_owned()),
            Just("각".to_owned()),
            Just("क्षि".to_owned()),
        ];
        prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn what_is_cut_fits(text in tricky(), chars_max in 0u32..80) {
            prop_assert!(cut(&text, chars_max).chars().count() <= chars_max as usize);
        }

        #[test]
        fn what_fits_is_untouched_and_what_does_not_is_marked(text in tricky(), chars_max in 3u32..80) {
            let fits = text.chars().count() <= chars_max as usize;
            let cut = truncate_text(&text, chars_max);
            prop_assert_eq!(cut.is_cut, !fits);
            prop_assert!(!fits || cut.kept_bytes == text.len());
        }

        #[test]
        fn cutting_again_changes_nothing(text in tricky(), chars_max in 0u32..80) {
            let once = cut(&text, chars_max);
            prop_assert_eq!(cut(&once, chars_max), once);
        }

        #[test]
        fn no_cluster_is_split(text in tricky(), chars_max in 0u32..80) {
            let kept = truncate_text(&text, chars_max).kept_bytes;
            let mut ends = text.grapheme_indices(true).map(|(start, cluster)| start + cluster.len());
            prop_assert!(kept == 0 || ends.any(|end| end == kept));
        }

        #[test]
        fn no_white_space_stands_before_the_marker(text in tricky(), chars_max in 0u32..80) {
            let Cut { kept_bytes, is_cut } = truncate_text(&text, chars_max);
            prop_assert!(!is_cut || !text[..kept_bytes].ends_with(char::is_whitespace));
        }

        #[test]
        fn word_boundaries_are_those_of_the_whole_text(text in tricky(), character in 0usize..80) {
            let from = word_start(&text, offset_of(&text, character));
            let whole: Vec<usize> = text.split_word_bound_indices().map(|(start, _)| start).collect();
            let part: Vec<usize> = text[from..].split_word_bound_indices().map(|(start, _)| from + start).collect();
            prop_assert!(whole.ends_with(&part));
        }

        #[test]
        fn one_long_word_fills_the_room(text in "[a-z]{50,90}", chars_max in 10u32..50) {
            prop_assert_eq!(truncate_text(&text, chars_max).kept_bytes, chars_max as usize - 3);
        }
    }
}
