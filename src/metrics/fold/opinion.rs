//! Opinions within the fold of a session: where seats stand between 0 and 1, declared or by their stance.

use crate::domain::{Choice, Opinion};
use crate::metrics::fold::SessionFold;
use crate::metrics::part::{Held, OpinionFrom};

/// Where an opinion was told. In rounds of talk statements count, elsewhere polls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In a statement.
    Statement,
    /// In a straw poll.
    Poll,
}

/// Where seats stood in the polls before and after the talk, in billionths; of several the last that a seat answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Polls([Vec<Option<u32>>; 2]);

impl Polls {
    /// Takes a poll before (0) or after (1) the talk, seat by seat.
    pub fn take(&mut self, place: usize, told: impl Iterator<Item = Option<u32>>) {
        for (seat, told) in told.enumerate() {
            let all = &mut self.0[place];
            all.resize(all.len().max(seat + 1), None);
            all[seat] = told.or(all[seat]);
        }
    }

    /// How far each seat that answered both moved from one to the other, from −1 to 1.
    pub fn shifts(&self) -> Vec<f64> {
        let both = self.0[0].iter().zip(&self.0[1]).filter_map(|(before, after)| (*before).zip(*after));
        both.map(|(before, after)| (f64::from(after) - f64::from(before)) / f64::from(Opinion::ONE)).collect()
    }
}

impl SessionFold {
    /// Takes where a seat stands: the opinion that it declared, or else what its amount, or its choice of two alternatives, comes to. Of
    /// more than two, opinions are not of one scale.
    pub(super) fn stands(&mut self, seat: usize, declared: Option<Opinion>, choice: Option<Choice>, place: Place) {
        let scaled = |amount| Some((self.facts.arm.scaled(amount)?, OpinionFrom::Amount));
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
        if part.is_talk() == (place == Place::Statement) {
            part.opinion(seat, Held { billionths, from, before });
        }
    }
}
