//! What is known of expressions before a session: parameters, passes, what seats are, and values that nothing has set yet.

use std::sync::Arc;

use super::{Formula, Pass, Phase, Plan, Reach, Seat, SeatRule, SeatSet};
use crate::domain::{FieldValue, Holder, SeatId};
use crate::expression::{Expr, ExprKind, Fraction, Operator, RecordId, Value, World, evaluate};

const PARAMETERS: RecordId = RecordId(0);
const PASS: RecordId = RecordId(1);

/// What a condition may come out as: true, false or missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcomes(u8);

impl Outcomes {
    const TRUE: Self = Self(1);
    const FALSE: Self = Self(2);
    const MISSING: Self = Self(4);
    const ANY: Self = Self(7);
    const EACH: [Self; 3] = [Self::TRUE, Self::FALSE, Self::MISSING];

    /// Whether it may be true.
    pub fn may_hold(self) -> bool {
        self.includes(Self::TRUE)
    }

    /// Whether it is always true.
    pub fn always_holds(self) -> bool {
        self == Self::TRUE
    }

    fn includes(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn or_else(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn of_truth(truth: Option<bool>) -> Self {
        match truth {
            Some(true) => Self::TRUE,
            Some(false) => Self::FALSE,
            None => Self::MISSING,
        }
    }

    fn as_truth(self) -> Option<bool> {
        (self != Self::MISSING).then_some(self == Self::TRUE)
    }

    fn negate(self) -> Self {
        Self::collect(self, |truth| Self::of_truth(truth.map(|yes| !yes)))
    }

    fn collect(from: Self, outcome: impl Fn(Option<bool>) -> Self) -> Self {
        let possible = Self::EACH.into_iter().filter(|one| from.includes(*one));
        possible.fold(Self(0), |all, one| all.or_else(outcome(one.as_truth())))
    }

    /// `and` and `or` are three-valued: the decisive truth of either side wins, and else a missing side.
    fn combine(self, other: Self, operator: Operator) -> Self {
        let decisive = operator == Operator::Or;
        Self::collect(self, |left| {
            Self::collect(other, |right| match (left, right) {
                _ if left == Some(decisive) || right == Some(decisive) => Self::of_truth(Some(decisive)),
                (None, _) | (_, None) => Self::MISSING,
                _ => Self::of_truth(Some(!decisive)),
            })
        })
    }
}

/// What is known at a place of an agenda.
#[derive(Clone, Copy)]
pub struct KnownWorld<'p> {
    pub(super) plan: &'p Plan,
    pub(super) reach: &'p Reach,
    pub(super) place: usize,
    /// The passes around.
    pub passes: &'p [Pass],
    /// The seat that it is about.
    pub seat: Option<SeatId>,
    /// The round of a talk that is over.
    pub round: Option<u32>,
}

/// Which parameters are taken to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParametersKnown {
    /// Those of the plan.
    Own,
    /// None: each may have any value.
    None,
}

impl<'p> KnownWorld<'p> {
    /// What is known at a place, where it is known which phases before it may take place.
    pub fn new(plan: &'p Plan, reach: &'p Reach, place: usize) -> Self {
        Self { plan, reach, place, passes: &plan.agenda[place].passes, seat: None, round: None }
    }

    /// What is known after the phase at a place, in its passes.
    pub fn after(plan: &'p Plan, reach: &'p Reach, place: usize) -> Self {
        Self { place: place + 1, ..Self::new(plan, reach, place) }
    }

    /// What is known in the outermost of its passes only.
    pub fn in_passes(self, passes: usize) -> Self {
        Self { passes: &self.passes[..passes.min(self.passes.len())], ..self }
    }

    /// What a condition may come out as.
    pub fn weigh_formula(&self, formula: &Formula) -> Outcomes {
        self.weigh_node(&formula.expression)
    }

    fn weigh_node(&self, expr: &Expr) -> Outcomes {
        match &expr.kind {
            ExprKind::Not(operand) => self.weigh_node(operand).negate(),
            ExprKind::Binary { operator: operator @ (Operator::And | Operator::Or), left, right } => {
                self.weigh_node(left).combine(self.weigh_node(right), *operator)
            }
            ExprKind::If { condition, chosen, otherwise } => {
                let condition = self.weigh_node(condition);
                Outcomes::collect(condition, |truth| {
                    self.weigh_node(if truth == Some(true) { chosen } else { otherwise })
                })
            }
            _ => match evaluate(expr, &mut { *self }) {
                Ok(Value::YesNo(yes)) => Outcomes::of_truth(Some(yes)),
                Ok(Value::Missing) => Outcomes::MISSING,
                _ => Outcomes::ANY,
            },
        }
    }

    /// Whether a set of seats may hold a seat.
    pub fn may_select(&self, set: &SeatSet, seat: SeatId) -> bool {
        self.weigh_selection(set, seat).may_hold()
    }

    /// Whether a set of seats certainly holds a seat.
    pub fn must_select(&self, set: &SeatSet, seat: SeatId) -> bool {
        self.weigh_selection(set, seat).always_holds()
    }

    fn weigh_selection(&self, set: &SeatSet, seat: SeatId) -> Outcomes {
        let told = |holds: bool| if holds { Outcomes::TRUE } else { Outcomes::FALSE };
        let formula = match &set.rule {
            SeatRule::Named(named) => return told(named.contains(&seat)),
            SeatRule::Where { formula, .. } => formula,
        };
        let mut world = Self { seat: Some(seat), ..*self };
        match evaluate(&formula.expression, &mut world) {
            Ok(Value::List(seats)) => told(seats.contains(&Value::Seat(seat.0))),
            Ok(Value::Seat(own)) => told(own == seat.0),
            Ok(Value::Missing) => Outcomes::MISSING,
            _ => world.weigh_formula(formula),
        }
    }

    /// How often a block takes place; `None` if that is not certain.
    pub fn count_times(&self, times: &Formula) -> Option<u32> {
        match evaluate(&times.expression, &mut { *self }) {
            Ok(Value::Number(number)) if number.is_negative() => Some(0),
            Ok(Value::Number(number)) => u32::try_from(number.to_integer()?).ok(),
            Ok(Value::Missing) => Some(0),
            _ => None,
        }
    }

    /// Whether none of these places can have taken place yet. What takes place in groups side by side may.
    pub fn is_before_all(&self, mut places: impl Iterator<Item = usize>) -> bool {
        let end = match self.plan.agenda.get(self.place).and_then(|phase| phase.group.as_ref()) {
            Some(group) => {
                let is_beside = |phase: &&Phase| phase.group.as_ref().is_some_and(|own| own.region == group.region);
                self.place + self.plan.agenda[self.place..].iter().take_while(is_beside).count()
            }
            None => self.place,
        };
        places.all(|place| if place < self.place { !self.reach.may_open[place] } else { place >= end })
    }

    /// The value of a variable that nothing has computed yet; `None` if something may have.
    fn find_first_value(&self, position: usize) -> Option<Value> {
        let places = self.plan.sources.places_computing(position);
        if !self.is_before_all(places.iter().copied()) {
            return None;
        }
        let seat = self.seat.map_or(0, SeatId::index);
        match self.plan.variables[position].start_at(seat) {
            None => Some(Value::Missing),
            Some(FieldValue::YesNo(yes)) => Some(Value::YesNo(*yes)),
            Some(FieldValue::Number(number)) => {
                let (units, unit) = number.to_fraction();
                Fraction::from_fraction(units.into(), unit.into()).ok().map(Value::Number)
            }
            Some(_) => None,
        }
    }

    fn read_pass(&self, attribute: &str) -> Option<Value> {
        let pass = self.passes.last()?;
        let is_counted = pass.thing.as_ref().is_none_or(|thing| !thing.is_found_at_beginning());
        match attribute {
            "number" => Some(Value::Number(Fraction::from(pass.number))),
            "first" => Some(Value::YesNo(pass.number == 1)),
            "last" if is_counted => Some(Value::YesNo(pass.number == pass.of)),
            _ => None,
        }
    }

    fn read_of_seat(&self, seat: u32, attribute: &str) -> Option<Value> {
        let sources = &self.plan.sources;
        match attribute {
            "index" => return Some(Value::Number(Fraction::from(seat + 1))),
            "role" => return self.plan.seats.get(seat as usize).map(Seat::role_value),
            // A seat that chooses its name has none yet.
            "name" => {
                let named = self.plan.seats.get(seat as usize).filter(|seat| !seat.is_self_named)?;
                return Some(Value::Text(named.agent.public_name.as_str().into()));
            }
            "present" => return None,
            _ => {}
        }
        if sources.roles_of(attribute).next().is_some() {
            return None;
        }
        if let Some(position) = sources.find_variable(attribute) {
            let is_of_seats = self.plan.variables[position].of == Holder::Seat;
            let of_seat = Self { seat: Some(SeatId(seat)), ..*self };
            return is_of_seats.then(|| of_seat.find_first_value(position)).flatten();
        }
        self.find_unheld(sources.phase_of_field(attribute)?)
    }

    /// Missing, if a phase has not taken place yet in the passes around; its answers and votes of earlier passes are not read.
    fn find_unheld(&self, written: &str) -> Option<Value> {
        let shares_passes = |place: &usize| {
            let mut both = self.plan.agenda[*place].passes.iter().zip(self.passes);
            both.all(|(own, here)| own.block != here.block || own.number == here.number)
        };
        let places = self.plan.sources.places_of(written).iter().copied().filter(shares_passes);
        self.is_before_all(places).then_some(Value::Missing)
    }

    /// Missing, if a vote has not been held yet in the passes around.
    fn read_vote(&self, name: &str) -> Option<Value> {
        let first = *self.plan.sources.places_of(name).first()?;
        // The parts of a vote in groups are lists outside the groups.
        let is_alone = self.plan.agenda[first].group.is_none();
        (is_alone && self.plan.agenda[first].kind.holds_votes()).then(|| self.find_unheld(name)).flatten()
    }

    fn is_in_group(&self) -> bool {
        self.plan.agenda.get(self.place).is_some_and(|phase| phase.group.is_some())
    }

    /// Whether every seat is certainly there: none is elsewhere in a group, or was excluded.
    fn are_all_here(&self) -> bool {
        !self.is_in_group() && !self.plan.may_lose_seats()
    }

    fn list_seats(&self) -> Value {
        Value::List((0..self.plan.seats.len() as u32).map(Value::Seat).collect())
    }

    /// The seats of a role that the scenario declares, outside groups.
    fn read_role(&self, name: &str) -> Option<Value> {
        let role = self.plan.roles.iter().find(|role| role.name == name)?;
        if self.is_in_group() {
            return None;
        }
        let own = |seat: &Seat| seat.part.as_ref().is_some_and(|own| own.name == name);
        let mut seats =
            (0u32..).zip(&self.plan.seats).filter(|(_, seat)| own(seat)).map(|(place, _)| Value::Seat(place));
        Some(if role.seats == 1 { seats.next().unwrap_or(Value::Missing) } else { Value::List(seats.collect()) })
    }
}

impl World for KnownWorld<'_> {
    fn read_name(&self, name: &str) -> Option<Value> {
        match name {
            "parameters" => (self.reach.parameters == ParametersKnown::Own).then_some(Value::Record(PARAMETERS)),
            "pass" => Some(Value::Record(PASS)),
            "round" => self.round.map(|round| Value::Number(Fraction::from(round))),
            "nobody" => Some(Value::List(Arc::new([]))),
            "seats" => Some(self.list_seats()),
            "everyone" | "group" => self.are_all_here().then(|| self.list_seats()),
            "seat" | "me" => self.seat.map(|seat| Value::Seat(seat.0)),
            _ => {
                let position = self.plan.sources.find_variable(name);
                let of_session = |position: &usize| self.plan.variables[*position].of == Holder::Session;
                let variable = || self.find_first_value(position.filter(of_session)?);
                self.read_role(name).or_else(variable).or_else(|| self.read_vote(name))
            }
        }
    }

    fn read_attribute(&self, holder: &Value, attribute: &str) -> Option<Value> {
        match holder {
            Value::Record(PARAMETERS) => self.plan.parameter_value(attribute),
            Value::Record(PASS) => self.read_pass(attribute),
            Value::Seat(seat) => self.read_of_seat(*seat, attribute),
            _ => None,
        }
    }
}
