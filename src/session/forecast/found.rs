//! What prompts may hold beside what the courses show: older statements that are recalled, and what seats ask to see.

use std::collections::BTreeSet;

use crate::domain::{Agent, Moment, PhaseName, Query};
use crate::memory::guidance::{kept_text, remark_line};
use crate::plan::Plan;
use crate::text::{tokens_at_most, word_count};

/// How many tokens more may be recalled where others say other things, where a remark has so many.
pub(super) fn recalled_more(plan: &Plan, query: &Query<'_>, remark: u64) -> u64 {
    let recalled = query.brief.recalled.len() as u64;
    let most = u64::from(plan.memory.recall.unwrap_or(0)).min(u64::from(query.shown.omitted) + recalled);
    most.saturating_sub(recalled).saturating_mul(remark)
}

/// The words of what is recalled in this course, and perhaps in no other session.
pub(super) fn recalled_words(plan: &Plan, agents: &[Agent], query: &Query<'_>) -> u64 {
    let lines = query.brief.recalled.iter().map(|place| {
        let remark = &query.brief.remarks.floor[*place as usize];
        let name = remark.speaker.map_or("", |seat| agents[seat.index()].public_name.as_str());
        word_count(&remark_line((remark, &kept_text(remark)), name, query.brief.style, plan.motion_for(query.seat)))
    });
    lines.sum()
}

/// How often seats that a model answers for may ask to see something first.
#[derive(Debug, Default)]
pub(super) struct Inquiries {
    /// One entry a model.
    counts: Vec<u64>,
    /// The turns in which something may be looked up: of which seat, in which phase and round.
    turns: BTreeSet<(u32, PhaseName, u32)>,
}

impl Inquiries {
    /// Takes down what a model is offered with a question: a page with every one, and something to look up once a turn.
    pub fn count_offer(&mut self, query: &Query<'_>, model: usize) {
        let Moment { phase, round, step, .. } = &query.id.at;
        let turn = || (query.seat.0, phase.clone(), *round);
        let looks_up = query.offer.look_up && (!step.is_of_a_turn() || self.turns.insert(turn()));
        if self.counts.len() <= model {
            self.counts.resize(model + 1, 0);
        }
        self.counts[model] += u64::from(looks_up || query.offer.page);
    }

    /// How many there may be of a model, where it may be asked this many questions more than in this course: each of these falls
    /// into a turn that was counted, but a page may be asked for with it.
    pub fn count_for_model(&self, plan: &Plan, model: usize, spared: u64) -> u64 {
        let more = if plan.exhibits.iter().any(|handed| handed.exhibit.page_count() > 0) { spared } else { 0 };
        self.counts.get(model).map_or(0, |count| count + more)
    }
}

/// What a seat may ask to see at a question: once or never, and the tokens of the longest that is found, where a remark has so
/// many.
pub(super) fn inquiry_bounds(plan: &Plan, remark: u64) -> (u64, u64) {
    /// Statements that a look-up finds at the most, and tokens of a heading.
    const FOUND: (u64, u64) = (5, 300);
    let exhibits = plan.exhibits.iter().map(|handed| &handed.exhibit);
    let pages = exhibits.flat_map(|exhibit| (1..=exhibit.page_count()).filter_map(|page| exhibit.page(page)));
    let page = pages.map(tokens_at_most).max();
    let statements = || remark.saturating_mul(FOUND.0);
    let found = page.into_iter().chain(plan.memory.look_up.then(statements)).max();
    (u64::from(found.is_some()), found.map_or(0, |found| found + FOUND.1))
}
