//! The last declarations of others that a mind's brief shows, after memory, networks and forgetting.

use std::collections::BTreeMap;

use super::position::Position;
use crate::domain::{Brief, Choice, Motion, Remark, SeatId, Seq};

/// The last declaration of another seat.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DeclaredPosition {
    pub seat: SeatId,
    pub seq: Seq,
    pub position: Position,
    /// The favourite declared; `None` if only an opinion was declared.
    pub stance: Option<Choice>,
    /// The remark's place on the floor.
    pub place: usize,
}

/// Represents the group if a round's poll is announced; no seat has this number.
pub(super) const GROUP: SeatId = SeatId(u32::MAX);

/// The last declaration of each other seat before a record, by seat. If no seat is heard, the group's in the last announced poll.
pub(super) fn declared_positions(motion: &Motion, brief: &Brief<'_>, before: Seq) -> Vec<DeclaredPosition> {
    let mut last: BTreeMap<SeatId, &Remark> = BTreeMap::new();
    let declares = |remark: &&Remark| remark.stance.is_some() || remark.opinion.is_some();
    let mut group = None;
    for remark in brief.all_remarks().filter(|remark| remark.seq < before).filter(declares) {
        match remark.speaker {
            Some(speaker) if speaker != brief.seat => drop(last.insert(speaker, remark)),
            Some(_) => {}
            None => group = Some(remark),
        }
    }
    if last.is_empty() {
        last.extend(group.map(|told| (GROUP, told)));
    }
    let floor = brief.remarks.floor;
    let said = |(seat, remark): (SeatId, &Remark)| {
        let position = Position::from_declaration(motion, remark.stance, remark.opinion)?;
        let place = floor.binary_search_by_key(&remark.seq, |other| other.seq).ok()?;
        Some(DeclaredPosition { seat, seq: remark.seq, position, stance: remark.stance, place })
    };
    last.into_iter().filter_map(said).collect()
}
