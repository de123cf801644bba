//! Cells about stances followed from statement to statement, and from poll to poll.

use std::collections::BTreeMap;

use ekklesia::analysis::why::RecordKind;
use ekklesia::domain::{AlternativeName, Record, Reply};

use super::positions::{Position, list_positions};
use super::{Cell, flag, is_by, share, show};

/// A stance that follows another one of the same seat.
struct Move<'r> {
    seat: &'r str,
    from: &'r str,
    to: &'r str,
    /// The stance of every seat just before.
    before: BTreeMap<&'r str, &'r str>,
    is_here: bool,
}

impl Move<'_> {
    fn is_switch(&self) -> bool {
        self.from != self.to
    }
}

/// A position of a record, and the record.
fn list_recorded<'c>(cell: &Cell<'c>) -> impl Iterator<Item = (&'c Record, Position<'c>)> {
    let of = |record| (record, list_positions(&[record], cell.arm()).valid);
    let all: Vec<_> = cell.records.iter().map(|record| of(*record)).collect();
    all.into_iter().flat_map(|(record, positions)| positions.into_iter().map(move |position| (record, position)))
}

/// The alternative of a position, in the scenario's words.
fn find_name<'c>(cell: &Cell<'c>, position: &Position<'c>) -> Option<&'c str> {
    cell.arm().alternatives.iter().find(|name| **name == position.alternative).map(AlternativeName::as_str)
}

/// Lists every stance that follows an earlier one, up to the end of the row's round.
fn list_moves<'c>(cell: &Cell<'c>) -> Vec<Move<'c>> {
    let mut last: BTreeMap<&str, &str> = BTreeMap::new();
    let mut moves = Vec::new();
    for (record, position) in list_recorded(cell) {
        let Some(to) = find_name(cell, &position) else { continue };
        let (seat, before) = (position.seat.as_str(), last.clone());
        if let Some(from) = last.insert(seat, to) {
            moves.push(Move { seat, from, to, before, is_here: cell.is_here(record) });
        }
    }
    moves
}

/// The moves of the row's round, or of a session.
fn list_own_moves<'c>(cell: &Cell<'c>) -> Vec<Move<'c>> {
    let is_session = cell.row.table() == "sessions";
    list_moves(cell).into_iter().filter(|one| is_session || one.is_here).collect()
}

pub fn count_switches(cell: &Cell<'_>) -> Option<String> {
    cell.choices()?;
    show(list_own_moves(cell).iter().filter(|one| one.is_switch()).count())
}

/// Counts the stances that could have been switches.
pub fn count_moves(cell: &Cell<'_>) -> Option<String> {
    cell.choices()?;
    show(list_own_moves(cell).len())
}

pub fn switch_rate(cell: &Cell<'_>) -> Option<String> {
    cell.choices()?;
    let moves = list_own_moves(cell);
    share(moves.iter().filter(|one| one.is_switch()).count(), moves.len())
}

/// The single most frequent stance at the start of the row's round.
fn find_majority<'c>(cell: &Cell<'c>) -> Option<&'c str> {
    cell.choices()?;
    let before = list_recorded(cell).filter(|(record, _)| !cell.is_here(record));
    let stances: BTreeMap<_, _> =
        before.filter_map(|(_, position)| Some((position.seat.as_str(), find_name(cell, &position)?))).collect();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    stances.values().for_each(|stance| *counts.entry(stance).or_default() += 1);
    let most = counts.values().max().copied()?;
    let modes: Vec<&str> = counts.iter().filter(|(_, count)| **count == most).map(|(name, _)| *name).collect();
    if let [mode] = modes.as_slice() { Some(mode) } else { None }
}

pub fn count_switches_to_majority(cell: &Cell<'_>) -> Option<String> {
    let majority = find_majority(cell)?;
    show(list_own_moves(cell).iter().filter(|one| one.is_switch() && one.to == majority).count())
}

pub fn count_switches_from_majority(cell: &Cell<'_>) -> Option<String> {
    let majority = find_majority(cell)?;
    show(list_own_moves(cell).iter().filter(|one| one.is_switch() && one.from == majority).count())
}

/// The moves behind flips: in a round from stance to stance, in a session from the poll before the talk to the one after it.
fn list_flips<'c>(cell: &Cell<'c>) -> Option<Vec<Move<'c>>> {
    if cell.row.table() != "sessions" {
        return Some(list_own_moves(cell));
    }
    let poll = |of: RecordKind| -> BTreeMap<&str, &str> {
        let own = list_recorded(cell).filter(|(record, _)| of.matches_record(record, cell.arm()));
        own.filter_map(|(_, position)| Some((position.seat.as_str(), find_name(cell, &position)?))).collect()
    };
    let (before, after) = (poll(RecordKind::PollBefore), poll(RecordKind::PollAfter));
    let flip = |(seat, from)| Some(Move { seat, from, to: after.get(seat)?, before: BTreeMap::new(), is_here: true });
    Some(before.into_iter().filter_map(flip).collect()).filter(|flips: &Vec<_>| !flips.is_empty())
}

/// Counts the moves from the right or a wrong alternative, or those of them that flipped.
pub fn count_flips(cell: &Cell<'_>, was_right: bool, is_flip: bool) -> Option<String> {
    let right = cell.right_alternative()?.as_str();
    let is_counted = |one: &&Move<'_>| (one.from == right) == was_right && (!is_flip || (one.to == right) != was_right);
    show(list_flips(cell)?.iter().filter(is_counted).count())
}

/// Counts the switches of other seats while the row's seat held a stance: those to its stance, and all.
pub fn count_influence(cell: &Cell<'_>) -> Option<(usize, usize)> {
    let seat = cell.seat().filter(|_| cell.choices().is_some())?;
    let moves = list_moves(cell);
    let others = moves.iter().filter(|one| one.seat != seat.as_str() && one.is_switch());
    let held: Vec<(&str, &str)> = others.filter_map(|one| Some((one.to, *one.before.get(seat.as_str())?))).collect();
    Some((held.iter().filter(|(to, own)| to == own).count(), held.len()))
}

pub fn influence_share(cell: &Cell<'_>) -> Option<String> {
    let (toward, all) = count_influence(cell)?;
    share(toward, all)
}

/// Whether the seat's stance in this round differs from the one before.
pub fn has_switched_here(cell: &Cell<'_>) -> Option<String> {
    cell.last().filter(|last| cell.is_here(last))?;
    cell.choices()?;
    match cell.positions().as_slice() {
        [.., before, now] => flag(before.alternative != now.alternative),
        _ => None,
    }
}

/// Whether the seat's last stance differs from its first.
pub fn has_switched_ever(cell: &Cell<'_>) -> Option<String> {
    let positions = cell.positions();
    cell.choices()?;
    flag(positions.first()?.alternative != positions.last()?.alternative)
}

/// Of each seat with a stance and a later poll: whether its last poll differs from its stance then.
pub fn list_private_gaps(cell: &Cell<'_>) -> Vec<bool> {
    let (mut stances, mut differs) = (BTreeMap::new(), BTreeMap::new());
    for (record, position) in list_recorded(cell) {
        if matches!(record.reply(), Some(Reply::Statement { .. })) {
            stances.insert(position.seat, position.alternative);
        } else if let Some(stance) = stances.get(position.seat) {
            differs.insert(position.seat, *stance != position.alternative);
        }
    }
    differs.into_values().collect()
}

pub fn private_gap(cell: &Cell<'_>) -> Option<String> {
    let gaps = list_private_gaps(cell);
    cell.choices()?;
    share(gaps.iter().filter(|differs| **differs).count(), gaps.len())
}

/// The share of seats whose last stance is what was decided.
pub fn final_stance_share(cell: &Cell<'_>) -> Option<String> {
    let decided = cell.decided()?;
    cell.choices()?;
    let positions = cell.positions();
    let last: BTreeMap<_, _> = positions.iter().map(|position| (position.seat, &position.alternative)).collect();
    share(last.values().filter(|stance| ***stance == decided.alternative).count(), last.len())
}

/// The share of seats that spoke.
pub fn participation_rate(cell: &Cell<'_>) -> Option<String> {
    let names = cell.names_there();
    let spoke = names.iter().filter(|name| cell.records.iter().any(|record| is_by(record, name)));
    share(spoke.count(), names.len())
}
