//! Expressions of a plan, and the variables that they compute.

use std::sync::Arc;

use indexmap::IndexMap;

use super::{BoundEnd, Phase, PhaseKind, Scalar};
use crate::domain::{Decimal, FieldValue, Holder, NUMBER_MAX};
use crate::expression::{Expr, Number, Type, list_names, parse_expression};
use crate::prompt::Parameter;

/// An expression, checked, with its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    /// The expression as it is written.
    pub text: String,
    /// The expression.
    pub expression: Arc<Expr>,
}

impl serde::Serialize for Formula {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text.serialize(serializer)
    }
}

impl Formula {
    /// An expression that never holds.
    ///
    /// # Panics
    /// Never.
    pub fn never() -> Self {
        let expression = parse_expression("false").expect("invariant: this is an expression");
        Self { text: "false".to_owned(), expression: Arc::new(expression) }
    }

    /// Whether it is the same in every session: it reads only parameters and the numbers of passes, and draws nothing.
    pub fn is_fixed(&self) -> bool {
        let is_fixed = |name: &str| matches!(name, "parameters" | "pass");
        list_names(&self.expression).iter().all(|read| read.name.as_deref().is_some_and(is_fixed))
    }
}

/// A variable: a value of the session or of each seat that the agenda computes.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What has a value of it.
    pub of: Holder,
    /// What kind of value it has.
    pub kind: VariableKind,
    /// Its value before it is computed; missing without one.
    pub start: Option<FieldValue>,
}

/// What kind of value a variable has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum VariableKind {
    /// A number, rounded to six decimals.
    Number,
    /// Yes or no.
    YesNo,
    /// A text.
    Text,
    /// A seat.
    Seat,
    /// Texts.
    Texts,
    /// Seats.
    Seats,
}

impl VariableKind {
    /// The kind of values of a type; `None` if no variable has such values.
    pub fn of_type(found: &Type) -> Option<Self> {
        match found {
            Type::Number => Some(VariableKind::Number),
            Type::YesNo => Some(VariableKind::YesNo),
            Type::Text => Some(VariableKind::Text),
            Type::Seat => Some(VariableKind::Seat),
            Type::List(element) => match **element {
                Type::Text => Some(VariableKind::Texts),
                Type::Seat => Some(VariableKind::Seats),
                _ => None,
            },
            Type::Option(_) | Type::Record(_) | Type::Unknown => None,
        }
    }

    /// The type of its values in expressions.
    pub fn as_type(self) -> Type {
        match self {
            VariableKind::Number => Type::Number,
            VariableKind::YesNo => Type::YesNo,
            VariableKind::Text => Type::Text,
            VariableKind::Seat => Type::Seat,
            VariableKind::Texts => Type::list_of(Type::Text),
            VariableKind::Seats => Type::list_of(Type::Seat),
        }
    }
}

impl Scalar {
    /// The value as a variable holds it; `None` for a number with more than 15 digits.
    pub fn field_value(&self) -> Option<FieldValue> {
        match self.parameter_value() {
            Parameter::Bool(yes) => Some(FieldValue::YesNo(yes)),
            Parameter::Int(number) => Decimal::parse(&number.to_string()).map(FieldValue::Number),
            Parameter::Decimal(number) => Decimal::parse(&number).map(FieldValue::Number),
            Parameter::Text(text) => Some(FieldValue::Words(text)),
        }
    }
}

/// A value that a phase computes.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Assignment {
    /// The position of the variable among the plan's.
    #[serde(skip)]
    pub variable: usize,
    /// The variable as it is written: `seat.NAME` of one of each seat.
    pub written: String,
    /// What it is set to; of a variable of each seat, for each seat.
    pub formula: Formula,
}

/// What a phase pays to each seat.
#[derive(Debug, Clone, serde::Serialize)]
pub struct PayRule {
    /// What a seat gets, in units.
    pub payoff: Formula,
    /// What is counted.
    pub unit: Option<String>,
    /// What a unit is worth in money; `None` if units are not paid out.
    pub rate: Option<Formula>,
    /// What each seat is paid besides, in money.
    pub fee: Option<Formula>,
}

/// A bound of numbers in units of the last decimal place; one with more places is tightened to the next number that has as many. `None`
/// if it has more than 15 digits.
pub fn units_of_bound(bound: Number, decimals: u8, end: BoundEnd) -> Option<i64> {
    let scaled = bound.checked_mul(Number::from(10_i64.pow(u32::from(decimals)))).ok()?;
    let units = match end {
        BoundEnd::Min => scaled.ceiling(),
        BoundEnd::Max => scaled.floor(),
    };
    i64::try_from(units.to_integer()?).ok().filter(|units| units.abs() <= NUMBER_MAX)
}

/// Where the agenda sets what expressions read: positions of phases by their written names, and what each asks or computes.
#[derive(Debug, Clone, Default)]
pub struct SourceIndex {
    places: IndexMap<String, Vec<usize>>,
    forms: IndexMap<String, IndexMap<String, usize>>,
    fields: IndexMap<String, String>,
    /// The fields that are asked about each of several seats, with the written names of their phases.
    about: IndexMap<String, String>,
    variables: IndexMap<String, usize>,
    computed: Vec<Vec<usize>>,
}

impl SourceIndex {
    /// The index of an agenda.
    pub fn of_agenda(agenda: &[Phase], variables: &[Variable]) -> Self {
        let mut index = Self { computed: vec![Vec::new(); variables.len()], ..Self::default() };
        for (place, phase) in agenda.iter().enumerate() {
            let written = phase.name.written();
            index.places.entry(written.to_owned()).or_default().push(place);
            match &phase.kind {
                PhaseKind::Form(asked) if asked.per.is_some() => {
                    for field in &asked.form.fields {
                        index.about.entry(field.id.clone()).or_insert_with(|| written.to_owned());
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
                    }
                }
                _ => {}
            }
        }
        index.variables = variables.iter().map(|variable| variable.name.clone()).zip(0..).collect();
        index
    }

    /// The positions of a phase, one a pass, in their order; none of an unknown name.
    pub fn places_of(&self, written: &str) -> &[usize] {
        self.places.get(written).map_or(&[], Vec::as_slice)
    }

    /// The positions of the phases that compute a variable, in their order.
    pub fn places_computing(&self, variable: usize) -> &[usize] {
        &self.computed[variable]
    }

    /// The written name of the phase that asks a field; of several, the first.
    pub fn phase_of_field(&self, field: &str) -> Option<&str> {
        self.fields.get(field).map(String::as_str)
    }

    /// The written name of the phase that asks a field about each of several seats.
    pub fn phase_about(&self, field: &str) -> Option<&str> {
        self.about.get(field).map(String::as_str)
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

    /// The position of a variable among the plan's.
    pub fn find_variable(&self, name: &str) -> Option<usize> {
        self.variables.get(name).copied()
    }
}
