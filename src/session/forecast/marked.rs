//! What prompts may hold more and less of marked statements: who makes one, and whether it is made at all, is known of no course.

use super::JOINT;
use super::told::PromptSurplus;
use crate::domain::{EntryKind, PhaseName, Query};
use crate::plan::{Deed, Intervention, Plan};
use crate::text::{tokens_at_most, word_count};

/// Tokens of what stands before a marked statement.
const VOICE: u64 = 8;

/// How much more of what was marked by then a prompt may hold.
pub(super) fn marked_surplus(plan: &Plan, query: &Query<'_>) -> PromptSurplus {
    if plan.memory.policy.terms().keeps_nothing() {
        return PromptSurplus::default();
    }
    let place = |name: &PhaseName| plan.agenda.iter().position(|phase| phase.name == *name);
    let (seat, now) = (&plan.seats[query.seat.index()].name, place(&query.id.at.phase));
    let is_told = |told: &&Intervention| {
        matches!(told.deed, Deed::Marked { .. })
            && (told.to.is_empty() || told.to.contains(seat))
            && (now.is_none() || place(&told.phase) <= now)
    };
    let remarks = plan.interventions.iter().filter(is_told).count() as u64;
    PromptSurplus { tokens: remarks * (VOICE + JOINT), remarks, held: marked_texts(query).map(tokens_at_most).sum() }
}

/// The words of what is marked in a prompt.
pub(super) fn marked_words(query: &Query<'_>) -> u64 {
    marked_texts(query).map(word_count).sum()
}

fn marked_texts<'q>(query: &'q Query<'_>) -> impl Iterator<Item = &'q str> {
    let marked = query.brief.pinned.iter().filter(|entry| entry.kind == EntryKind::Marked);
    marked.map(|entry| entry.text.as_str())
}
