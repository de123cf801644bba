//! Cells about stances followed from statement to statement: rates, flips from and to the key, influence, who took part.

use std::collections::BTreeMap;

use ekklesia::domain::Record;
use super::fields::right;
use super::spread::positions;
use super::talk::or_none;
use super::{Picked, Worked, absent, real, worked};

/// A cell about stances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stances {
    /// Switches over the seats that could switch.
    Rate,
    /// All switches of the session.
    Switched,
    /// All stances that could have been switches.
    Switchers,
    /// Seats that gave the key up.
    CorrectWrong,
    /// Seats that could.
    WereCorrect,
    /// Seats that took the key.
    WrongCorrect,
    /// Seats that could.
    WereWrong,
    /// The share of seats that spoke.
    Participation,
    /// The share of others' switches that went to the row's seat.
    InfluenceShare,
    /// Others' switches while it held a stance.
    InfluenceN,
}

/// A change of stance, or a stance that is kept.
struct Move<'p> {
    seat: &'p str,
    from: &'p str,
    to: &'p str,
}

impl Stances {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        match self {
            Stances::Rate | Stances::Switched | Stances::Switchers => self.switches(picked),
            Stances::CorrectWrong | Stances::WereCorrect | Stances::WrongCorrect | Stances::WereWrong => {
                self.flips(picked)
            }
            Stances::Participation => participation(picked),
            Stances::InfluenceShare | Stances::InfluenceN => self.influence(picked),
        }
    }

    fn switches(self, picked: &Picked<'_>) -> Worked {
        let moves = moves(picked);
        let changed: Vec<String> = moves.iter().filter(|one| one.from != one.to).map(words).collect();
        let (switched, n) = (changed.len(), moves.len());
        let steps =
            vec![format!("declared one after another one: {}; stances after one before: {n}", or_none(&changed))];
        match self {
            Stances::Switched => worked(switched),
            Stances::Switchers => worked(n),
            _ if n == 0 => Err("no seat declared a stance after one before".to_owned()),
            _ => real(Some(switched as f64 / n as f64), ""),
        }
    }

    /// Flips: in a row of rounds from stance to stance, in one of sessions from the poll before the talk to the one after it.
    fn flips(self, picked: &Picked<'_>) -> Worked {
        let Some((key, said)) = right(picked) else { return absent("nobody knows which alternative is right") };
        let moves = match picked.case.scope.table() {
            "rounds" => moves(picked),
            _ => polls(picked),
        };
        if picked.case.scope.table() == "sessions" && moves.is_empty() {
            return absent("no seat chose validly in the straw polls before and after the talk");
        }
        let wants_right = matches!(self, Stances::CorrectWrong | Stances::WereCorrect);
        let could: Vec<&Move<'_>> = moves.iter().filter(|one| (one.from == key.as_str()) == wants_right).collect();
        let did: Vec<&Move<'_>> = could.iter().copied().filter(|one| (one.to == key.as_str()) != wants_right).collect();
        let listed = |moves: &[&Move<'_>]| or_none(&moves.iter().map(|one| words(one)).collect::<Vec<String>>());
        match self {
            Stances::CorrectWrong | Stances::WrongCorrect => worked(did.len()),
            _ => worked(could.len()),
        }
    }

    /// Follows all stances; at each switch looks where the row's seat stood.
    fn influence(self, picked: &Picked<'_>) -> Worked {
        let Some(seat) = picked.case.scope.seat() else { return absent("the row has no seat") };
        let (held, _) = positions(&picked.records, picked.arm());
        let mut last: BTreeMap<&str, &str> = BTreeMap::new();
        let (mut toward, mut all) = (Vec::new(), 0);
        for held in &held {
            let (name, to) = (held.seat.as_str(), held.alternative.as_str());
            let from = last.insert(name, to);
            let (Some(from), Some(own)) = (from, last.get(seat.as_str())) else { continue };
            if name != seat.as_str() && from != to {
                all += 1;
                if *own == to {
                    toward.push(words(&Move { seat: name, from, to }));
                }
            }
        }
        let steps =
            vec![format!("others' switches while {seat} held a stance: {all}; to that stance: {}", or_none(&toward))];
        match self {
            Stances::InfluenceN => worked(all),
            _ if all == 0 => Err("no other seat switched while it held a stance".to_owned()),
            _ => real(Some(toward.len() as f64 / f64::from(all)), ""),
        }
    }
}

fn words(one: &Move<'_>) -> String {
    format!("{} ({} to {})", one.seat, one.from, one.to)
}

/// Every stance declared after one before; in a row with a round those of that round.
fn moves<'p>(picked: &'p Picked<'_>) -> Vec<Move<'p>> {
    let scope = picked.case.scope;
    let is_here = |record: &Record| {
        scope.round().is_none()
            || scope.phase() == Some(record.at.phase.as_str()) && scope.round() == Some(record.at.round)
    };
    let mut last: BTreeMap<&str, &str> = BTreeMap::new();
    let mut moves = Vec::new();
    for record in &picked.records {
        let (held, _) = positions(&[record], picked.arm());
        for held in held {
            let (seat, to) = (held.seat.as_str(), held.alternative.as_str());
            let from = last.insert(seat, to);
            moves.extend(from.filter(|_| is_here(record)).map(|from| Move { seat, from, to }));
        }
    }
    moves
}

/// From each seat's last valid choice before the talk to that after it.
fn polls<'p>(picked: &'p Picked<'_>) -> Vec<Move<'p>> {
    let of = |after: bool| -> BTreeMap<&'p str, &'p str> {
        let records: Vec<&Record> = picked
            .records
            .iter()
            .copied()
            .filter(|record| super::Of::PollAfter.fits(record, picked.arm()) == after)
            .collect();
        positions(&records, picked.arm()).0.iter().map(|held| (held.seat.as_str(), held.alternative.as_str())).collect()
    };
    let (before, after) = (of(false), of(true));
    before.into_iter().filter_map(|(seat, from)| Some(Move { seat, from, to: after.get(seat)? })).collect()
}

fn participation(picked: &Picked<'_>) -> Worked {
    let spoke = |name: &&str| {
        picked.records.iter().any(|record| record.seat.as_ref().is_some_and(|seat| seat.as_str() == *name))
    };
    let names = picked.seat_names();
    let n = names.len();
    let spoke: Vec<&str> = names.into_iter().filter(spoke).collect();
    let share = spoke.len() as f64 / n as f64;
    real(Some(share), "")
}
