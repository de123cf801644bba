//! Full-text search: records that hold words → an index → the records that answer a question best.
//!
//! It reads no file and stems no word. What a record's words are stands in `words.rs`; how they are weighted in
//! [`crate::text::Bm25`].

mod bytes;
mod collection;
mod index;
mod question;
mod ranking;
mod shown_texts;
mod words;

pub use collection::{Collection, Passage};
pub use index::{Document, IndexedSession, MinutesFingerprint, SearchIndex};
pub use question::{NoQuestion, SearchQuestion};
pub use ranking::{Hit, SearchHits, Sieve};
pub use shown_texts::{ShownText, ShownTexts};
pub use words::{KINDS, kind_of, words_of};
