//! A record in words, before it is laid out: what happened, who could hear it, and the words themselves.
//!
//! Nothing here is inert yet: whoever lays it out for a terminal or a page makes it so.

mod answered;
mod declared;
mod kept;

use std::collections::BTreeMap;

use crate::choice::ranked::DefeatStrength;
use crate::domain::{
    AlternativeName, Consequence, Event, NamedChoice, Record, RuleKind, SeatName, Step, StopReason, Truth, Verdict,
};
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
    strength: Option<DefeatStrength>,
    /// The only seat that is told of; `None` for all.
    seat: Option<SeatName>,
}

impl Reader {
    /// Reads a whole session, of a plan under which wins are as strong as this.
    pub fn of(strength: Option<DefeatStrength>) -> Self {
        Self { strength, is_beside_all: true, ..Self::default() }
    }

    /// Reads what concerns one seat, or all; `right` is what is right, as far as it is known before the session.
    pub fn of_seat(strength: Option<DefeatStrength>, seat: Option<SeatName>, right: Option<&Truth>) -> Self {
        Self { strength, seat, right: right.map(right_is), ..Self::default() }
    }

    /// Whether a seat is told of.
    fn is_of(&self, seat: &SeatName) -> bool {
        self.seat.as_ref().is_none_or(|wanted| wanted == seat)
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
            None => declared::told(record, self),
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

/// What follows from an answer that does not count, in words.
pub(in crate::report) fn consequence(then: Consequence, step: Step) -> &'static str {
    match (then, step) {
        (Consequence::AskedAgain, _) => "asked again",
        (Consequence::TriesUsedUp, Step::Ballot | Step::Amount) => "tries used up, the ballot is invalid",
        (Consequence::TriesUsedUp, Step::StrawPoll) => "tries used up, the poll stays unanswered",
        (Consequence::TriesUsedUp, Step::Statement) => "tries used up, the turn is forfeited",
        (Consequence::TriesUsedUp, Step::VoteCall) => "tries used up, no vote is called",
        (Consequence::TriesUsedUp, Step::Confirmation) => "tries used up, it counts as a no",
        (Consequence::TriesUsedUp, Step::Volunteer) => "tries used up, the seat does not speak in this round",
        (Consequence::TriesUsedUp, Step::Integration | Step::Compression) => "tries used up, the memory stays as it is",
        (Consequence::TriesUsedUp, Step::Naming) => "tries used up, it keeps the name of its seat",
        (Consequence::TriesUsedUp, Step::Notes) => "tries used up, its notes stay as they are",
        (Consequence::TriesUsedUp, Step::Recognition) => "tries used up, nothing is known of it",
        (Consequence::TriesUsedUp, Step::Harvest) => "tries used up, it takes nothing",
        (Consequence::TriesUsedUp, Step::Application) => "tries used up, nothing is paid",
        (Consequence::TriesUsedUp, _) => "tries used up",
    }
}

/// What a session came to, with what was decided for where something was.
pub(in crate::report) fn outcome((verdict, stop): (Verdict, StopReason), decided: Option<String>) -> String {
    match (verdict, decided) {
        (Verdict::Carried, Some(name)) => format!("carried: {name}"),
        (Verdict::Carried, None) => "carried".to_owned(),
        (Verdict::Imposed, Some(name)) => format!("imposed: {name}"),
        (Verdict::Imposed, None) => "imposed".to_owned(),
        (Verdict::NoDecision, _) => "no decision".to_owned(),
        (Verdict::NoQuorum, _) => "no decision, for want of valid ballots".to_owned(),
        // There may have been votes while there were seats.
        (Verdict::NotApplicable, _) if stop == StopReason::NobodyLeft => "nobody was left to decide".to_owned(),
        (Verdict::NotApplicable, _) => "no vote was held".to_owned(),
    }
}

/// Why a session ended.
pub(in crate::report) fn why_ended(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Decided => "a vote decided",
        StopReason::RoundsUsedUp => "all rounds were used up",
        StopReason::Undecided => "the vote decided nothing",
        StopReason::Imposed => "the decision was imposed",
        StopReason::Converged => "statements had become alike, which ended the talk",
        StopReason::Collapsed => "the common stock was gone",
        StopReason::NobodyLeft => "every seat was excluded",
        StopReason::AgendaDone => "the agenda is at its end",
    }
}

/// Whether a rule weighs how strongly an alternative beats another.
pub(in crate::report) fn weighs_wins(rule: RuleKind) -> bool {
    matches!(rule, RuleKind::Minimax | RuleKind::Schulze | RuleKind::RankedPairs)
}

/// A number of thousandths as a decimal number.
pub(in crate::report) fn thousandths(value: u32) -> String {
    let text = format!("{}.{:03}", value / 1000, value % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Cents as dollars.
pub(in crate::report) fn dollars(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
