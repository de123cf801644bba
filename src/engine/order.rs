//! Who speaks when, and in which order seats are asked to call a vote.

use super::deliberation::Deliberation;
use crate::chance::DrawPurpose;
use crate::domain::{Moment, QuestionId, SeatId, SeatName, Step};
use crate::plan::SpeakingOrder;

impl Deliberation<'_> {
    /// The speaking order of a round of a discussion: of the seats that take part, as many as speak in a round.
    pub(super) fn speaking_order(&self, place: usize, round: u32) -> Vec<SeatId> {
        let mut order = self.order_speakers(place, round);
        order.truncate(self.discussion(place).speakers.map_or(usize::MAX, |most| most as usize));
        order
    }

    fn order_speakers(&self, place: usize, round: u32) -> Vec<SeatId> {
        let present: Vec<SeatId> = self.asked_at(Step::Statement).collect();
        let by_lot = || self.by_lot(DrawPurpose::SpeakingOrder, &self.moment(place, round, Step::Order), &present);
        match self.discussion(place).order {
            SpeakingOrder::Fixed | SpeakingOrder::Simultaneous => present,
            SpeakingOrder::Random => {
                let mut order = by_lot();
                // Whoever spoke last does not open the next round.
                if round > 1 && order.len() > 1 && self.course.order.last() == order.first() {
                    order.swap(0, 1);
                }
                order
            }
            SpeakingOrder::Volunteer => {
                let mut order = by_lot();
                order.retain(|seat| self.standing[seat.index()].urgency.is_some());
                // The sort is stable: among equals the lot stands.
                order.sort_by_key(|seat| std::cmp::Reverse(self.standing[seat.index()].urgency));
                order
            }
            SpeakingOrder::Rotating => rotated(&present, round as usize - 1),
            SpeakingOrder::Williams => {
                let moment = self.moment(place, 0, Step::Order);
                let mut draws = self.seed.at_moment(DrawPurpose::SpeakingOrder, &moment, 0);
                let rows = williams_rows(present.len());
                let row = (draws.draw_below(rows as u64) as usize + round as usize - 1) % rows;
                williams_row(present.len(), row).into_iter().map(|seat| present[seat]).collect()
            }
        }
    }

    /// Seats in an order by lot. Each has a lot of its own, so adding a seat moves no other's.
    pub(super) fn by_lot(&self, purpose: DrawPurpose, at: &Moment, seats: &[SeatId]) -> Vec<SeatId> {
        let mut question = QuestionId { at: at.clone(), seat: SeatName::new(""), attempt: 0 };
        let mut lots: Vec<(u64, SeatId)> = Vec::with_capacity(seats.len());
        for seat in seats {
            question.seat = self.plan.seats[seat.index()].name.clone();
            lots.push((self.seed.draw_lot(purpose, &question), *seat));
        }
        lots.sort();
        lots.into_iter().map(|(_, seat)| seat).collect()
    }
}

fn rotated(seats: &[SeatId], by: usize) -> Vec<SeatId> {
    let mut order = seats.to_vec();
    if !order.is_empty() {
        order.rotate_left(by % seats.len());
    }
    order
}

/// How many rows a Williams square of this many seats has: as many as seats when they are even, else twice as many.
pub fn williams_rows(seats: usize) -> usize {
    if seats.is_multiple_of(2) { seats.max(1) } else { 2 * seats }
}

/// A row of a Williams square: over all rows every seat stands at every place equally often and follows every other equally
/// often.
///
/// Source: Williams 1949, "Experimental designs balanced for the estimation of residual effects of treatments", Australian
/// Journal of Scientific Research A 2(2). The first row is 0, 1, n−1, 2, n−2, …; the others add 1 to every entry, modulo n;
/// for an odd n the rows come again in reverse.
pub(super) fn williams_row(seats: usize, row: usize) -> Vec<usize> {
    let first = (0..seats).map(|place| if place % 2 == 1 { place.div_ceil(2) } else { (seats - place / 2) % seats });
    let mut entries: Vec<usize> = first.map(|entry| (entry + row) % seats).collect();
    if row >= seats {
        entries.reverse();
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn in_a_williams_square_everyone_stands_everywhere_and_follows_everyone_equally_often() {
        for seats in 2..9 {
            let (mut places, mut follows) = (BTreeMap::new(), BTreeMap::new());
            for row in 0..williams_rows(seats) {
                let order = williams_row(seats, row);
                for (place, seat) in order.iter().enumerate() {
                    *places.entry((place, *seat)).or_insert(0) += 1;
                }
                for pair in order.windows(2) {
                    *follows.entry((pair[0], pair[1])).or_insert(0) += 1;
                }
            }
            let times = williams_rows(seats) / seats;
            assert_eq!(places.len(), seats * seats);
            assert!(places.values().all(|count| *count == times), "{seats}: {places:?}");
            assert_eq!(follows.len(), seats * (seats - 1));
            assert!(follows.values().all(|count| *count == times), "{seats}: {follows:?}");
        }
    }

    #[test]
    fn rotating_begins_one_seat_later_each_round() {
        let seats: Vec<SeatId> = (0..3).map(SeatId).collect();
        assert_eq!(rotated(&seats, 4), [SeatId(1), SeatId(2), SeatId(0)]);
    }
}
