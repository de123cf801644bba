//! Truncation, counting, words. Characters are Unicode scalar values; a cut never splits a grapheme cluster.
//!
//! Nothing here knows what a text is for, and but for terminals and pages nothing copies one: a cut is a position.

mod abridge;
mod bm25;
mod braces;
mod count;
mod counted;
mod html;
mod nearest;
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

pub use abridge::abridge;
pub use bm25::{Bm25, millionths};
pub use braces::template_tag;
pub use count::{chars, words};
pub use counted::CountedText;
pub use html::{escaped, escaped_with};
pub use nearest::nearest;
pub(crate) use put::{put, put_line};
pub use repeat::repeat_to;
pub use tags::{marks, number, sign_word, tag};
pub use terms::{Term, terms};
pub use tokenizer::Tokenizer;
pub use tokens::tokens_at_most;
pub use truncate::{Cut, MARKER, first_words, truncate};
pub use visible::{acts_unseen, seen, visible};
pub use vocabulary::{Placed, Vocabulary};
pub use whole::{filled, names_word};
pub use wrap::wrap_words;
