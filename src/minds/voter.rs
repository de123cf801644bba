//! The voter model: everybody holds one alternative, and now and then copies what was heard.
//!
//! Source: Clifford and Sudbury 1973, "A model for spatial conflict", Biometrika 60(3); Holley and Liggett 1975, "Ergodic
//! theorems for weakly interacting infinite systems and the voter model", Annals of Probability 3(4). Here the neighbours are the
//! speakers of the brief, each as often as it was heard, and the moment of copying is the own turn to speak.
//!
//! The model knows one opinion. What else is asked is answered from it: what is held is ranked first and the rest as the scenario
//! lists it; the amount is the one last heard with the alternative, else one the seat came with; a vote is called when all that
//! was heard is what it would vote for, and always agreed to. Understanding and certainty are no part of the model: tests are
//! answered right, and there is no opinion on certainty.

use crate::chance::{Purpose, SessionSeed};
use crate::domain::{AlternativeId, Answer, Ask, Certainty, Choice, MindState, Motion, Query, Reply, SeatName};
use crate::minds::{convening, marks, noise_at, note, reply, words};

/// Amounts that seats come with are whole multiples of this where the motion admits that many.
const AMOUNT_STEP: u32 = 1_000;

/// Answers a query. The state is one number: the alternative held.
pub(super) fn answer(copy_ppm: u32, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Answer {
    if let Ask::Notes { .. } = query.ask {
        return note::remember(motion, query);
    }
    if let Ask::Integration { .. } | Ask::Compression { .. } = query.ask {
        return note::answer(motion, query);
    }
    let mut held = held(motion, query.state).unwrap_or_else(|| first_opinion(motion, seed, &query.id.seat));
    if let Ask::Statement { .. } = query.ask {
        held = copied(copy_ppm, motion, seed, query).unwrap_or(held);
    }
    let state = MindState(vec![i64::from(held.0)]);
    let favoured = query.pushes.unwrap_or(held);
    let with_amount = |alternative| Choice { alternative, amount: amount(motion, seed, query, alternative) };
    match &query.ask {
        Ask::Statement { chars_min, marks, .. } => {
            let favoured = with_amount(favoured);
            let text = words::at_length(words::favour(motion, favoured), *chars_min, motion.language);
            let text = if *marks { marks::marked(motion, query, favoured, text) } else { text };
            reply::statement(motion, query, text, Some(favoured), state)
        }
        Ask::StrawPoll { .. } => reply::choice(motion, query, with_amount(favoured), state),
        Ask::Ballot { .. } => reply::choice(motion, query, favoured.into(), state),
        Ask::Amount { alternative } => {
            let amount = amount(motion, seed, query, *alternative);
            reply::amount(motion, amount.expect("invariant: an amount is asked of what takes one"), state)
        }
        Ask::Ranking { options } => {
            let mut order = options.clone();
            order.sort_unstable_by_key(|option| (*option != held, *option));
            reply::ranking(motion, query, order, Certainty::NoOpinion, state)
        }
        Ask::Comprehension { questions, .. } => {
            reply::test(query, questions.iter().map(|question| question.answer).collect(), state)
        }
        Ask::Application { situation, .. } => {
            let Choice { alternative, amount } = with_amount(held);
            let choice = Choice { alternative, amount: amount.map(|amount| amount.min(situation.income_max())) };
            let applied = (choice, Certainty::NoOpinion, words::favour(motion, choice));
            reply::application(motion, query, applied, state)
        }
        Ask::Volunteer => reply::urgency(marks::urgency(motion, query, Some(favoured)), state),
        Ask::Reasoning => reply::note(words::favour(motion, with_amount(held)), state),
        Ask::VoteCall => reply::assent(Reply::Assent(all_heard_is(motion, query, favoured)), state),
        Ask::Confirmation { .. } => reply::assent(Reply::Assent(true), state),
        Ask::Integration { .. } | Ask::Compression { .. } | Ask::Notes { .. } => {
            unreachable!("invariant: notes were answered before")
        }
        Ask::Naming { .. } => unreachable!("invariant: no mind but a script chooses a name"),
    }
}

/// The alternative held so far; `None` before the first question.
fn held(motion: &Motion, state: &MindState) -> Option<AlternativeId> {
    let place = u32::try_from(*state.0.first()?).ok()?;
    (AlternativeId(place).index() < motion.alternatives.len()).then_some(AlternativeId(place))
}

/// The opinion a seat comes with. It is drawn at the moment of convening, so it is the same whichever question comes first.
fn first_opinion(motion: &Motion, seed: &SessionSeed, seat: &SeatName) -> AlternativeId {
    let place = seed.at(Purpose::Opinion, &convening(seat), 0).below(motion.alternatives.len() as u64);
    AlternativeId(place as u32)
}

/// The amount that goes with an alternative: the one heard last, else the one the seat came with; `None` where it takes none.
fn amount(motion: &Motion, seed: &SessionSeed, query: &Query<'_>, alternative: AlternativeId) -> Option<u32> {
    motion.alternatives[alternative.index()].takes_amount.then(|| {
        let heard = query.brief.heard.amount(alternative);
        heard.unwrap_or_else(|| first_amount(motion, seed, &query.id.seat, alternative))
    })
}

/// The amount a seat comes with for an alternative: uniform over whole thousands where the motion admits one, else over all.
fn first_amount(motion: &Motion, seed: &SessionSeed, seat: &SeatName, alternative: AlternativeId) -> u32 {
    let most = reply::amount_max(motion);
    let step = if most >= AMOUNT_STEP { AMOUNT_STEP } else { 1 };
    // The first item of the stream is the opinion.
    let mut draws = seed.at(Purpose::Opinion, &convening(seat), alternative.0 + 1);
    (draws.below(u64::from(most / step)) as u32 + 1) * step
}

/// The heard stance that is adopted; `None` when nothing is copied or nothing was heard.
fn copied(copy_ppm: u32, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Option<AlternativeId> {
    let mut draws = seed.at(Purpose::Choice, &noise_at(query), 0);
    if !draws.happens(copy_ppm) {
        return None;
    }
    let alternatives = 0..motion.alternatives.len() as u32;
    let heard: Vec<u64> = alternatives.map(|place| u64::from(query.brief.heard.count(AlternativeId(place)))).collect();
    heard.iter().any(|count| *count > 0).then(|| AlternativeId(draws.weighted(&heard) as u32))
}

/// Whether something was heard, and nothing but this alternative.
fn all_heard_is(motion: &Motion, query: &Query<'_>, alternative: AlternativeId) -> bool {
    let mut alternatives = (0..motion.alternatives.len() as u32).map(AlternativeId);
    let heard = |id: AlternativeId| query.brief.heard.count(id) > 0;
    heard(alternative) && alternatives.all(|id| id == alternative || !heard(id))
}

#[cfg(test)]
mod tests;
