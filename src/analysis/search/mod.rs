//! Full-text search: indexes the words of records and ranks the records that match a query.
//!
//! It reads no file and does not stem. `words.rs` extracts a record's words; [`crate::text::Bm25`] weights them.

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
