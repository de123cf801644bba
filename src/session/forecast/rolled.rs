//! How much longer and shorter prompts may be than in a course: who votes for what is known of no course, nor what is recalled.

use super::{JOINT, Span, found, marked, proposed, room_in_window, told};
use crate::domain::{Agent, EntryKind, NamedChoice, Query, Voted};
use crate::memory::guidance::{count_opening, roll_line};
use crate::plan::{OpenAiModel, Plan};
use crate::prompt::PromptError;
use crate::session::rehearsal::RehearsedQuestion;
use crate::text::{tokens_at_most, word_count};

/// The words that a line has at the least: a name, and two more.
const LINE_WORDS: u64 = 3;

/// By how many words a prompt may be shorter than in a course, and by how many tokens longer, where a remark has so many: for roll
/// calls, for what is recalled or marked or stands open, and for where the talk stands.
///
/// # Errors
/// When a template fails.
pub(super) fn prompt_slack(
    plan: &Plan,
    agents: &[Agent],
    put: &RehearsedQuestion<'_>,
    (model, remark): (&OpenAiModel, u64),
) -> Result<Span, PromptError> {
    let query = put.query;
    let found =
        Span { low: found::recalled_words(plan, agents, query), high: found::recalled_more(plan, query, remark) };
    let told = Span { low: told::words_less(plan, agents, put, model)?, high: room_in_window(plan, query) };
    let marked = Span { low: marked::marked_words(query), high: proposed::proposal_surplus(query) };
    let dealt = Span { low: dealt_less(plan, query), high: 0 };
    Ok(roll_call_slack(plan, agents, query).plus(found).plus(told).plus(marked).plus(dealt))
}

/// Of the roll calls in a prompt: by how many words they may be shorter, and by how many tokens longer.
fn roll_call_slack(plan: &Plan, agents: &[Agent], query: &Query<'_>) -> Span {
    if !plan.roll_call {
        return Span::default();
    }
    let announced = query.brief.remarks.iter().filter(|remark| remark.speaker.is_none());
    let kept = announced.map(|remark| &remark.text[..remark.kept_bytes as usize]);
    let rolls = kept.filter_map(|text| {
        text.starts_with(count_opening(plan.motion.language)).then(|| text.split_once('\n')).flatten()
    });
    let most = longest_roll_tokens(plan, agents, query);
    let of = |(_, roll): (&str, &str)| Span {
        low: word_count(roll).saturating_sub(LINE_WORDS * roll.lines().count() as u64),
        high: most.saturating_sub(tokens_at_most(roll)),
    };
    rolls.map(of).fold(Span::default(), Span::plus)
}

/// Tokens that the lines of all seats have at the most.
fn longest_roll_tokens(plan: &Plan, agents: &[Agent], query: &Query<'_>) -> u64 {
    let amount = |takes_amount: bool| takes_amount.then(|| plan.motion.amount_max.unwrap_or(u32::MAX));
    let alternatives = plan.motion.alternatives.iter();
    let choices = alternatives
        .map(|other| Voted::For(NamedChoice { alternative: other.name.clone(), amount: amount(other.takes_amount) }));
    let ballots: Vec<Option<Voted>> = choices.chain(plan.fullest_ballot()).map(Some).chain([None]).collect();
    let names = agents.iter().enumerate().map(|(seat, agent)| {
        let chosen = query.chosen.get(seat).and_then(Option::as_deref);
        chosen.unwrap_or(&agent.public_name)
    });
    let lines = names.map(|name| {
        let line = |ballot: &Option<Voted>| {
            tokens_at_most(&roll_line(name, ballot.as_ref(), plan.decision.invalid, plan.motion.tongue()))
        };
        ballots.iter().map(line).max().unwrap_or(0) + JOINT
    });
    lines.sum()
}

/// By how many words a prompt may be shorter because of what its seat is told alone of the case: in a course every seat has the
/// longest of it.
fn dealt_less(plan: &Plan, query: &Query<'_>) -> u64 {
    let is_shown = query.brief.pinned.iter().any(|entry| entry.kind == EntryKind::Dealt);
    let (Some(longest), Some(shortest), true) = (plan.longest_hand(), plan.shortest_hand(), is_shown) else { return 0 };
    word_count(&longest).saturating_sub(word_count(&shortest))
}
