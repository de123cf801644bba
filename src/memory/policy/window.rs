//! The policy `window`: shows the newest turns that fit; rewrites nothing.

use super::{Bound, PolicyTerms};

/// How much is in the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// This many statements, and what was announced and kept since the first of them.
    Statements(#[schemars(range(min = 1))] u32),
    /// As many of the newest statements, with what was announced and kept since the first of them, as have this many tokens
    /// at the most, by an estimate that errs high; what is never dropped counts, and one statement is always shown.
    Tokens(#[schemars(range(min = 1))] u64),
}

impl Window {
    /// Its terms.
    pub fn terms(self) -> PolicyTerms {
        let tokens = match self {
            Window::Statements(_) => None,
            Window::Tokens(most) => Some(most),
        };
        PolicyTerms { word: "window", bound: Bound::Window { tokens }, ..PolicyTerms::PLAIN }
    }
}
