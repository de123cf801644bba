//! Truncation and counting. Characters are Unicode scalar values; a cut never splits a grapheme cluster.
//!
//! Nothing here knows what a text is for, and nothing copies one: a cut is a position.

mod abridge;
mod count;
mod nearest;
mod tokens;
mod truncate;

pub use abridge::abridge;
pub use count::{chars, words};
pub use nearest::nearest;
pub use tokens::tokens_at_most;
pub use truncate::{Cut, MARKER, truncate};
