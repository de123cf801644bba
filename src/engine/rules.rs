//! What the rules of simulated seats say for the fields of forms.

use super::deliberation::Deliberation;
use super::world::SessionWorld;
use crate::domain::{Ask, Decimal, FieldKind, FieldValue, NamedValues, SeatId};
use crate::expression::{Formula, Value};
use crate::minds::Mind;
use crate::plan::Sitter;

impl Deliberation<'_> {
    /// The values that a seat's rule gives to the fields of a form; none for another mind or question. A number is rounded to the
    /// decimals of its field, half to even.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    pub(super) fn apply_rules(&self, seat: SeatId, place: usize, ask: &Ask) -> Result<NamedValues, String> {
        let (Ask::Form { asked }, Sitter::Mind(Mind::Rule(rules))) = (ask, &self.plan.seats[seat.index()].sitter)
        else {
            return Ok(NamedValues::default());
        };
        let written = &self.plan.form_for(seat, place).asked.form.fields;
        let phase = self.phase(place);
        let mut values = NamedValues::default();
        for (position, field) in asked.form.fields.iter().enumerate() {
            let id = &written[position % written.len()].id;
            let Some(rule) = rules.iter().find(|rule| rule.field == *id) else { continue };
            let drawing = Some((phase, field.id.as_str()));
            let world = SessionWorld { seat: Some(seat), drawing, ..self.world_at(place) };
            let value = self.name_seats(world.evaluate(&rule.formula)?);
            values.add(field.id.clone(), self.value_of_field(&value, &field.kind, &rule.formula)?);
        }
        Ok(values)
    }

    /// A value with seats by their public names, as answers name them.
    fn name_seats(&self, value: Value) -> Value {
        match value {
            Value::Seat(seat) => Value::Text(self.public_name(SeatId(seat)).into()),
            Value::List(items) => Value::List(items.iter().map(|item| self.name_seats(item.clone())).collect()),
            other => other,
        }
    }

    fn value_of_field(&self, value: &Value, kind: &FieldKind, formula: &Formula) -> Result<Option<FieldValue>, String> {
        match (value, kind) {
            (Value::Number(number), FieldKind::Number { decimals, .. }) => {
                let rounded = number.round_half_even(i8::try_from(*decimals).unwrap_or(i8::MAX)).ok();
                let decimal = rounded.and_then(|number| Decimal::parse(&number.to_string()));
                let decimal = decimal.ok_or_else(|| format!("`{}` has more than 15 digits", formula.shown()))?;
                Ok(Some(FieldValue::Number(decimal)))
            }
            _ => self.store_value(value, formula),
        }
    }
}
