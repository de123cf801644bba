//! Text of unknown origin made inert: no Markdown, no HTML, no terminal control, no hidden direction.
//!
//! Every character stays visible. This is for reading; files that hold data never pass through here.

use super::lines::WIDTH;
use crate::text::{acts_unseen, classify_chars, put};
use unicode_width::UnicodeWidthStr;

pub use crate::text::escape_unseen;

/// A text as a Markdown block quote, line by line.
pub fn block(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.split('\n') {
        out.push_str("> ");
        // A list, a heading or a rule is only made at the start of a line.
        let body = line.trim_start_matches([' ', '\t']);
        out.push_str(&line[..line.len() - body.len()]);
        let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let rest = &body[digits..];
        if digits == 0 && rest.starts_with(['-', '+', '=']) || digits > 0 && rest.starts_with(['.', ')']) {
            out.push_str(&body[..digits]);
            out.push('\\');
            escape(rest, &mut out);
        } else {
            escape(body, &mut out);
        }
        out.push('\n');
    }
    out
}

/// An alternative's name in a sentence: names are words such as `for`, too.
pub fn quoted(name: &str) -> String {
    format!("“{name}”")
}

/// A text within a line; line breaks are shown as escapes.
pub fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (place, line) in text.split('\n').enumerate() {
        if place > 0 {
            out.push_str("\\u{a}");
        }
        escape(line, &mut out);
    }
    out
}

/// A text on one line of a terminal, where Markdown means nothing; line breaks are shown as escapes.
pub(super) fn on_line(text: &str) -> String {
    escape_unseen(text).replace('\n', "\\u{a}")
}

/// JSON in which no character acts on a terminal or turns the direction of the text: those are written as escapes, which mean
/// the same characters.
///
/// The text is JSON without line ends, so that such characters stand within its strings.
pub fn inert_json(json: &str) -> String {
    // Most JSON holds nothing else.
    if json.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return json.to_owned();
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if acts_unseen(c) {
            let units = &mut [0; 2];
            for unit in c.encode_utf16(units) {
                put!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Names in lines of at most 80 columns of their own, for behind a message that ends in a colon.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut out = String::new();
    let mut column = WIDTH;
    for name in names {
        let width = name.width();
        if column > 2 && column + 2 + width + 1 > WIDTH {
            out.push_str(if out.is_empty() { "\n  " } else { ",\n  " });
            column = 2;
        } else {
            out.push_str(", ");
            column += 2;
        }
        out.push_str(name);
        column += width;
    }
    out
}

fn escape(text: &str, out: &mut String) {
    for (_, c, is_escaped) in classify_chars(text) {
        match c {
            '\t' => out.push(c),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '!' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c if is_escaped => {
                put!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_could_act_is_shown_instead() {
        assert_eq!(inline("\u{1b}[31m"), "\\u{1b}\\[31m");
        assert_eq!(inline("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(inline("<script>"), "\\<script\\>");
        assert_eq!(block("# a\n- b\n1. c"), "> \\# a\n> \\- b\n> 1\\. c\n");
    }

    proptest! {
        #[test]
        fn inert_json_holds_no_character_that_acts_and_means_the_same(text in "(.|[\u{0}-\u{9f}\u{200b}-\u{2069}\u{feff}])*") {
            let json = inert_json(&serde_json::to_string(&text).unwrap());
            prop_assert!(!json.chars().any(acts_unseen), "{:?}", json);
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }

        #[test]
        fn no_control_character_or_open_tag_is_left(text in ".*\\PC*(.|\n)*") {
            let quoted = block(&text);
            prop_assert!(quoted.lines().all(|line| line.starts_with("> ")));
            prop_assert!(!quoted.chars().any(|c| c != '\n' && c != '\t' && acts_unseen(c)));
            prop_assert!(!quoted.replace("\\<", "").contains('<'));
        }
    }
}
