//! Why a cell is what it is: the records that enter it, and its value worked out again from them, step by step.
//!
//! The working reads records alone and shares no state with the fold, so that the two check each other. Nothing here opens a file.

mod asked;
mod estimates;
mod fields;
mod harvests;
mod language;
mod marks;
mod opinions;
mod pay;
mod points;
mod rankings;
mod records;
mod scope;
mod seats;
mod setting;
mod spread;
mod stances;
mod talk;
mod told;
mod votes;

pub use asked::Asked;
pub use estimates::Estimate;
pub use fields::Plain;
pub use harvests::HarvestCell;
pub use language::Language;
pub use marks::Marks;
pub use opinions::Opinions;
pub use pay::{Other, Pay};
pub use rankings::Rankings;
pub use records::{Of, Reach, Records, Take};
pub use scope::Scope;
pub use seats::{Held, OfSeat};
pub use setting::Setting;
pub use spread::Spread;
pub use stances::Stances;
pub use talk::Talk;
pub use told::Told;
pub use votes::{Tally, Vote};

use crate::domain::{PhaseKindName, Record};
use crate::metrics::column::put_real;
use crate::metrics::facts::{ArmFacts, MarksRead, PhaseFacts, SessionFacts};
use crate::metrics::tables::Status;

/// How a cell follows from its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Working {
    /// It is a setting of the plan.
    Plan(Setting),
    /// A field is read, or records are counted.
    Plain(Plain),
    /// What seats held or chose, over the alternatives.
    Spread(Spread),
    /// Words and turns.
    Talk(Talk),
    /// Votes and their counts.
    Vote(Vote),
    /// Rankings, tests, memories, who sits where.
    Seat(OfSeat),
    /// Payments and what other choices would have paid.
    Pay(Pay),
    /// Answers: what was said, how often it was asked.
    Asked(Asked),
    /// Proposals, reactions to them, decisions.
    Marks(Marks),
    /// Stances followed from statement to statement.
    Stances(Stances),
    /// Words: how varied, how alike.
    Language(Language),
    /// Numbers from 0 to 1.
    Opinions(Opinions),
    /// How far rankings agree.
    Rankings(Rankings),
    /// Amounts, and the one that is right.
    Estimate(Estimate),
    /// What was taken from a common stock.
    Harvest(HarvestCell),
    /// The case: what seats were told alone, and what was cited of it.
    Told(Told),
}

/// Where a cell has a value at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// In every row.
    Everywhere,
    /// In rounds of talk.
    InTalk,
    /// In rounds of talk of which marks are read.
    InMarkedTalk,
}

/// Where a column's cells come from, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Why {
    /// The records that enter.
    pub records: Records,
    /// What is made of them.
    pub working: Working,
    /// In which rows.
    pub at: Where,
}

impl Why {
    /// A cell that comes from the plan alone.
    pub const fn plan(setting: Setting) -> Self {
        Self::of(Reach::Session, &[], Working::Plan(setting))
    }

    /// A cell that comes from all records of these kinds within reach.
    pub const fn of(reach: Reach, of: &'static [Of], working: Working) -> Self {
        Self { records: Records { reach, of, take: Take::All }, working, at: Where::Everywhere }
    }

    /// The same, of which only these records enter.
    pub const fn take(mut self, take: Take) -> Self {
        self.records.take = take;
        self
    }
}

/// A cell worked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worked {
    /// The ingredients in words and numbers; the last step ends with the value.
    pub steps: Vec<String>,
    /// The cell's text, or why it is empty.
    pub value: Result<String, String>,
}

/// A cell, and everything it may be worked out from.
#[derive(Debug, Clone, Copy)]
pub struct Case<'c> {
    /// All records of the session.
    pub all: &'c [Record],
    /// What is known of the session beside its records.
    pub facts: &'c SessionFacts,
    /// The row.
    pub scope: &'c Scope,
    /// The column.
    pub column: &'c str,
    /// How far the session got.
    pub status: &'c Status,
    /// The digest of the minutes; empty unless the session is completed.
    pub minutes_digest: &'c str,
    /// The completed sessions of the arm with the same statements; `None` unless they were looked for.
    pub twins: Option<&'c [String]>,
}

/// A cell with its records picked.
pub(in crate::metrics::why) struct Picked<'c> {
    pub case: Case<'c>,
    pub records: Vec<&'c Record>,
}

impl Why {
    /// The places of the records that enter a cell, in the order of the minutes.
    pub fn places(&self, case: &Case<'_>) -> Vec<usize> {
        self.records.among(case.all, &case.facts.arm, case.scope)
    }

    /// Works a cell out from its records.
    pub fn work(&self, case: Case<'_>) -> Worked {
        let needs_records = !self.records.of.is_empty();
        if needs_records && *case.status != Status::Completed {
            return absent("the session is not completed; only completed sessions have measurements");
        }
        let records = self.places(&case).into_iter().map(|place| &case.all[place]).collect();
        let picked = Picked { case, records };
        if self.at != Where::Everywhere && !picked.is_talk() {
            return absent("this row is no round of talk");
        }
        if self.at == Where::InMarkedTalk && !picked.is_marked() {
            return absent("no marks are read from statements here");
        }
        let mut worked = match self.working {
            Working::Plan(setting) => setting.work(&picked),
            Working::Plain(plain) => plain.work(&picked),
            Working::Spread(spread) => spread.work(&picked),
            Working::Talk(talk) => talk.work(&picked),
            Working::Vote(vote) => vote.work(&picked),
            Working::Seat(seat) => seat.work(&picked),
            Working::Pay(pay) => pay.work(&picked),
            Working::Asked(asked) => asked.work(&picked),
            Working::Marks(marks) => marks.work(&picked),
            Working::Stances(stances) => stances.work(&picked),
            Working::Language(language) => language.work(&picked),
            Working::Opinions(opinions) => opinions.work(&picked),
            Working::Rankings(rankings) => rankings.work(&picked),
            Working::Estimate(estimate) => estimate.work(&picked),
            Working::Harvest(cell) => cell.work(&picked),
            Working::Told(told) => told.work(&picked),
        };
        // Where the last step does not already end with the value, a step says it.
        if let Ok(value) = &worked.value
            && !worked.steps.last().is_some_and(|step| step.ends_with(value.as_str()))
        {
            worked.steps.push(format!("= {value}"));
        }
        worked
    }
}

impl<'c> Picked<'c> {
    pub fn arm(&self) -> &'c ArmFacts {
        &self.case.facts.arm
    }

    /// The places of seats, by their names.
    pub fn seat_names(&self) -> Vec<&'c str> {
        self.arm().seats.iter().map(|seat| seat.name.as_str()).collect()
    }

    /// The last of the records.
    pub fn last(&self) -> Option<&'c Record> {
        self.records.last().copied()
    }

    fn phase(&self) -> Option<&'c PhaseFacts> {
        self.arm().phases.iter().find(|phase| self.case.scope.phase() == Some(phase.name.as_str()))
    }

    /// Whether marks are read from the statements of the row's phase.
    fn is_marked(&self) -> bool {
        self.phase().is_some_and(|phase| phase.marks == MarksRead::Yes)
    }

    /// Whether the row is a round of talk.
    fn is_talk(&self) -> bool {
        let phase = self.phase();
        phase.is_some_and(|phase| phase.kind == PhaseKindName::Discussion) && self.case.scope.round() > Some(0)
    }
}

/// A cell that is empty, for this reason.
pub(in crate::metrics::why) fn absent(reason: impl Into<String>) -> Worked {
    Worked { steps: Vec::new(), value: Err(reason.into()) }
}

/// A cell with this value, after these steps.
pub(in crate::metrics::why) fn worked(steps: Vec<String>, value: impl ToString) -> Worked {
    Worked { steps, value: Ok(value.to_string()) }
}

/// A cell with a real number, after these steps; without one it is empty for this reason.
pub(in crate::metrics::why) fn real(steps: Vec<String>, value: Option<f64>, reason: &str) -> Worked {
    let Some(number) = value else { return Worked { steps, value: Err(reason.to_owned()) } };
    let mut text = Vec::new();
    put_real(Some(number), &mut text);
    Worked { steps, value: Ok(String::from_utf8(text).expect("invariant: digits are text")) }
}

/// A record by its number, kind and seat.
pub(in crate::metrics::why) fn named(record: &Record) -> String {
    let seat = record.seat.as_ref().map_or(String::new(), |seat| format!(" of {seat}"));
    format!("record {}, {}{seat}", record.seq.0, record.at.step.as_str())
}
