//! Every cell of every table, computed a second time: from the records that `why` names for it, or from the plan.
//!
//! The oracle shares with the tables which records enter a cell, and nothing else. `check_cells` compares the two.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::fn_params_excessive_bools, reason = "what a flag in a cell says is a bool")]

mod agreement;
mod answers;
mod columns;
mod estimates;
mod facts;
mod fields;
mod language;
mod opinions;
mod outcome;
mod pay;
mod polls;
mod positions;
mod proposals;
mod seats;
mod settings;
mod switches;
mod talk;
mod texts;
mod values;
mod variables;
mod votes;
mod walk;

pub use walk::check_cells;

use std::collections::BTreeSet;

use ekklesia::analysis::why::TracedRow;
use ekklesia::analysis::{ArmFacts, ColumnSpec, MarksRead, PhaseFacts, SessionFacts, Status};
use ekklesia::domain::{Briefing, Event, PhaseKindName, PhaseOpened, Record, Reply, SeatName, list_reading_places};

/// What was said in a session: the seat and its words, in order.
type Transcript = Vec<(String, String)>;

/// A cell, and everything it may be computed from.
struct Case<'c> {
    /// All records of the session.
    all: &'c [Record],
    /// The same, with forms that count like polls as polls.
    polled: &'c [Record],
    /// What the plan says of the session.
    facts: &'c SessionFacts,
    /// How far the session got.
    status: &'c Status,
    /// The digest of the minutes, computed from their file.
    minutes_digest: &'c str,
    /// The transcripts of the other completed sessions of the arm.
    others: &'c [Transcript],
    row: &'c TracedRow,
    column: &'c ColumnSpec,
}

/// A cell with the records that enter it. No other record of the session can be seen from it, but the case that was dealt.
struct Cell<'c> {
    facts: &'c SessionFacts,
    status: &'c Status,
    minutes_digest: &'c str,
    others: &'c [Transcript],
    row: &'c TracedRow,
    records: Vec<&'c Record>,
    dealt: Option<&'c Record>,
    told: Vec<&'c Briefing>,
    /// The column's name; of an open column what follows its prefix.
    name: &'c str,
}

/// How a column is computed; `None` is an empty cell.
type Compute = fn(&Cell<'_>) -> Option<String>;

/// The text of a cell, empty where the cell is.
fn compute_cell(case: Case<'_>) -> String {
    let Case { all, polled, facts, status, minutes_digest, others, row, column } = case;
    if let Some(setting) = column.why.setting {
        return settings::read(setting, facts, row, &column.name).unwrap_or_default();
    }
    // Only completed sessions have measurements.
    if !column.why.records.of.is_empty() && *status != Status::Completed {
        return String::new();
    }
    let (name, compute) = find_column(row.table(), &column.name).expect("the oracle knows every column");
    let places: BTreeSet<usize> = column.why.record_places(all, &facts.arm, (row, &column.name)).into_iter().collect();
    let read = list_reading_places(all).into_iter().filter(|place| places.contains(place));
    let seen = if polls::is_about_polls(row.table(), &column.name) { polled } else { all };
    let records = read.map(|place| &seen[place]).collect();
    let (dealt, told) = (all.first(), all.iter().filter_map(|record| record.event.briefed()).collect());
    let cell = Cell { facts, status, minutes_digest, others, row, records, dealt, told, name };
    let key = format!("{}:{}", row.table(), column.name);
    let is_empty = columns::IN_TALK.contains(&key.as_str()) && !cell.is_talk()
        || columns::IN_MARKED_TALK.contains(&key.as_str()) && !cell.is_marked_talk();
    if is_empty { String::new() } else { compute(&cell).unwrap_or_default() }
}

pub fn knows_column(table: &str, column: &ColumnSpec) -> bool {
    column.why.setting.is_some() || find_column(table, &column.name).is_some()
}

/// The name of a column, without its prefix if it is open, and how it is computed.
fn find_column<'n>(table: &str, column: &'n str) -> Option<(&'n str, Compute)> {
    let of_table = || columns::COLUMNS.iter().filter(|(of, ..)| [table, "*"].contains(of));
    let exact = of_table().find(|(_, name, _)| *name == column).map(|(.., compute)| (column, *compute));
    exact.or_else(|| {
        let open = of_table().filter(|(_, name, _)| name.ends_with('_'));
        open.filter_map(|(_, prefix, compute)| Some((column.strip_prefix(prefix)?, *compute))).next()
    })
}

fn list_statements<'r>(records: impl IntoIterator<Item = &'r Record>) -> Transcript {
    let statement = |record: &Record| match (&record.seat, record.reply()) {
        (Some(seat), Some(Reply::Statement { text, .. })) => Some((seat.to_string(), text.to_string())),
        _ => None,
    };
    records.into_iter().filter_map(statement).collect()
}

impl<'c> Cell<'c> {
    /// The alternatives, where there are several to choose among; `None` where an amount alone is decided.
    fn choices(&self) -> Option<&[ekklesia::domain::AlternativeName]> {
        match self.facts.arm.alternatives.as_slice() {
            [_] => None,
            several => Some(several),
        }
    }

    fn arm(&self) -> &'c ArmFacts {
        &self.facts.arm
    }

    fn seat(&self) -> Option<SeatName> {
        self.row.seat()
    }

    fn seat_names(&self) -> Vec<&'c str> {
        self.arm().seats.iter().map(|seat| seat.name.as_str()).collect()
    }

    /// The seats that the row's phase is opened for; in a round of talk those of them that speak. Of a session all.
    fn names_there(&self) -> Vec<&'c str> {
        let opened = self.records.iter().find_map(|record| match &record.event {
            Event::PhaseOpened(PhaseOpened { who, .. }) => Some(who),
            _ => None,
        });
        let is_there = |name: &SeatName| opened.is_none_or(|who| who.is_empty() || who.contains(name));
        let is_talk = opened.is_some() && self.is_talk();
        let seats = self.arm().seats.iter().filter(|seat| is_there(&seat.name) && (seat.speaks || !is_talk));
        seats.map(|seat| seat.name.as_str()).collect()
    }

    fn last(&self) -> Option<&'c Record> {
        self.records.last().copied()
    }

    /// Whether a record is of the row's round.
    fn is_here(&self, record: &Record) -> bool {
        self.row.phase() == Some(record.at.phase.as_str()) && self.row.round() == Some(record.at.round)
    }

    fn phase(&self) -> Option<&'c PhaseFacts> {
        self.arm().phases.iter().find(|phase| self.row.phase() == Some(phase.name.as_str()))
    }

    /// Whether the row is a round of talk.
    fn is_talk(&self) -> bool {
        self.phase().is_some_and(|phase| phase.kind == PhaseKindName::Discussion) && self.row.round() > Some(0)
    }

    /// Whether the row is a round of talk of which marks are read.
    fn is_marked_talk(&self) -> bool {
        self.is_talk() && self.phase().is_some_and(|phase| phase.marks == MarksRead::Yes)
    }
}

/// Whether a seat gave a record's answer.
fn is_by(record: &Record, seat: &str) -> bool {
    record.seat.as_ref().is_some_and(|name| name.as_str() == seat)
}

/// A cell with a text or a whole number.
fn show(value: impl ToString) -> Option<String> {
    Some(value.to_string())
}

/// A cell with 1 or 0.
fn flag(is_so: bool) -> Option<String> {
    show(u8::from(is_so))
}

/// A cell with a real number.
fn real(number: f64) -> Option<String> {
    let text = format!("{number:.6}");
    Some(if text == "-0.000000" { text[1..].to_owned() } else { text })
}

/// A cell with a share; empty where there is nothing to have a share of.
fn share(part: usize, all: usize) -> Option<String> {
    if all == 0 { None } else { real(part as f64 / all as f64) }
}

/// A cell with names; empty where there are none.
fn list<T: ToString>(names: impl IntoIterator<Item = T>) -> Option<String> {
    let names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    if names.is_empty() { None } else { Some(names.join("|")) }
}
