//! The error of a call without an answer.

use crate::domain::Outage;
use crate::store::calls::Attempt;

/// A call without an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnansweredCall {
    /// The reason.
    pub outage: Outage,
    /// The failed attempts.
    pub attempts: Vec<Attempt>,
}
