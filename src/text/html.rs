//! Text of unknown origin as HTML and SVG hold it, between tags or within an attribute in quotes: nothing in it is markup.
//!
//! It makes no element of its own: how a character that acts unseen is shown is the caller's.

use super::visible::classify_chars;

/// A text as HTML text or within an attribute in quotes: nothing in it acts, and every character can be seen.
pub fn escape_html(text: &str) -> String {
    escape_html_with(text, |c| format!("\\u{{{:x}}}", u32::from(c)))
}

/// The same with what would act unseen as `acting` shows it, which is markup.
pub fn escape_html_with(text: &str, mut acting: impl FnMut(char) -> String) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    // What stands between characters that must be changed is copied in one piece.
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
