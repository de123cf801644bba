//! Finds where values may be missing.
//!
//! The analysis follows the ways that a session may take through the agenda, and at each stop knows what was set on all of them. Of groups
//! side by side it follows the first: the others do the same. It is cautious: it may name a value that is never missing, but not miss one
//! that may be.

use std::collections::{BTreeMap, BTreeSet};

use super::reach::{CourseKind, Reach, Stop, WayThrough};
use super::{
    Assignment, BoundEnd, FormPlan, Formula, Holders, Phase, PhaseKind, Plan, RoundVotes, SeatSet, Thing, Variable,
    list_values_read,
};
use crate::domain::Holder;
use crate::expression::{MissingReach, NameRead, ValuePresence, find_missing, list_names};

/// Where values may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MissingPlaces {
    /// The values that may be missing where they are set or read, or at the end of the session for a seat for which they are computed.
    pub values: BTreeSet<String>,
    /// The phases whose payments may be missing, by their written names.
    pub payments: BTreeSet<String>,
    /// The values, and the phases with payments, for which an `if` may choose by a condition that is missing and so counts as false.
    pub chosen: BTreeSet<String>,
    /// The bounds of numbers that may be missing.
    pub bounds: Vec<MissingBound>,
}

/// A bound of a number that may be missing when the form is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingBound {
    /// The written name of the phase.
    pub phase: String,
    /// The position of the field in the form.
    pub field: usize,
    /// Which bound.
    pub end: BoundEnd,
    /// The part of the expression that may be missing.
    pub cause: String,
}

impl Plan {
    /// Finds where values may be missing.
    pub fn find_missing_places(&self) -> MissingPlaces {
        let reach = self.find_reach();
        let known = self.list_values();
        let first_passes = self.agenda.iter().filter(|phase| phase.is_first_pass());
        // An answer may stay invalid, and a vote may have no winner.
        let asking = first_passes.filter(|phase| matches!(phase.kind, PhaseKind::Form(_) | PhaseKind::Vote(_)));
        let values = asking.flat_map(Phase::list_set_values).collect();
        let found = MissingPlaces { values, ..MissingPlaces::default() };
        let computed_for = vec![vec![false; self.seats.len()]; self.variables.len()];
        let mut walk = PresenceWalk { plan: self, reach: &reach, known, computed_for, found };
        walk.follow_ways();
        walk.found
    }

    /// Whether each group of an assignment certainly has two members or more.
    fn has_large_groups(&self, assignment: &str) -> bool {
        let is_large = |(place, phase): (usize, &Phase)| {
            let members = self.seats.iter().filter(|seat| self.may_take_part(place, &seat.name)).count();
            let mut own = phase.kind.group_rules().iter().filter(|rule| rule.name == assignment);
            own.all(|rule| members >= 2 * rule.size.count_groups(members))
        };
        self.has_known_members(assignment) && self.agenda.iter().enumerate().all(is_large)
    }
}

/// What was certainly set on the way to a stop.
#[derive(Debug, Clone, PartialEq)]
struct GivenValues {
    /// Of each variable, and of each seat if seats have values of it, whether it has one.
    variables: Vec<Vec<bool>>,
    /// The votes that were held in the passes around, by the names of their phases.
    held: BTreeSet<String>,
    /// The assignments that were made, and of each seat whether it was assigned.
    assigned: BTreeMap<String, Vec<bool>>,
}

impl GivenValues {
    fn at_beginning(plan: &Plan) -> Self {
        let of_variable = |variable: &Variable| {
            let holders = if variable.of == Holder::Seat { plan.seats.len() } else { 1 };
            (0..holders).map(|position| variable.start_at(position).is_some()).collect()
        };
        let variables = plan.variables.iter().map(of_variable).collect();
        Self { variables, held: BTreeSet::new(), assigned: BTreeMap::new() }
    }

    /// Keeps what was set on another way, too.
    fn meet(&mut self, other: &Self) {
        for (own, others) in self.variables.iter_mut().zip(&other.variables) {
            own.iter_mut().zip(others).for_each(|(own, other)| *own &= other);
        }
        self.held.retain(|vote| other.held.contains(vote));
        self.assigned.retain(|name, _| other.assigned.contains_key(name));
        for (name, seats) in &mut self.assigned {
            seats.iter_mut().zip(&other.assigned[name]).for_each(|(own, other)| *own &= other);
        }
    }
}

struct PresenceWalk<'p> {
    plan: &'p Plan,
    reach: &'p Reach,
    /// The names of the values that phases set.
    known: BTreeSet<String>,
    /// Of each variable the seats for which it may be computed.
    computed_for: Vec<Vec<bool>>,
    found: MissingPlaces,
}

impl PresenceWalk<'_> {
    fn follow_ways(&mut self) {
        let (plan, reach) = (self.plan, self.reach);
        let beginning = Stop { place: 0, course: CourseKind::Whole };
        let mut arrivals = BTreeMap::from([(beginning, GivenValues::at_beginning(plan))]);
        let mut end = None;
        while let Some((stop, given)) = arrivals.pop_first() {
            let Some(phase) = plan.agenda.get(stop.place) else {
                end = Some(given);
                break;
            };
            let is_open = reach.may_open[stop.place] && (phase.group.is_none() || stop.course == CourseKind::Group);
            self.read_gates(stop.place, &given);
            let opened = is_open.then(|| self.open_phase(stop.place, &given));
            self.read_ends(stop.place, opened.as_ref().unwrap_or(&given));
            let first = reach.ways.partition_point(|way| way.from < stop);
            for way in reach.ways[first..].iter().take_while(|way| way.from == stop) {
                let is_other_group =
                    way.to.course == CourseKind::Group && !plan.agenda[way.to.place].is_in_first_group();
                let left = match way.passage {
                    _ if is_other_group => continue,
                    WayThrough::Opened => opened.as_ref().unwrap_or(&given),
                    WayThrough::LeftOut => &given,
                };
                let mut left = self.leave_passes(left, stop.place, way.to.place);
                if way.to.course == CourseKind::Group && stop.course == CourseKind::Whole {
                    self.enter_groups(&mut left, way.to.place);
                }
                arrivals.entry(way.to).and_modify(|other| other.meet(&left)).or_insert(left);
            }
        }
        if let Some(end) = end {
            self.read_at_end(&end);
        }
    }

    /// Groups begin. A value of a group stays with its number, so other groups may lack it, and those that had no members before.
    fn enter_groups(&self, given: &mut GivenValues, place: usize) {
        let plan = self.plan;
        let assignment_at = |place: usize| plan.agenda[place].group.as_ref().map(|group| group.assignment.as_str());
        let own = assignment_at(place);
        let is_lasting = own.is_some_and(|own| plan.has_known_members(own));
        for (position, variable) in plan.variables.iter().enumerate().filter(|(_, own)| own.of == Holder::Group) {
            let mut setting = plan.sources.places_computing(position).iter();
            if variable.start_at(0).is_none() && !(is_lasting && setting.all(|place| assignment_at(*place) == own)) {
                given.variables[position] = vec![false];
            }
        }
    }

    /// What is still given at another place: not the votes of a pass that is over.
    fn leave_passes(&self, given: &GivenValues, from: usize, to: usize) -> GivenValues {
        let mut left = given.clone();
        let Some(next) = self.plan.agenda.get(to) else { return left };
        let both = self.plan.agenda[from].passes.iter().zip(&next.passes).enumerate();
        let mut both = both.take_while(|(_, (own, next))| own.block == next.block);
        if let Some((depth, (over, _))) = both.find(|(_, (own, next))| own.number != next.number) {
            let is_in_it = |vote: &String| {
                let first = self.plan.sources.places_of(vote).first();
                first
                    .and_then(|place| self.plan.agenda[*place].passes.get(depth))
                    .is_some_and(|p| p.block == over.block)
            };
            left.held.retain(|vote| !is_in_it(vote));
        }
        left
    }

    /// Reads what decides whether and for whom the phase at a place and the blocks that begin there take place.
    fn read_gates(&mut self, place: usize, given: &GivenValues) {
        let plan = self.plan;
        let phase = &plan.agenda[place];
        let begun = phase.within.iter().map(|block| &plan.blocks[*block]).filter(|block| block.start == place);
        let conditions = begun.clone().flat_map(|block| &block.when).chain(&phase.when).map(|when| &when.formula);
        let times = phase.passes.iter().filter_map(|pass| match &pass.thing {
            Some(Thing::Times { times, .. }) => Some(times),
            _ => None,
        });
        let sets = begun.flat_map(|block| &block.who).chain(&phase.who).chain(&phase.heard_by);
        let formulas = sets.chain(phase.seat_sets()).filter_map(SeatSet::formula);
        let everyone = vec![true; plan.seats.len()];
        let view = PresenceView { plan, given, place, seats: &everyone };
        for formula in conditions.chain(times).chain(formulas) {
            self.read_formula(formula, &view);
        }
    }

    /// Reads the `until` of each block of which a pass ends with the phase at a place.
    fn read_ends(&mut self, place: usize, given: &GivenValues) {
        let plan = self.plan;
        let phase = &plan.agenda[place];
        let mut following = plan.agenda[place + 1..].iter();
        let next = following.find(|next| next.is_in_first_group());
        let everyone = vec![true; plan.seats.len()];
        let view = PresenceView { plan, given, place, seats: &everyone };
        for block in phase.within.iter().map(|block| &plan.blocks[*block]) {
            let is_same = next.is_some_and(|next| next.passes.get(block.around) == phase.passes.get(block.around));
            if let Some(until) = block.until.as_ref().filter(|_| place + 1 == block.end || !is_same) {
                self.read_formula(&until.formula, &view);
            }
        }
    }

    /// The tables hold the last value of each variable, for the seats for which it is computed.
    fn read_at_end(&mut self, given: &GivenValues) {
        for (position, (variable, given)) in self.plan.variables.iter().zip(&given.variables).enumerate() {
            let is_gap = |(seat, given): (usize, &bool)| {
                !given && (variable.of != Holder::Seat || self.computed_for[position][seat])
            };
            if given.iter().enumerate().any(is_gap) {
                self.found.values.insert(variable.name.clone());
            }
        }
    }

    /// What is given after a phase.
    fn open_phase(&mut self, place: usize, given: &GivenValues) -> GivenValues {
        let plan = self.plan;
        let phase = &plan.agenda[place];
        let possible = self.find_participants(place, given, ReadCertainty::Possible);
        let mut after = given.clone();
        if let PhaseKind::Compute(assignments) = &phase.kind {
            let sure = self.find_participants(place, given, ReadCertainty::Sure);
            for assignment in assignments.iter() {
                let is_given =
                    self.compute_value(assignment, &PresenceView { plan, given: &after, place, seats: &possible });
                let columns = &mut after.variables[assignment.variable];
                match plan.variables[assignment.variable].of {
                    Holder::Session | Holder::Group => columns[0] = is_given,
                    Holder::Seat => {
                        let meant = &mut self.computed_for[assignment.variable];
                        meant.iter_mut().zip(&possible).for_each(|(meant, may_be)| *meant |= may_be);
                        for (seat, column) in columns.iter_mut().enumerate().filter(|(seat, _)| possible[*seat]) {
                            *column = is_given && (sure[seat] || *column);
                        }
                    }
                }
            }
            return after;
        }
        let view = PresenceView { plan, given, place, seats: &possible };
        for formula in phase.kind.list_formulas() {
            self.read_formula(formula, &view);
        }
        for text in phase.kind.list_live_texts() {
            for read in text.list_reads() {
                self.note_read(&read, &view);
            }
        }
        match &phase.kind {
            PhaseKind::Form(form) => self.find_missing_bounds(form, &view),
            PhaseKind::Pay(pay) => {
                let reaches: Vec<MissingReach> =
                    pay.list_formulas().map(|formula| view.find_missing(formula)).collect();
                if reaches.iter().any(|reach| reach.presence == ValuePresence::Missing) {
                    self.found.payments.insert(phase.name.written().to_owned());
                }
                if reaches.iter().any(|reach| !reach.conditions.is_empty()) {
                    self.found.chosen.insert(phase.name.written().to_owned());
                }
            }
            PhaseKind::Discussion(talk) if talk.votes != RoundVotes::EveryRound => {}
            // Without options nothing is voted on.
            PhaseKind::Vote(vote) if vote.over.is_found_at_opening() => {}
            PhaseKind::Discussion(_) | PhaseKind::Vote(_) => {
                after.held.insert(phase.name.written().to_owned());
            }
            PhaseKind::Assign(rules) => {
                let sure = self.find_participants(place, given, ReadCertainty::Sure);
                let sure = if plan.may_lose_seats() { vec![false; sure.len()] } else { sure };
                for rule in rules.iter() {
                    after.assigned.insert(rule.name.clone(), sure.clone());
                }
            }
            _ => {}
        }
        after
    }

    /// Of each seat whether it takes part in the phase at a place. In groups those that are in one do.
    fn find_participants(&self, place: usize, given: &GivenValues, certainty: ReadCertainty) -> Vec<bool> {
        let mut seats = match certainty {
            ReadCertainty::Possible => self.plan.find_possible_participants(self.reach, place),
            ReadCertainty::Sure => self.plan.find_sure_participants(self.reach, place),
        };
        if let Some(group) = &self.plan.agenda[place].group {
            let assigned = given.assigned.get(&group.assignment);
            let members = match certainty {
                ReadCertainty::Possible => self.find_possible_members(&group.assignment),
                ReadCertainty::Sure => assigned.cloned().unwrap_or_else(|| vec![false; seats.len()]),
            };
            seats.iter_mut().zip(members).for_each(|(seat, is_member)| *seat &= is_member);
        }
        seats
    }

    /// Of each seat whether an assignment may put it into a group.
    fn find_possible_members(&self, assignment: &str) -> Vec<bool> {
        let mut members = vec![false; self.plan.seats.len()];
        for (place, phase) in self.plan.agenda.iter().enumerate().filter(|(place, _)| self.reach.may_open[*place]) {
            if phase.kind.assigns(assignment) {
                let possible = self.plan.find_possible_participants(self.reach, place);
                members.iter_mut().zip(possible).for_each(|(member, may_be)| *member |= may_be);
            }
        }
        members
    }

    /// Whether a value that is computed is certainly there.
    fn compute_value(&mut self, assignment: &Assignment, view: &PresenceView<'_>) -> bool {
        self.read_formula(&assignment.formula, view);
        let reach = view.find_missing(&assignment.formula);
        if !reach.conditions.is_empty() {
            self.found.chosen.insert(assignment.bare_name().to_owned());
        }
        let is_given = reach.presence != ValuePresence::Missing;
        if !is_given {
            self.found.values.insert(assignment.bare_name().to_owned());
        }
        is_given
    }

    fn find_missing_bounds(&mut self, form: &FormPlan, view: &PresenceView<'_>) {
        for bound in &form.bounds {
            let reach = view.find_missing(&bound.formula);
            let cause = reach.causes.first().and_then(|cause| bound.formula.text.get(cause.start..cause.end));
            let phase = self.plan.agenda[view.place].name.written().to_owned();
            let is_told = |told: &MissingBound| (&told.phase, told.field, told.end) == (&phase, bound.field, bound.end);
            if reach.presence == ValuePresence::Missing && !self.found.bounds.iter().any(is_told) {
                let cause = cause.unwrap_or(&bound.formula.text).to_owned();
                self.found.bounds.push(MissingBound { phase, field: bound.field, end: bound.end, cause });
            }
        }
    }

    fn read_formula(&mut self, formula: &Formula, view: &PresenceView<'_>) {
        for read in list_names(&formula.expression) {
            self.note_read(&read, view);
        }
    }

    fn note_read(&mut self, read: &NameRead, view: &PresenceView<'_>) {
        let Some(name) = list_values_read(read, &self.known).next() else { return };
        // Of the values of several passes, each may be missing that was when it was set.
        if read.series.is_none() && !view.is_given_in_full(read) {
            self.found.values.insert(name.to_owned());
        }
    }
}

/// Whether seats may take part, or certainly do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReadCertainty {
    Possible,
    Sure,
}

/// What an expression finds at a place.
struct PresenceView<'v> {
    plan: &'v Plan,
    given: &'v GivenValues,
    place: usize,
    /// Of each seat whether the expression may be about it.
    seats: &'v [bool],
}

impl PresenceView<'_> {
    fn find_missing(&self, formula: &Formula) -> MissingReach {
        find_missing(&formula.expression, &|read| self.tell_presence(read))
    }

    /// Whether a name and all its attributes are certainly there.
    fn is_given_in_full(&self, read: &NameRead) -> bool {
        let first = usize::from(read.name.is_none());
        (first..=read.attributes.len()).all(|count| {
            let attributes = read.attributes[..count].to_vec();
            self.tell_presence(&NameRead { attributes, ..read.clone() }) == ValuePresence::Given
        })
    }

    /// How far the last part of a path is sure to be there, if what it is read from is.
    fn tell_presence(&self, read: &NameRead) -> ValuePresence {
        let plan = self.plan;
        let everyone = vec![true; plan.seats.len()];
        let attributes: Vec<&str> = read.attributes.iter().map(String::as_str).collect();
        let Some(name) = read.name.as_deref() else { return self.tell_of_seats(&read.attributes, &everyone) };
        if let "parameters" | "pass" | "round" | "item" | "phase" | "wave" = name {
            return ValuePresence::Given;
        }
        if name == "truth" && plan.evidence.as_ref().is_some_and(|evidence| evidence.truth.is_some()) {
            return ValuePresence::Given;
        }
        if let "seat" | "me" = name {
            return self.tell_of_seats(&read.attributes, self.seats);
        }
        if name == "target" {
            return self.tell_of_seats(&read.attributes, &everyone);
        }
        if let ("group", [variable]) = (name, read.attributes.as_slice())
            && let Some(variable) = plan.sources.find_variable(variable)
            && plan.variables[variable].of == Holder::Group
        {
            let presence = ValuePresence::from(self.given.variables[variable][0]);
            return if plan.agenda[self.place].group.is_some() { presence } else { in_list(presence) };
        }
        if let ("group", ["number"]) = (name, attributes.as_slice()) {
            return ValuePresence::Given;
        }
        if let "seats" | "everyone" | "group" | "others" | "nobody" = name {
            return match read.attributes.as_slice() {
                [] if self.is_surely_somebody(name) => ValuePresence::Given,
                [] => ValuePresence::Gaps,
                attributes => in_list(self.tell_of_seats(attributes, &everyone)),
            };
        }
        if let Some(role) = plan.roles.iter().find(|role| role.name == name) {
            let is_own = |seat: &super::Seat| seat.part.as_ref().is_some_and(|own| own.name == name);
            let own: Vec<bool> = plan.seats.iter().map(is_own).collect();
            let presence = self.tell_of_seats(&read.attributes, &own);
            return if role.seats == 1 { presence } else { in_list(presence) };
        }
        if let Some(role) = plan.sources.find_role(name) {
            let is_assigned = self.given.assigned.get(&role.assignment).is_some_and(|seats| seats.contains(&true));
            let presence = match read.attributes.as_slice() {
                [] => ValuePresence::from(is_assigned),
                attributes => self.tell_of_seats(attributes, &everyone),
            };
            return if role.holders == Holders::Many { in_list(presence) } else { presence };
        }
        if let Some(variable) = plan.sources.find_variable(name) {
            return match read.attributes.as_slice() {
                [] => ValuePresence::from(self.given.variables[variable][0]),
                attributes => self.tell_of_seats(attributes, &everyone),
            };
        }
        if plan.sources.find_texts(name).is_some() {
            return ValuePresence::Gaps;
        }
        let thing = plan.agenda[self.place].passes.iter().rev().filter_map(|pass| pass.thing.as_ref());
        match thing.clone().find(|thing| thing.name() == name) {
            Some(Thing::Seat { .. }) => self.tell_of_seats(&read.attributes, &everyone),
            Some(_) => ValuePresence::Given,
            None => self.tell_of_vote(name, &read.attributes),
        }
    }

    /// How far what seats have is there for all of these seats. What is read from a value of theirs is looked at for every seat.
    fn tell_of_seats(&self, attributes: &[String], seats: &[bool]) -> ValuePresence {
        let Some(last) = attributes.last() else { return ValuePresence::Given };
        let sources = &self.plan.sources;
        let covers = |given: &[bool]| {
            let is_covered = |(given, is_meant): (&bool, &bool)| *given || !is_meant && attributes.len() == 1;
            ValuePresence::from(given.iter().zip(seats).all(is_covered))
        };
        if let Some(variable) = sources.find_variable(last) {
            let columns = &self.given.variables[variable];
            return if self.plan.variables[variable].of == Holder::Seat {
                covers(columns)
            } else {
                ValuePresence::from(columns[0])
            };
        }
        if sources.roles_of(last).next().is_some() {
            let fills_all = sources.roles_of(last).any(|(_, role)| role.holders == Holders::Many);
            return match self.given.assigned.get(last) {
                Some(assigned) if fills_all => covers(assigned),
                _ => ValuePresence::Missing,
            };
        }
        if sources.phase_of_field(last).is_some() {
            return ValuePresence::Missing;
        }
        match last.as_str() {
            "name" | "index" | "present" => ValuePresence::Given,
            "role" => covers(&self.plan.seats.iter().map(|seat| seat.part.is_some()).collect::<Vec<bool>>()),
            "signal" => {
                ValuePresence::from(self.plan.evidence.as_ref().is_some_and(|evidence| evidence.signals.is_some()))
            }
            "label" | "letter" | "text" | "lines" | "count" | "version" if attributes.len() > 1 => ValuePresence::Given,
            // The form of a phase is there, whatever its answers are.
            _ => ValuePresence::from(sources.is_form(last)),
        }
    }

    fn tell_of_vote(&self, name: &str, attributes: &[String]) -> ValuePresence {
        let plan = self.plan;
        let Some(first) = plan.sources.places_of(name).first() else { return ValuePresence::Missing };
        let phase = &plan.agenda[*first];
        let has_fixed_options = phase.kind.as_vote().is_none_or(|vote| !vote.over.is_found_at_opening());
        let presence = match attributes {
            [] => ValuePresence::from(self.given.held.contains(name)),
            [part] => match part.as_str() {
                "decided" => ValuePresence::Given,
                "options" if has_fixed_options => ValuePresence::Given,
                "winners" | "options" => ValuePresence::Gaps,
                _ => ValuePresence::Missing,
            },
            _ => in_list(self.tell_of_seats(attributes, &vec![true; plan.seats.len()])),
        };
        let is_listed = phase.group.is_some() && plan.agenda[self.place].group.is_none();
        if is_listed { in_list(presence) } else { presence }
    }

    /// Whether a list of seats has somebody in it. A group has at least two members unless its rule may leave one alone.
    fn is_surely_somebody(&self, list: &str) -> bool {
        let count = self.plan.seats.len();
        match list {
            "seats" => true,
            _ if self.plan.may_lose_seats() => false,
            "everyone" | "group" => true,
            "others" => match &self.plan.agenda[self.place].group {
                None => count > 1,
                Some(group) => self.plan.has_large_groups(&group.assignment),
            },
            _ => false,
        }
    }
}

/// The presence of a list whose elements are as sure to be there as this.
fn in_list(element: ValuePresence) -> ValuePresence {
    element.min(ValuePresence::Gaps)
}
