//! Makes text of unknown origin safe for a terminal: every character is visible, and none has an effect. Pages and pictures use
//! the classification of characters too.

use crate::text::put;
use unicode_width::UnicodeWidthChar;

/// The longest run of zero-width characters such as accents: the limit of Unicode's stream-safe text (UAX #15, section 13), which
/// no language approaches. Thousands on one letter cover nearby text and freeze a browser.
const PILED_MAX: usize = 30;

/// Escapes characters that control a terminal, change the text direction or are invisible. Line ends stay.
pub fn escape_unseen(text: &str) -> String {
    // Most texts need no escape.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n')) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for (_, c, is_escaped) in classify_chars(text) {
        if c != '\n' && is_escaped {
            put!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// Escapes what seats read or write as [`escape_unseen`] does, but keeps tabs.
pub fn escape_but_tabs(text: &str) -> String {
    text.split('\t').map(escape_unseen).collect::<Vec<_>>().join("\t")
}

/// Each character of a text with its offset, and whether it must be escaped: it acts unseen or exceeds the zero-width run.
pub fn classify_chars(text: &str) -> impl Iterator<Item = (usize, char, bool)> {
    let mut piled = 0;
    text.char_indices().map(move |(place, c)| {
        let acts = acts_unseen(c);
        piled = if c.is_ascii() || acts || c.width() != Some(0) { 0 } else { piled + 1 };
        (place, c, acts || piled > PILED_MAX)
    })
}

/// Whether a character controls a terminal, breaks lines, changes the text direction, or is invisible and joins nothing, so that
/// two different texts look alike: fillers, annotation marks, variation selectors. Joiners and the emoji selector return false.
pub fn acts_unseen(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || matches!(c,
            '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}' | '\u{1160}'
            | '\u{17b4}' | '\u{17b5}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0e}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            // XML cannot hold these.
            | '\u{fffe}' | '\u{ffff}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_marked_and_what_makes_one_sign_of_several_is_not() {
        for c in "\u{3164}\u{115f}\u{1160}\u{34f}\u{ffa0}\u{fff9}\u{fffa}\u{fffb}\u{e0100}\u{e01ef}\u{e0041}\u{200b}\u{202e}\u{ad}\u{7}\u{fe00}\u{fe0e}\u{2800}\u{17b4}\u{17b5}\u{1d173}\u{1d17a}".chars() {
            assert!(acts_unseen(c), "{c:?}");
            assert_eq!(escape_unseen(&format!("a{c}b")), format!("a\\u{{{:x}}}b", u32::from(c)));
        }
        for seen in ["क्‍ष می‌خواهم", "👩‍👩‍👧 ❤\u{fe0f}", "한글 \u{1100}\u{1161}", "e\u{301}", "ᠠ\u{180b}", "漢\u{3000}字"]
        {
            assert_eq!(escape_unseen(seen), seen);
        }
    }

    #[test]
    fn tabs_stay_in_what_seats_read() {
        for (text, shown) in [("a\tb", "a\tb"), ("\t", "\t"), ("a\u{7}\tb\n", "a\\u{7}\tb\n"), ("", "")] {
            assert_eq!(escape_but_tabs(text), shown);
        }
    }

    #[test]
    fn of_accents_on_one_letter_no_more_are_set_than_any_language_has() {
        let piled = |count: usize| format!("Z{}algo", "\u{351}".repeat(count));
        assert_eq!(escape_unseen(&piled(30)), piled(30));
        assert_eq!(escape_unseen(&piled(32)), format!("Z{}\\u{{351}}\\u{{351}}algo", "\u{351}".repeat(30)));
        assert_eq!(
            escape_unseen(&format!("{0}{0}", piled(20))),
            format!("{0}{0}", piled(20)),
            "each letter has its own"
        );
    }
}
