//! Truncation and counting. Characters are Unicode scalar values; a cut never splits a grapheme cluster.
/// stub
pub struct Cut { /// x
pub kept_bytes: usize, /// x
pub is_cut: bool }
/// stub
pub fn truncate(text: &str, _m: u32) -> Cut { Cut { kept_bytes: text.len(), is_cut: false } }
/// stub
pub fn chars(text: &str) -> u64 { text.chars().count() as u64 }
