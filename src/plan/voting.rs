//! Votes, ballots and the electorate. The module `choice` counts votes.

use std::sync::Arc;

use super::SeatSet;
use crate::choice::ranked::DefeatStrength;
use crate::choice::{CountTerms, DecisionRule};
use crate::domain::{AlternativeId, Ballot, BallotForm, Motion, OpenBallots, Ratio, RuleKind, Scored, SeatId, Voted};

/// A vote of the agenda.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct VotePhase {
    /// The rule that turns ballots into a decision.
    pub decision: DecisionRule,
    /// The form of ballots, and the strength of wins.
    pub voting: Voting,
    /// Weights, quorum, the chair, and the order of pairwise votes.
    pub electorate: Electorate,
    /// The words of the vote and its options; `None` for the plan's motion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<Arc<Motion>>,
    /// What is voted on.
    pub over: VoteOver,
    /// When seats hear each other's ballots.
    pub open: OpenBallots,
    /// Whether all seats hear the result.
    pub is_announced: bool,
    /// Whether it is binding.
    pub is_binding: bool,
    /// Whether the result of the session comes from it.
    pub decides: bool,
    /// What a decision ends.
    pub ends: VoteEnds,
    /// How many options win; `None` if one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winners: Option<SeveralWinners>,
}

/// How many options win together.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum SeveralWinners {
    /// So many.
    Number(u32),
    /// As many as a budget pays for.
    Budget {
        /// The budget.
        budget: u64,
        /// The cost of each option, in their order.
        costs: Vec<u64>,
        /// How it is spent.
        method: BudgetMethod,
    },
}

/// How a budget is spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all(deserialize = "snake_case"))]
#[schemars(rename_all = "snake_case")]
pub enum BudgetMethod {
    /// On the option with the most points first.
    #[default]
    Greedy,
    /// Each voter has an equal share.
    EqualShares,
}

/// What is voted on.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub enum VoteOver {
    /// The alternatives of the motion.
    Alternatives,
    /// Options of the vote's own.
    OwnOptions,
    /// The texts that are live when the vote is held, by the position of the name under which they are kept. The motion of the plan has
    /// as many letters as there may be.
    Texts(usize),
    /// What has won another vote over texts or options of its own. The motion of the plan has all options of that vote.
    Winners(VoteWinners),
    /// The seats that the set selects when the vote opens; where it depends on the voter, each has options of her own. The motion of the
    /// plan has all seats.
    Seats(SeatSet),
}

impl VoteOver {
    /// Whether the options are known only when the vote opens.
    pub fn is_found_at_opening(&self) -> bool {
        matches!(self, VoteOver::Texts(_) | VoteOver::Winners(_) | VoteOver::Seats(_))
    }

    /// The position of the name under which the texts are kept that are voted on; `None` if none are.
    pub fn texts(&self) -> Option<usize> {
        match self {
            VoteOver::Texts(pool) => Some(*pool),
            VoteOver::Winners(winners) => winners.pool,
            VoteOver::Alternatives | VoteOver::OwnOptions | VoteOver::Seats(_) => None,
        }
    }
}

/// The winners of a vote.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct VoteWinners {
    /// The written name of the vote's phase.
    pub vote: String,
    /// Which of them.
    pub part: WinnersPart,
    /// The position of the name under which the texts are kept that it is over; `None` for other options.
    pub pool: Option<usize>,
    /// What they are taken to be in a rehearsal; `None` in a session.
    #[serde(skip)]
    pub assumed: Option<WinnersPart>,
}

/// Which options of a vote are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum WinnersPart {
    /// The one that is decided for.
    One,
    /// All that win.
    All,
    /// Every option, in a rehearsal.
    Options,
    /// None, in a rehearsal.
    None,
}

impl WinnersPart {
    /// What expressions call it.
    pub fn attribute(self) -> &'static str {
        match self {
            WinnersPart::One => "winner",
            WinnersPart::All => "winners",
            WinnersPart::Options => "options",
            WinnersPart::None => "nothing",
        }
    }
}

/// What a decision ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub enum VoteEnds {
    /// Nothing but the vote.
    Nothing,
    /// The innermost block that holds the vote.
    Block,
    /// The agenda.
    Session,
}

/// The terms of one vote: of a vote of the agenda, or of the votes in a discussion.
#[derive(Debug, Clone, Copy)]
pub struct VoteTerms<'p> {
    /// The rule that turns ballots into a decision.
    pub decision: &'p DecisionRule,
    /// The form of ballots, and the strength of wins.
    pub voting: &'p Voting,
    /// Weights, quorum, the chair, and the order of pairwise votes.
    pub electorate: &'p Electorate,
    /// The words of the vote and its options.
    pub motion: &'p Arc<Motion>,
    /// When seats hear each other's ballots.
    pub open: OpenBallots,
    /// Whether all seats hear the result.
    pub is_announced: bool,
    /// Whether it is binding.
    pub is_binding: bool,
    /// Whether the result of the session comes from it.
    pub decides: bool,
    /// Whether several options may win together.
    pub elects_several: bool,
}

impl VoteTerms<'_> {
    /// The terms of counting: the author's, with defaults for those that the rule does not need.
    pub fn count_terms(&self) -> CountTerms {
        let usual = CountTerms::default();
        CountTerms {
            strength: self.voting.strength,
            threshold: self.decision.threshold.unwrap_or(usual.threshold),
            agenda: self.electorate.agenda.iter().map(|id| id.index()).collect(),
            ..usual
        }
    }

    /// When seats hear each other's ballots; never if they would hear them with a result that is not announced.
    pub fn heard_ballots(&self) -> OpenBallots {
        if self.open == OpenBallots::Announced && !self.is_announced { OpenBallots::Never } else { self.open }
    }

    /// The longest ballot; `None` if ballots are a single choice or amount.
    pub fn fullest_ballot(&self) -> Option<Voted> {
        let names = || self.motion.alternatives.iter().map(|alternative| alternative.name.clone());
        Some(Voted::Over(match self.voting.form {
            BallotForm::Choice | BallotForm::Amount => return None,
            BallotForm::Approval => Ballot::Approval(names().collect()),
            BallotForm::Ranking { .. } => Ballot::Ranking(names().map(|name| vec![name]).collect()),
            // As long as any that shares points.
            BallotForm::Score { max } | BallotForm::Allocation { points: max } => {
                Ballot::Score(names().map(|alternative| Scored { alternative, score: max }).collect())
            }
        }))
    }
}

/// The weights, quorum, chair, agenda and default of a vote.
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
    /// What is decided by default, where the last count reaches no decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<AlternativeId>,
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
    /// Whether a seat is asked for its reasons, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub asks_reasons: bool,
}

impl Voting {
    /// Points with the longest text that a rule may give an alternative; `None` if ballots are a single choice or amount.
    pub fn points_at_most(&self, seats: u32, alternatives: usize) -> Option<Ratio> {
        let (of_each, unit) = match self.form {
            BallotForm::Choice | BallotForm::Amount => return None,
            BallotForm::Approval => (1, 1),
            BallotForm::Score { max } | BallotForm::Allocation { points: max } => (i64::from(max), 1),
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
