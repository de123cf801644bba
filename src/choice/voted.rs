//! The ballots of a session as they are counted. Nothing is counted here.

use super::ranked::Ranking;
use super::{Bundle, TallyBallot, TallyForm};
use crate::domain::{self, AlternativeId, BallotForm};

/// The form in which ballots are counted; `None` of an amount alone.
pub fn form_of(form: BallotForm) -> Option<TallyForm> {
    match form {
        BallotForm::Choice => Some(TallyForm::Choice),
        BallotForm::Amount => None,
        BallotForm::Approval => Some(TallyForm::Approval),
        BallotForm::Ranking { .. } => Some(TallyForm::Ranking),
        BallotForm::Score { max } => Some(TallyForm::Score(max)),
    }
}

/// One ballot over so many alternatives, with what it weighs.
///
/// # Panics
/// When a ranking names an alternative twice, or a ballot one that there is not.
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
