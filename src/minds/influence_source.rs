//! Which parts of the talk, or of the others' actions, a mind's rule can react to.

use super::{Harvester, Mind, OpinionRule, Opinionated, TraitValue};
use crate::domain::Motion;

/// The part of the talk that a mind's choices can depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum InfluenceSource {
    /// Neither talk nor the takes of others. A fixed share is a share of the current stock.
    Nothing,
    /// What the others took from a common stock in the previous round, but no talk.
    Takes,
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
            Mind::Random { .. }
            | Mind::Scripted(_)
            | Mind::Rule(_)
            | Mind::Silent
            | Mind::Harvester(Harvester::FixedShare { .. })
            | Mind::Harvester(Harvester::ConditionalCooperator { slope: TraitValue::Fixed(0), .. }) => {
                InfluenceSource::Nothing
            }
            Mind::Harvester(Harvester::ConditionalCooperator { .. } | Harvester::Quantal { .. }) => {
                InfluenceSource::Takes
            }
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
