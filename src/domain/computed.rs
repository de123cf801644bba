//! Computed values, and payoffs that follow from them.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{Decimal, FieldValue, SeatName};

/// What has a value of a variable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Holder {
    /// The session.
    #[default]
    Session,
    /// Each seat.
    Seat,
    /// Each group of an assignment.
    Group,
}

/// The values that a variable got: one of the session or of a group, or one of each seat; `null` where nobody gave what it is computed from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ComputedValues {
    /// The value of the session.
    Session(Option<FieldValue>),
    /// The value of the group in which the phase takes place.
    Group(Option<FieldValue>),
    /// The value of each seat, in the plan's order.
    Seats(IndexMap<SeatName, Option<FieldValue>>),
}

impl ComputedValues {
    /// The values in the plan's order, each with its seat; one without a seat for the session or a group.
    pub fn iter(&self) -> Box<dyn Iterator<Item = (Option<&SeatName>, Option<&FieldValue>)> + '_> {
        match self {
            ComputedValues::Session(value) | ComputedValues::Group(value) => {
                Box::new(std::iter::once((None, value.as_ref())))
            }
            ComputedValues::Seats(values) => Box::new(values.iter().map(|(seat, value)| (Some(seat), value.as_ref()))),
        }
    }
}

/// What one seat got by an expression.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitPayoff {
    /// Who.
    pub seat: SeatName,
    /// What it got, in units; absent where nobody gave what it is computed from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payoff: Option<Decimal>,
    /// What that is in money, with the fee, in cents; absent where units are not paid out, and without a payoff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payoff_cents: Option<i64>,
}
