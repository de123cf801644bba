//! How one remembered thing is worded for a model.
//!
//! What is remembered is decided elsewhere.

use std::borrow::Cow;

use crate::domain::{Keepsake, Motion, OwnEntry, Remark};

/// A remark as another seat reads it; a remark of the facilitator needs no name.
pub fn remark_line(remark: &Remark, public_name: &str) -> String {
    let text = kept_text(remark);
    match remark.speaker {
        None => format!("[FACILITATOR] {text}"),
        Some(_) => format!("{public_name} (#{}.{}) said: \"{text}\"", remark.round, remark.turn),
    }
}

/// The part of a remark that memories keep, with `...` where it was cut.
pub fn kept_text(remark: &Remark) -> Cow<'_, str> {
    let kept = remark.kept_bytes as usize;
    if kept >= remark.text.len() {
        Cow::Borrowed(&remark.text)
    } else {
        Cow::Owned(format!("{}...", &remark.text[..kept]))
    }
}

/// A seat's own entry as it reads it itself.
pub fn own_line(entry: &OwnEntry, motion: &Motion) -> String {
    match entry.what {
        Keepsake::Ballot(Some(choice)) => format!("You voted: {}", motion.name(choice)),
        Keepsake::Ballot(None) => "Your ballot was invalid.".to_owned(),
    }
}
