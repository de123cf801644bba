//! Lines of a width.

use textwrap::{Options, WordSeparator, WordSplitter};

/// A text in lines of at most so many columns, the first behind one indent, the others behind another. It breaks at blanks and at its own
/// line ends; a word that is wider stands alone and whole.
pub fn wrap_words(text: &str, columns: usize, first: &str, others: &str) -> String {
    let options = Options::new(columns)
        .initial_indent(first)
        .subsequent_indent(others)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(text, options)
}
