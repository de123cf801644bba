//! Who hears what is said, and what each seat has heard.

use std::collections::BTreeSet;

use super::floor::Floor;
use super::talk::TalkVersions;
use super::{FloorEvent, Memory, MemoryPlan, RemarkHeader};
use crate::domain::{Links, Number, PhaseName, Remark, SeatId, Seq};

impl Memory {
    /// The plan of a seat's memory.
    pub(super) fn plan(&self, seat: SeatId) -> &MemoryPlan {
        &self.halls[self.circles.circle(seat)].plan
    }

    /// The remarks that a seat has heard.
    pub(super) fn floor(&self, seat: SeatId) -> &Floor {
        &self.halls[self.circles.circle(seat)].floor
    }

    /// The talk as a seat's circle heard it.
    pub(super) fn talk_versions(&self, seat: SeatId) -> &TalkVersions {
        &self.halls[self.circles.circle(seat)].talks
    }

    /// The halls that hear a remark.
    pub(super) fn heard_in(&self, said: RemarkHeader, event: FloorEvent) -> Vec<usize> {
        let mut halls: Vec<usize> = match (said.speaker, &self.linked) {
            (Some(speaker), Some(links)) => {
                let seats = (0..links.seats() as u32).map(SeatId);
                let hears = |seat: &SeatId| *seat == speaker || links.heard_by(*seat).contains(&speaker);
                let of_seats: BTreeSet<usize> = seats.filter(hears).map(|seat| self.circles.circle(seat)).collect();
                of_seats.into_iter().collect()
            }
            (Some(speaker), None) => self.circles.hearing(speaker).collect(),
            (None, _) => (0..self.halls.len()).collect(),
        };
        if let Some(listening) = self.listening.as_ref().filter(|_| event.is_of_phase()) {
            let own = said.speaker.map(|speaker| self.circles.circle(speaker));
            halls.retain(|hall| listening.contains(hall) || Some(*hall) == own);
        }
        halls
    }

    /// Lets only these seats, beside whoever speaks, hear what is said and counted from now on; everyone if none are given. Seats of one
    /// circle hear the same.
    pub fn limit_hearing(&mut self, hearers: Option<&[SeatId]>) {
        let halls = |seats: &[SeatId]| seats.iter().map(|seat| self.circles.circle(*seat)).collect();
        self.listening = hearers.map(halls);
    }

    /// Lets seats hear each other by these links from now on; by those of the session if none are given. Seats of one circle hear the same.
    pub fn link_speakers(&mut self, links: Option<Links>) {
        self.linked = links;
    }

    /// All remarks that a seat has heard, in order; an index is a position on its floor.
    pub fn remarks(&self, seat: SeatId) -> &[Remark] {
        &self.floor(seat).remarks
    }

    /// The statement with a number in a phase, from any hall; the newest if the phase was entered again.
    pub fn statement(&self, phase: &PhaseName, number: Number) -> Option<&Remark> {
        self.halls.iter().filter_map(|hall| hall.statement(phase, number)).max_by_key(|remark| remark.seq)
    }

    /// The remark of a record, if the seat heard it.
    pub fn heard_of(&self, seat: SeatId, seq: Seq) -> Option<&Remark> {
        let remarks = self.remarks(seat);
        remarks.binary_search_by_key(&seq, |remark| remark.seq).ok().map(|place| &remarks[place])
    }

    /// The number of statements dropped from the public history, and their measured characters, in the hall that dropped most.
    pub fn dropped_statements(&self) -> (u32, u64) {
        let dropped = self.halls.iter().map(|hall| hall.floor.dropped_statements());
        dropped.max_by_key(|(remarks, chars)| (*chars, *remarks)).unwrap_or_default()
    }

    /// The number of statements dropped from a seat's public history, and their measured characters.
    pub fn dropped_to(&self, seat: SeatId) -> (u32, u64) {
        self.floor(seat).dropped_statements()
    }
}
