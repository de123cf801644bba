//! Escapes text of unknown origin for HTML and SVG, between tags or within a quoted attribute.

use super::put;
use super::visible::classify_chars;

/// Escapes a text for HTML. Invisible and control characters become `\u{…}`.
pub fn escape_html(text: &str) -> String {
    escape_html_with(text, |c| format!("\\u{{{:x}}}", u32::from(c)))
}

/// Escapes a text for HTML. `acting` returns the markup of each invisible or control character.
pub fn escape_html_with(text: &str, mut acting: impl FnMut(char) -> String) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    // Copies the text between escaped characters in one piece.
    let mut from = 0;
    for (place, c, is_escaped) in classify_chars(text) {
        let entity = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            '\n' | '\t' => continue,
            _ if is_escaped => "",
            _ => continue,
        };
        out.push_str(&text[from..place]);
        from = place + c.len_utf8();
        if entity.is_empty() { out.push_str(&acting(c)) } else { out.push_str(entity) }
    }
    out.push_str(&text[from..]);
    out
}

/// An address within a page, `#NAME` or `#NAME/RECORD`, as an attribute holds it.
pub fn page_address(name: &str) -> String {
    let mut out = String::from("#");
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => out.push(char::from(byte)),
            byte => put!(out, "%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::acts_unseen;
    use proptest::prelude::*;

    #[test]
    fn what_would_act_is_told() {
        assert_eq!(escape_html("<a b='c'>\u{1b}[0m"), "&lt;a b=&#39;c&#39;&gt;\\u{1b}[0m");
        assert_eq!(escape_html("line\n\ttwo"), "line\n\ttwo");
        assert_eq!(escape_html_with("a\u{202e}\u{ad}b", |c| format!("<{:x}>", u32::from(c))), "a<202e><ad>b");
    }

    #[test]
    fn signs_that_are_joined_of_several_stay_whole() {
        assert_eq!(escape_html("👩‍🚀 é नि क्‍ष"), "👩‍🚀 é नि क्‍ष");
    }

    #[test]
    fn an_address_ends_no_attribute() {
        assert_eq!(page_address("talk-r1/7 \"<"), "#talk-r1/7%20%22%3C");
    }

    proptest! {
        #[test]
        fn no_text_leaves_its_element_or_acts_unseen(text in "(.|[\u{0}-\u{9f}\u{200b}-\u{2069}<>&\"'])*") {
            let html = escape_html(&text);
            prop_assert!(!html.contains(['<', '>', '"', '\'']));
            let acts = |c: char| c != '\n' && c != '\t' && acts_unseen(c);
            prop_assert!(!html.chars().any(acts));
        }
    }
}
