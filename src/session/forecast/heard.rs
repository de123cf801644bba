//! Finds how prompts show statements: when the oldest are left out, whether any is shortened, and the tokens that the public
//! history adds by showing statements in full.

use std::collections::BTreeMap;

use crate::domain::{Brief, Extent, QuestionId, Remark, Seq, Step};
use crate::memory::HistoryInBrief;
use crate::memory::guidance::{kept_text, shown_text};
use crate::plan::Plan;
use crate::session::rehearsal::RehearsedQuestion;
use crate::text::tokens_at_most;

/// How a session's questions show statements. Rewrites, notes and short briefs do not count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatementsShown {
    /// The first prompt of a model for which the public history no longer holds the oldest statement.
    pub left_out: Option<QuestionId>,
    /// The first prompt of a model that shows a shortened statement.
    pub shortened: Option<QuestionId>,
}

impl StatementsShown {
    /// Notes how a question shows statements.
    pub fn note_question(&mut self, plan: &Plan, put: &RehearsedQuestion<'_>) {
        let (query, brief) = (put.query, &put.query.brief);
        let is_shortened = newest_remembered(brief).is_some_and(|remark| is_cut(remark, brief));
        if put.wording.is_none()
            || put.is_too_long
            || matches!(query.id.at.step, Step::Integration | Step::Compression | Step::Notes)
            || query.shown.standing == Some(Extent::Short)
        {
            return;
        }
        if is_shortened && self.shortened.is_none() {
            self.shortened = Some(query.id.clone());
        }
        if plan.memory.history == HistoryInBrief::Full && self.left_out.is_none() {
            let floor = brief.remarks.floor;
            let until = query.shown.history.map_or(floor.len(), |place| place as usize);
            let is_older = |(place, remark): (usize, &Remark)| {
                remark.speaker.is_some() && !brief.remarks.pinned.contains(&(place as u32))
            };
            self.left_out = floor[..until].iter().enumerate().any(is_older).then(|| query.id.clone());
        }
    }

    /// Merges two courses; the first has priority.
    #[must_use]
    pub fn merge_with(self, other: Self) -> Self {
        Self { left_out: self.left_out.or(other.left_out), shortened: self.shortened.or(other.shortened) }
    }
}

/// The tokens by which a statement in full exceeds its kept part, by record and kept bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct CutTokens(BTreeMap<(Seq, u32), u64>);

impl CutTokens {
    /// The most tokens by which a prompt is longer because the public history shows statements in full.
    pub fn count_in_full(&mut self, brief: &Brief<'_>) -> u64 {
        let is_cut = |remark: &&Remark| remark.kept_bytes as usize != remark.text.len();
        let shown = brief.remarks.iter().filter(|remark| brief.shows_in_full(remark)).filter(is_cut);
        let longer = shown.map(|remark| {
            *self
                .0
                .entry((remark.seq, remark.kept_bytes))
                .or_insert_with(|| tokens_at_most(&remark.text).saturating_sub(tokens_at_most(&kept_text(remark))))
        });
        longer.sum()
    }
}

/// The newest statement that the memory shows and not the public history. Older ones are cut by the same rule.
fn newest_remembered<'a>(brief: &Brief<'a>) -> Option<&'a Remark> {
    let remarks = brief.remarks.statements.iter().rev().map(|place| &brief.remarks.floor[*place as usize]);
    remarks.take_while(|remark| remark.speaker.is_some()).find(|remark| !brief.shows_in_full(remark))
}

fn is_cut(remark: &Remark, brief: &Brief<'_>) -> bool {
    shown_text(remark, brief).len() < remark.text.len()
}
