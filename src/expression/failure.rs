//! Failures of an evaluation.

use std::fmt;

use super::syntax::Span;

/// The reason why an expression has no value, and the place. A missing value is not a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// The operation that failed.
    pub span: Span,
    /// The reason.
    pub cause: FailureCause,
}

/// The reason why an operation has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureCause {
    /// A number is divided by 0.
    DivisionByZero,
    /// A number does not fit.
    Overflow,
    /// An argument has no meaning for the operation, which the text describes: a lowercase fragment.
    Undefined(&'static str),
    /// The expression needs more than [`STEPS_MAX`](super::evaluate::STEPS_MAX) steps.
    TooManySteps,
    /// The expression was not checked, or the world contradicts the scope that it was checked with.
    Unchecked,
}

impl fmt::Display for FailureCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FailureCause::DivisionByZero => "division by zero",
            FailureCause::Overflow => "a number is too large; round the parts first",
            FailureCause::Undefined(reason) => reason,
            FailureCause::TooManySteps => "too many steps; compute parts of the expression first",
            FailureCause::Unchecked => "a name or a value has another type than the expression was checked with",
        })
    }
}

impl std::error::Error for FailureCause {}

impl fmt::Display for Failure {
    /// Prints the reason. The caller adds the part of the text that the span names.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl std::error::Error for Failure {}
