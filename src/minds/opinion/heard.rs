//! What others declared last, as a mind reads it in its brief: memory, networks and forgetting count, for what is not shown is not here.

use std::collections::BTreeMap;

use super::position::Position;
use crate::domain::{Brief, Choice, Motion, Remark, SeatId, Seq};

/// What one of the others declared last.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DeclaredPosition {
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

/// The seat that the group stands for where the poll of a round is told; nobody sits there.
pub(super) const GROUP: SeatId = SeatId(u32::MAX);

/// What each of the others declared last before a record, by seats; of those who declared neither a stance nor an opinion nothing.
/// Where nobody is heard, that of the group in the last poll that was told.
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
