//! The values of variables before they are computed.

use crate::config::lower::formula::lower_formula;
use crate::config::lower::scope::{About, Drawing, ExpressionScope, PassKnown, write_node};
use crate::config::problem::{Problem, Problems};
use crate::config::scenario::Scenario;
use crate::domain::Holder;
use crate::expression::{NameRead, Type, list_names, parse_expression};
use crate::plan::{Plan, Variable, VariableKind};

/// The names that a start may read of a variable of this.
pub fn scope_of_start(scenario: &Scenario, of: Holder) -> ExpressionScope<'_> {
    let about = if of == Holder::Seat { About::Seat } else { About::Session };
    let (pass, drawing) = (PassKnown::Nowhere, Drawing::Refused("a start"));
    ExpressionScope { scenario, pass, about, drawing, in_groups: false, block: None, ruled: None }
}

/// Reports starts that are no expressions of what is known before a session.
pub fn check_starts(scenario: &Scenario, problems: &mut Problems) {
    for (name, declared) in &scenario.written.variables {
        let path = format!("variables.{name}.start");
        let Some(node) = scenario.tree.find(&path) else { continue };
        let text = write_node(node);
        let mut tell = |message: String, hint: Option<String>| {
            problems.push(Problem::at_place(&node.place, path.clone(), message).with_hint(hint));
        };
        let unknown = find_unknown(&text);
        match scope_of_start(scenario, declared.of).type_of(&text) {
            Err(mistakes) => {
                let is_words = text.chars().all(|sign| sign.is_alphanumeric() || " _-".contains(sign));
                let hint = is_words.then(|| format!("a text has quotation marks of its own: write \"'{text}'\""));
                for message in mistakes {
                    tell(message, hint.clone());
                }
            }
            Ok(_) if let Some(unknown) = unknown => {
                let message = format!(
                    "`{unknown}` is not known before the session: a start reads parameters, and the role and index of seats"
                );
                tell(message, None);
            }
            Ok(Type::Unknown) => {
                tell("this has no value: leave the start out, and the value is missing at first".to_owned(), None);
            }
            Ok(found) if VariableKind::of_type(&found).is_none() => {
                tell(format!("a variable holds one value, texts or seats, and this is {found}"), None);
            }
            Ok(_) => {}
        }
    }
}

/// Gives the variables of a plan their starts, and reports those that have no value.
pub fn lower_starts(plan: &mut Plan, scenario: &Scenario, problems: &mut Problems) {
    let lower = |variable: &Variable| {
        let written = scenario.variables.get(&variable.name).and_then(|variable| variable.start.as_ref());
        let Some(start) = written.map(lower_formula) else { return variable.clone() };
        let path = format!("variables.{}.start", variable.name);
        let found = problems.ok_or_report_at(&scenario.tree, &path, plan.evaluate_start(&start, variable.of));
        Variable { start: found.unwrap_or_default(), ..variable.clone() }
    };
    plan.variables = plan.variables.iter().map(lower).collect();
}

/// The first name of an expression that is not known before a session.
fn find_unknown(text: &str) -> Option<String> {
    let is_known = |read: &NameRead| {
        let attributes: Vec<&str> = read.attributes.iter().map(String::as_str).collect();
        match (read.name.as_deref(), attributes.as_slice()) {
            _ if read.series.is_some() => false,
            (Some("parameters"), _) => true,
            (Some("seat" | "me" | "seats"), [] | ["role" | "index"]) => true,
            _ => false,
        }
    };
    let reads = list_names(&parse_expression(text).ok()?);
    let unknown = reads.into_iter().find(|read| !is_known(read))?;
    Some(unknown.name.into_iter().chain(unknown.attributes).collect::<Vec<String>>().join("."))
}
