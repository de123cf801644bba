//! Sentences of minds that say what they favour. No draw is in them.

use crate::domain::{Choice, Motion};

/// A sentence, repeated until it has the least length, in Unicode scalar values.
pub(super) fn at_length(sentence: String, chars_min: u32) -> String {
    let mut text = sentence;
    // A text of this many bytes has enough characters, whatever they are, and need not be walked.
    if text.len() < chars_min as usize * 4 {
        let sentence = text.clone();
        let length = sentence.chars().count();
        let mut left = (chars_min as usize).saturating_sub(length);
        while left > 0 {
            text.push_str(" Again: ");
            text.push_str(&sentence);
            left = left.saturating_sub(length + 8);
        }
    }
    text
}

/// Says what is favoured: `I favour: the label.`, with the amount where there is one.
pub(super) fn favour(motion: &Motion, favoured: Choice) -> String {
    let label = motion.alternatives[favoured.alternative.index()].label.as_str();
    let mut text = String::with_capacity(label.len() + 160);
    text.push_str("I favour: ");
    text.push_str(label);
    if let Some(amount) = favoured.amount {
        text.push_str(", at ");
        text.push_str(&amount.to_string());
    }
    text.push('.');
    text
}
