//! What of the talk, or of what others do, can move a mind, as its rule has it. Whether it did is told nowhere: a rule draws, too.

use super::{Harvester, Mind, OpinionRule, Opinionated, TraitValue};
use crate::domain::Motion;

/// What of the talk a mind's choices can depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum InfluenceSource {
    /// Nothing that is said, and nothing that others take; who takes a share takes it of what there is.
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
    /// What of the talk its choices on a motion can depend on. Where an alternative takes an amount, a mind that brings none of its own
    /// names the one that it heard last, whatever its rule.
    pub fn influence_source(&self, motion: &Motion) -> InfluenceSource {
        let takes_amounts = motion.alternatives.iter().any(|alternative| alternative.takes_amount);
        // Of an amount alone the opinion is the amount.
        let repeats_amounts = takes_amounts && motion.only().is_none();
        match self {
            Mind::Random { .. }
            | Mind::Scripted(_)
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
