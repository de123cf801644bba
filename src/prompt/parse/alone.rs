//! Replies about a motion with one alternative: nothing is chosen, and an amount is all that a poll, a ballot or a stance says.

use serde::Deserialize;
use serde_json::Value;

use super::anchors::{Anchored, Extent};
use super::objects::{AmountObject, MarkObject, read_object};
use super::{Reading, with_tags};
use crate::domain::{AlternativeId, Ask, Choice, Fault, Reply};
use crate::prompt::amount::{check_choice, read_json_amount};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    statement: String,
    amount: Value,
    #[serde(default)]
    marks: Option<Vec<MarkObject>>,
}

impl Reading<'_> {
    /// Reads a reply in JSON; `None` where an alternative is to be named, or something else is asked.
    pub(super) fn amount_alone_in_json(&self, raw: &str) -> Option<Result<Reply, Fault>> {
        let only = self.motion.only()?;
        match self.ask {
            Ask::Statement { .. } => Some(read_object(raw).and_then(|said: Said| {
                let amount = read_json_amount(&said.amount, self.motion.language)?;
                let marks = self.typed_marks(said.marks)?;
                let reply = self.statement(&said.statement, amount.map(|_| only), amount, None)?;
                Ok(with_tags(reply, &marks, self.motion.language))
            })),
            Ask::StrawPoll { .. } | Ask::Ballot { .. } => Some(read_object(raw).and_then(|said: AmountObject| {
                let amount = read_json_amount(&said.amount, self.motion.language)?;
                self.amount_chosen(only, amount)
            })),
            _ => None,
        }
    }

    /// The same of anchored lines.
    pub(super) fn amount_alone_in_lines(&self, said: &Anchored<'_>) -> Option<Result<Reply, Fault>> {
        let only = self.motion.only()?;
        let named = || said.one("AMOUNT:", Extent::Line).and_then(|_| self.amount_line(said));
        match self.ask {
            Ask::Statement { .. } => Some(said.one("STATEMENT:", Extent::Passage).and_then(|words| {
                let amount = named()?;
                self.statement(&words, amount.map(|_| only), amount, None)
            })),
            Ask::StrawPoll { .. } | Ask::Ballot { .. } => {
                Some(named().and_then(|amount| self.amount_chosen(only, amount)))
            }
            _ => None,
        }
    }

    fn amount_chosen(&self, alternative: AlternativeId, amount: Option<u32>) -> Result<Reply, Fault> {
        check_choice(self.motion, self.ask, Choice { alternative, amount }).map(Reply::Choice)
    }
}
