//! What seats vote by, and what else a count needs beside its rule. What rules do is `choice`'s affair.

use crate::choice::ranked::DefeatStrength;
use crate::domain::{AlternativeId, BallotForm, Ratio, RuleKind, SeatId};

/// Who counts how much in a vote, how many have to vote, and who decides a tie.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Electorate {
    /// How many ballots the ballot of each seat counts for; empty where every one counts once.
    pub weights: Vec<u32>,
    /// The share of members whose ballots have to be valid, as numerator and denominator; `None` where any number will do.
    pub quorum: Option<(u32, u32)>,
    /// Whose own ballot decides a tie.
    pub chair: Option<SeatId>,
    /// The order in which alternatives are put against each other, under an amendment agenda; empty for the scenario's.
    pub agenda: Vec<AlternativeId>,
}

impl Electorate {
    /// How many ballots the ballot of a seat counts for.
    pub fn weight(&self, seat: SeatId) -> u32 {
        self.weights.get(seat.index()).copied().unwrap_or(1)
    }

    /// Whether some ballots count for more or less than one.
    pub fn is_weighted(&self) -> bool {
        !self.weights.is_empty()
    }

    /// What all of so many seats weigh.
    pub fn total_weight(&self, seats: u32) -> u32 {
        if self.is_weighted() { self.weights.iter().sum() } else { seats }
    }

    /// Whether the valid ballots of members who weigh so much are enough; `None` where any number will do.
    pub fn quorum_met(&self, valid: u32, members: u32) -> Option<bool> {
        let (share, whole) = self.quorum?;
        Some(u64::from(valid) * u64::from(whole) >= u64::from(members) * u64::from(share))
    }
}

/// What seats vote by, and how strengths are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Voting {
    /// The form of ballots.
    pub form: BallotForm,
    /// How strong a win of one alternative over another is.
    #[serde(skip)]
    pub strength: DefeatStrength,
    /// Whether a seat may vote for nothing.
    pub may_abstain: bool,
}

impl Voting {
    /// Points that are as long to write as any that a rule gives an alternative at so many seats; `None` where ballots say one choice.
    pub fn points_at_most(&self, seats: u32, alternatives: usize) -> Option<Ratio> {
        let (of_each, unit) = match self.form {
            BallotForm::Choice | BallotForm::Amount => return None,
            BallotForm::Approval => (1, 1),
            BallotForm::Score { max } => (i64::from(max), 1),
            // Those that share the top have parts of a ballot.
            BallotForm::Ranking { ties: true, .. } => (1_000 * alternatives as i64, 1_000),
            BallotForm::Ranking { ties: false, .. } => (2 * alternatives as i64, 2),
        };
        Some(Ratio { of: -(i64::from(seats) * of_each), unit })
    }
}

/// Whether several may win alike under a rule.
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
