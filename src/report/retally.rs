//! Ballots recounted under other rules, as text and as JSON.

mod hangs;
mod recounted;
mod summary;
mod text;

use indexmap::IndexMap;
use serde::Serialize;

use crate::domain::Verdict;

pub use hangs::HangsOn;
pub use recounted::{Depth, Question};
pub use summary::{ArmRecount, last_of_their_kind};

/// The results of a recount.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Retally {
    /// The settings of the recount.
    pub terms: TermsShown,
    /// The elections, in the order of the paths and, within a session, of the votes.
    pub elections: Vec<Recounted>,
    /// The results of each rule by arm; empty for PrefLib files and for one session.
    pub arms: Vec<ArmRecount>,
    /// What was left out, in words.
    pub notes: Vec<String>,
}

/// The settings that apply to all elections.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TermsShown {
    /// `together` or `branches`.
    pub irv_ties: &'static str,
    /// The number of seats that the single transferable vote fills.
    pub seats: usize,
    /// The number of bootstrap resamples; 0 for none.
    pub resamples: u32,
    /// The seed of the resamples.
    pub seed: u64,
    /// The maximum number of changed profiles that the search examines per election.
    pub profiles_max: u64,
}

/// One recounted election.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Recounted {
    /// The file, or the session's folder.
    pub path: String,
    /// The title in the file; empty without one, and for sessions.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The election within its session; absent for a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<SessionElection>,
    /// `choice`, `approval`, `ranking` or `score`.
    pub form: &'static str,
    /// The maximum score; absent for other ballots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_max: Option<u32>,
    /// The alternatives, in the order of the scenario or the file.
    pub alternatives: Vec<String>,
    /// The measure of defeat strength under minimax, schulze and ranked_pairs: `margins` or `winning_votes`.
    pub strength: &'static str,
    /// The threshold of a supermajority, such as `2/3`.
    pub threshold: String,
    /// The number of ballots.
    pub ballots: u64,
    /// Their total weight.
    pub weight: u64,
    /// The weight of members who did not vote, if shares are taken of all members.
    pub absent: u64,
    /// The pairwise matrix: the weight of the ballots that rank the row's alternative above the column's. Absent if ballots give
    /// no order, and with too many alternatives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub above: Option<Vec<Vec<u64>>>,
    /// The Condorcet winner; absent without one, and if ballots give no order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condorcet_winner: Option<String>,
    /// The Smith set: the smallest set whose members beat all others. Empty if ballots give no order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub smith_set: Vec<String>,
    /// The Kemeny orders; absent if `kemeny_young` is not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kemeny: Option<BestOrders>,
    /// The results of the rules.
    pub rules: Vec<RuleCount>,
}

/// The Kemeny orders: those with the greatest pairwise agreement with the ballots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BestOrders {
    /// The number of orders, at most 15!.
    pub orders: u64,
    /// The agreement of each: the sum over its pairs of the weight of the ballots with the pair in this order.
    pub agreement: u128,
    /// The first of them, by the order of the alternatives.
    pub order: Vec<String>,
}

/// The election within its session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SessionElection {
    /// The session.
    pub session: String,
    /// The arm.
    pub arm: String,
    /// `straw_before`, `straw_round`, `straw_after`, `ranking` or `vote`.
    pub purpose: &'static str,
    /// The phase.
    pub phase: String,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The number of the vote in the session; absent for polls and rankings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vote: Option<u32>,
    /// The number of invalid ballots.
    pub invalid: u32,
    /// The rule that the session used; absent for polls and rankings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// The decision of the vote; absent without one, and for polls and rankings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<String>,
    /// The verdict of the session; absent if it has not ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_verdict: Option<Verdict>,
    /// The final decision of the session; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_decided: Option<String>,
}

/// The result of one rule.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RuleCount {
    /// The rule.
    pub rule: &'static str,
    /// The winners; several if they are tied, empty if nobody wins. Under the single transferable vote, all who may be elected;
    /// under `random_ballot`, all who may be drawn.
    pub winners: Vec<String>,
    /// Whether nobody wins by the ballots, and the winner is what is decided by default; absent where ballots decide.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_default: bool,
    /// Why the rule cannot be applied; absent if it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The possible committees, several if ties leave them open; only for the single transferable vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub committees: Option<Vec<Vec<String>>>,
    /// The points of each alternative, in units of 1/`points_unit`; absent for rules without points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<i128>>,
    /// The number of units in one point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points_unit: Option<u128>,
    /// The difference between the two greatest scores, in points. Absent if points do not decide: without points or a second
    /// alternative, for runoffs, and for rules that draw a lot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The fewest ballots that change the result; absent if not computed, and for rules that draw a lot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fewest: Option<FewestShown>,
    /// The number of ballots that can each change the result alone; absent if not computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pivotal_ballots: Option<u64>,
    /// The seats that cast pivotal ballots; absent for files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pivotal_seats: Option<Vec<String>>,
    /// The wins of each alternative over the resamples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<SharesShown>,
}

/// The fewest ballots that change a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FewestShown {
    /// Exactly this number.
    Exactly(u64),
    /// More than this number.
    MoreThan(u64),
    /// No number of ballots changes it.
    Never,
}

/// The wins over `terms.resamples` resamples.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SharesShown {
    /// Resamples that each alternative wins alone, or in which it is elected for certain.
    pub alone: Vec<u32>,
    /// Resamples in which each alternative is tied.
    pub tied: Vec<u32>,
    /// Resamples without a winner.
    pub nobody: u32,
}

impl RuleCount {
    /// The winners in words.
    fn winner_words(&self) -> String {
        match (self.winners.as_slice(), &self.committees) {
            (_, Some(sets)) if sets.len() > 1 && sets.iter().any(|set| set.len() > 1) => {
                let sets: Vec<String> = sets.iter().map(|set| set.join(" + ")).collect();
                sets.join(" or ")
            }
            (winners, Some(sets)) if sets.len() == 1 && !winners.is_empty() => winners.join(" + "),
            ([], _) => "nobody".to_owned(),
            ([winner], _) if self.by_default => format!("{winner} (default)"),
            ([winner], _) => winner.clone(),
            (winners, _) if self.rule == "random_ballot" => format!("one of {}", winners.join(", ")),
            (winners, _) => format!("tied: {}", winners.join(", ")),
        }
    }
}

impl Recounted {
    /// Groups the rules by their winners, in the order of each group's first rule. Rules that draw a lot are left out.
    pub fn opinions(&self) -> IndexMap<String, Vec<&'static str>> {
        let mut groups: IndexMap<String, Vec<&'static str>> = IndexMap::new();
        for count in self.rules.iter().filter(|count| count.refused.is_none() && count.rule != "random_ballot") {
            groups.entry(count.winner_words()).or_default().push(count.rule);
        }
        groups
    }
}
