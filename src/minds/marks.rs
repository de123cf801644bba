//! How minds with an opinion mark their statements, and how urgently they want to speak.
//!
//! A seat reacts to the newest proposal shown that it has not reacted to: it supports one that declared its present favourite,
//! opposes one that declared something else, and ignores one that declared nothing. It makes a proposal if none that it made,
//! supported or supports now declared its favourite; the new one names its earlier one. The urgency to speak grows with the share
//! of heard stances that differ from the favourite; without any there is none. Nothing is drawn.

use crate::domain::{AlternativeId, Choice, Mark, Motion, Named, Query, Sign, URGENCY_MAX};
use crate::text::render_tag;

/// Puts the marks of a seat with a favourite before its text.
pub(super) fn mark_statement(motion: &Motion, query: &Query<'_>, favoured: Choice, text: String) -> String {
    let heard = &query.brief.heard;
    let is_ours = |stance: Option<Choice>| stance.is_some_and(|stance| stance.alternative == favoured.alternative);
    let mut marks = Vec::new();
    let answered = heard.proposal.filter(|proposal| proposal.stance.is_some());
    if let Some(proposal) = answered {
        let sign = if is_ours(proposal.stance) { Sign::Support } else { Sign::Oppose };
        marks.push(Mark { sign, names: Named::Number(proposal.number) });
    }
    let known = [answered, heard.own_proposal, heard.backed];
    if !known.into_iter().flatten().any(|proposal| is_ours(proposal.stance)) {
        let names = heard.own_proposal.map_or(Named::Nothing, |own| Named::Number(own.number));
        marks.push(Mark { sign: Sign::Proposal, names });
    }
    prefix_marks(motion, &marks, text)
}

/// Puts the tags of marks before a text.
pub(super) fn prefix_marks(motion: &Motion, marks: &[Mark], text: String) -> String {
    let tags: String = marks.iter().map(|mark| format!("{} ", render_tag(*mark, motion.language))).collect();
    if tags.is_empty() { text } else { tags + &text }
}

/// The urgency to speak; `None` to stay silent. It is half the greatest if the seat has no favourite or heard no stance.
pub(super) fn speaking_urgency(motion: &Motion, query: &Query<'_>, favoured: Option<AlternativeId>) -> Option<u32> {
    let count = |id: AlternativeId| u64::from(query.brief.heard.count(id));
    let total: u64 = motion.alternative_ids().map(count).sum();
    let Some(favoured) = favoured.filter(|_| total > 0) else { return Some(URGENCY_MAX / 2) };
    let other = total - count(favoured);
    // Rounded half up, but at least 1.
    let steps = (2 * other * u64::from(URGENCY_MAX) + total) / (2 * total);
    (other > 0).then_some((steps as u32).max(1))
}
