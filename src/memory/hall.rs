//! A hall: what seats that hear the same have heard. Every seat belongs to one hall.
//!
//! If everyone hears everyone and all memories have the same limits, there is one hall. A network, or limits of single seats,
//! makes as many halls as there are seats that differ. The words of a statement are stored once; each hall that hears it keeps
//! its length and place. So a statement costs once for each hall that hears it, and an announcement once for each hall. Positions
//! in records are those in the hall of the record's seat. Nothing here decides who hears whom.

use super::floor::Floor;
use super::talk::TalkVersions;
use super::{FloorEvent, Memory, MemoryPlan, RemarkHeader};
use crate::domain::{Number, PhaseName, Remark, SeatId, Seq};

/// What one circle of seats has heard, whose memories have the same plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hall {
    pub plan: MemoryPlan,
    pub floor: Floor,
    pub talks: TalkVersions,
}

/// A remark, what it is, and how long it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedRemark {
    pub remark: Remark,
    pub event: FloorEvent,
    /// As memories keep it, in rendered characters and in tokens by the fixed estimate.
    pub chars: u64,
    pub tokens: u64,
    /// In full: in rendered characters, and of its words alone.
    pub full_chars: u64,
    pub text_chars: u64,
    /// In the rendering by which the public history is measured.
    pub public_chars: u64,
}

impl Memory {
    /// How a seat remembers.
    pub(super) fn plan(&self, seat: SeatId) -> &MemoryPlan {
        &self.halls[self.circles.circle(seat)].plan
    }

    /// What a seat has heard.
    pub(super) fn floor(&self, seat: SeatId) -> &Floor {
        &self.halls[self.circles.circle(seat)].floor
    }

    /// The talk as those who hear what a seat hears have heard it.
    pub(super) fn talk_versions(&self, seat: SeatId) -> &TalkVersions {
        &self.halls[self.circles.circle(seat)].talks
    }

    /// The halls in which something is heard.
    pub(super) fn heard_in(&self, said: RemarkHeader) -> Vec<usize> {
        match said.speaker {
            Some(speaker) => self.circles.hearing(speaker).collect(),
            None => (0..self.halls.len()).collect(),
        }
    }

    /// Everything that a seat has heard since the session began, in order; places on its floor are positions in this list.
    pub fn remarks(&self, seat: SeatId) -> &[Remark] {
        self.floor(seat).remarks()
    }

    /// The statement of a number in a phase, as far as it was made, whoever heard it; of a phase that was entered again the
    /// newest.
    pub fn statement(&self, phase: &PhaseName, number: Number) -> Option<&Remark> {
        let of_halls = self.halls.iter().filter_map(|hall| {
            let of_phase = hall.floor.of_phase(phase);
            let remarks = of_phase.parts().flat_map(|part| &hall.floor.remarks()[part]);
            let is_it = |remark: &&Remark| {
                remark.speaker.is_some() && (remark.round, remark.turn) == (number.round, number.turn)
            };
            remarks.filter(is_it).last()
        });
        of_halls.max_by_key(|remark| remark.seq)
    }

    /// What a seat has heard of a record.
    pub fn heard_of(&self, seat: SeatId, seq: Seq) -> Option<&Remark> {
        let remarks = self.remarks(seat);
        remarks.binary_search_by_key(&seq, |remark| remark.seq).ok().map(|place| &remarks[place])
    }

    /// Statements that the public history has dropped since the session began, and their length in characters as it is measured:
    /// of all that seats hear, the one that has dropped most.
    pub fn dropped_statements(&self) -> (u32, u64) {
        let dropped = self.halls.iter().map(|hall| hall.floor.dropped_statements());
        dropped.max_by_key(|(remarks, chars)| (*chars, *remarks)).unwrap_or_default()
    }

    /// The same of what one seat hears.
    pub fn dropped_to(&self, seat: SeatId) -> (u32, u64) {
        self.floor(seat).dropped_statements()
    }
}
