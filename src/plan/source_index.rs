//! The index of what the agenda sets and expressions read.

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use super::{AssignedRole, Formula, GroupPlace, GroupRule, Holders, Pass, Phase, PhaseKind, Variable};
use crate::domain::Holder;
use crate::expression::list_names;

/// Where the agenda sets what expressions read: positions of phases by their written names, and what each asks or computes.
#[derive(Debug, Clone, Default)]
pub struct SourceIndex {
    places: IndexMap<String, Vec<usize>>,
    forms: IndexMap<String, IndexMap<String, usize>>,
    fields: IndexMap<String, String>,
    /// The fields that are asked about each of several seats, with the written names of their phases and their positions.
    about: IndexMap<String, (String, usize)>,
    variables: IndexMap<String, usize>,
    /// The names of kept texts with their positions.
    kept: IndexMap<String, usize>,
    computed: Vec<Vec<usize>>,
    /// The written names of the phases that compute each variable.
    computing: Vec<IndexSet<String>>,
    /// The roles that phases assign.
    roles: IndexMap<String, AssignedRole>,
}

impl SourceIndex {
    /// The index of an agenda.
    pub fn of_agenda(agenda: &[Phase], variables: &[Variable]) -> Self {
        let count = variables.len();
        let (computed, computing) = (vec![Vec::new(); count], vec![IndexSet::new(); count]);
        let mut index = Self { computed, computing, ..Self::default() };
        for (place, phase) in agenda.iter().enumerate() {
            let written = phase.name.written();
            index.places.entry(written.to_owned()).or_default().push(place);
            if let PhaseKind::Form(form) = &phase.kind {
                index.kept.extend(form.kept.iter().map(|kept| (kept.name.clone(), kept.pool)));
            }
            match &phase.kind {
                PhaseKind::Form(asked) if asked.per.is_some() => {
                    for (position, field) in asked.form.fields.iter().enumerate() {
                        index.about.entry(field.id.clone()).or_insert_with(|| (written.to_owned(), position));
                    }
                }
                PhaseKind::Form(asked) if !index.forms.contains_key(written) => {
                    let ids = asked.form.fields.iter().map(|field| field.id.clone());
                    index.forms.insert(written.to_owned(), ids.clone().zip(0..).collect());
                    for id in ids {
                        index.fields.entry(id).or_insert_with(|| written.to_owned());
                    }
                }
                PhaseKind::Compute(assignments) => {
                    for assignment in assignments.iter() {
                        index.computed[assignment.variable].push(place);
                        index.computing[assignment.variable].insert(written.to_owned());
                    }
                }
                PhaseKind::Assign(rules) => rules.iter().for_each(|rule| index.add_roles(rule, phase)),
                _ => {}
            }
        }
        index.variables = variables.iter().map(|variable| variable.name.clone()).zip(0..).collect();
        index
    }

    fn add_roles(&mut self, rule: &GroupRule, phase: &Phase) {
        for role in rule.size.list_roles() {
            let holders = match (role.seats, phase.group.is_some()) {
                (Some(1), false) => Holders::One,
                (Some(1), true) => Holders::OneAGroup,
                _ => Holders::Many,
            };
            let number = self.roles.len();
            let assigned = AssignedRole { assignment: rule.name.clone(), number, holders };
            self.roles.entry(role.name.clone()).or_insert(assigned);
        }
    }

    /// A role that phases assign.
    pub fn find_role(&self, name: &str) -> Option<&AssignedRole> {
        self.roles.get(name)
    }

    /// The roles of an assignment, with their names; none of an assignment of groups.
    pub fn roles_of(&self, assignment: &str) -> impl Iterator<Item = (&str, &AssignedRole)> {
        let roles = self.roles.iter().map(|(name, role)| (name.as_str(), role));
        roles.filter(move |(_, role)| role.assignment == assignment)
    }

    /// The positions of a phase, one a pass, in their order; none of an unknown name.
    pub fn places_of(&self, written: &str) -> &[usize] {
        self.places.get(written).map_or(&[], Vec::as_slice)
    }

    /// The positions of the phases that compute a variable, in their order.
    pub fn places_computing(&self, variable: usize) -> &[usize] {
        &self.computed[variable]
    }

    /// The written names of the phases that compute a variable, in their order.
    pub fn phases_computing(&self, variable: usize) -> &IndexSet<String> {
        &self.computing[variable]
    }

    /// The written name of the phase that asks a field; of several, the first.
    pub fn phase_of_field(&self, field: &str) -> Option<&str> {
        self.fields.get(field).map(String::as_str)
    }

    /// The written name of the phase that asks a field about each of several seats.
    pub fn phase_about(&self, field: &str) -> Option<&str> {
        self.about.get(field).map(|(phase, _)| phase.as_str())
    }

    /// The position of a field that is asked about each of several seats, in its form.
    pub fn position_about(&self, field: &str) -> Option<usize> {
        self.about.get(field).map(|(_, position)| *position)
    }

    /// Whether a phase of this written name asks a form.
    pub fn is_form(&self, written: &str) -> bool {
        self.forms.contains_key(written)
    }

    /// The fields that a phase of this written name asks.
    pub fn fields_of(&self, written: &str) -> impl Iterator<Item = &str> {
        self.forms.get(written).into_iter().flatten().map(|(field, _)| field.as_str())
    }

    /// The position of a field in the form of a phase.
    pub fn field_position(&self, written: &str, field: &str) -> Option<usize> {
        self.forms.get(written)?.get(field).copied()
    }

    /// The position of a name among the names of kept texts.
    pub fn find_texts(&self, name: &str) -> Option<usize> {
        self.kept.get(name).copied()
    }

    /// The name of kept texts at a position.
    pub fn name_of_texts(&self, pool: usize) -> Option<&str> {
        self.kept.iter().find(|(_, own)| **own == pool).map(|(name, _)| name.as_str())
    }

    /// The number of names of kept texts.
    pub fn count_texts(&self) -> usize {
        self.kept.values().max().map_or(0, |last| last + 1)
    }

    /// The places of the phases that set what a condition reads; `None` if it reads something else that may differ between sessions.
    pub fn places_read(&self, formula: &Formula, reader: &ConditionReader<'_>) -> Option<Vec<usize>> {
        let is_of_seats = |name: &str| ["seat", "seats", "everyone", "group", "others"].contains(&name);
        let mut places = BTreeSet::new();
        let mut reads_values = false;
        for read in list_names(&formula.expression) {
            let name = read.name.as_deref()?;
            let set = match read.attributes.first() {
                _ if matches!(name, "parameters" | "pass") => continue,
                Some(attribute) if is_of_seats(name) => attribute.as_str(),
                // Which seats are in a group may be by lot.
                None if is_of_seats(name) && reader.group.is_some() => return None,
                None if is_of_seats(name) => continue,
                _ => name,
            };
            let variable = self.find_variable(set);
            let found = match (variable, self.phase_of_field(set)) {
                (Some(variable), _) => self.places_computing(variable),
                (None, Some(phase)) => self.places_of(phase),
                (None, None) => self.places_of(set),
            };
            if found.is_empty() && (reader.group.is_some() || !matches!(set, "name" | "index" | "role")) {
                return None;
            }
            reads_values |= !found.is_empty();
            let starts_by_seat = |variable: usize| {
                let own = &reader.variables[variable];
                own.of == Holder::Seat && (0..reader.seats).any(|seat| own.start_at(seat).is_some())
            };
            if reader.group.is_some() && variable.is_some_and(starts_by_seat) {
                return None;
            }
            let is_series = read.series.is_some();
            // A variable keeps its value, and an answer or vote is read in the pass that asked for it.
            let is_of_pass = !is_series && variable.is_none();
            let is_of_group = !is_series && (name == "group" || variable.is_none() && set == name);
            let may_set = |place: &&usize| {
                let phase = &reader.agenda[**place];
                (!is_of_pass || reader.shares_passes(phase)) && !(is_of_group && reader.is_other_group(phase))
            };
            places.extend(found.iter().filter(may_set).copied());
        }
        reads_values.then(|| places.into_iter().collect())
    }

    /// The position of a variable among the plan's.
    pub fn find_variable(&self, name: &str) -> Option<usize> {
        self.variables.get(name).copied()
    }
}

/// Where a condition of a phase or block is read.
#[derive(Debug, Clone, Copy)]
pub struct ConditionReader<'p> {
    /// The phases of the plan.
    pub agenda: &'p [Phase],
    /// The variables of the plan.
    pub variables: &'p [Variable],
    /// The number of seats.
    pub seats: usize,
    /// The passes around the phase or block.
    pub passes: &'p [Pass],
    /// The group in which it is read; `None` outside groups.
    pub group: Option<&'p GroupPlace>,
}

impl ConditionReader<'_> {
    /// Whether a phase is in the passes around the condition, as far as its blocks are those.
    fn shares_passes(&self, phase: &Phase) -> bool {
        let mut shared = phase.passes.iter().zip(self.passes).take_while(|(own, here)| own.block == here.block);
        shared.all(|(own, here)| own.number == here.number)
    }

    /// Whether a phase is in another of the groups that go on beside the condition's. Nothing there changes values of this group.
    fn is_other_group(&self, phase: &Phase) -> bool {
        let Some((own, other)) = self.group.zip(phase.group.as_ref()) else { return false };
        own.region == other.region && own.number != other.number
    }
}
