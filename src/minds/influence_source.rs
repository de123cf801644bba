//! Which parts of the talk a mind's rule can react to.

use super::{Mind, OpinionRule, Opinionated};
use crate::domain::Motion;

/// The part of the talk that a mind's choices can depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum InfluenceSource {
    /// None.
    Nothing,
    /// Cited facts of the case, but no stances.
    Facts,
    /// What others declared before the current round.
    EarlierRounds,
    /// All declarations heard.
    Stances,
}

impl Mind {
    /// The part of the talk that its choices on a motion can depend on. If an alternative takes an amount, a mind without an
    /// amount of its own repeats the last one heard, whatever its rule.
    pub fn influence_source(&self, motion: &Motion) -> InfluenceSource {
        let takes_amounts = motion.alternatives.iter().any(|alternative| alternative.takes_amount);
        // If an amount alone is decided, the opinion is the amount.
        let repeats_amounts = takes_amounts && motion.only().is_none();
        match self {
            Mind::Random { .. } | Mind::Scripted(_) | Mind::Rule(_) | Mind::Silent => InfluenceSource::Nothing,
            Mind::Tallying { .. } => InfluenceSource::Facts,
            Mind::Voter { copy_ppm: 0 } if !takes_amounts => InfluenceSource::Nothing,
            Mind::Opinionated(_) if repeats_amounts => InfluenceSource::Stances,
            Mind::Opinionated(Opinionated {
                rule: OpinionRule::QuantalResponse { .. } | OpinionRule::Juror, ..
            }) => InfluenceSource::Nothing,
            Mind::Opinionated(_) => InfluenceSource::EarlierRounds,
            Mind::Voter { .. } | Mind::Justice(_) => InfluenceSource::Stances,
        }
    }
}

#[cfg(test)]
mod tests;
