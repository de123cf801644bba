//! An expression with its text.

use std::sync::Arc;

use super::{Expr, list_names, parse_expression};

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
        let is_fixed = |name: &str| matches!(name, "parameters" | "pass" | "round");
        list_names(&self.expression).iter().all(|read| read.name.as_deref().is_some_and(is_fixed))
    }
}
