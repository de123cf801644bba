//! Wraps text to a width.

use textwrap::{Options, WordSeparator, WordSplitter};

/// Wraps a text to at most `columns` terminal columns, with the indent `first` for the first line and `others` for the rest. Lines break
/// at blanks and at the text's own line ends. A word wider than a line gets a line of its own and is not broken.
pub fn wrap_words(text: &str, columns: usize, first: &str, others: &str) -> String {
    let options = Options::new(columns)
        .initial_indent(first)
        .subsequent_indent(others)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(text, options)
}
