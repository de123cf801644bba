//! Where minds draw: the coordinates of their noise and of what seats come with.

use crate::chance::{DrawPurpose, SessionSeed};
use crate::domain::{AlternativeId, Moment, Motion, PhaseName, Query, QuestionId, SeatName, Step};

/// The coordinate of a mind's noise: the question without its turn, so that the order of speaking moves no noise.
pub(super) fn noise_at(query: &Query<'_>) -> QuestionId {
    let mut id = query.id.clone();
    id.at.turn = 0;
    id
}

/// The coordinate of what a seat comes with, which is the same whichever question comes first.
pub(super) fn convening_question(seat: &SeatName) -> QuestionId {
    let at = Moment { phase: PhaseName::new("session"), round: 0, turn: 0, step: Step::Convening };
    QuestionId { at, seat: seat.clone(), attempt: 0 }
}

/// The alternatives in the order by which a seat settles what is equal to it, by lot: were it the scenario's, rules that count
/// lower places would tell more of that than of the seats.
pub(super) fn by_lot(motion: &Motion, seed: &SessionSeed, seat: &SeatName) -> Vec<AlternativeId> {
    let lots = seed
        .at_question(DrawPurpose::Opinion, &convening_question(seat), u32::MAX)
        .draw_order(motion.alternatives.len() as u32);
    lots.into_iter().map(AlternativeId).collect()
}
