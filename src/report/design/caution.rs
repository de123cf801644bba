//! A warning about a design.

use std::fmt;

use serde::Serialize;

use crate::plan::Lint;

/// A warning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Caution {
    /// Its kind, as `allow` takes it.
    pub lint: Lint,
    /// What it says.
    pub message: String,
    /// The page that explains it, in the documentation.
    pub page: &'static str,
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.lint)
    }
}
