//! The anchored form: lines that begin with a word in capitals and a colon.

use crate::domain::{Ask, Fault, Motion};

/// How far an anchor reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// To the end of its line.
    Line,
    /// To the next anchor or the end of the text.
    Passage,
}

/// The anchors of the replies to a question; none where the reply is plain text.
pub(super) fn anchors(ask: &Ask, motion: &Motion) -> &'static [&'static str] {
    let amounts = motion.amount_max.is_some();
    match ask {
        Ask::Statement { .. } if amounts => &["STANCE:", "AMOUNT:", "STATEMENT:"],
        Ask::Statement { .. } => &["STANCE:", "STATEMENT:"],
        Ask::StrawPoll { .. } if amounts => &["CHOICE:", "AMOUNT:"],
        Ask::StrawPoll { .. } | Ask::Ballot { .. } => &["CHOICE:"],
        Ask::Amount { .. } => &["AMOUNT:"],
        Ask::Ranking { .. } => &["RANKING:", "CERTAINTY:"],
        Ask::Comprehension { .. } => &["ANSWERS:"],
        Ask::Application { .. } => &["CHOICE:", "AMOUNT:", "CERTAINTY:", "REASONING:"],
        Ask::Volunteer => &["URGENCY:"],
        Ask::VoteCall | Ask::Confirmation { .. } => &["ANSWER:"],
        Ask::Naming { .. } => &["NAME:"],
        Ask::Notes { .. } => &["APPEND:", "REPLACE:", "WITH:"],
        Ask::Reasoning | Ask::Integration { .. } | Ask::Compression { .. } => &[],
    }
}

/// A reply in the anchored form.
pub(super) struct Anchored<'a> {
    raw: &'a str,
    anchors: &'static [&'static str],
}

impl<'a> Anchored<'a> {
    pub(super) fn new(raw: &'a str, anchors: &'static [&'static str]) -> Self {
        Self { raw, anchors }
    }

    /// What stands behind an anchor that must be there, without the blank space around it.
    pub(super) fn one(&self, anchor: &str, extent: Extent) -> Result<String, Fault> {
        self.at_most_one(anchor, extent)?.ok_or(Fault::Unreadable)
    }

    /// What stands behind an anchor, without the blank space around it; `None` where it does not stand.
    pub(super) fn at_most_one(&self, anchor: &str, extent: Extent) -> Result<Option<String>, Fault> {
        let mut found: Vec<String> = Vec::new();
        let mut open = false;
        for line in self.raw.lines() {
            let words = line.trim_start();
            if let Some(rest) = words.strip_prefix(anchor) {
                found.push(rest.to_owned());
                open = extent == Extent::Passage;
            } else if self.anchors.iter().any(|other| words.starts_with(other)) {
                open = false;
            } else if open && let Some(passage) = found.last_mut() {
                passage.push('\n');
                passage.push_str(line);
            }
        }
        match found.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one.trim().to_owned())),
            [first, others @ ..] if others.iter().all(|other| other.trim() == first.trim()) => Err(Fault::Unreadable),
            _ => Err(Fault::Ambiguous),
        }
    }
}
