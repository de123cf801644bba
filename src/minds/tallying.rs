//! Tallying: each fact counts one for the alternative that it supports, and the seat holds the alternative with the most.
//!
//! Source: Dawes 1979, "The robust beauty of improper linear models in decision making", American Psychologist 34(7): a linear
//! model with unit weights; called tallying by Gigerenzer and Goldstein 1996, "Reasoning the fast and frugal way", Psychological
//! Review 103(4). Citations follow the model of collective information sampling: each statement cites some of the facts that the
//! seat knows, all equally likely (Stasser and Titus 1985, "Pooling of unshared information in group decision making", Journal of
//! Personality and Social Psychology 48(6); 1987, ibid. 53(1)).
//!
//! A seat knows the facts that it was given and those that others cite by id, and it knows which alternative each supports. A
//! signal counts as one fact that cannot be cited. Stances of others count nothing. Among alternatives with equal counts, the
//! seat keeps its previous one, else draws one at convening. Where an alternative takes an amount, it names the greatest. It ranks
//! the alternatives by their number of facts, the one held first, and ties in the seat's random order.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::chance::{DrawPurpose, SessionSeed};
use crate::domain::{AlternativeId, CaseFact, FactId, MindState, Motion, Query};
use crate::memory::guidance::shown_text;
use crate::minds::coordinates::{by_lot, convening_question, noise_at};
use crate::minds::favour::Favour;
use crate::text::names_word;

/// What the seat favours. The state is one number: the alternative held.
pub(super) fn form_favour(cites: u32, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> (Favour, MindState) {
    let known = known_facts(query);
    let counts = count_facts(motion, query, &known);
    let held = held_alternative(&counts, seed, query);
    let mut order = by_lot(motion, seed, &query.id.seat);
    order.sort_by_key(|option| (*option != held, Reverse(counts[option.index()])));
    let favour = Favour {
        amount: motion.amount_max,
        citations: cite_facts(&draw_cited_facts(cites, seed, query, &known)),
        worth: Some(counts.into_iter().map(f64::from).collect()),
        ..Favour::from_order(order, motion, query)
    };
    (favour, MindState(vec![i64::from(held.0)]))
}

/// The case's facts that the seat was given or sees cited, in the case's order.
fn known_facts<'q>(query: &Query<'q>) -> Vec<&'q CaseFact> {
    let brief = &query.brief;
    let told: BTreeSet<&FactId> = brief.facts.iter().map(|fact| &fact.id).collect();
    let is_heard = |id: &FactId| brief.all_remarks().any(|remark| names_word(&shown_text(remark, brief), id.as_str()));
    brief.case.iter().filter(|fact| told.contains(&fact.id) || is_heard(&fact.id)).collect()
}

/// How many known facts support each alternative, including the signal.
fn count_facts(motion: &Motion, query: &Query<'_>, known: &[&CaseFact]) -> Vec<u32> {
    let mut counts = vec![0; motion.alternatives.len()];
    let signs = known.iter().filter_map(|fact| fact.favours).chain(query.brief.signal);
    signs.for_each(|favoured| counts[favoured.index()] += 1);
    counts
}

/// The alternative with the most facts; among equals the previous one, else one drawn at convening.
fn held_alternative(counts: &[u32], seed: &SessionSeed, query: &Query<'_>) -> AlternativeId {
    let most = counts.iter().copied().max().unwrap_or(0);
    let leads = |id: &AlternativeId| counts.get(id.index()).is_some_and(|count| *count == most);
    let before = query.state.0.first().and_then(|place| u32::try_from(*place).ok()).map(AlternativeId);
    before.filter(leads).unwrap_or_else(|| {
        let leaders: Vec<AlternativeId> = (0..counts.len() as u32).map(AlternativeId).filter(leads).collect();
        let place = seed
            .at_question(DrawPurpose::Opinion, &convening_question(&query.id.seat), 0)
            .draw_below(leaders.len() as u64);
        leaders[place as usize]
    })
}

/// Draws the facts to cite.
fn draw_cited_facts<'f>(cites: u32, seed: &SessionSeed, query: &Query<'_>, known: &[&'f CaseFact]) -> Vec<&'f FactId> {
    let mut draws = seed.at_question(DrawPurpose::Choice, &noise_at(query), 0);
    let mut drawn = draws.draw_order(known.len() as u32);
    drawn.truncate(cites as usize);
    drawn.sort_unstable();
    drawn.into_iter().map(|place| &known[place as usize].id).collect()
}

/// The ids of the facts behind a statement, in parentheses; empty if there are none.
fn cite_facts(cited: &[&FactId]) -> String {
    let ids: Vec<&str> = cited.iter().map(|id| id.as_str()).collect();
    if ids.is_empty() { String::new() } else { format!(" ({})", ids.join(", ")) }
}
