//! Who takes part in a phase or block.

use super::{Formula, Plan};
use crate::domain::{SeatId, SeatName};
use crate::expression::list_names;

/// The seats that take part in a phase or block, as far as they are present.
#[derive(Debug, Clone)]
pub struct SeatSet {
    /// The set as it is written: names of seats, a role or an expression.
    pub text: String,
    /// How its seats are found.
    pub rule: SeatRule,
}

/// How the seats of a set are found.
#[derive(Debug, Clone)]
pub enum SeatRule {
    /// These seats, in the plan's order.
    Named(Vec<SeatId>),
    /// The seats for which an expression holds: it is true of the seat, is the seat, or is a list that holds it.
    Where {
        /// The expression.
        formula: Formula,
        /// What it is taken to select in a rehearsal; `None` in a session, and of an expression that reads no answers.
        assumed: Option<AssumedSeats>,
    },
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

impl serde::Serialize for SeatSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl SeatSet {
    /// Whether it may hold a seat.
    pub fn may_hold(&self, seat: SeatId) -> bool {
        match &self.rule {
            SeatRule::Named(seats) => seats.contains(&seat),
            SeatRule::Where { .. } => true,
        }
    }

    /// Whether it is the same in every session: a list, or an expression that reads only parameters, passes and what seats are.
    pub fn is_fixed(&self) -> bool {
        let SeatRule::Where { formula, .. } = &self.rule else { return true };
        let is_fixed = |name: &str, attributes: &[String]| match name {
            "parameters" | "pass" => true,
            "seat" | "seats" | "nobody" => attributes.iter().all(|own| matches!(own.as_str(), "index" | "role")),
            _ => false,
        };
        let reads = list_names(&formula.expression);
        reads.iter().all(|read| {
            read.series.is_none() && read.name.as_deref().is_some_and(|name| is_fixed(name, &read.attributes))
        })
    }
}

impl Plan {
    /// What the phase at this place and the blocks around it say of who takes part.
    pub fn who(&self, place: usize) -> impl Iterator<Item = &SeatSet> {
        let phase = &self.agenda[place];
        let blocks = phase.within.iter().filter_map(|block| self.blocks[*block].who.as_ref());
        blocks.chain(&phase.who)
    }

    /// Whether every seat that is present takes part in the phase at this place.
    pub fn takes_all(&self, place: usize) -> bool {
        self.who(place).next().is_none()
    }

    /// Whether answers decide if the phase at this place takes place, or who takes part in it.
    pub fn depends_on_answers(&self, place: usize) -> bool {
        let phase = &self.agenda[place];
        let blocks = phase.within.iter().filter_map(|block| self.blocks[*block].when.as_ref());
        let mut conditions = blocks.chain(&phase.when);
        conditions.any(|when| !when.formula.is_fixed()) || self.who(place).any(|set| !set.is_fixed())
    }

    /// Whether a seat may take part in the phase at this place.
    pub fn may_take_part(&self, place: usize, seat: &SeatName) -> bool {
        let id = self.seats.iter().position(|own| own.name == *seat).map(|position| SeatId(position as u32));
        id.is_some_and(|id| self.who(place).all(|set| set.may_hold(id)))
    }
}
