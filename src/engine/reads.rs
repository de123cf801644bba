//! What the expression of a computed value or a payoff read.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::deliberation::Deliberation;
use super::world::SessionWorld;
use crate::domain::{Holder, Record, SeatId, SeatName};
use crate::expression::{DrawPlace, Formula, RecordId, Series, Value, World, evaluate};
use crate::plan::PhaseKind;

/// A value that an expression read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueRead {
    /// The seat whose value it is; `None` of anything else.
    pub seat: Option<SeatName>,
    /// Its name, without the seat.
    pub name: String,
    /// The value, in words.
    pub value: String,
    /// Of the values of several passes their number.
    pub passes: Option<usize>,
}

/// A session's world that notes what is read of it.
struct NotingWorld<'w, 'p> {
    world: SessionWorld<'w, 'p>,
    reads: RefCell<Vec<ValueRead>>,
    /// The names under which records were read.
    records: RefCell<BTreeMap<u64, String>>,
}

impl Deliberation<'_> {
    /// What the expressions read that gave a record of computed values or payoffs its value, for one seat where each has its own; each
    /// value once. Empty for other records. The deliberation must be as it was before the record.
    pub fn list_reads(&self, record: &Record, seat: Option<&SeatName>) -> Vec<ValueRead> {
        let Some(place) = self.plan.agenda.iter().position(|phase| phase.name == record.at.phase) else {
            return Vec::new();
        };
        let seat = seat.map(|seat| self.seat_id(seat));
        match &self.phase(place).kind {
            PhaseKind::Compute(all) => {
                let variable = |variable: usize| &self.plan.variables[variable];
                let Some(name) = record.event.computed().map(|computed| &computed.name) else { return Vec::new() };
                let Some(one) = all.iter().find(|one| variable(one.variable).name == *name) else { return Vec::new() };
                if (variable(one.variable).of == Holder::Seat) != seat.is_some() {
                    return Vec::new();
                }
                let drawing = Some((self.phase(place), name.as_str()));
                self.note_reads(SessionWorld { seat, drawing, ..self.world_at(place) }, &[&one.formula])
            }
            PhaseKind::Pay(rule) if seat.is_some() && record.event.is_paid() => {
                let formulas: Vec<&Formula> = rule.list_formulas().collect();
                self.note_reads(SessionWorld { seat, ..self.world_at(place) }, &formulas)
            }
            _ => Vec::new(),
        }
    }

    fn note_reads(&self, world: SessionWorld<'_, '_>, formulas: &[&Formula]) -> Vec<ValueRead> {
        let mut noting = NotingWorld { world, reads: RefCell::default(), records: RefCell::default() };
        for formula in formulas {
            // An expression without a value ended the session, and there is no record of it.
            let _ = evaluate(&formula.expression, &mut noting);
        }
        noting.reads.into_inner()
    }
}

impl NotingWorld<'_, '_> {
    fn note_value(&self, seat: Option<u32>, name: &str, value: &Value) {
        match value {
            Value::Record(record) => drop(self.records.borrow_mut().insert(record.0, name.to_owned())),
            Value::List(items) if items.iter().any(|item| matches!(item, Value::Record(_))) => {
                for (number, item) in items.iter().enumerate() {
                    self.note_value(seat, &format!("{name}[{number}]"), item);
                }
            }
            value => {
                let seat = seat.map(|seat| self.world.session.seat_name(SeatId(seat)).clone());
                let value = self.describe_value(value);
                self.note_read(ValueRead { seat, name: name.to_owned(), value, passes: None });
            }
        }
    }

    fn note_read(&self, read: ValueRead) {
        if !self.reads.borrow().contains(&read) {
            self.reads.borrow_mut().push(read);
        }
    }

    fn describe_value(&self, value: &Value) -> String {
        match value {
            Value::Missing => "missing".to_owned(),
            Value::Number(number) => number.to_string(),
            Value::YesNo(yes) => if *yes { "yes" } else { "no" }.to_owned(),
            Value::Text(text) => text.to_string(),
            Value::Seat(seat) => self.world.session.seat_name(SeatId(*seat)).to_string(),
            Value::Option(_) | Value::Record(_) => "an option".to_owned(),
            Value::Points(points) => {
                let one = |(name, number): &(Value, _)| format!("{} = {number}", self.describe_value(name));
                points.iter().map(one).collect::<Vec<_>>().join(", ")
            }
            Value::List(items) if items.is_empty() => "none".to_owned(),
            Value::List(items) => items.iter().map(|item| self.describe_value(item)).collect::<Vec<_>>().join(", "),
        }
    }
}

impl World for NotingWorld<'_, '_> {
    fn read_name(&self, name: &str) -> Option<Value> {
        let value = self.world.read_name(name)?;
        match &value {
            // The attributes that are read of seats follow.
            Value::Seat(_) if ["seat", "me"].contains(&name) => {}
            Value::List(_) if ["everyone", "seats"].contains(&name) => {}
            value => self.note_value(None, name, value),
        }
        Some(value)
    }

    fn read_member(&self, name: &str, attribute: &str) -> Option<Value> {
        let value = self.world.read_member(name, attribute)?;
        self.note_value(None, &format!("{name}.{attribute}"), &value);
        Some(value)
    }

    fn read_attribute(&self, holder: &Value, attribute: &str) -> Option<Value> {
        let value = self.world.read_attribute(holder, attribute)?;
        match holder {
            Value::Seat(seat) => self.note_value(Some(*seat), attribute, &value),
            Value::Record(RecordId(record)) => {
                let name = self.records.borrow().get(record).cloned();
                self.note_value(None, &name.map_or(attribute.to_owned(), |name| format!("{name}.{attribute}")), &value);
            }
            _ => {}
        }
        Some(value)
    }

    fn read_series(&self, series: Series, name: &str) -> Option<Arc<[Value]>> {
        let values = self.world.read_series(series, name)?;
        let words = match series {
            Series::Past => "in earlier passes",
            Series::AllPasses => "in all passes",
            Series::Received => "from others",
            Series::Given => "to others",
        };
        let seat = self.world.seat.map(|seat| self.world.session.seat_name(seat).clone());
        let passes = matches!(series, Series::Past | Series::AllPasses).then_some(values.len());
        let value = self.describe_value(&Value::List(Arc::clone(&values)));
        self.note_read(ValueRead { seat, name: format!("{name} {words}"), value, passes });
        Some(values)
    }

    fn draw_below(&mut self, place: DrawPlace, bound: u64) -> u64 {
        self.world.draw_below(place, bound)
    }
}
