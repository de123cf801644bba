//! Finds the parts of an expression that fail whatever a session holds.

use super::evaluate::evaluate;
use super::failure::{Failure, FailureCause};
use super::number::Fraction;
use super::reads::list_names;
use super::syntax::{Expr, ExprKind, Operator};
use super::value::{Value, World};

/// Why parts of an expression fail whatever its names stand for, such as `1 / 0` and `x / 0`. The expression has been checked.
pub fn find_certain_failures(expr: &Expr) -> Vec<Failure> {
    if list_names(expr).is_empty() && !draws(expr) {
        let failure = evaluate(expr, &mut NothingKnown).err();
        return failure.into_iter().filter(|failure| failure.cause != FailureCause::Unchecked).collect();
    }
    let mut failures: Vec<Failure> = expr.children().into_iter().flat_map(find_certain_failures).collect();
    if let ExprKind::Binary { operator: Operator::Divide | Operator::FloorDivide | Operator::Modulo, right, .. } =
        &expr.kind
        && evaluate_constant(right) == Some(Value::Number(Fraction::ZERO))
    {
        failures.push(Failure { span: expr.span, cause: FailureCause::DivisionByZero });
    }
    failures
}

/// The value of an expression that reads no names and draws nothing; `None` of any other, and of one that fails.
pub fn evaluate_constant(expr: &Expr) -> Option<Value> {
    let is_constant = list_names(expr).is_empty() && !draws(expr);
    is_constant.then(|| evaluate(expr, &mut NothingKnown).ok()).flatten()
}

pub(super) fn draws(expr: &Expr) -> bool {
    let function = match &expr.kind {
        ExprKind::Call { function, .. } | ExprKind::Comprehension { function, .. } => Some(function),
        _ => None,
    };
    function.is_some_and(|function| function.is_draw()) || expr.children().into_iter().any(draws)
}

/// A world without names.
struct NothingKnown;

impl World for NothingKnown {
    fn read_name(&self, _: &str) -> Option<Value> {
        None
    }

    fn read_attribute(&self, _: &Value, _: &str) -> Option<Value> {
        None
    }
}
