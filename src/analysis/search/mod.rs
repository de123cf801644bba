//! Full-text search: indexes the words of records and ranks the records that match a query.
//!
//! It reads no file and does not stem. `words.rs` extracts a record's words; [`crate::text::Bm25`] weights them.

mod index;
mod ranking;
mod search_query;
mod shown_texts;
mod words;

pub use index::{Document, IndexedSession, Passage, SearchIndex};
pub use ranking::{Hit, SearchHits, Sieve};
pub use search_query::{NoQuestion, SearchQuestion};
pub use shown_texts::{ShownText, ShownTexts};
pub use words::{KINDS, kind_of, words_of};
