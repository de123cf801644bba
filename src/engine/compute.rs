//! Computed values, and payoffs by expressions.

use super::deliberation::Deliberation;
use super::stage::Stage;
use super::world::SessionWorld;
use crate::domain::{Computed, ComputedValues, Decimal, Event, FieldValue, Holder, Payment, Payoff, SeatId, SeatName};
use crate::expression::{Formula, Fraction, Value};
use crate::plan::{Assignment, PayRule, Variable, VariableKind, store_number};

impl<'p> Deliberation<'p> {
    /// Goes to what a phase computes at this position, or to the next phase.
    pub(super) fn compute_from(&mut self, place: usize, position: usize) {
        match position < self.assignments(place).len() {
            true => self.course.stage = Stage::Computing(place, position),
            false => self.enter(place + 1),
        }
    }

    fn assignments(&self, place: usize) -> &'p [Assignment] {
        self.phase(place).kind.assignments()
    }

    /// The value of a variable that a phase computes.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    pub(super) fn compute_value(&self, place: usize, position: usize) -> Result<Event, String> {
        let Assignment { variable, formula, .. } = &self.assignments(place)[position];
        let variable = &self.plan.variables[*variable];
        let value = |seat: Option<SeatId>| {
            let phase = self.phase(place);
            let drawing = Some((phase, variable.name.as_str()));
            let world = SessionWorld { seat, drawing, ..self.world_at(place) };
            let fitted = match fit_value(world.evaluate(formula)?, variable, formula) {
                // What is supposed need not be what the variable holds.
                Err(_) if self.supposed.is_some() => Value::Missing,
                fitted => fitted?,
            };
            self.store_value(&fitted, formula)
        };
        let values = match variable.of {
            Holder::Session => ComputedValues::Session(value(None)?),
            Holder::Group => ComputedValues::Group(value(None)?),
            Holder::Seat => {
                let of_seat = |seat: SeatId| Ok((self.seat_name(seat).clone(), value(Some(seat))?));
                ComputedValues::Seats(self.computed_for().into_iter().map(of_seat).collect::<Result<_, String>>()?)
            }
        };
        Ok(Event::Computed(Computed { name: variable.name.clone(), values }))
    }

    /// A value as it is stored: numbers rounded, seats by their names; `None` for a missing one.
    pub(super) fn store_value(&self, value: &Value, formula: &Formula) -> Result<Option<FieldValue>, String> {
        let name = |seat: u32| self.seat_name(SeatId(seat)).to_string();
        Ok(match value {
            Value::Number(number) => Some(FieldValue::Number(round_number(*number, formula)?)),
            Value::YesNo(yes) => Some(FieldValue::YesNo(*yes)),
            Value::Text(text) => Some(FieldValue::Words(text.to_string().into())),
            Value::Seat(seat) => Some(FieldValue::Words(name(*seat).into())),
            Value::List(items) => {
                let names = items.iter().filter_map(|item| match item {
                    Value::Text(text) => Some(text.to_string()),
                    Value::Seat(seat) => Some(name(*seat)),
                    _ => None,
                });
                Some(FieldValue::Options(names.collect()))
            }
            Value::Missing | Value::Option(_) | Value::Record(_) | Value::Points(_) => None,
        })
    }

    /// A variable has new values.
    pub(super) fn computed(&mut self, place: usize, position: usize, values: &ComputedValues) {
        let position = self.assignments(place)[position].variable;
        let kind = self.plan.variables[position].kind;
        let group = self.phase(place).group.as_ref().map_or(0, |group| group.number as usize - 1);
        let column = |seat: Option<&SeatName>| match seat {
            Some(seat) => self.seat_id(seat).index(),
            None => group,
        };
        let values: Vec<(usize, Value)> =
            values.iter().map(|(seat, value)| (column(seat), self.read_stored(value, kind))).collect();
        let state = &mut self.variables[position];
        let mut computed = vec![None; state.now.len()];
        for (column, value) in values {
            state.now[column].clone_from(&value);
            computed[column] = Some(value);
        }
        state.computed.insert(place, computed);
    }

    /// What each seat is paid by an expression.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    pub(super) fn pay_out(&self, place: usize, rule: &PayRule) -> Result<Event, String> {
        let of_seat = |seat: SeatId| -> Result<Payoff, String> {
            let world = SessionWorld { seat: Some(seat), ..self.world_at(place) };
            let number = |formula: &Formula| Ok::<_, String>(world.evaluate(formula)?.as_number());
            let payoff = number(&rule.payoff)?;
            let rate = rule.rate.as_ref().map(&number).transpose()?.flatten();
            let fee = match &rule.fee {
                Some(fee) => number(fee)?,
                None => Some(Fraction::ZERO),
            };
            let payoff_cents = match (payoff, rate, fee) {
                (Some(payoff), Some(rate), Some(fee)) => {
                    let paid = payoff.checked_mul(rate).and_then(|paid| paid.checked_add(fee));
                    let cents = paid.and_then(|paid| paid.checked_mul(Fraction::from(100_u32))?.round_half_even(0));
                    let cents = cents.ok().and_then(|cents| i64::try_from(cents.to_integer()?).ok());
                    Some(cents.ok_or_else(|| too_large(&rule.payoff))?)
                }
                _ => None,
            };
            let payoff = payoff.map(|payoff| round_number(payoff, &rule.payoff)).transpose()?;
            Ok(Payoff { seat: self.seat_name(seat).clone(), payoff, payoff_cents, income: None })
        };
        let payoffs = self.computed_for().into_iter().map(of_seat);
        let payoffs = payoffs.collect::<Result<_, String>>()?;
        Ok(Event::Paid(Payment { tables: None, unit: rule.unit.clone(), payoffs }))
    }
}

/// A value as a value of the variable's kind. A text that the key of an item gives may be needed as a number, or as yes or no.
fn fit_value(value: Value, variable: &Variable, formula: &Formula) -> Result<Value, String> {
    let (read, wanted) = match (&value, variable.kind) {
        (Value::Text(_), VariableKind::Number) => (value.as_number().map(Value::Number), "a number"),
        (Value::Text(_), VariableKind::YesNo) => (value.as_truth().map(Value::YesNo), "yes or no"),
        _ => return Ok(value),
    };
    read.ok_or_else(|| format!("`{}` gives a text, and `{}` is {wanted}", formula.shown(), variable.name))
}

/// A number as it is stored: rounded to six decimals, with at most 15 digits.
fn round_number(number: Fraction, formula: &Formula) -> Result<Decimal, String> {
    store_number(number).ok_or_else(|| too_large(formula))
}

fn too_large(formula: &Formula) -> String {
    format!("a number with more than 15 digits is the value of `{}`", formula.shown())
}
