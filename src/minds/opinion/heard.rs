//! What others declared last, as a mind reads it in its brief: memory, networks and forgetting count, for what is not shown is not here.

use std::collections::BTreeMap;

use super::position::Position;
use crate::domain::{Brief, Choice, Motion, Remark, SeatId, Seq};

/// What one of the others declared last.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Said {
    /// Who.
    pub seat: SeatId,
    /// The record.
    pub seq: Seq,
    /// Where it stands.
    pub position: Position,
    /// What it declared to favour; `None` where it declared no more than an opinion.
    pub stance: Option<Choice>,
    /// The place of the remark on the floor.
    pub place: usize,
}

/// What each of the others declared last before a record, by seats; of those who declared neither a stance nor an opinion nothing.
pub(super) fn declared(motion: &Motion, brief: &Brief<'_>, before: Seq) -> Vec<Said> {
    let mut last: BTreeMap<SeatId, &Remark> = BTreeMap::new();
    let declares = |remark: &&Remark| remark.stance.is_some() || remark.opinion.is_some();
    for remark in brief.all_remarks().filter(|remark| remark.seq < before).filter(declares) {
        if let Some(speaker) = remark.speaker.filter(|speaker| *speaker != brief.seat) {
            last.insert(speaker, remark);
        }
    }
    let floor = brief.remarks.floor;
    let said = |(seat, remark): (SeatId, &Remark)| {
        let position = Position::declared(motion, remark.stance, remark.opinion)?;
        let place = floor.binary_search_by_key(&remark.seq, |other| other.seq).ok()?;
        Some(Said { seat, seq: remark.seq, position, stance: remark.stance, place })
    };
    last.into_iter().filter_map(said).collect()
}
