//! The case of a session: the right answer, which no seat is told, and the facts, of which each seat knows some.

use serde::{Deserialize, Serialize};

use super::{AlternativeId, AlternativeName, FactId};

/// The right answer of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Truth {
    /// An alternative is right.
    Alternative(AlternativeName),
    /// An amount is right.
    Amount(u32),
}

impl Truth {
    /// The alternative that is right; `None` where an amount is.
    pub fn alternative(&self) -> Option<&AlternativeName> {
        match self {
            Truth::Alternative(name) => Some(name),
            Truth::Amount(_) => None,
        }
    }

    /// The amount that is right; `None` where an alternative is.
    pub fn amount(&self) -> Option<u32> {
        match self {
            Truth::Alternative(_) => None,
            Truth::Amount(amount) => Some(*amount),
        }
    }
}

impl std::fmt::Display for Truth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Truth::Alternative(name) => write!(f, "{name}"),
            Truth::Amount(amount) => write!(f, "{amount}"),
        }
    }
}

/// A fact of the case, as a mind reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseFact {
    /// Its id.
    pub id: FactId,
    /// The alternative that it speaks for; `None` where it speaks for none.
    pub favours: Option<AlternativeId>,
}
