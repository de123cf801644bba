//! The voter model: each seat holds one alternative, and sometimes copies a heard stance.
//!
//! Source: Clifford and Sudbury 1973, "A model for spatial conflict", Biometrika 60(3); Holley and Liggett 1975, "Ergodic
//! theorems for weakly interacting infinite systems and the voter model", Annals of Probability 3(4). Here the neighbours are the
//! speakers of the brief, each counted as often as it was heard, and a seat may copy when it is its turn to speak.
//!
//! The first opinion is the seat's own signal if it has one, else it is drawn. Rankings put the held alternative first and the
//! rest in the seat's random order. The amount is the one last heard with the alternative, else an initial one. The seat calls a
//! vote if all that it heard is what it would vote for, and it agrees to every vote. The model does not cover understanding or
//! certainty: tests are answered correctly, and there is no opinion on certainty.

use crate::chance::{DrawPurpose, SessionSeed};
use crate::domain::{AlternativeId, MindState, Motion, Query, SeatName, Step};
use crate::minds::coordinates::{by_lot, convening_question, noise_at};
use crate::minds::favour::Favour;

/// What the seat favours. The state is one number: the alternative held.
pub(super) fn form_favour(
    copy_ppm: u32,
    motion: &Motion,
    seed: &SessionSeed,
    query: &Query<'_>,
) -> (Favour, MindState) {
    let first = || query.brief.signal.unwrap_or_else(|| first_opinion(motion, seed, &query.id.seat));
    let mut held = held_alternative(motion, query.state).unwrap_or_else(first);
    if query.ask.step() == Step::Statement {
        held = copy_stance(copy_ppm, motion, seed, query).unwrap_or(held);
    }
    let mut order = by_lot(motion, seed, &query.id.seat);
    order.sort_by_key(|option| *option != held);
    (Favour::from_order(order, motion, query), MindState(vec![i64::from(held.0)]))
}

/// The alternative held so far; `None` before the first question.
fn held_alternative(motion: &Motion, state: &MindState) -> Option<AlternativeId> {
    let place = u32::try_from(*state.0.first()?).ok()?;
    (AlternativeId(place).index() < motion.alternatives.len()).then_some(AlternativeId(place))
}

/// A seat's first opinion, drawn at convening and so independent of which question comes first.
fn first_opinion(motion: &Motion, seed: &SessionSeed, seat: &SeatName) -> AlternativeId {
    let place = seed
        .at_question(DrawPurpose::Opinion, &convening_question(seat), 0)
        .draw_below(motion.alternatives.len() as u64);
    AlternativeId(place as u32)
}

/// The heard stance that the seat adopts; `None` if it copies nothing or heard nothing.
fn copy_stance(copy_ppm: u32, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Option<AlternativeId> {
    let mut draws = seed.at_question(DrawPurpose::Choice, &noise_at(query), 0);
    if !draws.draw_event(copy_ppm) {
        return None;
    }
    let heard: Vec<u64> = motion.alternative_ids().map(|id| query.brief.heard.count(id).into()).collect();
    heard.iter().any(|count| *count > 0).then(|| AlternativeId(draws.draw_weighted(&heard) as u32))
}

#[cfg(test)]
mod tests;
