//! Who hears a phase.

use super::{Phase, PhaseKind, Plan, SeatRule, SeatSet};
use crate::domain::SeatId;
use crate::expression::{Expr, ExprKind, Operator};

/// How a seat hears the phases of a plan: seats with equal keys always hear the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HearingKey(Vec<Hearing>);

/// How a seat hears one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hearing {
    /// It hears everything that is said.
    Everything,
    /// It hears nothing, and says nothing.
    Nothing,
    /// It may hear itself alone, it hears the answers of others but not its own, or what it hears depends on values.
    ItsOwn(SeatId),
}

impl Plan {
    /// Whether there is a phase that not everyone hears.
    pub fn limits_hearing(&self) -> bool {
        let is_limited =
            |phase: &Phase| phase.heard_by.is_some() || phase.group.is_some() || phase.kind.own_network().is_some();
        self.agenda.iter().any(is_limited)
    }

    /// How each seat hears the phases that not everyone hears.
    pub fn hearing_keys(&self) -> Vec<HearingKey> {
        let seats = self.seat_ids();
        // In a talk with a network of its own each seat may hear others.
        if self.agenda.iter().any(|phase| phase.group.is_some() || phase.kind.own_network().is_some()) {
            return seats.map(|seat| HearingKey(vec![Hearing::ItsOwn(seat)])).collect();
        }
        let limited: Vec<(usize, &SeatSet)> = (0..)
            .zip(&self.agenda)
            .filter(|(_, phase)| phase.is_first_pass())
            .filter_map(|(place, phase)| Some((place, phase.heard_by.as_ref()?)))
            .collect();
        let hearing = |(place, set): &(usize, &SeatSet), seat: SeatId| match &set.rule {
            SeatRule::Named(_) if self.is_announced_in(*place, seat) => Hearing::ItsOwn(seat),
            SeatRule::Named(hearers) if hearers.contains(&seat) => Hearing::Everything,
            SeatRule::Named(_) if !self.is_heard_in(*place, seat) => Hearing::Nothing,
            SeatRule::Named(_) | SeatRule::Where { .. } => Hearing::ItsOwn(seat),
        };
        let key = |seat: SeatId| HearingKey(limited.iter().map(|phase| hearing(phase, seat)).collect());
        seats.map(key).collect()
    }

    /// Whether speakers are told who hears them in the phase at this place: if that follows from the scenario alone, or if all who take part
    /// hear each other. Otherwise the names would disclose what seats answered, or who was assigned a role.
    pub fn discloses_hearers(&self, place: usize) -> bool {
        let Some(set) = &self.agenda[place].heard_by else { return true };
        let SeatRule::Where { formula, is_fixed, .. } = &set.rule else { return true };
        let is_assigned = self.sources.find_role(formula.text.trim()).is_some();
        let implies = |who: &SeatSet| match &who.rule {
            SeatRule::Named(_) => false,
            SeatRule::Where { formula: who, .. } => implies(&who.expression, &formula.expression),
        };
        *is_fixed && !is_assigned || self.who(place).any(implies)
    }

    /// Whether an answer of a seat may be announced in the phase at this place.
    fn is_announced_in(&self, place: usize, seat: SeatId) -> bool {
        matches!(self.agenda[place].kind, PhaseKind::Form(_))
            && self.may_take_part(place, &self.seats[seat.index()].name)
    }

    /// Whether a seat may make a statement in the phase at this place.
    fn is_heard_in(&self, place: usize, seat: SeatId) -> bool {
        let seat = &self.seats[seat.index()];
        matches!(self.agenda[place].kind, PhaseKind::Discussion(_))
            && seat.speaks()
            && self.may_take_part(place, &seat.name)
    }
}

/// Whether a condition is another one, or joins it with more by `and`.
fn implies(condition: &Expr, other: &Expr) -> bool {
    let is_joined = || match &condition.kind {
        ExprKind::Binary { operator: Operator::And, left, right } => implies(left, other) || implies(right, other),
        _ => false,
    };
    condition == other || is_joined()
}
