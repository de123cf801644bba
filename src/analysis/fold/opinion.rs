//! Opinions within the fold of a session: where seats stand between 0 and 1, declared or by their stance.

use crate::analysis::counts::{OpinionFrom, SeatOpinion};
use crate::analysis::fold::state::SessionFold;
use crate::domain::{Choice, Opinion};

/// Where an opinion was told. In rounds of talk statements count, elsewhere polls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpinionPlace {
    /// In a statement.
    Statement,
    /// In a straw poll.
    Poll,
}

impl SessionFold {
    /// Takes where a seat stands: the opinion that it declared, or else what its amount, or its choice of two alternatives, comes to. Of
    /// more than two, opinions are not of one scale.
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
            part.set_opinion(seat, SeatOpinion { billionths, from, before });
        }
    }
}
