//! Folds opinions: positions between 0 and 1, declared or derived from the stance.

use crate::analysis::counts::{OpinionFrom, SeatOpinion};
use crate::analysis::fold::state::SessionFold;
use crate::domain::{Choice, Opinion};

/// Where a seat gave an opinion. Rounds of talk use statements, other parts use polls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpinionPlace {
    Statement,
    Poll,
}

impl SessionFold {
    /// Folds the declared opinion or, without one, the scaled amount or the choice between two alternatives. More than two
    /// alternatives form no scale.
    pub(super) fn fold_opinion(
        &mut self,
        seat: usize,
        declared: Option<Opinion>,
        choice: Option<Choice>,
        place: OpinionPlace,
    ) {
        let scaled = |amount| Some((self.facts.arm.scale_amount(amount)?, OpinionFrom::Amount));
        let by_stance = || match (self.facts.arm.alternatives.len(), choice?.alternative.index()) {
            (1, _) => scaled(choice?.amount?),
            (2, 0) => Some((Opinion::ONE, OpinionFrom::Stance)),
            (2, _) => Some((0, OpinionFrom::Stance)),
            _ => None,
        };
        let is_scale = self.facts.arm.alternatives.len() <= 2;
        let told = declared.filter(|_| is_scale).map(|opinion| (opinion.billionths(), OpinionFrom::Declared));
        let Some((billionths, from)) = told.or_else(by_stance) else { return };
        let before = self.seats[seat].opinions[place as usize].replace(billionths);
        let Some(part) = &mut self.part else { return };
        if part.is_talk() == (place == OpinionPlace::Statement) {
            part.seats[seat].held = Some(SeatOpinion { billionths, from, before });
        }
    }
}
