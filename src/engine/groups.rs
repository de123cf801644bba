//! Assignments, and groups side by side: a part of the agenda that takes place in each group of an assignment.
//!
//! Each group has a course of its own: where it is in the agenda, and the ask under way. The session works in beats. Every open group,
//! lowest first, declares what needs no answer until it waits or is done. Then the open questions of all groups are one ask, ordered by
//! group. Their effects are held back until its last answer is in. What follows begins when the last group is done.

use super::asking::{Asked, Asking, Due};
use super::ballot_box::Vote;
use super::courses::{Course, SideBySide};
use super::deliberation::{Deliberation, Supposed};
use super::stage::Stage;
use super::world::SessionWorld;
use crate::chance::DrawPurpose;
use crate::domain::{Assigned, Event, Moment, Record, SeatId, SeatName, Step};
use crate::expression::{Fraction, Value};
use crate::plan::{AssignedRole, Formula, GroupPlace, GroupRule, GroupSize, Grouping};

impl Deliberation<'_> {
    /// Goes to what a phase assigns at this position, or to the next phase.
    pub(super) fn assign_from(&mut self, place: usize, position: usize) {
        match position < self.group_rules(place).len() {
            true => self.course.stage = Stage::Assigning(place, position),
            false => self.enter(place + 1),
        }
    }

    fn group_rules(&self, place: usize) -> &[GroupRule] {
        self.phase(place).kind.group_rules()
    }

    /// The groups that a phase assigns, and the moment.
    ///
    /// # Errors
    /// A message, if an expression has no value.
    pub(super) fn assign_groups(&self, place: usize, position: usize) -> Result<(Moment, Event), String> {
        let rule = &self.group_rules(place)[position];
        let mut at = self.moment(place, 0, Step::Assignment);
        at.turn = position as u32;
        let mut seats: Vec<SeatId> = self.participants().collect();
        match &rule.by {
            Grouping::Lot => seats = self.by_lot(DrawPurpose::Grouping, &at, &seats),
            Grouping::Rotation => {
                let group = self.current_group();
                let of_roles = self.assigned_roles.get(&rule.name).and_then(|roles| roles.times.get(&group));
                let times = match self.assigned.get(&rule.name) {
                    Some(assignment) => assignment.times,
                    None => of_roles.copied().unwrap_or(0),
                };
                let turn = if seats.is_empty() { 0 } else { times as usize % seats.len() };
                seats.rotate_left(turn);
            }
            Grouping::Value(formula) => {
                seats = self.sort_by_value(place, formula, &self.by_lot(DrawPurpose::Grouping, &at, &seats))?;
            }
        }
        let mut groups = match (&rule.size, &rule.by, &rule.mix) {
            (GroupSize::Joined(count), Grouping::Value(number), _) => {
                self.join_groups(place, (number, *count), &seats)?
            }
            (_, _, Some(mix)) => rule.size.deal_seats(&self.sort_by_value(place, mix, &seats)?),
            (_, _, None) => rule.size.split_seats(&seats),
        };
        groups.iter_mut().for_each(|group| group.sort_unstable());
        let names = |group: Vec<SeatId>| group.into_iter().map(|seat| self.seat_name(seat).clone()).collect();
        let groups = groups.into_iter().map(names).collect();
        let roles = rule.size.list_roles().iter().map(|role| role.name.clone()).collect();
        Ok((at, Event::Assigned(Assigned { name: rule.name.clone(), groups, roles })))
    }

    /// The seats of each of `count` groups, by the number of the group that each seat has. A seat without a number is in none.
    ///
    /// # Errors
    /// A message, if an expression has no value or the number of no group.
    fn join_groups(
        &self,
        place: usize,
        (number, count): (&Formula, u32),
        seats: &[SeatId],
    ) -> Result<Vec<Vec<SeatId>>, String> {
        let mut groups = vec![Vec::new(); count as usize];
        for seat in seats.iter().copied() {
            let world = SessionWorld { seat: Some(seat), ..self.world_at(place) };
            // In a rehearsal nobody knows who joins which group: in the longest one all join the same.
            let joined = match (world.evaluate(number)?.as_number(), self.supposed) {
                (_, Some(Supposed::Long)) => Fraction::ONE,
                (Some(joined), _) => joined,
                _ => continue,
            };
            let group = joined.to_integer().and_then(|joined| usize::try_from(joined.checked_sub(1)?).ok());
            match group.and_then(|group| groups.get_mut(group)) {
                Some(group) => group.push(seat),
                None if self.supposed.is_some() => {}
                None => {
                    let name = self.seat_name(seat);
                    return Err(format!("{name} is to join group {joined}, and groups have the numbers 1 to {count}"));
                }
            }
        }
        Ok(groups)
    }

    /// Seats in the order of their values: numbers from the least on, words by the alphabet, no before yes, and those without one last. Equal
    /// ones stay in their order.
    fn sort_by_value(&self, place: usize, formula: &Formula, seats: &[SeatId]) -> Result<Vec<SeatId>, String> {
        let mut valued = Vec::with_capacity(seats.len());
        for seat in seats.iter().copied() {
            let world = SessionWorld { seat: Some(seat), ..self.world_at(place) };
            let key = match world.evaluate(formula)? {
                Value::Number(number) => (0, Some(number), None),
                Value::YesNo(yes) => (0, Some(Fraction::from(u32::from(yes))), None),
                Value::Text(words) => (0, None, Some(words)),
                _ => (1, None, None),
            };
            valued.push((key, seat));
        }
        valued.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(valued.into_iter().map(|(_, seat)| seat).collect())
    }

    /// Seats of the session, or of the group under way, got roles. Those that are not named have none.
    pub(super) fn assign_roles(&mut self, place: usize, name: &str, (roles, holders): (&[String], &[Vec<SeatName>])) {
        let group = self.phase(place).group.clone();
        let gathered: Vec<SeatId> = self.gathered(group.as_ref()).collect();
        let number = |role: &String| self.plan.sources.find_role(role).map(|role| role.number);
        let seats = |seats: &Vec<SeatName>| seats.iter().map(|seat| self.seat_id(seat)).collect();
        let given: Vec<(Option<usize>, Vec<SeatId>)> =
            roles.iter().map(number).zip(holders.iter().map(seats)).collect();
        let assignment = self.assigned_roles.entry(name.to_owned()).or_default();
        assignment.of.resize(self.plan.seats.len(), None);
        gathered.iter().for_each(|seat| assignment.of[seat.index()] = None);
        for (role, seats) in given {
            seats.iter().for_each(|seat| assignment.of[seat.index()] = role);
        }
        *assignment.times.entry(group.map(|group| group.number)).or_default() += 1;
    }

    /// Whether a seat has a role that is assigned.
    pub(super) fn has_role(&self, role: &AssignedRole, seat: SeatId) -> bool {
        let assignment = self.assigned_roles.get(&role.assignment);
        assignment.is_some_and(|assignment| assignment.of[seat.index()] == Some(role.number))
    }

    /// Seats were put into groups.
    pub(super) fn assigned(&mut self, name: &str, groups: &[Vec<SeatName>]) {
        let groups = groups.iter().map(|group| group.iter().map(|seat| self.seat_id(seat)).collect()).collect();
        let assignment = self.assigned.entry(name.to_owned()).or_default();
        assignment.groups = groups;
        assignment.times += 1;
    }

    /// Whether a place is one of another group, or outside groups while these are side by side.
    pub(super) fn is_over_for_group(&self, place: usize) -> bool {
        self.side.as_ref().is_some_and(|side| place >= self.regions[side.region].groups[side.current].end)
    }

    /// The part of the agenda that begins at this place in each group; `None` where groups are side by side already.
    pub(super) fn region_at(&self, place: usize) -> Option<usize> {
        let group = self.plan.agenda.get(place)?.group.as_ref()?;
        self.side.is_none().then_some(group.region)
    }

    /// The number of the group whose course goes on now, from 1; `None` outside groups.
    pub(super) fn current_group(&self) -> Option<u32> {
        self.side.as_ref().map(|side| side.current as u32 + 1)
    }

    /// The groups begin side by side.
    pub(super) fn begin_groups(&mut self, region: usize) {
        let seats = self.plan.seats.len();
        let mut of = vec![None; seats];
        if let Some(assignment) = self.assigned.get(&self.regions[region].assignment) {
            for (number, group) in (1..).zip(&assignment.groups) {
                group.iter().for_each(|seat| of[seat.index()] = Some(number));
            }
        }
        self.memberships.insert(region, of);
        let course = Course { stage: Stage::GroupDone, asking: Asking::new(seats), ..Course::default() };
        let groups = self.regions[region].groups.len();
        self.side = Some(SideBySide { region, current: 0, courses: vec![course.clone(); groups] });
        self.course = course;
        for group in 0..groups {
            self.switch_to(group);
            let start = self.regions[region].groups[group].start;
            self.enter(start);
        }
        self.find_beat();
    }

    /// Makes the course of a group the session's state.
    fn switch_to(&mut self, group: usize) {
        let Some(mut side) = self.side.take() else { return };
        if side.current != group {
            std::mem::swap(&mut self.course, &mut side.courses[side.current]);
            std::mem::swap(&mut self.course, &mut side.courses[group]);
            side.current = group;
        }
        self.side = Some(side);
        self.take_up_course();
    }

    /// Applies the hearers, links and way of remembering of the current course to the memories.
    fn take_up_course(&mut self) {
        self.memory.limit_hearing(self.course.hearers.as_deref());
        self.link_speakers();
        self.memory.remember_as(self.course.remembering.map(|(_, way)| way));
        self.enter_part();
    }

    /// What is heard from now on belongs to the phase under way in the group, also for seats that hear several groups.
    pub(super) fn enter_part(&mut self) {
        let part = self.course.attending.as_ref().map(|attending| &self.phase(attending.place).name);
        self.memory.enter_part(part);
    }

    /// Makes the course of the group of whoever answered the session's state.
    pub(super) fn switch_to_group_of(&mut self, seat: SeatId) {
        if let Some(group) = self.side.as_ref().and_then(|side| self.memberships[&side.region][seat.index()]) {
            self.switch_to(group as usize - 1);
        }
    }

    /// The course of each group, in their order; outside groups that of the session.
    fn courses(&self) -> Vec<&Course> {
        let Some(side) = &self.side else { return vec![&self.course] };
        let mut courses: Vec<&Course> = side.courses.iter().collect();
        courses[side.current] = &self.course;
        courses
    }

    /// The vote of a place that is under way, in the course of any group.
    pub(super) fn find_open_vote(&self, place: usize) -> Option<&Vote> {
        let others = self.side.iter().flat_map(|side| &side.courses);
        std::iter::once(&self.course).chain(others).map(|course| &course.vote).find(|vote| vote.place == Some(place))
    }

    /// After a record: the lowest group that declares something goes on; if none does, and all answers are in, these take effect.
    pub(super) fn find_beat(&mut self) {
        while self.side.is_some() {
            let courses: Vec<(Stage, bool)> =
                self.courses().iter().map(|course| (course.stage, course.asking.is_waiting())).collect();
            if let Some(group) = courses.iter().position(|(stage, _)| !stage.waits_for_others()) {
                return self.switch_to(group);
            }
            if let Some(group) = courses.iter().position(|(stage, is_waiting)| *stage == Stage::Asking && *is_waiting) {
                return self.switch_to(group);
            }
            let asked: Vec<usize> = (0..courses.len()).filter(|group| courses[*group].0 == Stage::Asking).collect();
            if asked.is_empty() {
                return self.end_groups();
            }
            self.release_groups(&asked);
            for group in asked {
                self.switch_to(group);
                self.proceed();
            }
        }
    }

    /// Lets everything take effect that groups held back, in the order of the records: a seat outside may hear several groups.
    fn release_groups(&mut self, groups: &[usize]) {
        let mut held = Vec::new();
        for group in groups {
            self.switch_to(*group);
            let of_group = std::mem::take(&mut self.course.asking.held).into_iter();
            held.extend(of_group.map(|(seat, record)| (*group, seat, record)));
        }
        held.sort_by_key(|(_, _, record)| record.seq);
        for (group, seat, record) in held {
            self.switch_to(group);
            self.take_answer(seat, &record);
        }
    }

    /// The last group is done: the session goes on as one.
    fn end_groups(&mut self) {
        let Some(mut side) = self.side.take() else { return };
        // In the place of the current course there is one that never began.
        self.course = side.courses.swap_remove(side.current);
        self.take_up_course();
        let end = self.regions[side.region].end();
        self.enter(end);
    }

    /// What is asked now, of which seats, group by group.
    pub(super) fn open_questions(&self) -> Vec<(Asked, Due)> {
        let asked = self.courses().into_iter().filter(|course| course.stage == Stage::Asking);
        let open: Vec<(Asked, Due)> = asked
            .map(|course| &course.asking)
            .filter(|asking| asking.is_waiting())
            .flat_map(|asking| {
                let what = asking.what.expect("invariant: an ask says what it asks");
                asking.due().map(move |due| (what, due))
            })
            .collect();
        // So that a session cut in the middle of an ask goes on in the very order of the uncut one.
        let lowest = open.iter().map(|(_, due)| due.attempt).min();
        open.into_iter().filter(|(_, due)| Some(due.attempt) == lowest).collect()
    }

    /// The course of the group of a seat; the session's own if the seat is in no group.
    pub(super) fn course_of(&self, seat: SeatId) -> &Course {
        let of_other = || {
            let side = self.side.as_ref()?;
            let group = self.memberships[&side.region][seat.index()]? as usize - 1;
            (group != side.current).then(|| &side.courses[group])
        };
        of_other().unwrap_or(&self.course)
    }

    /// The seats of a group that are present, in the plan's order; without a group all that are present.
    pub(super) fn gathered(&self, group: Option<&GroupPlace>) -> impl Iterator<Item = SeatId> + '_ {
        let of = group.map(|group| (self.memberships.get(&group.region), group.number));
        self.present().filter(move |seat| match of {
            None => true,
            Some((of, number)) => of.is_some_and(|of| of[seat.index()] == Some(number)),
        })
    }

    /// The seats that may hear what happens in a group, in the plan's order: its own and those in no group, as far as they are present.
    /// Without a group all that are present.
    pub(super) fn within_earshot(&self, group: Option<&GroupPlace>) -> impl Iterator<Item = SeatId> + '_ {
        // In the longest rehearsal any seat may be in no group.
        let is_known = |group: &&GroupPlace| {
            self.supposed != Some(Supposed::Long) || self.plan.has_known_members(&group.assignment)
        };
        let of = group.filter(is_known).map(|group| (self.memberships.get(&group.region), group.number));
        self.present().filter(move |seat| match of {
            Some((Some(of), number)) => of[seat.index()].is_none_or(|own| own == number),
            Some((None, _)) | None => true,
        })
    }

    /// Whether a seat takes part in what happens at a place as a member of its group there; true outside groups.
    pub(super) fn is_gathered_at(&self, place: usize, seat: SeatId) -> bool {
        let Some(group) = &self.phase(place).group else { return true };
        self.memberships.get(&group.region).is_some_and(|of| of[seat.index()] == Some(group.number))
    }

    /// A phase or round begins for those who are there.
    pub(super) fn begin_part(&mut self, record: &Record) {
        let seats = self.course.attending.as_ref().map(|attending| attending.seats.as_slice());
        self.memory.begin_part_for(&record.at.phase, seats);
    }

    /// The state of a session in which expressions of the phase at a place are read.
    pub(super) fn world_at(&self, place: usize) -> SessionWorld<'_, '_> {
        let phase = self.phase(place);
        SessionWorld {
            session: self,
            passes: &phase.passes,
            group: phase.group.as_ref(),
            seat: None,
            me: None,
            target: None,
            round: None,
            drawing: None,
        }
    }
}
