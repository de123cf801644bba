//! The values of variables in a session.

use std::collections::BTreeMap;

use crate::expression::Value;

/// The values of a variable: one of the session, or one of each seat.
#[derive(Debug, Clone)]
pub(super) struct VariableState {
    /// The values that hold now.
    pub now: Vec<Value>,
    /// The values that each phase computed, by its place; `None` for seats that it computed nothing for.
    pub computed: BTreeMap<usize, Vec<Option<Value>>>,
}
