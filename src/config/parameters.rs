//! The parameters that a scenario declares, and the values that a config gives them.

use indexmap::IndexMap;

use crate::config::check::hints;
use crate::config::problem::did_you_mean;
use crate::config::tree::Node;
use crate::config::written::scenario::{ParameterConfig, ParameterKind};
use crate::plan::{Scalar, check_word};
use crate::prompt::Parameter;

impl ParameterConfig {
    /// The errors of the declaration.
    pub fn mistakes(&self, name: &str) -> Vec<String> {
        let mut mistakes = Vec::new();
        mistakes.extend(check_word(name).err());
        match &self.choices {
            choices if choices.is_some() != (self.kind == ParameterKind::Choice) => {
                mistakes.push("`choices` belongs to the type choice, and only to it".to_string());
            }
            Some(choices) if choices.is_empty() => mistakes.push("there is nothing to choose from".to_string()),
            Some(choices) => {
                let twice = choices.iter().enumerate().find(|(i, word)| choices[..*i].contains(word));
                mistakes.extend(twice.map(|(_, word)| format!("the choice \"{word}\" is listed twice")));
            }
            None => {}
        }
        let is_number = matches!(self.kind, ParameterKind::Int | ParameterKind::Number);
        if let Some((least, greatest)) = self.range {
            if !is_number {
                mistakes.push("`range` belongs to the types int and number".to_string());
            }
            if least > greatest {
                mistakes.push(format!("the range [{least}, {greatest}] is not in order"));
            }
            if self.kind == ParameterKind::Int && (least.fract() != 0.0 || greatest.fract() != 0.0) {
                mistakes.push("the bounds of a whole number are whole numbers".to_string());
            }
        }
        mistakes
    }

    /// Why a value is not allowed; `None` if it is.
    pub fn refusal_reason(&self, value: &Scalar) -> Option<String> {
        match (self.kind, value) {
            (ParameterKind::Text, Scalar::Text(_)) | (ParameterKind::Bool, Scalar::Bool(_)) => None,
            // A float represents every plausible integer exactly.
            (ParameterKind::Int | ParameterKind::Number, Scalar::Int(number)) => {
                self.range_mistake(*number as f64, number.to_string())
            }
            (ParameterKind::Number, Scalar::Real(number)) => self.range_mistake(*number, number.to_string()),
            (ParameterKind::Choice, Scalar::Text(word)) => {
                let choices = self.choices.as_deref().unwrap_or_default();
                (!choices.contains(word)).then(|| format!("\"{word}\" is not one of {}", choices.join(", ")))
            }
            (ParameterKind::Text, _) => Some("expected text".to_string()),
            (ParameterKind::Bool, _) => Some("expected true or false".to_string()),
            (ParameterKind::Int, _) => Some("expected a whole number".to_string()),
            (ParameterKind::Number, _) => Some("expected a number".to_string()),
            (ParameterKind::Choice, _) => Some("expected one of the words that the scenario lists".to_string()),
        }
    }

    /// A suggestion for a rejected value at a path.
    pub fn suggest_value(&self, node: &Node, path: &str) -> Option<String> {
        let types = match self.kind {
            ParameterKind::Text => "string",
            ParameterKind::Int => "integer",
            ParameterKind::Number => "number",
            ParameterKind::Bool => "boolean",
            ParameterKind::Choice => {
                return did_you_mean(node.as_text()?, self.choices.iter().flatten().map(String::as_str));
            }
        };
        hints::suggest_type(&[types], node, path)
    }

    fn range_mistake(&self, number: f64, written: String) -> Option<String> {
        let (least, greatest) = self.range?;
        (!(least..=greatest).contains(&number)).then(|| format!("{written} is outside {least} … {greatest}"))
    }
}

/// All values in the scenario's order.
pub fn order_parameters(
    declared: &IndexMap<String, ParameterConfig>,
    values: &IndexMap<String, Scalar>,
) -> Vec<(String, Parameter)> {
    let value = |name: &String| values.get(name).map(|value| (name.clone(), value.parameter_value()));
    declared.keys().filter_map(value).collect()
}
