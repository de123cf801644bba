//! Conditions of phases and blocks: what they read, and what follows from them.

use std::sync::Arc;

use super::deliberation::{Deliberation, Stage};
use crate::domain::{FieldValue, PhaseName, SeatId};
use crate::expression::{DrawPlace, Number, RecordId, Series, Value, World, evaluate};
use crate::plan::{Condition, Pass, Phase, PhaseKind};
use crate::prompt::Parameter;

/// The records that conditions read: the parameters, the pass, and from [`FORMS`] on the form of a phase as one seat answered it.
const PARAMETERS: RecordId = RecordId(0);
const PASS: RecordId = RecordId(1);
const FORMS: u64 = 2;

impl Deliberation<'_> {
    /// What a condition calls for before the phase of this place: that a block ends, or that a phase or block is left out. `Ok(None)`
    /// if the phase opens.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    pub(super) fn check_gates(&self, place: usize) -> Result<Option<Stage>, String> {
        let blocks = &self.plan.blocks;
        let held_by = |place: usize| self.plan.agenda[place].within.iter().map(|block| (*block, &blocks[*block]));
        if let Some(last) = place.checked_sub(1) {
            for (position, block) in held_by(last).rev().filter(|(_, block)| place < block.end) {
                if let Some(until) = &block.until
                    && self.holds(until, &self.plan.agenda[last].passes[..=block.around])?
                {
                    return Ok(Some(Stage::EndingLoop(last, position)));
                }
            }
        }
        let Some(phase) = self.plan.agenda.get(place) else { return Ok(None) };
        for (position, block) in held_by(place).filter(|(_, block)| block.start == place) {
            if let Some(when) = &block.when
                && !self.holds(when, &phase.passes[..block.around])?
            {
                return Ok(Some(Stage::Skipping(place, block.end, Some(position))));
            }
        }
        match &phase.when {
            Some(when) if !self.holds(when, &phase.passes)? => Ok(Some(Stage::Skipping(place, place + 1, None))),
            _ => Ok(None),
        }
    }

    /// Whether a condition holds in these passes. A missing one does not.
    fn holds(&self, condition: &Condition, passes: &[Pass]) -> Result<bool, String> {
        if let Some(assumed) = condition.assumed {
            return Ok(assumed);
        }
        let mut world = SessionWorld { session: self, passes };
        match evaluate(&condition.expression, &mut world) {
            Ok(Value::YesNo(holds)) => Ok(holds),
            Ok(_) => Ok(false),
            Err(failure) => {
                let part = condition.text.get(failure.span.start..failure.span.end).unwrap_or(&condition.text);
                Err(format!("{} in `{part}` of `{}`", failure, condition.text))
            }
        }
    }

    /// The place of a phase that these passes read: this pass's, and in a block that is over the last pass's; `None` if that pass
    /// left it out, or it has not come yet.
    fn find_visited(&self, written: &str, passes: &[Pass]) -> Option<usize> {
        let agenda = &self.plan.agenda;
        let named = agenda.iter().find(|phase| phase.name.written() == written)?;
        let shared = named.passes.iter().zip(passes).take_while(|(own, here)| own.block == here.block).count();
        let mut reached: Vec<u32> = passes[..shared].iter().map(|pass| pass.number).collect();
        let begins = |phase: &Phase, reached: &[u32]| {
            phase.passes.len() >= reached.len()
                && phase.passes.iter().zip(reached).all(|(own, here)| own.number == *here)
        };
        for (depth, block) in named.passes.iter().enumerate().skip(shared) {
            let is_in = |place: &&usize| {
                let phase = &agenda[**place];
                phase.passes.get(depth).is_some_and(|own| own.block == block.block) && begins(phase, &reached)
            };
            reached.push(agenda[*self.visited.iter().rev().find(is_in)?].passes[depth].number);
        }
        let is_it = |place: &&usize| agenda[**place].name.written() == written && begins(&agenda[**place], &reached);
        self.visited.iter().rev().find(is_it).copied()
    }
}

/// What a condition of the session reads.
struct SessionWorld<'w, 'p> {
    session: &'w Deliberation<'p>,
    passes: &'w [Pass],
}

impl SessionWorld<'_, '_> {
    fn seats(&self, seats: impl Iterator<Item = SeatId>) -> Value {
        Value::List(seats.map(|seat| Value::Seat(seat.0)).collect())
    }

    fn parameter(&self, name: &str) -> Option<Value> {
        let (_, value) = self.session.plan.parameters.iter().find(|(own, _)| own == name)?;
        Some(match value {
            Parameter::Bool(yes) => Value::YesNo(*yes),
            Parameter::Int(number) => Value::Number(Number::from(*number)),
            Parameter::Decimal(text) => Value::Number(Number::parse(text).ok()?),
            Parameter::Text(text) => Value::Text(text.as_str().into()),
        })
    }

    fn pass(&self, attribute: &str) -> Option<Value> {
        let Pass { number, of, .. } = self.passes.last()?;
        match attribute {
            "number" => Some(Value::Number(Number::from(*number))),
            "first" => Some(Value::YesNo(*number == 1)),
            "last" => Some(Value::YesNo(number == of)),
            _ => None,
        }
    }

    /// What a seat answered to a field of the phase with this name; missing if it did not.
    fn answer(&self, seat: u32, phase: &str, field: &str) -> Option<Value> {
        let Deliberation { plan, standing, .. } = self.session;
        let Some(place) = self.session.find_visited(phase, self.passes) else { return Some(Value::Missing) };
        let PhaseKind::Form(asked) = &plan.agenda[place].kind else { return None };
        let position = asked.form.fields.iter().position(|own| own.id == field)?;
        let answers = standing[seat as usize].answers.get(&place);
        Some(answers.and_then(|answers| answers[position].as_ref()).map_or(Value::Missing, read_value))
    }

    fn seat_attribute(&self, seat: u32, attribute: &str) -> Option<Value> {
        let Deliberation { plan, standing, .. } = self.session;
        match attribute {
            "name" => return Some(Value::Text(plan.seats[seat as usize].name.as_str().into())),
            "index" => return Some(Value::Number(Number::from(seat + 1))),
            "present" => return Some(Value::YesNo(!standing[seat as usize].is_excluded)),
            _ => {}
        }
        let form_of = |phase: &Phase| match &phase.kind {
            PhaseKind::Form(asked) => asked.form.fields.iter().any(|field| field.id == attribute),
            _ => false,
        };
        if let Some(phase) = plan.agenda.iter().find(|phase| form_of(phase)) {
            return self.answer(seat, phase.name.written(), attribute);
        }
        let is_named = |phase: &Phase| phase.name.written() == attribute && matches!(phase.kind, PhaseKind::Form(_));
        let place = plan.agenda.iter().position(is_named)? as u64;
        Some(Value::Record(RecordId(FORMS + place * plan.seats.len() as u64 + u64::from(seat))))
    }

    fn form_attribute(&self, form: u64, field: &str) -> Option<Value> {
        let seats = self.session.plan.seats.len() as u64;
        let phase: &PhaseName = &self.session.plan.agenda.get((form / seats) as usize)?.name;
        self.answer((form % seats) as u32, phase.written(), field)
    }
}

/// A value of a field as expressions read it.
fn read_value(value: &FieldValue) -> Value {
    let texts = |names: &mut dyn Iterator<Item = &String>| {
        Value::List(names.map(|name| Value::Text(name.as_str().into())).collect())
    };
    match value {
        FieldValue::YesNo(yes) => Value::YesNo(*yes),
        FieldValue::Number(number) => Number::parse(&number.to_string()).map_or(Value::Missing, Value::Number),
        FieldValue::Words(words) => Value::Text(words.as_str().into()),
        FieldValue::Options(names) => texts(&mut names.iter()),
        FieldValue::Ranks(ranks) => texts(&mut ranks.iter().flatten()),
        FieldValue::Numbers(_) | FieldValue::Shares(_) => Value::Missing,
    }
}

impl World for SessionWorld<'_, '_> {
    fn read_name(&self, name: &str) -> Option<Value> {
        match name {
            "parameters" => Some(Value::Record(PARAMETERS)),
            "pass" => Some(Value::Record(PASS)),
            "everyone" => Some(self.seats(self.session.present())),
            "seats" => Some(self.seats((0..self.session.plan.seats.len() as u32).map(SeatId))),
            _ => None,
        }
    }

    fn read_attribute(&self, holder: &Value, attribute: &str) -> Option<Value> {
        match holder {
            Value::Seat(seat) => self.seat_attribute(*seat, attribute),
            Value::Record(PARAMETERS) => self.parameter(attribute),
            Value::Record(PASS) => self.pass(attribute),
            Value::Record(RecordId(form)) => self.form_attribute(form.checked_sub(FORMS)?, attribute),
            _ => None,
        }
    }

    fn read_series(&self, _: Series, _: &str) -> Option<Arc<[Value]>> {
        None
    }

    fn draw_below(&mut self, _: DrawPlace, _: u64) -> u64 {
        unreachable!("invariant: nothing is drawn in a condition")
    }
}
