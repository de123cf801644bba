//! How minds with an opinion mark what they say, and how urgently they want to say it.
//!
//! The newest proposal that a seat is shown and has not reacted to it supports when that declared what the seat favours now,
//! and opposes when it declared anything else; one that declared nothing it leaves alone. It makes a proposal of its own where
//! none that it made, supported or supports now declared what it favours; where it had made one, it names it. A seat has the
//! more urgently something to say the greater the share of what it heard that is not what it favours, and nothing at all
//! where everything is. No draw is in any of it.

use crate::domain::{AlternativeId, Choice, Mark, Motion, Named, Query, Sign, URGENCY_MAX};
use crate::text::render_tag;

/// What is said by a seat that favours something, with its marks.
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

/// A text behind the tags of its marks.
pub(super) fn prefix_marks(motion: &Motion, marks: &[Mark], text: String) -> String {
    let tags: String = marks.iter().map(|mark| format!("{} ", render_tag(*mark, motion.language))).collect();
    if tags.is_empty() { text } else { tags + &text }
}

/// How urgently a seat that favours something, or nothing yet, wants to speak; `None` where it does not.
pub(super) fn speaking_urgency(motion: &Motion, query: &Query<'_>, favoured: Option<AlternativeId>) -> Option<u32> {
    let count = |id: AlternativeId| u64::from(query.brief.heard.count(id));
    let total: u64 = (0..motion.alternatives.len() as u32).map(|place| count(AlternativeId(place))).sum();
    let Some(favoured) = favoured.filter(|_| total > 0) else { return Some(URGENCY_MAX / 2) };
    let other = total - count(favoured);
    // Half up; less than half a step is still something to say.
    let steps = (2 * other * u64::from(URGENCY_MAX) + total) / (2 * total);
    (other > 0).then_some((steps as u32).max(1))
}
