//! Text of unknown origin for a terminal: every character stays visible, and none acts.
//!
//! Markdown and HTML are made inert elsewhere; files that hold data never pass through here.

use std::fmt::Write as _;

/// A message for a terminal: as it is, but for what would act on the terminal or turn the direction of the text.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && (c.is_control() || reorders(c)) {
            write!(out, "\\u{{{:x}}}", u32::from(c)).expect("invariant: a string takes every character");
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a character breaks lines or turns the direction of what follows, unseen.
pub fn reorders(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
