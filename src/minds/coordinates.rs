//! The coordinates of minds' draws: their noise and the seats' initial values; and orders of alternatives for these draws.

use crate::chance::{DrawPurpose, SessionSeed};
use crate::domain::{AlternativeId, Moment, Motion, PhaseName, Query, QuestionId, SeatName, Step};

/// Probabilities are drawn in multiples of 2⁻⁴⁰.
pub(super) const PROBABILITY_STEPS: f64 = (1u64 << 40) as f64;

/// The coordinate of a mind's noise: the question without its turn, so that the speaking order changes no draw.
pub(super) fn noise_at(query: &Query<'_>) -> QuestionId {
    let mut id = query.id.clone();
    id.at.turn = 0;
    id
}

/// The coordinate of a seat's initial draws, whichever question comes first.
pub(super) fn convening_question(seat: &SeatName) -> QuestionId {
    let at = Moment { phase: PhaseName::new("session"), round: 0, turn: 0, step: Step::Convening };
    QuestionId { at, seat: seat.clone(), attempt: 0 }
}

/// The options in the scenario's order, so that the display order changes no choice.
pub(super) fn sort_options(options: &[AlternativeId]) -> Vec<AlternativeId> {
    let mut offered = options.to_vec();
    offered.sort_unstable();
    offered
}

/// The alternatives in the random order by which a seat breaks ties. In the scenario's order, rules that count lower places would
/// reflect that order more than the seats.
pub(super) fn by_lot(motion: &Motion, seed: &SessionSeed, seat: &SeatName) -> Vec<AlternativeId> {
    let lots = seed
        .at_question(DrawPurpose::Opinion, &convening_question(seat), u32::MAX)
        .draw_order(motion.alternatives.len() as u32);
    lots.into_iter().map(AlternativeId).collect()
}
