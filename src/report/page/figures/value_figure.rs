//! A figure of answers or values, and whether it may stand on the first screen.

use crate::figure::Figure;

/// A figure of the answers to a field or of the values of a variable.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueFigure {
    /// The figure.
    pub figure: Figure,
    /// The columns of `sessions.csv` that are about the same field or variable.
    pub columns: Vec<String>,
    /// How near the first screen it stands where nothing is announced.
    pub prominence: Prominence,
}

/// What a design without a vote is about, the first before the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Prominence {
    /// The metrics that the config announces.
    Announced,
    /// Variables of the session.
    SessionVariable,
    /// Numbers of the last form.
    LastForm,
    /// All others.
    Other,
}
