//! What the rules of simulated seats say for the fields of forms and for ballots.

use indexmap::IndexMap;

use super::asking::Asked;
use super::deliberation::Deliberation;
use super::world::SessionWorld;
use crate::domain::{Ask, BallotForm, Decimal, FieldKind, FieldValue, Form, NamedValues, SeatId};
use crate::expression::{Formula, Value, World};
use crate::minds::{Mind, QuestionRule};
use crate::plan::Sitter;

impl Deliberation<'_> {
    /// The values that a seat's rule gives to the fields of a form, or to a ballot; none for another mind or question. A number is
    /// rounded to the decimals of its field, half to even.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    pub(super) fn apply_rules(&self, seat: SeatId, asked: Asked, ask: &Ask) -> Result<NamedValues, String> {
        let Sitter::Mind(Mind::Rule(rules)) = &self.plan.seats[seat.index()].sitter else {
            return Ok(NamedValues::default());
        };
        match (ask.form_asked(), ask.ballot_form()) {
            (Some(form), _) => self.apply_field_rules(seat, asked.phase, (rules, &form.form)),
            (None, Some(form)) => self.apply_ballot_rule(seat, asked, (rules, form)),
            (None, None) => Ok(NamedValues::default()),
        }
    }

    fn apply_field_rules(
        &self,
        seat: SeatId,
        place: usize,
        (rules, form): (&[QuestionRule], &Form),
    ) -> Result<NamedValues, String> {
        let written = &self.plan.form_for(seat, place).asked.form.fields;
        let phase = self.phase(place);
        let mut values = NamedValues::default();
        for (position, field) in form.fields.iter().enumerate() {
            let id = &written[position % written.len()].id;
            let Some(rule) = rules.iter().find(|rule| rule.answers == *id) else { continue };
            let drawing = Some((phase, field.id.as_str()));
            let target = find_target(id, &field.id);
            let world = SessionWorld { seat: Some(seat), target, drawing, ..self.world_at(place) };
            let value = self.name_seats(world.evaluate(&rule.formula)?);
            values.add(field.id.clone(), self.value_of_field(&value, &field.kind, &rule.formula)?);
        }
        Ok(values)
    }

    /// The ballot of a seat's rule, by the names that the values of ballots have in replies.
    fn apply_ballot_rule(
        &self,
        seat: SeatId,
        asked: Asked,
        (rules, form): (&[QuestionRule], BallotForm),
    ) -> Result<NamedValues, String> {
        let mut values = NamedValues::default();
        let phase = self.phase(asked.phase);
        let Some(rule) = rules.iter().find(|rule| rule.answers == phase.name.written()) else { return Ok(values) };
        // Each round of a talk has a ballot with draws of its own.
        let drawn = format!("ballot {}", asked.round);
        let drawing = Some((phase, drawn.as_str()));
        let world = SessionWorld { seat: Some(seat), drawing, ..self.world_at(asked.phase) };
        let value = world.evaluate(&rule.formula)?;
        let name = |value: &Value| self.name_option(&world, value);
        let options = || {
            let motion = self.motion_put_to(seat, asked.phase).unwrap_or(self.vote_terms(asked.phase).motion);
            motion.alternatives.iter().map(|option| option.name.to_string()).collect::<Vec<String>>()
        };
        let names = || match &value {
            Value::List(options) => options.iter().map(name).collect(),
            _ => None,
        };
        let (field, value) = match form {
            BallotForm::Choice => ("choice", name(&value).map(|name| FieldValue::Words(name.into()))),
            BallotForm::Amount => ("amount", value_of_number(&value, 0, &rule.formula)?),
            BallotForm::Approval => ("approves", names().map(FieldValue::Options)),
            BallotForm::Ranking { .. } => {
                let levels = |names: Vec<String>| names.into_iter().map(|name| vec![name]).collect();
                ("ranking", names().map(|names| FieldValue::Ranks(levels(names))))
            }
            BallotForm::Score { .. } => ("scores", share_numbers(&options(), &value)),
            BallotForm::Allocation { .. } => ("points", share_numbers(&options(), &value)),
        };
        values.add(field, value);
        Ok(values)
    }

    /// The name by which a ballot refers to an option: a text, a seat, an option of a vote, or a text that is kept.
    fn name_option(&self, world: &SessionWorld<'_, '_>, value: &Value) -> Option<String> {
        match value {
            Value::Text(name) => Some(name.to_string()),
            Value::Seat(seat) => Some(self.seat_name(SeatId(*seat)).to_string()),
            Value::Record(_) | Value::Option(_) => match world.read_attribute(value, "name")? {
                Value::Text(name) => Some(name.to_string()),
                _ => None,
            },
            _ => None,
        }
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
            (Value::Number(_), FieldKind::Number { decimals, .. }) => value_of_number(value, *decimals, formula),
            (Value::List(_), FieldKind::Score { options, .. } | FieldKind::Allocation { options, .. }) => {
                Ok(share_numbers(options, value))
            }
            _ => self.store_value(value, formula),
        }
    }
}

/// The seat that a field is about; `None` if it is about nobody. The inverse of [`id_about`](crate::plan::id_about).
fn find_target(written: &str, field: &str) -> Option<SeatId> {
    let number: u32 = field.strip_prefix(written)?.strip_prefix('_')?.parse().ok()?;
    number.checked_sub(1).map(SeatId)
}

/// A number rounded to decimals, half to even; `None` if the value is none.
fn value_of_number(value: &Value, decimals: u8, formula: &Formula) -> Result<Option<FieldValue>, String> {
    let Value::Number(number) = value else { return Ok(None) };
    let rounded = number.round_half_even(i8::try_from(decimals).unwrap_or(i8::MAX)).ok();
    let decimal = rounded.and_then(|number| Decimal::parse(&number.to_string()));
    decimal.map(FieldValue::Number).map(Some).ok_or_else(|| format!("`{}` has more than 15 digits", formula.shown()))
}

/// Numbers as the scores or points of options, in the order in which these are written; `None` if there are not as many, or if one is no
/// whole number from 0.
fn share_numbers(options: &[String], value: &Value) -> Option<FieldValue> {
    let Value::List(numbers) = value else { return None };
    let whole = |value: &Value| match value {
        Value::Number(number) => number.to_integer().and_then(|number| u32::try_from(number).ok()),
        _ => None,
    };
    let shares = options.iter().zip(numbers.iter()).map(|(option, number)| Some((option.clone(), whole(number)?)));
    let shares: Option<IndexMap<String, u32>> = shares.collect();
    shares.filter(|_| numbers.len() == options.len()).map(FieldValue::Shares)
}
