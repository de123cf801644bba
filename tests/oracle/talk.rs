//! Cells about talk: words, turns, speaking order, changes of stance.

use std::collections::BTreeMap;

use unicode_segmentation::UnicodeSegmentation as _;

use ekklesia::domain::{Event, Record, Voice};
use super::spread::positions;
use super::{Picked, Worked, absent, named, real, worked};

/// A cell about talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Talk {
    /// Words, summed.
    Words,
    /// Unicode scalar values, summed.
    Chars,
    /// The row's seat's share of the words.
    Share,
    /// Gini's coefficient of the seats' words.
    Gini,
    /// How evenly statements are spread over seats.
    TurnEntropy,
    /// The seat's place in the speaking order.
    Position,
    /// Whether the seat wanted to speak.
    Volunteers,
    /// What a turn or an intervention is: statement, pass, forfeit, intervention.
    Kind,
    /// In whose name an intervention was made.
    By,
    /// Switches of stance in the row's round.
    Switched,
    /// Seats that could switch.
    Switchers,
    /// Switches to the majority at the start.
    ToMajority,
    /// Switches away from it.
    FromMajority,
    /// Whether the seat's stance in this round is another than the one before.
    SwitchedHere,
    /// Whether the seat's last stance is another than its first.
    SwitchedEver,
    /// Seats whose last poll differs from their stance then, as a share.
    PrivateGap,
    /// Seats with a stance and a later poll.
    PrivateN,
    /// Whether no other session of the arm has the same statements.
    Distinct,
}

/// What a record says aloud: a statement's or an intervention's words.
fn said(record: &Record) -> Option<&str> {
    match &record.event {
        Event::Spoke { text, .. } | Event::Instructed { text, .. } => Some(text),
        _ => None,
    }
}

fn words(text: &str) -> u64 {
    text.unicode_words().count() as u64
}

impl Talk {
    pub(super) fn work(self, picked: &Picked<'_>) -> Worked {
        match self {
            Talk::Words => sum(picked, "words", words),
            Talk::Chars => sum(picked, "Unicode scalar values", |text| text.chars().count() as u64),
            Talk::Share => share(picked),
            Talk::Gini => gini(picked),
            Talk::TurnEntropy => turn_entropy(picked),
            Talk::Position => position(picked),
            Talk::Volunteers => volunteers(picked),
            Talk::Kind => kind(picked),
            Talk::By => match picked.last().map(|record| &record.event) {
                Some(Event::Instructed { by, .. }) => {
                    let word = by.as_str();
                    let left_out = if *by == Voice::Facilitator { ", which leaves `by` out," } else { "" };
                    worked(word)
                }
                _ => absent("a turn is no intervention"),
            },
            Talk::Switched | Talk::Switchers | Talk::ToMajority | Talk::FromMajority => self.switches(picked),
            Talk::SwitchedHere => switched_here(picked),
            Talk::SwitchedEver => switched_ever(picked),
            Talk::PrivateGap | Talk::PrivateN => self.private(picked),
            Talk::Distinct => distinct(picked),
        }
    }

    /// Follows every seat's stance from statement to statement.
    fn switches(self, picked: &Picked<'_>) -> Worked {
        let scope = picked.case.scope;
        let here =
            |record: &Record| scope.phase() == Some(record.at.phase.as_str()) && scope.round() == Some(record.at.round);
        let mut last: BTreeMap<&str, &str> = BTreeMap::new();
        let (now, before): (Vec<&Record>, Vec<&Record>) =
            picked.records.iter().copied().partition(|record| here(record));
        let (held, _) = positions(&before, picked.arm());
        last.extend(held.iter().map(|held| (held.seat.as_str(), held.alternative.as_str())));
        let majority = majority(&last);
        let (mut switched, mut switchers, mut to, mut from) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (declared, _) = positions(&now, picked.arm());
        for held in &declared {
            let (seat, alternative) = (held.seat.as_str(), held.alternative.as_str());
            let Some(old) = last.insert(seat, alternative) else { continue };
            switchers.push(seat);
            if old != alternative {
                switched.push(format!("{seat} ({old} to {alternative})"));
                to.extend((majority.as_deref() == Some(alternative)).then_some(seat));
                from.extend((majority.as_deref() == Some(old)).then_some(seat));
            }
        }
        match self {
            Talk::Switched => {
                let n = switched.len();
                return worked(n);
            }
            Talk::Switchers => {
                let n = switchers.len();
                return worked(n);
            }
            _ => {}
        }
        let Some(majority) = majority else {
            return Err("no alternative is the single most frequent at the start of the round".to_owned());
        };
        let (word, seats) = if self == Talk::ToMajority { ("to", to) } else { ("away from", from) };
        worked(seats.len())
    }

    /// Follows stances and polls: what a seat chose in private against what it had declared last by then.
    fn private(self, picked: &Picked<'_>) -> Worked {
        let mut stance: BTreeMap<&str, &str> = BTreeMap::new();
        let mut differs: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
        for record in &picked.records {
            let (held, _) = positions(&[record], picked.arm());
            let Some(held) = held.first() else { continue };
            let (seat, alternative) = (held.seat.as_str(), held.alternative.as_str());
            if matches!(record.event, Event::Spoke { .. }) {
                stance.insert(seat, alternative);
            } else if let Some(declared) = stance.get(seat) {
                differs.insert(seat, (declared, alternative));
            }
        }
        let n = differs.len();
        let pairs: Vec<String> = differs
            .iter()
            .map(|(seat, (declared, chosen))| format!("{seat} declared {declared}, chose {chosen}"))
            .collect();
        if self == Talk::PrivateN {
            return worked(n);
        }
        if n == 0 {
            return Err("no seat has a stance and a later straw-poll choice".to_owned());
        }
        let different = differs.values().filter(|(declared, chosen)| declared != chosen).count();
        let share = different as f64 / n as f64;
        real(Some(share), "")
    }
}

/// The single most frequent of these stances.
fn majority(last: &BTreeMap<&str, &str>) -> Option<String> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    last.values().for_each(|alternative| *counts.entry(alternative).or_default() += 1);
    let top = counts.values().copied().max()?;
    let mut modes = counts.iter().filter(|(_, count)| **count == top);
    let mode = modes.next().map(|(name, _)| (*name).to_owned());
    if modes.next().is_some() { None } else { mode }
}

fn list(stances: &BTreeMap<&str, &str>) -> String {
    let pairs: Vec<String> = stances.iter().map(|(seat, stance)| format!("{seat} {stance}")).collect();
    or_none(&pairs)
}

pub(super) fn or_none<T: AsRef<str>>(names: &[T]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.iter().map(AsRef::as_ref).collect::<Vec<&str>>().join(", ")
}

fn sum(picked: &Picked<'_>, unit: &str, measure: impl Fn(&str) -> u64) -> Worked {
    let said: Vec<(&Record, u64)> =
        picked.records.iter().filter_map(|record| Some((*record, measure(said(record)?)))).collect();
    // A turn without words has no length; a seat or round without statements has 0.
    if said.is_empty() && matches!(picked.case.scope.table(), "statements") {
        return absent("there was no statement: the turn was passed or lost");
    }
    let total: u64 = said.iter().map(|(_, n)| n).sum();
    let terms: Vec<String> = said.iter().map(|(record, n)| format!("{n} (record {})", record.seq.0)).collect();
    worked(total)
}

/// Words by seat, silent ones included.
fn words_by_seat<'p>(picked: &'p Picked<'_>) -> Vec<(&'p str, u64)> {
    let of = |name: &str| -> u64 {
        let own = picked.records.iter().filter(|record| record.seat.as_ref().is_some_and(|seat| seat.as_str() == name));
        own.filter_map(|record| said(record)).map(words).sum()
    };
    picked.seat_names().into_iter().map(|name| (name, of(name))).collect()
}

fn pairs_of(seats: &[(&str, u64)]) -> String {
    seats.iter().map(|(name, n)| format!("{name} {n}")).collect::<Vec<String>>().join(", ")
}

fn share(picked: &Picked<'_>) -> Worked {
    let seats = words_by_seat(picked);
    let all: u64 = seats.iter().map(|(_, n)| n).sum();
    if all == 0 {
        return absent("nobody said a word");
    }
    let seat = picked.case.scope.seat();
    let own =
        seats.iter().find(|(name, _)| seat.as_ref().is_some_and(|seat| seat.as_str() == *name)).map_or(0, |(_, n)| *n);
    let share = own as f64 / all as f64;
    real(Some(share), "")
}

fn gini(picked: &Picked<'_>) -> Worked {
    let seats = words_by_seat(picked);
    let all: u64 = seats.iter().map(|(_, n)| n).sum();
    if all == 0 {
        return absent("nobody said a word");
    }
    let n = seats.len() as u64;
    let apart: u64 = seats.iter().flat_map(|(_, a)| seats.iter().map(move |(_, b)| a.abs_diff(*b))).sum();
    let value = apart as f64 / (2 * n * all) as f64;
    real(Some(value), "")
}

fn turn_entropy(picked: &Picked<'_>) -> Worked {
    let of = |name: &str| {
        picked.records.iter().filter(|record| record.seat.as_ref().is_some_and(|seat| seat.as_str() == name)).count()
            as u64
    };
    let seats: Vec<(&str, u64)> = picked.seat_names().into_iter().map(|name| (name, of(name))).collect();
    let n: u64 = seats.iter().map(|(_, n)| n).sum();
    if n == 0 || seats.len() < 2 {
        return absent("there are no statements, or there is one seat only");
    }
    let mut sum = 0.0;
    for (_, count) in seats.iter().filter(|(_, count)| *count > 0) {
        let share = *count as f64 / n as f64;
        sum -= share * libm::log(share);
    }
    let most = libm::log(seats.len() as f64);
    real(Some(sum / most), "")
}

fn position(picked: &Picked<'_>) -> Worked {
    let Some(Event::RoundOpened { order }) = picked.last().map(|record| &record.event) else {
        return absent("no speaking order was drawn for this row");
    };
    let names: Vec<&str> = order.iter().map(|name| name.as_str()).collect();
    let seat = picked.case.scope.seat();
    match order.iter().position(|name| Some(name) == seat.as_ref()) {
        Some(place) => worked(place + 1),
        None => Err("the row's seat is not in the speaking order".to_owned()),
    }
}

fn volunteers(picked: &Picked<'_>) -> Worked {
    let Some(record) = picked.last() else { return absent("the seat was not asked whether it wants to speak") };
    let flag = u8::from(matches!(record.event, Event::Volunteered { urgency: Some(_), .. }));
    worked(flag)
}

fn kind(picked: &Picked<'_>) -> Worked {
    let Some(record) = picked.last() else { return absent("there is no such record") };
    let word = match record.event {
        Event::Spoke { .. } => "statement",
        Event::Passed { .. } => "pass",
        Event::Instructed { .. } => "intervention",
        _ => "forfeit",
    };
    worked(word)
}

fn switched_here(picked: &Picked<'_>) -> Worked {
    let scope = picked.case.scope;
    let is_here = picked.last().is_some_and(|record| {
        scope.phase() == Some(record.at.phase.as_str()) && scope.round() == Some(record.at.round)
    });
    let (held, _) = positions(&picked.records, picked.arm());
    match held.as_slice() {
        [.., before, now] if is_here => {
            let flag = u8::from(before.alternative != now.alternative);
            worked(flag,
            )
        }
        _ if !is_here => absent("the seat declared no stance in this part"),
        _ => absent("the seat had declared no stance before"),
    }
}

fn switched_ever(picked: &Picked<'_>) -> Worked {
    let (held, _) = positions(&picked.records, picked.arm());
    let (Some(first), Some(last)) = (held.first(), held.last()) else { return absent("the seat declared no stance") };
    let flag = u8::from(first.alternative != last.alternative);
    worked(flag)
}

fn distinct(picked: &Picked<'_>) -> Worked {
    if picked.records.is_empty() {
        return absent("nobody spoke");
    }
    let twins = picked.case.twins.unwrap_or_default();
    let flag = u8::from(twins.is_empty());
    worked(flag,
    )
}
