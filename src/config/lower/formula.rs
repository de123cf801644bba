//! Expressions as they are written.

use std::sync::Arc;

use crate::expression::parse_expression;
use crate::plan::{Formula, Scalar};

/// A single value as an expression.
pub fn write_scalar(written: &Scalar) -> String {
    match written {
        Scalar::Text(text) => text.clone(),
        Scalar::Bool(yes) => yes.to_string(),
        Scalar::Int(number) => number.to_string(),
        Scalar::Real(number) => number.to_string(),
    }
}

/// An expression without mistakes.
///
/// # Panics
/// If the text is no expression.
pub fn lower_formula(written: &Scalar) -> Formula {
    let text = write_scalar(written);
    let expression = parse_expression(&text).expect("invariant: an expression was checked");
    Formula { text, expression: Arc::new(expression) }
}
