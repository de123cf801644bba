//! What of the talk can move a mind, as its rule has it. Whether it did is told nowhere: a rule draws, too.

use super::{Mind, Opinionated, Rule};

/// What of the talk a mind's choices can depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Heeds {
    /// Nothing that is said.
    Nothing,
    /// The facts of the case that are cited, and not who favours what.
    Facts,
    /// What others declared before the round under way.
    EarlierRounds,
    /// All that it heard others declare.
    Stances,
}

impl Mind {
    /// What of the talk its choices can depend on.
    pub fn heeds(&self) -> Heeds {
        match self {
            Mind::Random { .. }
            | Mind::Scripted(_)
            | Mind::Silent
            | Mind::Harvester(_)
            | Mind::Voter { copy_ppm: 0 } => Heeds::Nothing,
            Mind::Opinionated(Opinionated { rule: Rule::QuantalResponse { .. } | Rule::Juror, .. }) => Heeds::Nothing,
            Mind::Tallying { .. } => Heeds::Facts,
            Mind::Opinionated(_) => Heeds::EarlierRounds,
            Mind::Voter { .. } | Mind::Justice(_) => Heeds::Stances,
        }
    }
}
