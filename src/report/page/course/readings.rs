//! What a session's forms and computations came to: the answers to each field and the values of each variable, on each occasion.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use crate::domain::{FieldKind, Holder};
use crate::plan::{FormPlan, Phase, PhaseKind, Plan, VariableKind};
use crate::report::page::cells::Row;
use crate::text::word_count;

/// What is read on several occasions: a field of a form, or a variable.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// Whose it is.
    pub of: SubjectOwner,
    /// The id of the field, or the name of the variable.
    pub name: String,
    /// How it is summed up.
    pub measure: ReadingMeasure,
}

impl Subject {
    /// Whether it is a yes or no of the session, so that its mean is a share of sessions.
    pub fn is_flag_of_session(&self) -> bool {
        self.of == SubjectOwner::Session && self.measure == ReadingMeasure::YesNo
    }
}

/// Whose field or variable it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SubjectOwner {
    /// A field of a form.
    Form,
    /// A field of a form that is asked about each of several seats.
    FormAboutSeats,
    /// A variable of the session.
    Session,
    /// A variable of every seat.
    Seat,
    /// A variable of every group.
    Group,
}

impl SubjectOwner {
    /// The owner of a variable.
    fn of_holder(holder: Holder) -> Self {
        match holder {
            Holder::Session => SubjectOwner::Session,
            Holder::Seat => SubjectOwner::Seat,
            Holder::Group => SubjectOwner::Group,
        }
    }

    /// Whether it is a field of a form.
    pub fn is_form(self) -> bool {
        matches!(self, SubjectOwner::Form | SubjectOwner::FormAboutSeats)
    }
}

/// How answers and values of a kind are summed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReadingMeasure {
    /// By their mean.
    Number,
    /// By the share of yes.
    YesNo,
    /// By the share of the answers that name each option.
    Options,
    /// By the share of the answers that put each option first. Options that share the first place share the answer.
    FirstPlace,
    /// By the mean points or scores of each option.
    Points,
    /// By the mean number at each place of a list.
    Places,
    /// By the number of words.
    Words,
}

/// When something is answered or computed: the phase as the agenda writes it, and the pass; empty outside repeated blocks.
pub type ReadingOccasion = (String, String);

/// The answers to a field or the values of a variable in one session on one occasion.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// What is read.
    pub subject: Subject,
    /// When.
    pub occasion: ReadingOccasion,
    /// The numbers, in the order of the records: yes as 1 and no as 0, of a text its words. Empty for other kinds.
    pub numbers: Vec<f64>,
    /// The sum over the answers for each option that any of them names, in order of appearance; empty for numbers.
    pub sums: IndexMap<String, f64>,
    /// The answers or values that are there.
    pub given: u64,
    /// Those that are missing.
    pub missing: u64,
    /// Optional answers that a seat left empty.
    pub left_empty: u64,
    /// The declared roles of the seats that gave the answers or hold the values.
    pub roles: BTreeSet<String>,
}

impl ReadingMeasure {
    /// How answers to a field are summed up.
    pub fn of_field(kind: &FieldKind) -> Self {
        match kind {
            FieldKind::Number { .. } => ReadingMeasure::Number,
            FieldKind::YesNo => ReadingMeasure::YesNo,
            FieldKind::Choice { .. } | FieldKind::Approval { .. } => ReadingMeasure::Options,
            FieldKind::Ranking { .. } => ReadingMeasure::FirstPlace,
            FieldKind::Score { .. } | FieldKind::Allocation { .. } => ReadingMeasure::Points,
            FieldKind::Numbers { .. } => ReadingMeasure::Places,
            FieldKind::Text { .. } | FieldKind::Texts { .. } => ReadingMeasure::Words,
        }
    }

    /// How values of a variable are summed up; `None` if they are neither numbers nor yes or no.
    pub fn of_variable(kind: VariableKind) -> Option<Self> {
        match kind {
            VariableKind::Number => Some(ReadingMeasure::Number),
            VariableKind::YesNo => Some(ReadingMeasure::YesNo),
            VariableKind::Text | VariableKind::Seat | VariableKind::Texts | VariableKind::Seats => None,
        }
    }

    /// Whether each option has a value of its own.
    pub fn has_options(self) -> bool {
        matches!(
            self,
            ReadingMeasure::Options | ReadingMeasure::FirstPlace | ReadingMeasure::Points | ReadingMeasure::Places
        )
    }
}

impl Reading {
    fn new(subject: &Subject, occasion: ReadingOccasion) -> Self {
        let (numbers, sums) = (Vec::new(), IndexMap::new());
        Self {
            subject: subject.clone(),
            occasion,
            numbers,
            sums,
            given: 0,
            missing: 0,
            left_empty: 0,
            roles: BTreeSet::new(),
        }
    }

    /// The value of an option over the answers, or without one of the numbers: their mean. `None` without an answer.
    pub fn mean_of(&self, option: Option<&str>) -> Option<f64> {
        let sum = match option {
            Some(option) => self.sums.get(option).copied().unwrap_or(0.0),
            None => self.numbers.iter().sum(),
        };
        (self.given > 0).then(|| sum / self.given as f64)
    }

    fn add(&mut self, value: &str, number: Option<f64>, known: &[String]) {
        self.given += 1;
        let mut credit = |option: &str, of: f64| *self.sums.entry(option.to_owned()).or_default() += of;
        match self.subject.measure {
            ReadingMeasure::Number | ReadingMeasure::YesNo => self.numbers.extend(number),
            ReadingMeasure::Words => self.numbers.push(word_count(value) as f64),
            // The word for an approval of nothing, unless an option is named so.
            ReadingMeasure::Options if value == "none" && !known.iter().any(|option| option == value) => {}
            ReadingMeasure::Options => value.split(", ").for_each(|option| credit(option, 1.0)),
            ReadingMeasure::FirstPlace => {
                let first: Vec<&str> = value.split(" > ").next().unwrap_or_default().split(" = ").collect();
                first.iter().for_each(|option| credit(option, 1.0 / first.len() as f64));
            }
            ReadingMeasure::Points => {
                value.split(", ").filter_map(|part| part.rsplit_once(" = ")).for_each(|(option, of)| {
                    credit(option, of.parse().unwrap_or(0.0));
                })
            }
            ReadingMeasure::Places => value.split(", ").enumerate().for_each(|(place, number)| {
                credit(&format!("{}", place + 1), number.parse().unwrap_or(0.0));
            }),
        }
    }
}

/// The readings by subject and occasion, in order of appearance.
type Readings = IndexMap<(Subject, ReadingOccasion), Reading>;

fn find_reading<'r>(all: &'r mut Readings, subject: Subject, row: &Row<'_>) -> &'r mut Reading {
    let [phase, pass] = ["phase", "pass"].map(|column| row.owned(column).unwrap_or_default());
    all.entry((subject, (phase, pass)))
        .or_insert_with_key(|(subject, occasion)| Reading::new(subject, occasion.clone()))
}

/// The phases of a plan that ask a form, with their forms, in the order of the agenda.
pub fn forms_of(plan: &Plan) -> impl Iterator<Item = (&Phase, &FormPlan)> {
    plan.agenda.iter().filter_map(|phase| match &phase.kind {
        PhaseKind::Form(form) => Some((phase, &**form)),
        _ => None,
    })
}

/// The options that a field offers; empty for fields without options.
pub fn options_of(kind: &FieldKind) -> &[String] {
    match kind {
        FieldKind::Choice { options }
        | FieldKind::Approval { options }
        | FieldKind::Ranking { options, .. }
        | FieldKind::Score { options, .. }
        | FieldKind::Allocation { options, .. } => options,
        FieldKind::Number { .. }
        | FieldKind::Numbers { .. }
        | FieldKind::YesNo
        | FieldKind::Text { .. }
        | FieldKind::Texts { .. } => &[],
    }
}

/// Reads the rows of `values` and of `variables` of a session of this plan.
pub fn read_readings(plan: &Plan, values: &[Row<'_>], variables: &[Row<'_>]) -> Vec<Reading> {
    let mut asked: BTreeMap<(&str, &str), (SubjectOwner, &FieldKind)> = BTreeMap::new();
    for (phase, form) in forms_of(plan) {
        let of = if form.per.is_some() { SubjectOwner::FormAboutSeats } else { SubjectOwner::Form };
        for field in &form.asked.form.fields {
            asked.entry((phase.name.written(), &field.id)).or_insert((of, &field.kind));
        }
    }
    let roles: BTreeMap<&str, &str> =
        plan.seats.iter().filter_map(|seat| Some((seat.name.as_str(), seat.part.as_ref()?.name.as_str()))).collect();
    let role_of = |row: &Row<'_>| roles.get(row.text("seat")?).map(|role| (*role).to_owned());
    let mut all = Readings::new();
    for row in values {
        let (phase, field) = (row.text("phase").unwrap_or_default(), row.text("field").unwrap_or_default());
        let Some((of, kind)) = asked.get(&(phase, field)) else { continue };
        let subject = Subject { of: *of, name: field.to_owned(), measure: ReadingMeasure::of_field(kind) };
        let reading = find_reading(&mut all, subject, row);
        match (row.text("status"), row.text("value")) {
            (Some("valid"), Some(value)) => {
                reading.roles.extend(role_of(row));
                reading.add(value, row.number("value_n"), options_of(kind));
            }
            (Some("valid"), None) => reading.left_empty += 1,
            _ => reading.missing += 1,
        }
    }
    for row in variables {
        let name = row.text("name").unwrap_or_default();
        let own = plan.variables.iter().find(|variable| variable.name == name);
        let Some((own, measure)) = own.and_then(|own| Some((own, ReadingMeasure::of_variable(own.kind)?))) else {
            continue;
        };
        let subject = Subject { of: SubjectOwner::of_holder(own.of), name: name.to_owned(), measure };
        let reading = find_reading(&mut all, subject, row);
        match row.text("value") {
            Some(value) => {
                reading.roles.extend(role_of(row));
                reading.add(value, row.number("value_n"), &[]);
            }
            None => reading.missing += 1,
        }
    }
    all.into_values().collect()
}
