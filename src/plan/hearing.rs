//! Who hears a phase.

use super::{Phase, PhaseKind, Plan, SeatRule, SeatSet};
use crate::domain::{OpenBallots, SeatId};
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
    /// It may hear itself alone, it hears the answers or ballots of others but not its own, or what it hears depends on values.
    ItsOwn(SeatId),
}

impl Plan {
    /// Whether there is a phase of which some seat does not hear everything. Where seats vote in turn, each hears all ballots but its own.
    pub fn limits_hearing(&self) -> bool {
        let is_limited = |phase: &Phase| {
            phase.heard_by.is_some()
                || phase.group.is_some()
                || phase.kind.own_network().is_some()
                || phase.kind.is_voted_in_turn()
        };
        self.agenda.iter().any(is_limited)
    }

    /// How each seat hears the phases of which some seat does not hear everything.
    pub fn hearing_keys(&self) -> Vec<HearingKey> {
        let seats = self.seat_ids();
        // In a talk with a network of its own each seat may hear others.
        if self.agenda.iter().any(|phase| phase.group.is_some() || phase.kind.own_network().is_some()) {
            return seats.map(|seat| HearingKey(vec![Hearing::ItsOwn(seat)])).collect();
        }
        let limited: Vec<(usize, Option<&SeatSet>)> = (0..)
            .zip(&self.agenda)
            .filter(|(_, phase)| phase.is_first_pass() && (phase.heard_by.is_some() || phase.kind.is_voted_in_turn()))
            .map(|(place, phase)| (place, phase.heard_by.as_ref()))
            .collect();
        let hearing = |(place, set): &(usize, Option<&SeatSet>), seat: SeatId| match set.map(|set| &set.rule) {
            None | Some(SeatRule::Named(_)) if self.is_announced_in(*place, seat) => Hearing::ItsOwn(seat),
            None => Hearing::Everything,
            Some(SeatRule::Named(hearers)) if hearers.contains(&seat) => Hearing::Everything,
            Some(SeatRule::Named(_)) if !self.is_heard_in(*place, seat) => Hearing::Nothing,
            Some(SeatRule::Named(_) | SeatRule::Where { .. }) => Hearing::ItsOwn(seat),
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

    /// Whether an answer of a seat, or its ballot alone, may be announced in the phase at this place.
    fn is_announced_in(&self, place: usize, seat: SeatId) -> bool {
        let kind = &self.agenda[place].kind;
        (matches!(kind, PhaseKind::Form(_)) || kind.is_voted_in_turn())
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

impl PhaseKind {
    /// Whether it is a vote in which one seat votes after the other and each ballot is announced when it is cast.
    pub fn is_voted_in_turn(&self) -> bool {
        matches!(self, PhaseKind::Vote(vote) if vote.open == OpenBallots::InTurn)
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
