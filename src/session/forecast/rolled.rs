//! How much longer and shorter roll calls may be than in a course: who votes for what is known of no course.

use super::{JOINT, Span};
use crate::domain::{Agent, NamedChoice, Query};
use crate::memory::guidance::roll_line;
use crate::plan::Plan;
use crate::text::{tokens_at_most, words};

/// The words that a line has at the least: a name, and two more.
const LINE_WORDS: u64 = 3;

/// Of the roll calls in a prompt: by how many words they may be shorter, and by how many tokens longer.
pub(super) fn rolls(plan: &Plan, agents: &[Agent], query: &Query<'_>) -> Span {
    if !plan.roll_call {
        return Span::default();
    }
    let announced = query.brief.remarks.iter().filter(|remark| remark.speaker.is_none());
    let kept = announced.map(|remark| &remark.text[..remark.kept_bytes as usize]);
    let rolls = kept.filter_map(|text| text.starts_with(COUNTED).then(|| text.split_once('\n')).flatten());
    let most = longest(plan, agents, query);
    let of = |(_, roll): (&str, &str)| Span {
        low: words(roll).saturating_sub(LINE_WORDS * roll.lines().count() as u64),
        high: most.saturating_sub(tokens_at_most(roll)),
    };
    rolls.map(of).fold(Span::default(), Span::plus)
}

/// How the announcement of a count begins.
const COUNTED: &str = "The ballots were counted";

/// Tokens that the lines of all seats have at the most.
fn longest(plan: &Plan, agents: &[Agent], query: &Query<'_>) -> u64 {
    let amount = |takes_amount: bool| takes_amount.then(|| plan.motion.amount_max.unwrap_or(u32::MAX));
    let alternatives = plan.motion.alternatives.iter();
    let choices: Vec<Option<NamedChoice>> = alternatives
        .map(|other| Some(NamedChoice { alternative: other.name.clone(), amount: amount(other.takes_amount) }))
        .chain([None])
        .collect();
    let names = agents.iter().enumerate().map(|(seat, agent)| {
        let chosen = query.chosen.get(seat).and_then(Option::as_deref);
        chosen.unwrap_or(&agent.public_name)
    });
    let lines = names.map(|name| {
        let line =
            |choice: &Option<NamedChoice>| tokens_at_most(&roll_line(name, choice.as_ref(), plan.decision.invalid));
        choices.iter().map(line).max().unwrap_or(0) + JOINT
    });
    lines.sum()
}
