//! Text functions: truncation, counting, words, tags and escaping.
//!
//! Characters are Unicode scalar values; a cut never splits a grapheme cluster.

mod abridge;
mod bm25;
mod braces;
mod count;
mod counted;
mod digits;
mod html;
mod json;
mod nearest;
mod one_line;
mod put;
mod repeat;
mod tags;
mod terms;
mod tokenizer;
mod tokens;
mod truncate;
mod visible;
mod vocabulary;
mod whole;
mod wrap;

pub use abridge::{abridge_text, cut_middle};
pub use bm25::{Bm25, to_millionths};
pub use braces::template_tag;
pub use count::{char_count, word_count};
pub use counted::CountedText;
pub use digits::{extend_decimals, is_digit_group, parse_digits};
pub use html::{escape_html, escape_html_with, page_address};
pub use json::escape_json;
pub use nearest::{nearest_word, nearest_words};
pub use one_line::{join_lines, quote_lines};
pub(crate) use put::{put, put_line};
pub use repeat::repeat_to;
pub use tags::{SIGNS, parse_marks, parse_statement_number, render_tag, sign_word};
pub use terms::{Term, split_terms};
pub use tokenizer::Tokenizer;
pub use tokens::tokens_at_most;
pub use truncate::{Cut, MARKER, first_words, truncate_text};
pub use visible::{acts_unseen, classify_chars, escape_but_tabs, escape_unseen};
pub use vocabulary::{PlacedWord, Vocabulary};
pub use whole::{fill_placeholder, names_word};
pub use wrap::wrap_words;
