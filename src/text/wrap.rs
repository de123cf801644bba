//! Wraps text to a width.

use textwrap::core::Word;
use textwrap::{Options, WordSeparator, WordSplitter};

use super::is_digit_group;

/// Wraps a text to at most `columns` terminal columns, with the indent `first` for the first line and `others` for the rest. Lines break
/// at blanks, though not inside a number, and at the text's own line ends. A word wider than a line gets a line of its own and is not broken.
pub fn wrap_words(text: &str, columns: usize, first: &str, others: &str) -> String {
    let options = Options::new(columns)
        .initial_indent(first)
        .subsequent_indent(others)
        .word_separator(WordSeparator::Custom(split_at_blanks))
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(text, options)
}

/// The parts of a line between which it may break: after blanks, but not inside a number, such as `1 840`.
fn split_at_blanks(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let begins_part = |at: &usize| {
        let (before, behind) = line.split_at(*at);
        let is_word = !behind.starts_with(' ');
        before.strip_suffix(' ').is_some_and(|before| is_word && !is_digit_group(before.chars(), behind.chars()))
    };
    let starts = line.char_indices().map(|(at, _)| at).filter(begins_part);
    let mut start = 0;
    Box::new(starts.chain([line.len()]).filter_map(move |end| {
        let part = &line[start..end];
        start = end;
        (!part.is_empty()).then(|| Word::from(part))
    }))
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
