//! Conditions of phases and blocks: what their expressions may read, and their mistakes.

use std::sync::Arc;

use crate::config::lower::forms;
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::Scenario;
use crate::config::tree::{Node, Value};
use crate::config::written::scenario::{FieldConfig, ParameterConfig, ParameterKind};
use crate::expression::{Function, Lookup, Scope, Series, Type, check_types, parse_expression};
use crate::plan::{Condition, Scalar};

/// The records that conditions read: the parameters, the pass, and from [`FORMS`] on the form of each phase.
const PARAMETERS: u32 = 0;
const PASS: u32 = 1;
const FORMS: u32 = 2;

/// Reports what is wrong with the conditions of an agenda.
pub fn check_conditions(scenario: &Scenario, problems: &mut Problems) {
    let list = scenario.tree.get("agenda").map(Node::items).unwrap_or_default();
    check_items(list, PassKnown::Nowhere, scenario, problems);
}

/// What is known of the pass of the innermost repeated block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PassKnown {
    /// There is no repeated block around.
    Nowhere,
    /// It is repeated a number of times.
    Whole,
    /// It is repeated until something holds, so that its last pass is not known before.
    UntilEnd,
}

fn check_items(items: &[Node], pass: PassKnown, scenario: &Scenario, problems: &mut Problems) {
    for (position, item) in items.iter().enumerate() {
        let path = format!("agenda.{}", item.segment(position));
        let repeat = item.get("repeat");
        let inside = match repeat {
            None => pass,
            Some(repeat) if repeat.get("until").is_some() => PassKnown::UntilEnd,
            Some(_) => PassKnown::Whole,
        };
        let until = repeat.and_then(|repeat| repeat.get("until"));
        for (node, key, pass) in [(item.get("when"), "when", pass), (until, "repeat.until", inside)] {
            let Some(node) = node else { continue };
            let scope = ConditionScope { scenario, pass };
            for message in find_mistakes(&write_node(node), &scope) {
                problems.push(Problem::at_place(&node.place, format!("{path}.{key}"), message));
            }
        }
        check_items(item.get("phases").map(Node::items).unwrap_or_default(), inside, scenario, problems);
    }
}

/// A single value as an expression.
fn write_node(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => text.clone(),
        Value::Bool(yes) => yes.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Null | Value::List(_) | Value::Map(_) => String::new(),
    }
}

fn write_scalar(written: &Scalar) -> String {
    match written {
        Scalar::Text(text) => text.clone(),
        Scalar::Bool(yes) => yes.to_string(),
        Scalar::Int(number) => number.to_string(),
        Scalar::Real(number) => number.to_string(),
    }
}

fn find_mistakes(text: &str, scope: &ConditionScope<'_>) -> Vec<String> {
    let worded = |problems: Vec<crate::expression::Problem>| {
        let word = |problem: crate::expression::Problem| match &text[problem.span.start..problem.span.end] {
            "" => format!("at the end of `{text}`: {}", problem.message),
            part => format!("in `{part}`: {}", problem.message),
        };
        problems.into_iter().map(word).collect::<Vec<String>>()
    };
    let expression = match parse_expression(text) {
        Ok(expression) => expression,
        Err(problems) => return worded(problems),
    };
    match check_types(&expression, scope) {
        Ok(Type::YesNo | Type::Unknown) => Vec::new(),
        Ok(other) => vec![format!("a condition is yes or no, and this is {other}")],
        Err(problems) => worded(problems),
    }
}

/// A condition without mistakes.
///
/// # Panics
/// If the text is no expression.
pub fn lower_condition(written: &Scalar) -> Condition {
    let text = write_scalar(written);
    let expression = parse_expression(&text).expect("invariant: a condition was checked");
    Condition { text, expression: Arc::new(expression), assumed: None }
}

struct ConditionScope<'a> {
    scenario: &'a Scenario,
    pass: PassKnown,
}

impl ConditionScope<'_> {
    fn fields(&self) -> impl Iterator<Item = (&str, &FieldConfig)> {
        forms::fields_of(&self.scenario.written.agenda).map(|(phase, field)| (phase.name.as_str(), field))
    }

    /// The record of a phase's form; `None` if the phase asks none.
    fn form_of(&self, name: &str) -> Option<u32> {
        let phases = &self.scenario.written.agenda;
        let place = phases.iter().position(|phase| phase.name == name)?;
        let asks = self.fields().any(|(phase, _)| phase == name);
        asks.then(|| FORMS + u32::try_from(place).unwrap_or(u32::MAX - FORMS))
    }

    fn find_in_seat(&self, attribute: &str) -> Lookup {
        match attribute {
            "name" => return Lookup::Found(Type::Text),
            "index" => return Lookup::Found(Type::Number),
            "present" => return Lookup::Found(Type::YesNo),
            _ => {}
        }
        let fields: Vec<_> = self.fields().filter(|(_, field)| field.id == attribute).collect();
        match (fields.as_slice(), self.form_of(attribute)) {
            ([], Some(form)) => Lookup::Found(Type::Record(form)),
            ([], None) => Lookup::Unknown,
            ([(_, field)], None) => type_of(field),
            ([(phase, _), ..], _) => {
                Lookup::Refused(format!("more than one thing is called that: write .{phase}.{attribute}"))
            }
        }
    }
}

/// The type of a field's values.
fn type_of(field: &FieldConfig) -> Lookup {
    if field.number.is_some() || field.scale.is_some() {
        Lookup::Found(Type::Number)
    } else if field.yes_no.is_some() {
        Lookup::Found(Type::YesNo)
    } else if field.choice.is_some() || field.text.is_some() {
        Lookup::Found(Type::Text)
    } else if field.approval.is_some() || field.ranking.is_some() {
        Lookup::Found(Type::list_of(Type::Text))
    } else {
        Lookup::Refused("conditions cannot read scores and points".to_owned())
    }
}

fn type_of_parameter(parameter: &ParameterConfig) -> Type {
    match parameter.kind {
        ParameterKind::Text | ParameterKind::Choice => Type::Text,
        ParameterKind::Int | ParameterKind::Number => Type::Number,
        ParameterKind::Bool => Type::YesNo,
    }
}

impl Scope for ConditionScope<'_> {
    fn find_name(&self, name: &str) -> Lookup {
        match name {
            "parameters" => Lookup::Found(Type::Record(PARAMETERS)),
            "pass" if self.pass == PassKnown::Nowhere => {
                Lookup::Refused("there is no pass outside a repeated block".to_owned())
            }
            "pass" => Lookup::Found(Type::Record(PASS)),
            "seats" | "everyone" => Lookup::Found(Type::list_of(Type::Seat)),
            _ => Lookup::Unknown,
        }
    }

    fn find_attribute(&self, holder: &Type, attribute: &str) -> Lookup {
        match (holder, attribute) {
            (Type::Seat, _) => self.find_in_seat(attribute),
            (Type::Record(PARAMETERS), _) => {
                let parameter = self.scenario.written.parameters.get(attribute);
                parameter.map_or(Lookup::Unknown, |parameter| Lookup::Found(type_of_parameter(parameter)))
            }
            (Type::Record(PASS), "number") => Lookup::Found(Type::Number),
            (Type::Record(PASS), "first") => Lookup::Found(Type::YesNo),
            (Type::Record(PASS), "last") if self.pass == PassKnown::UntilEnd => Lookup::Refused(
                "the last pass of a block that is repeated until something holds is not known before".to_owned(),
            ),
            (Type::Record(PASS), "last") => Lookup::Found(Type::YesNo),
            (Type::Record(form), _) => {
                let mut fields = self.fields();
                let field = fields.find(|(phase, field)| field.id == attribute && self.form_of(phase) == Some(*form));
                field.map_or(Lookup::Unknown, |(_, field)| type_of(field))
            }
            _ => Lookup::Unknown,
        }
    }

    fn find_series(&self, _: Series, _: &str) -> Lookup {
        Lookup::Refused("a condition is not about one seat".to_owned())
    }

    fn refuse_function(&self, function: Function) -> Option<String> {
        function.is_draw().then(|| "nothing is drawn in a condition".to_owned())
    }

    fn list_names(&self) -> Vec<String> {
        ["parameters", "pass", "seats", "everyone"].map(str::to_owned).to_vec()
    }

    fn list_attributes(&self, _: Option<&str>, holder: &Type) -> Vec<String> {
        let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        match holder {
            Type::Seat => {
                let fields = self.fields().flat_map(|(phase, field)| [phase.to_owned(), field.id.clone()]);
                own(&["name", "index", "present"]).into_iter().chain(fields).collect()
            }
            Type::Record(PARAMETERS) => self.scenario.written.parameters.keys().cloned().collect(),
            Type::Record(PASS) => own(&["number", "first", "last"]),
            Type::Record(form) => {
                let fields = self.fields().filter(|(phase, _)| self.form_of(phase) == Some(*form));
                fields.map(|(_, field)| field.id.clone()).collect()
            }
            _ => Vec::new(),
        }
    }

    fn list_series(&self, _: Series) -> Vec<String> {
        Vec::new()
    }
}
