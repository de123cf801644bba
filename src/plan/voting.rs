//! Ballots and the electorate. The module `choice` counts votes.

use crate::choice::ranked::DefeatStrength;
use crate::domain::{AlternativeId, BallotForm, Ratio, RuleKind, SeatId};

/// The weights, quorum, chair and agenda of a vote.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Electorate {
    /// The weight of each seat's ballot; empty if every ballot counts once.
    pub weights: Vec<u32>,
    /// The share of members who must cast valid ballots, as numerator and denominator; `None` for no quorum.
    pub quorum: Option<(u32, u32)>,
    /// The seat whose own ballot decides a tie.
    pub chair: Option<SeatId>,
    /// The order of pairwise votes under an amendment agenda; empty for the scenario's order.
    pub agenda: Vec<AlternativeId>,
}

impl Electorate {
    /// The weight of a seat's ballot.
    pub fn weight(&self, seat: SeatId) -> u32 {
        self.weights.get(seat.index()).copied().unwrap_or(1)
    }

    /// Whether some ballots have other weights than one.
    pub fn is_weighted(&self) -> bool {
        !self.weights.is_empty()
    }

    /// The total weight of `seats` seats.
    pub fn total_weight(&self, seats: u32) -> u32 {
        if self.is_weighted() { self.weights.iter().sum() } else { seats }
    }

    /// Whether valid ballots of this weight meet the quorum; `None` without a quorum.
    pub fn quorum_met(&self, valid: u32, members: u32) -> Option<bool> {
        let (share, whole) = self.quorum?;
        Some(u64::from(valid) * u64::from(whole) >= u64::from(members) * u64::from(share))
    }
}

/// The form of ballots, and the strength of wins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Voting {
    /// The form of ballots.
    pub form: BallotForm,
    /// The measure of a pairwise win's strength.
    #[serde(skip)]
    pub strength: DefeatStrength,
    /// Whether a seat may abstain.
    pub may_abstain: bool,
}

impl Voting {
    /// Points with the longest text that a rule may give an alternative; `None` if ballots are a single choice or amount.
    pub fn points_at_most(&self, seats: u32, alternatives: usize) -> Option<Ratio> {
        let (of_each, unit) = match self.form {
            BallotForm::Choice | BallotForm::Amount => return None,
            BallotForm::Approval => (1, 1),
            BallotForm::Score { max } => (i64::from(max), 1),
            // Alternatives tied at the top share a ballot.
            BallotForm::Ranking { ties: true, .. } => (1_000 * alternatives as i64, 1_000),
            BallotForm::Ranking { ties: false, .. } => (2 * alternatives as i64, 2),
        };
        Some(Ratio { of: -(i64::from(seats) * of_each), unit })
    }
}

/// Whether a rule can tie.
pub fn may_tie(rule: RuleKind) -> bool {
    !matches!(
        rule,
        RuleKind::Unanimity
            | RuleKind::Majority
            | RuleKind::Supermajority
            | RuleKind::RandomBallot
            | RuleKind::AmendmentAgenda
            | RuleKind::Imposed
            | RuleKind::Mean
            | RuleKind::Median
    )
}
