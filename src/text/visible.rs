//! Text of unknown origin for a terminal: every character stays visible, and none acts. What acts unseen is settled here, for
//! terminals, pages and pictures alike.
//!
//! Markdown and HTML are made inert elsewhere; files that hold data never pass through here.

use std::fmt::Write as _;

/// A message for a terminal: as it is, but for what would act on the terminal, turn the direction of the text or not be seen.
pub fn visible(text: &str) -> String {
    // Most texts hold nothing else.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n')) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && acts_unseen(c) {
            write!(out, "\\u{{{:x}}}", u32::from(c)).expect("invariant: a string takes every character");
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a character is no letter, sign or blank that can be seen: it controls a terminal, breaks lines, turns the direction
/// of what follows, or takes no room and joins nothing, so that two texts that look alike differ by it. Joiners, which make one sign of several, are none.
pub fn acts_unseen(c: char) -> bool {
    // Most text is ASCII.
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || matches!(c,
            '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}')
}
