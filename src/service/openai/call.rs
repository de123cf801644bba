//! A call that brought no answer.

use crate::domain::Outage;
use crate::store::calls::Attempt;

/// A call that brought no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnansweredCall {
    /// Why.
    pub outage: Outage,
    /// Every attempt, all of which failed.
    pub attempts: Vec<Attempt>,
}
