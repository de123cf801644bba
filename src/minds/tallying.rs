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
//! seat keeps its previous one, else draws one at convening. It answers all other questions like a seat that holds one
//! alternative.

use std::collections::BTreeSet;

use crate::chance::{DrawPurpose, SessionSeed};
use crate::domain::{AlternativeId, Answer, Ask, CaseFact, Certainty, Choice, FactId, MindState, Motion, Query, Reply};
use crate::memory::guidance::shown_text;
use crate::minds::coordinates::{by_lot, convening_question, noise_at};
use crate::minds::{marks, note, reply, words};
use crate::text::names_word;

/// Answers a query. The state is one number: the alternative held.
pub(super) fn answer_query(cites: u32, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Answer {
    if let Ask::Notes { .. } = query.ask {
        return note::take_notes(motion, query);
    }
    if let Ask::Integration { .. } | Ask::Compression { .. } = query.ask {
        return note::rewrite_memory(motion, query);
    }
    let known = known_facts(query);
    let held = held_alternative(motion, seed, query, &known);
    let state = MindState(vec![i64::from(held.0)]);
    let favoured = query.pushes.unwrap_or(held);
    let reply = match &query.ask {
        Ask::Statement { chars_min, marks, .. } => {
            let choice = with_amount(motion, favoured);
            let text =
                append_citations(words::favour_sentence(motion, choice), &draw_cited_facts(cites, seed, query, &known));
            let text = words::at_length(text, *chars_min, motion.language);
            let text = if *marks { marks::mark_statement(motion, query, choice, text) } else { text };
            reply::build_statement(motion, query, text, (Some(choice), None))
        }
        Ask::StrawPoll { .. } => Reply::Choice(with_amount(motion, favoured)),
        Ask::Ballot { options, form, .. } if form.says_more() => {
            let order = rank_options(motion, seed, query, (options, favoured));
            let worth: Vec<f64> = count_facts(motion, query, &known).into_iter().map(f64::from).collect();
            match favoured == held {
                true => reply::build_ballot_by_worth(query, (&order, &worth)),
                false => reply::build_ballot_by_order(query, &order),
            }
        }
        Ask::Ballot { .. } => reply::build_choice(query, favoured.into()),
        Ask::Amount { .. } => Reply::Amount(reply::amount_max(motion)),
        Ask::Ranking { options } => {
            let order = rank_options(motion, seed, query, (options, held));
            Reply::Ranking { order, certainty: Certainty::NoOpinion }
        }
        Ask::Comprehension { questions, .. } => Reply::Test(questions.iter().map(|question| question.answer).collect()),
        Ask::Application { situation, .. } => {
            let takes_amount = motion.alternatives[held.index()].takes_amount;
            let choice = Choice { alternative: held, amount: takes_amount.then(|| situation.income_max()) };
            let reasoning = words::favour_sentence(motion, choice).into();
            Reply::Application { choice, certainty: Certainty::NoOpinion, reasoning }
        }
        Ask::Volunteer => Reply::Urgency(marks::speaking_urgency(motion, query, Some(favoured))),
        Ask::Reasoning => Reply::Note(words::favour_sentence(motion, held.into()).into()),
        Ask::VoteCall => Reply::Assent(is_all_heard(motion, query, favoured)),
        Ask::Confirmation { .. } => Reply::Assent(true),
        Ask::Integration { .. } | Ask::Compression { .. } | Ask::Notes { .. } => {
            unreachable!("invariant: notes were answered before")
        }
        Ask::Form { .. } => unreachable!("invariant: forms were answered before"),
        Ask::Recognition => Reply::Recognition { recognised: false, recognised_as: None },
        Ask::Naming { .. } => unreachable!("invariant: no mind but a script chooses a name"),
    };
    reply::answer_with(motion, reply, state)
}

/// Adds the greatest amount that a reply may name, if the alternative takes one.
fn with_amount(motion: &Motion, alternative: AlternativeId) -> Choice {
    let takes_amount = motion.alternatives[alternative.index()].takes_amount;
    Choice { alternative, amount: takes_amount.then(|| reply::amount_max(motion)) }
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

/// The options: `first`, then the others by their number of facts. The seat's random order breaks ties.
fn rank_options(
    motion: &Motion,
    seed: &SessionSeed,
    query: &Query<'_>,
    (options, first): (&[AlternativeId], AlternativeId),
) -> Vec<AlternativeId> {
    let counts = count_facts(motion, query, &known_facts(query));
    let mut order = by_lot(motion, seed, &query.id.seat);
    order.retain(|option| options.contains(option));
    order.sort_by_key(|option| (*option != first, std::cmp::Reverse(counts[option.index()])));
    order
}

/// The alternative with the most facts; among equals the previous one, else one drawn at convening.
fn held_alternative(motion: &Motion, seed: &SessionSeed, query: &Query<'_>, known: &[&CaseFact]) -> AlternativeId {
    let counts = count_facts(motion, query, known);
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

fn append_citations(sentence: String, cited: &[&FactId]) -> String {
    if cited.is_empty() {
        return sentence;
    }
    let ids: Vec<&str> = cited.iter().map(|id| id.as_str()).collect();
    format!("{sentence} ({})", ids.join(", "))
}

/// Whether the seat heard stances, and all were for this alternative.
fn is_all_heard(motion: &Motion, query: &Query<'_>, alternative: AlternativeId) -> bool {
    let mut alternatives = (0..motion.alternatives.len() as u32).map(AlternativeId);
    let heard = |id: AlternativeId| query.brief.heard.count(id) > 0;
    heard(alternative) && alternatives.all(|id| id == alternative || !heard(id))
}
