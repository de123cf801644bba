//! Expressions of a plan, and the variables that they compute.

use super::Formula;
use crate::domain::{Decimal, FieldValue, Holder};
use crate::expression::{Fraction, Type};

/// A variable: a value of the session or of each seat that the agenda computes.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What has a value of it.
    pub of: Holder,
    /// What kind of value it has.
    pub kind: VariableKind,
    /// Its value before it is computed; of a variable of seats that of each seat. Empty if it is missing.
    pub start: Vec<Option<FieldValue>>,
}

impl Variable {
    /// Its value before it is computed, of the seat at a position; of the session and of groups at any.
    pub fn start_at(&self, position: usize) -> Option<&FieldValue> {
        let position = if self.of == Holder::Seat { position } else { 0 };
        self.start.get(position)?.as_ref()
    }
}

/// What kind of value a variable has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum VariableKind {
    /// A number, rounded to six decimals.
    Number,
    /// Yes or no.
    YesNo,
    /// A text.
    Text,
    /// A seat.
    Seat,
    /// Texts.
    Texts,
    /// Seats.
    Seats,
}

impl VariableKind {
    /// The kind of values of a type; `None` if no variable has such values.
    pub fn of_type(found: &Type) -> Option<Self> {
        match found {
            Type::Number => Some(VariableKind::Number),
            Type::YesNo => Some(VariableKind::YesNo),
            Type::Text => Some(VariableKind::Text),
            Type::Seat => Some(VariableKind::Seat),
            Type::List(element) => match **element {
                Type::Text => Some(VariableKind::Texts),
                Type::Seat => Some(VariableKind::Seats),
                _ => None,
            },
            Type::Option(_) | Type::Record(_) | Type::Points(_) | Type::Unknown => None,
        }
    }
}

/// A value that a phase computes.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Assignment {
    /// The position of the variable among the plan's.
    #[serde(skip)]
    pub variable: usize,
    /// The variable as it is written: `seat.NAME` of one of each seat.
    pub written: String,
    /// What it is set to; of a variable of each seat, for each seat.
    pub formula: Formula,
}

impl Assignment {
    /// The name of the variable, without `seat.` or `group.`.
    pub fn bare_name(&self) -> &str {
        self.written.split_once('.').map_or(&self.written, |(_, name)| name)
    }
}

/// What a phase pays to each seat.
#[derive(Debug, Clone, serde::Serialize)]
pub struct PayRule {
    /// What a seat gets, in units.
    pub payoff: Formula,
    /// What is counted.
    pub unit: Option<String>,
    /// What a unit is worth in money; `None` if units are not paid out.
    pub rate: Option<Formula>,
    /// What each seat is paid besides, in money.
    pub fee: Option<Formula>,
}

impl PayRule {
    /// The expressions of the payoff, the rate and the fee.
    pub fn list_formulas(&self) -> impl Iterator<Item = &Formula> {
        [Some(&self.payoff), self.rate.as_ref(), self.fee.as_ref()].into_iter().flatten()
    }
}

/// A number as it is stored: rounded to six decimals; `None` if it has more than 15 digits.
pub fn store_number(number: Fraction) -> Option<Decimal> {
    Decimal::parse(&number.round_for_storage().ok()?.to_string())
}
