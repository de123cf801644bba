//! Who takes part in a phase.

use super::courses::Attending;
use super::deliberation::Deliberation;
use super::world::SessionWorld;
use crate::domain::{Audience, Event, PhaseOpened, SeatId, SeatName, Step};
use crate::expression::Value;
use crate::plan::{AssumedSeats, PhaseKind, SeatRule, SeatSet};

impl Deliberation<'_> {
    /// The seats that would take part in the phase of this place if it opened now, in the plan's order; `None` if all that are
    /// present would.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    pub(super) fn find_participants(&self, place: usize) -> Result<Option<Vec<SeatId>>, String> {
        let phase = self.phase(place);
        let has_part = |seat: &SeatId| self.plan.has_part_in(place, &self.plan.seats[seat.index()]);
        let mut seats: Vec<SeatId> = self.gathered(phase.group.as_ref()).filter(has_part).collect();
        let is_first = |set: &SeatSet| matches!(set.rule, SeatRule::Where { assumed: Some(AssumedSeats::First), .. });
        for block in phase.within.iter().map(|block| &self.plan.blocks[*block]) {
            let Some(set) = &block.who else { continue };
            // Of a repeated block the pass is its own, as it is for its phases.
            let own = phase.passes.get(block.around).is_some_and(|pass| pass.block == block.name);
            let world =
                SessionWorld { passes: &phase.passes[..block.around + usize::from(own)], ..self.world_at(place) };
            self.select_seats(set, world, &mut seats)?;
        }
        if let Some(set) = &phase.who {
            self.select_seats(set, self.world_at(place), &mut seats)?;
        }
        if self.plan.who(place).any(is_first) {
            seats.truncate(1);
        }
        // Of a group it is recorded even if it is everyone.
        Ok((seats.len() < self.taking_part as usize || phase.group.is_some()).then_some(seats))
    }

    /// Leaves of these seats those that belong to a set, which may depend on the seat that is asked about them.
    pub(super) fn select_seats(
        &self,
        set: &SeatSet,
        around: SessionWorld<'_, '_>,
        seats: &mut Vec<SeatId>,
    ) -> Result<(), String> {
        let (formula, is_about_no_seat, assumed) = match &set.rule {
            SeatRule::Named(named) => {
                seats.retain(|seat| named.contains(seat));
                return Ok(());
            }
            SeatRule::Where { formula, is_about_no_seat, assumed, .. } => (formula, *is_about_no_seat, assumed),
        };
        match assumed {
            Some(AssumedSeats::All | AssumedSeats::First) => return Ok(()),
            Some(AssumedSeats::None) => {
                seats.clear();
                return Ok(());
            }
            None => {}
        }
        let mut selected = Vec::with_capacity(seats.len());
        let mut of_all = None;
        for seat in seats.iter().copied() {
            let value = match of_all.take() {
                Some(value) => value,
                None => SessionWorld { seat: Some(seat), ..around }.evaluate(formula)?,
            };
            let is_seat = |value: &Value| *value == Value::Seat(seat.0);
            let takes_part = match &value {
                Value::List(all) => all.iter().any(is_seat),
                value => value.as_truth() == Some(true) || is_seat(value),
            };
            selected.extend(takes_part.then_some(seat));
            of_all = is_about_no_seat.then_some(value);
        }
        *seats = selected;
        Ok(())
    }

    /// The seats that a set selects for a seat at a place, in the plan's order: of those that are there, which may depend on the seat.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    pub(super) fn select_seats_for(&self, me: SeatId, place: usize, set: &SeatSet) -> Result<Vec<SeatId>, String> {
        // In a rehearsal it may be a group as large as any.
        if matches!(set.rule, SeatRule::Where { assumed: Some(AssumedSeats::All), .. }) {
            return Ok(self.present().collect());
        }
        let mut seats: Vec<SeatId> = self.gathered_at(place);
        self.select_seats(set, SessionWorld { me: Some(me), ..self.world_at(place) }, &mut seats)?;
        Ok(seats)
    }

    /// The opening of a phase: who takes part, and who hears it.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    pub(super) fn open_phase(&self, place: usize) -> Result<Event, String> {
        let names = |seats: Vec<SeatId>| seats.into_iter().map(|seat| self.seat_name(seat).clone()).collect();
        let who = self.find_participants(place)?.map(names).unwrap_or_default();
        let heard_by = self.find_hearers(place)?.map(names);
        let hears = self.talk_links.get(&place).map(|links| {
            let seats = self.plan.seat_ids();
            seats.map(|seat| (self.seat_name(seat).clone(), names(links.heard_by(seat).to_vec()))).collect()
        });
        let (kind, thing) = (self.phase(place).kind.name(), self.name_thing(place));
        Ok(Event::PhaseOpened(PhaseOpened { kind, who, heard_by, hears, thing }))
    }

    /// The seats that would hear the phase of this place, in the plan's order; `None` if it does not say so.
    fn find_hearers(&self, place: usize) -> Result<Option<Vec<SeatId>>, String> {
        let phase = self.phase(place);
        let group = phase.group.as_ref();
        let Some(set) = &phase.heard_by else {
            // What is said in a group is heard by the group.
            let is_said = group.is_some() && matches!(phase.kind, PhaseKind::Discussion(_) | PhaseKind::Vote(_));
            return Ok(is_said.then(|| self.gathered(group).collect()));
        };
        let mut seats: Vec<SeatId> = self.within_earshot(group).collect();
        self.select_seats(set, self.world_at(place), &mut seats)?;
        Ok(Some(seats))
    }

    /// The only seats that will hear what a seat says at a step of the phase of this place, its ballot, or its answers, as the prompt names
    /// them; `None` if it names none: everyone will hear a statement or a ballot, or only a network limits who does.
    pub(super) fn find_audience(&self, speaker: SeatId, place: usize, step: Step) -> Option<Audience> {
        let hearers = self.course_of(speaker).hearers.as_deref()?;
        if !self.plan.discloses_hearers(place) {
            return Some(Audience::Undisclosed);
        }
        let hears = |seat: &SeatId| {
            // A network limits who hears statements, and nothing else.
            let links = self.talk_links.get(&place).or(self.links.as_ref()).filter(|_| step == Step::Statement);
            let is_linked = links.is_none_or(|links| links.heard_by(*seat).contains(&speaker));
            *seat != speaker && is_linked
        };
        let others: Vec<SeatId> = hearers.iter().copied().filter(hears).collect();
        match others.len() + 1 < self.plan.seats.len() {
            true => Some(Audience::Seats(others)),
            false => Some(Audience::Everyone).filter(|_| step == Step::Ask && !others.is_empty()),
        }
    }

    /// A phase has opened that these seats hear; if none are given, all hear statements and counts, and nobody hears answers.
    pub(super) fn admit_hearers(&mut self, heard_by: Option<&[SeatName]>) {
        self.course.hearers = heard_by.map(|names| names.iter().map(|name| self.seat_id(name)).collect());
        self.memory.limit_hearing(self.course.hearers.as_deref());
    }

    /// Lets seats hear each other as in the talk under way, if it has a network of its own.
    pub(super) fn link_speakers(&mut self) {
        self.memory.link_speakers(self.course.linked.and_then(|place| self.talk_links.get(&place)).cloned());
    }

    /// A phase has opened, in which these seats take part, and which these hear.
    pub(super) fn admit_seats(&mut self, place: usize, who: &[SeatName], heard_by: Option<&[SeatName]>) {
        self.admit_participants(who);
        self.admit_hearers(heard_by);
        self.course.linked = Some(place).filter(|place| self.talk_links.contains_key(place));
        self.link_speakers();
        self.course.remembering = self.phase(place).remember.map(|way| (place, way));
        self.memory.remember_as(self.phase(place).remember);
        self.admit_attending(place);
    }

    /// A phase has opened: in a group it begins only for those who take part in it or hear it.
    pub(super) fn admit_attending(&mut self, place: usize) {
        let is_there = |seat: &SeatId| {
            let is_in = |seats: &Option<Vec<SeatId>>| seats.as_ref().is_none_or(|seats| seats.contains(seat));
            is_in(&self.course.limited_to) || self.course.hearers.is_some() && is_in(&self.course.hearers)
        };
        self.course.attending = match &self.phase(place).group {
            Some(_) => {
                let seats = self.plan.seat_ids().filter(is_there).collect();
                Some(Attending { place, seats })
            }
            None => None,
        };
        self.enter_part();
    }

    /// The seats of the group of a place, in the plan's order; outside groups all that are present.
    pub(super) fn gathered_at(&self, place: usize) -> Vec<SeatId> {
        self.gathered(self.phase(place).group.as_ref()).collect()
    }

    /// A place was reached.
    pub(super) fn mark_visited(&mut self, place: usize) {
        let position = self.visited.partition_point(|visited| *visited < place);
        self.visited.insert(position, place);
    }

    /// A phase has opened, in which these seats take part; all that are present if none is named.
    pub(super) fn admit_participants(&mut self, who: &[SeatName]) {
        let seats = who.iter().map(|name| self.seat_id(name)).collect();
        self.course.limited_to = (!who.is_empty()).then_some(seats);
    }

    /// The seats that take part in the phase under way, in the plan's order.
    pub(super) fn participants(&self) -> impl Iterator<Item = SeatId> + '_ {
        let is_in =
            |seat: &SeatId| self.course.limited_to.as_ref().is_none_or(|seats| seats.binary_search(seat).is_ok());
        self.present().filter(is_in)
    }

    /// The seats that are asked at a step of the phase under way, in the plan's order.
    pub(super) fn asked_at(&self, step: Step) -> impl Iterator<Item = SeatId> + '_ {
        self.participants().filter(move |seat| self.plan.seats[seat.index()].is_asked_at(step))
    }

    /// How many seats are asked whether they call a vote, in the phase under way.
    pub fn count_callers(&self) -> usize {
        self.asked_at(Step::VoteCall).count()
    }

    /// The seats for which values are computed and that are paid: all of the plan, unless the phase says who takes part.
    pub(super) fn computed_for(&self) -> Vec<SeatId> {
        match &self.course.limited_to {
            Some(seats) => seats.clone(),
            None => self.plan.seat_ids().collect(),
        }
    }
}
