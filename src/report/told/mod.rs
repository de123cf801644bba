//! A record in words, before it is laid out: what happened, who could hear it, and the words themselves.
//!
//! Nothing here is inert yet: whoever lays it out for a terminal or a page makes it so.

mod answered;
mod declared;
mod kept;

use std::collections::BTreeMap;

use crate::choice::ranked::Strength;
use crate::domain::{AlternativeName, Event, NamedChoice, Record, SeatName, Truth};
use crate::report::quoted;
use crate::report::render::grouped;

pub(super) use kept::kept;

/// What a record is in the course of a session, and so how it is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The session, a phase or a round begins.
    Opening,
    /// Somebody speaks on the floor, or passes.
    Speech,
    /// What a seat answers and nobody hears.
    Aside,
    /// What the procedure says, draws or counts.
    Procedure,
    /// An answer that does not count.
    Fault,
    /// A round closes.
    Closing,
    /// How the session ends.
    Outcome,
}

/// Who could hear or read what a record holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// Every seat.
    Everyone,
    /// Every seat that the network lets hear its speaker.
    Listeners,
    /// No seat: another group's words stand in its place.
    Replaced,
    /// These seats.
    Only(Vec<String>),
    /// Each seat what concerns it.
    Each,
    /// The seat that it comes from alone: it may remember it.
    Itself,
    /// No seat: no memory keeps it.
    Nobody,
}

impl Heard {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            Heard::Everyone => "heard by all".to_owned(),
            Heard::Listeners => "heard by those whom the network lets hear it".to_owned(),
            Heard::Replaced => "heard by nobody: another group's words stand in its place".to_owned(),
            Heard::Only(seats) => format!("to {} only", seats.join(", ")),
            Heard::Each => "to each seat what concerns it".to_owned(),
            Heard::Itself => "private".to_owned(),
            Heard::Nobody => "only recorded".to_owned(),
        }
    }

    /// Whether less than everybody could hear it.
    pub fn is_private(&self) -> bool {
        matches!(self, Heard::Only(_) | Heard::Each | Heard::Itself | Heard::Nobody)
    }
}

/// A record in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What it is in the course of the session.
    pub form: Form,
    /// Who could hear it.
    pub heard: Heard,
    /// The seat, or who speaks for the procedure.
    pub who: Option<String>,
    /// What happened, in our words; follows the name where there is one.
    pub what: String,
    /// More of it, each in few words.
    pub notes: Vec<String>,
    /// One line each for seats or alternatives.
    pub lines: Vec<String>,
    /// Words that are not ours: a statement, a thought, a reply as it came.
    pub words: Option<String>,
}

impl Told {
    fn new(form: Form, heard: Heard, what: impl Into<String>) -> Self {
        Self { form, heard, who: None, what: what.into(), notes: Vec::new(), lines: Vec::new(), words: None }
    }

    fn by(mut self, who: impl Into<String>) -> Self {
        self.who = Some(who.into());
        self
    }

    fn noting(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    fn listing(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.lines.extend(lines);
        self
    }

    fn saying(mut self, words: &str) -> Self {
        self.words = (!words.is_empty()).then(|| words.to_owned());
        self
    }
}

/// Reads a session's records in their order.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    /// Whether another group's words stand in the place of this one's.
    is_lent: bool,
    /// Whether not everyone hears everyone.
    is_networked: bool,
    /// Whether nobody hears another, so that counts and calls are not told, either.
    is_alone: bool,
    /// What is right, where the minutes say it.
    right: Option<String>,
    /// Whether the end is read beside the record that says what is right, so that it is not said again.
    is_beside_all: bool,
    /// The names that seats go by for the others, where they chose one.
    called: BTreeMap<SeatName, String>,
    /// How strong a win of one alternative over another is; `None` where the plan is not at hand.
    strength: Option<Strength>,
}

impl Reader {
    /// Reads a whole session, of a plan under which wins are as strong as this.
    pub fn of(strength: Option<Strength>) -> Self {
        Self { strength, is_beside_all: true, ..Self::default() }
    }

    /// The next record in words.
    pub fn take(&mut self, record: &Record) -> Told {
        match &record.event {
            Event::SessionConvened { lender, .. } => self.is_lent = lender.is_some(),
            Event::Networked { hears } => {
                self.is_networked = true;
                self.is_alone = hears.iter().all(|of| of.hears.is_empty());
            }
            Event::Dealt { truth: Some(truth), .. } => self.right = Some(right_is(truth)),
            Event::NamesGiven { names } => {
                self.called = names.iter().map(|given| (given.seat.clone(), given.name.clone())).collect();
            }
            _ => {}
        }
        let mut told = match &record.seat {
            Some(seat) => answered::told(record, self.floor()).by(seat.as_str()),
            None => declared::told(record, self.strength),
        };
        if self.is_alone
            && matches!(record.event, Event::CallAnswered { .. } | Event::Confirmed { .. } | Event::Tallied(_))
        {
            told.heard = Heard::Nobody;
        }
        if told.form == Form::Outcome && !self.is_beside_all {
            told.notes.extend(self.right.clone());
        }
        match record.seat.as_ref().and_then(|seat| self.called.get(seat)) {
            Some(name) if told.form == Form::Speech => told.noting([format!("called {name}")]),
            _ => told,
        }
    }

    /// Who hears what is said on the floor.
    fn floor(&self) -> Heard {
        match (self.is_lent, self.is_networked) {
            (true, _) => Heard::Replaced,
            (false, _) if self.is_alone => Heard::Nobody,
            (false, true) => Heard::Listeners,
            (false, false) => Heard::Everyone,
        }
    }
}

/// An alternative, and its amount where there is one.
pub(super) fn choice(name: &AlternativeName, amount: Option<u32>) -> String {
    match amount {
        Some(amount) => format!("{name} {}", grouped(u64::from(amount))),
        None => name.to_string(),
    }
}

/// What is right.
fn right_is(truth: &Truth) -> String {
    match truth {
        Truth::Alternative(name) => format!("right is {}", quoted(name.as_str())),
        Truth::Amount(amount) => format!("right is {}", grouped(u64::from(*amount))),
    }
}

pub(super) fn named(named: &NamedChoice) -> String {
    choice(&named.alternative, named.amount)
}

fn listed<'n>(names: impl IntoIterator<Item = &'n SeatName>) -> String {
    names.into_iter().map(SeatName::as_str).collect::<Vec<_>>().join(", ")
}

fn plain(word: &str) -> String {
    word.replace('_', " ")
}
