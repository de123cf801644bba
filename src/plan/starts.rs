//! The values of variables before they are computed, which follow from parameters and from what seats are.

use super::{Formula, Plan, store_number};
use crate::domain::{FieldValue, Holder};
use crate::expression::{RecordId, Value, World, evaluate};

const PARAMETERS: RecordId = RecordId(0);

impl Plan {
    /// The value of a start; of a variable of seats that of each seat.
    ///
    /// # Errors
    /// The reason, if it has none.
    pub fn evaluate_start(&self, start: &Formula, of: Holder) -> Result<Vec<Option<FieldValue>>, String> {
        let value = |seat: Option<u32>| {
            let found = evaluate(&start.expression, &mut StartWorld { plan: self, seat });
            self.store_start(found.map_err(|failure| failure.to_string())?)
        };
        match of {
            Holder::Seat => (0..self.seats.len() as u32).map(|seat| value(Some(seat))).collect(),
            Holder::Session | Holder::Group => Ok(vec![value(None)?]),
        }
    }

    fn store_start(&self, value: Value) -> Result<Option<FieldValue>, String> {
        let name = |value: &Value| match value {
            Value::Seat(seat) => Some(self.seats[*seat as usize].name.to_string()),
            Value::Text(text) => Some(text.to_string()),
            _ => None,
        };
        Ok(match &value {
            Value::Number(number) => {
                let stored = store_number(*number).ok_or("this number has more than 15 digits")?;
                Some(FieldValue::Number(stored))
            }
            Value::YesNo(yes) => Some(FieldValue::YesNo(*yes)),
            Value::List(items) => Some(FieldValue::Options(items.iter().filter_map(name).collect())),
            other => name(other).map(|name| FieldValue::Words(name.into())),
        })
    }
}

/// What a start reads: parameters, and the role and number of seats.
struct StartWorld<'p> {
    plan: &'p Plan,
    seat: Option<u32>,
}

impl World for StartWorld<'_> {
    fn read_name(&self, name: &str) -> Option<Value> {
        match name {
            "parameters" => Some(Value::Record(PARAMETERS)),
            "seats" => Some(Value::List((0..self.plan.seats.len() as u32).map(Value::Seat).collect())),
            "seat" | "me" => self.seat.map(Value::Seat),
            _ => None,
        }
    }

    fn read_attribute(&self, holder: &Value, attribute: &str) -> Option<Value> {
        match (holder, attribute) {
            (Value::Record(PARAMETERS), _) => self.plan.parameter_value(attribute),
            (Value::Seat(seat), "index") => Some(Value::Number((seat + 1).into())),
            (Value::Seat(seat), "role") => Some(self.plan.seats[*seat as usize].role_value()),
            _ => None,
        }
    }
}
