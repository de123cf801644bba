//! The last declarations of others that a mind's brief shows, after memory, networks and forgetting.

use std::collections::{BTreeMap, BTreeSet};

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
    /// The position of the remark among all remarks, heard or not.
    pub place: usize,
}

/// Represents the group if a round's poll is announced; no seat has this number.
pub(super) const GROUP: SeatId = SeatId(u32::MAX);

/// The last declaration of each other seat, by seat, as a list at the end of each round that brought one, and a list at the end of the
/// talk. Only declarations before the record `before` count, and a round brings one if it holds a record after `since`. If no seat is
/// heard, a list holds what an announcement said about the group.
///
/// A round is over when its number changes, a turn recurs or a seat speaks again, because nobody speaks twice in a round.
pub(super) fn declared_positions(
    motion: &Motion,
    brief: &Brief<'_>,
    (since, before): (i64, Seq),
) -> Vec<Vec<DeclaredPosition>> {
    let declares = |remark: &&Remark| remark.stance.is_some() || remark.opinion.is_some();
    let mut last: BTreeMap<SeatId, &Remark> = BTreeMap::new();
    let (mut newest, mut is_new, mut spoke) = (None::<&Remark>, false, BTreeSet::new());
    let mut rounds = Vec::new();
    for remark in brief.all_remarks().filter(|remark| remark.seq < before).filter(declares) {
        let comes_after =
            |other: &Remark| other.round == remark.round && (remark.turn == 0 || other.turn < remark.turn);
        if newest.is_some_and(|newest| !comes_after(newest)) || spoke.contains(&remark.speaker) {
            if is_new {
                rounds.push(list_positions(motion, brief, &last));
            }
            (is_new, spoke) = (false, BTreeSet::new());
        }
        newest = Some(remark);
        spoke.insert(remark.speaker);
        if remark.speaker != Some(brief.seat) {
            is_new |= remark.seq.0 as i64 > since;
            last.insert(remark.speaker.unwrap_or(GROUP), remark);
        }
    }
    rounds.push(list_positions(motion, brief, &last));
    rounds
}

/// The positions of these declarations. That of the group counts only if there is no other.
fn list_positions(motion: &Motion, brief: &Brief<'_>, last: &BTreeMap<SeatId, &Remark>) -> Vec<DeclaredPosition> {
    let floor = brief.remarks.floor;
    let said = |(seat, remark): (&SeatId, &&Remark)| {
        let position = Position::from_declaration(motion, remark.stance, remark.opinion)?;
        let place = floor.binary_search_by_key(&remark.seq, |other| other.seq).ok()?;
        Some(DeclaredPosition { seat: *seat, seq: remark.seq, position, stance: remark.stance, place })
    };
    last.iter().filter(|(seat, _)| **seat != GROUP || last.len() == 1).filter_map(said).collect()
}
