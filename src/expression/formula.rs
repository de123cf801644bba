//! An expression with its text.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Expr, list_names, parse_expression};
use crate::text::cut_middle;

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

/// The graphemes of an expression that messages show.
const SHOWN_MAX: usize = 200;

/// An expression, or a part of one, as messages show it: without the middle of a long one.
pub fn show_expression(text: &str) -> Cow<'_, str> {
    cut_middle(text, SHOWN_MAX)
}

impl Formula {
    /// Its text as messages show it.
    pub fn shown(&self) -> Cow<'_, str> {
        show_expression(&self.text)
    }

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
