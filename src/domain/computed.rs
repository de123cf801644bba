//! Computed values.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{FieldValue, KeptText, SeatName};

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

/// The values that a variable got, or the texts that are kept under a name: one of the session or of a group, or one of each seat; `null` where nobody gave what it is computed from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ComputedValues {
    /// The value of the session.
    Session(Option<FieldValue>),
    /// The value of the group in which the phase takes place.
    Group(Option<FieldValue>),
    /// The value of each seat, in the plan's order.
    Seats(IndexMap<SeatName, Option<FieldValue>>),
    /// The texts of seats that are new, that have new words, or that are withdrawn, in the order of seats.
    Texts(Vec<KeptText>),
}

impl ComputedValues {
    /// Whether a value is for all seats, or for this one.
    pub fn concern(&self, seat: &SeatName) -> bool {
        match self {
            ComputedValues::Session(_) | ComputedValues::Group(_) => true,
            ComputedValues::Seats(values) => values.contains_key(seat),
            ComputedValues::Texts(texts) => texts.iter().any(|text| text.author == *seat),
        }
    }

    /// The values of a variable in the plan's order, each with its seat. A value of the session or of a group has no seat. Texts have no
    /// values.
    pub fn iter(&self) -> Box<dyn Iterator<Item = (Option<&SeatName>, Option<&FieldValue>)> + '_> {
        match self {
            ComputedValues::Session(value) | ComputedValues::Group(value) => {
                Box::new(std::iter::once((None, value.as_ref())))
            }
            ComputedValues::Seats(values) => Box::new(values.iter().map(|(seat, value)| (Some(seat), value.as_ref()))),
            ComputedValues::Texts(_) => Box::new(std::iter::empty()),
        }
    }
}
