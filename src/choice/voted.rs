//! Converts a session's ballots into the form in which they are counted.

use super::ranked::Ranking;
use super::{Bundle, TallyBallot, TallyForm};
use crate::domain::{self, AlternativeId, BallotForm};

/// The form in which ballots are counted; `None` for an amount alone.
pub fn form_of(form: BallotForm) -> Option<TallyForm> {
    match form {
        BallotForm::Choice => Some(TallyForm::Choice),
        BallotForm::Amount => None,
        BallotForm::Approval => Some(TallyForm::Approval),
        BallotForm::Ranking { .. } => Some(TallyForm::Ranking),
        BallotForm::Score { max } | BallotForm::Allocation { points: max } => Some(TallyForm::Score(max)),
    }
}

/// A ballot over so many alternatives, with its weight.
///
/// # Panics
/// If a ranking names an alternative twice, or one that does not exist.
pub fn bundle_ballot(alternatives: usize, ballot: &domain::Ballot<AlternativeId>, weight: u32) -> Bundle {
    let all = || (0..alternatives as u32).map(AlternativeId);
    let ballot = match ballot {
        domain::Ballot::Approval(_) => {
            TallyBallot::Approval(all().map(|id| ballot.approves(&id) == Some(true)).collect())
        }
        domain::Ballot::Ranking(levels) => {
            let places = |level: &Vec<AlternativeId>| level.iter().map(|id| id.index()).collect::<Vec<usize>>();
            TallyBallot::Ranking(Ranking::of_levels(alternatives, &levels.iter().map(places).collect::<Vec<_>>()))
        }
        domain::Ballot::Score(_) => TallyBallot::Score(all().map(|id| ballot.score(&id).unwrap_or(0)).collect()),
    };
    Bundle { ballot, weight: weight.into(), count: 1 }
}
