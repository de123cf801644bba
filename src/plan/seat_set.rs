//! Sets of seats, and roles.

use super::Formula;
use crate::domain::SeatId;
use crate::expression::{NameRead, list_names};

/// Seats that an author selects: those that take part or hear, that are asked about, voted on or named in answers.
#[derive(Debug, Clone, PartialEq)]
pub struct SeatSet {
    /// The set as it is written: names of seats, a role or an expression.
    pub text: String,
    /// How its seats are found.
    pub rule: SeatRule,
}

/// How the seats of a set are found.
#[derive(Debug, Clone, PartialEq)]
pub enum SeatRule {
    /// These seats, in the plan's order.
    Named(Vec<SeatId>),
    /// The seats for which an expression holds: it is true of the seat, is the seat, or is a list that holds it.
    Where {
        /// The expression.
        formula: Formula,
        /// Whether it has the same value whichever seat it is asked about, such as a list of seats.
        is_about_no_seat: bool,
        /// Whether it selects as many seats in every session: it reads only parameters, passes and what seats are, or is a role.
        is_fixed: bool,
        /// What it is taken to select in a rehearsal; `None` in a session, and of an expression that reads no answers.
        assumed: Option<AssumedSeats>,
    },
}

impl SeatRule {
    /// The seats for which an expression holds, as it may select others in every session.
    pub fn of_formula(formula: Formula) -> Self {
        let is_of_seat = |read: &NameRead| read.series.is_some() || read.name.as_deref() == Some("seat");
        let is_about_no_seat = !list_names(&formula.expression).iter().any(is_of_seat);
        Self::Where { formula, is_about_no_seat, is_fixed: false, assumed: None }
    }

    /// The same of an expression that selects as many in every session, if this holds.
    pub fn fixed_if(mut self, holds: impl FnOnce(&Formula) -> bool) -> Self {
        if let Self::Where { formula, is_fixed, .. } = &mut self {
            *is_fixed = holds(formula);
        }
        self
    }
}

/// What an expression that reads answers is taken to select in a rehearsal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssumedSeats {
    /// Every seat.
    All,
    /// No seat, so that the phase is left out.
    None,
    /// The first of those that the rest of what is said lets take part.
    First,
}

/// A role that the scenario declares.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct DeclaredRole {
    /// Its name.
    pub name: String,
    /// The number of its seats.
    pub seats: u32,
    /// Whether its seats speak, think before they speak, volunteer and call votes.
    pub speaks: bool,
    /// Whether its seats vote and answer straw polls.
    pub votes: bool,
    /// Instructions for its seats, added after their persona.
    pub instructions: Option<String>,
}

impl serde::Serialize for SeatSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl SeatSet {
    /// The set of all of so many seats.
    pub fn everyone(seats: usize) -> Self {
        Self { text: "everyone".to_owned(), rule: SeatRule::Named((0..seats as u32).map(SeatId).collect()) }
    }

    /// Takes it to select these seats in a rehearsal.
    pub fn assume_always(&mut self, seats: AssumedSeats) {
        // Which of the seats of a list are in a group may be by lot.
        if let SeatRule::Named(_) = self.rule {
            self.rule = SeatRule::of_formula(Formula::never());
        }
        if let SeatRule::Where { assumed, .. } = &mut self.rule {
            *assumed = Some(seats);
        }
    }

    /// Takes it to select these seats of a group in a rehearsal, unless it selects as many of any group of that size.
    pub fn assume_selected_in_group(&mut self, seats: AssumedSeats) {
        if !selects_all_there(&self.text) {
            self.assume_always(seats);
        }
    }

    /// Takes it to select these seats in a rehearsal, if what it selects depends on answers.
    pub fn assume_selected(&mut self, seats: AssumedSeats) {
        if let SeatRule::Where { is_fixed, assumed, .. } = &mut self.rule {
            *assumed = (!*is_fixed).then_some(seats);
        }
    }

    /// Whether it is all of so many seats.
    pub fn is_everyone(&self, seats: usize) -> bool {
        matches!(&self.rule, SeatRule::Named(all) if all.len() == seats)
    }

    /// Whether it may hold a seat.
    pub fn may_hold(&self, seat: SeatId) -> bool {
        match &self.rule {
            SeatRule::Named(seats) => seats.contains(&seat),
            SeatRule::Where { .. } => true,
        }
    }

    /// Whether it is the same in every session: a list, or an expression that reads only parameters, passes and what seats are.
    pub fn is_fixed(&self) -> bool {
        match &self.rule {
            SeatRule::Named(_) => true,
            SeatRule::Where { is_fixed, .. } => *is_fixed,
        }
    }
}

/// Whether an expression selects all seats that are there, or all but the one that answers.
pub fn selects_all_there(text: &str) -> bool {
    ["others", "everyone", "group", "seats", "true", "seat != me", "me != seat"].contains(&text.trim())
}
