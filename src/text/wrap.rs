//! Wraps text to a width.

use textwrap::{Options, WordSeparator, WordSplitter};

use super::is_digit_group;

/// Stands for a blank inside a number while lines are broken. It is a noncharacter, so no text holds it.
const KEPT_BLANK: char = '\u{fdd0}';

/// Wraps a text to at most `columns` terminal columns, with the indent `first` for the first line and `others` for the rest. Lines break
/// at blanks, though not inside a number, and at the text's own line ends. A word wider than a line gets a line of its own and is not broken.
pub fn wrap_words(text: &str, columns: usize, first: &str, others: &str) -> String {
    let options = Options::new(columns)
        .initial_indent(first)
        .subsequent_indent(others)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(&keep_numbers(text), options).replace(KEPT_BLANK, " ")
}

/// The text with other characters for the blanks inside its numbers, such as `1 840`.
fn keep_numbers(text: &str) -> String {
    let keep = |(at, c): (usize, char)| match c {
        ' ' if is_digit_group(text[..at].chars(), text[at + 1..].chars()) => KEPT_BLANK,
        _ => c,
    };
    text.char_indices().map(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_not_inside_a_number() {
        for (text, expected) in [
            ("a range of 10 692", "a range of\n10 692"),
            ("exactly 1 000 000 voters", "exactly\n1 000 000\nvoters"),
            ("pages 12 to 1999", "pages 12 to\n1999"),
        ] {
            assert_eq!(wrap_words(text, 12, "", ""), expected, "{text}");
        }
    }
}
