//! What of the talk, or of what others do, can move a mind, as its rule has it. Whether it did is told nowhere: a rule draws, too.

use super::{Harvester, Mind, Opinionated, Rule, TraitValue};

/// What of the talk a mind's choices can depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Heeds {
    /// Nothing that is said, and nothing that others do.
    Nothing,
    /// What the others took from a common stock in the round before, and nothing that is said.
    Takes,
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
            | Mind::Harvester(Harvester::FixedShare { .. })
            | Mind::Voter { copy_ppm: 0 } => Heeds::Nothing,
            Mind::Opinionated(Opinionated { rule: Rule::QuantalResponse { .. } | Rule::Juror, .. }) => Heeds::Nothing,
            Mind::Harvester(Harvester::ConditionalCooperator { slope: TraitValue::Fixed(0), .. }) => Heeds::Nothing,
            Mind::Harvester(Harvester::ConditionalCooperator { .. } | Harvester::Quantal { .. }) => Heeds::Takes,
            Mind::Tallying { .. } => Heeds::Facts,
            Mind::Opinionated(_) => Heeds::EarlierRounds,
            Mind::Voter { .. } | Mind::Justice(_) => Heeds::Stances,
        }
    }
}
