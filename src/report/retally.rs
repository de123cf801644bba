//! Ballots counted again under other rules, for people and for programs. What stands in it is counted elsewhere.

mod hangs;
mod recounted;
mod summary;
mod text;

use serde::Serialize;

use crate::domain::Verdict;

pub use hangs::HangsOn;
pub use recounted::{Depth, Question};
pub use summary::{ArmRecount, Stood, last_of_their_kind};

/// What was counted again.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Retally {
    /// What rules leave open, as it was settled.
    pub terms: TermsShown,
    /// Each election, in the order of the paths and within a session in that of the votes.
    pub elections: Vec<Recounted>,
    /// What each rule would have made of an experiment's elections, arm by arm; empty for PrefLib files and for one session.
    pub arms: Vec<ArmRecount>,
    /// What is left out, in words.
    pub notes: Vec<String>,
}

/// What rules leave open, as far as it is the same for all elections.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TermsShown {
    /// `together` or `branches`.
    pub irv_ties: &'static str,
    /// How many the single transferable vote elects.
    pub seats: usize,
    /// How often ballots were drawn again; 0 where they were not.
    pub resamples: u32,
    /// The seed of these draws.
    pub seed: u64,
    /// How many changed profiles an election's search looks at, at the most.
    pub profiles_max: u64,
}

/// One election, counted again.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recounted {
    /// The file, or the session's folder.
    pub path: String,
    /// What the file calls itself; empty where it does not, and for sessions.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Which election of a session it is; absent for a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<Held>,
    /// `choice`, `approval`, `ranking` or `score`.
    pub form: &'static str,
    /// The greatest score; absent for other ballots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_max: Option<u32>,
    /// What is chosen among, in the scenario's or the file's order.
    pub alternatives: Vec<String>,
    /// How strong a defeat is under minimax, schulze and ranked_pairs: `margins` or `winning_votes`.
    pub strength: &'static str,
    /// The share of a supermajority, such as `2/3`.
    pub threshold: String,
    /// How many ballots there are.
    pub ballots: u64,
    /// What they weigh together.
    pub weight: u64,
    /// What those weigh who could have voted and did not, where shares are of members.
    pub absent: u64,
    /// For each alternative the weight of the ballots that put it above each other one, by places; absent where ballots give no
    /// order, and with too many alternatives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub above: Option<Vec<Vec<u64>>>,
    /// Who beats every other; absent where nobody does, and where ballots give no order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condorcet_winner: Option<String>,
    /// The least set of which every member beats everybody outside; empty where ballots give no order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub smith_set: Vec<String>,
    /// The orders with which the ballots agree most; absent where `kemeny_young` is not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kemeny: Option<BestOrders>,
    /// What each rule gives.
    pub rules: Vec<RuleCount>,
}

/// The orders with which ballots agree most, pair by pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BestOrders {
    /// How many there are, at most 15!.
    pub orders: u64,
    /// How much each agrees: over all its pairs, the weight of the ballots that put the first above the second.
    pub agreement: u128,
    /// One of them, the first in the order of the alternatives.
    pub order: Vec<String>,
}

/// Which election of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Held {
    /// The session.
    pub session: String,
    /// Its arm.
    pub arm: String,
    /// `straw_before`, `straw_round`, `straw_after`, `ranking` or `vote`.
    pub purpose: &'static str,
    /// The phase.
    pub phase: String,
    /// The round; 0 outside rounds.
    pub round: u32,
    /// The number of the vote in the session; absent for what is no vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vote: Option<u32>,
    /// Seats whose ballot is invalid.
    pub invalid: u32,
    /// The rule by which it was counted; absent for what is no vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// What the vote decided for; absent where nothing, and for what is no vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<String>,
    /// How the session ended; absent where it has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_verdict: Option<Verdict>,
    /// What the session decided for in the end; absent where nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_decided: Option<String>,
}

/// What one rule gives.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleCount {
    /// The rule.
    pub rule: &'static str,
    /// The winners, more than one where they are tied; empty where nobody wins. Under the single transferable vote everybody who
    /// may be elected, under `random_ballot` everybody who may be drawn.
    pub winners: Vec<String>,
    /// Why it says nothing; absent where it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The sets of elected that ties within the count leave open; absent but for the single transferable vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub committees: Option<Vec<Vec<String>>>,
    /// For each alternative what decided, in parts of `points_unit`; absent for rules without points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<i128>>,
    /// How many parts are one point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points_unit: Option<u128>,
    /// The greatest points less the second greatest, in points; absent where these do not decide: without points or a second
    /// alternative, in the rounds of a runoff, and among the chances of a lot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// How few ballots change the result; absent where it was not asked for, and for rules that draw a lot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fewest: Option<FewestShown>,
    /// How many ballots change the result each by itself; absent where that was not worked out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pivotal_ballots: Option<u64>,
    /// The seats that cast them; absent for files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pivotal_seats: Option<Vec<String>>,
    /// How often each alternative won when ballots were drawn again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bootstrap: Option<SharesShown>,
}

/// How few ballots change a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FewestShown {
    /// So many, and no fewer.
    Exactly(u64),
    /// More than so many.
    MoreThan(u64),
    /// None do.
    Never,
}

/// How often each alternative won when ballots were drawn again, of `terms.resamples` times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SharesShown {
    /// Alone, or elected for certain.
    pub alone: Vec<u32>,
    /// Tied for it.
    pub tied: Vec<u32>,
    /// How often nobody won.
    pub nobody: u32,
}

impl RuleCount {
    /// Who wins, in words.
    fn told(&self) -> String {
        match (self.winners.as_slice(), &self.committees) {
            (_, Some(sets)) if sets.len() > 1 && sets.iter().any(|set| set.len() > 1) => {
                let sets: Vec<String> = sets.iter().map(|set| set.join(" + ")).collect();
                sets.join(" or ")
            }
            (winners, Some(sets)) if sets.len() == 1 && !winners.is_empty() => winners.join(" + "),
            ([], _) => "nobody".to_owned(),
            ([winner], _) => winner.clone(),
            (winners, _) if self.rule == "random_ballot" => format!("one of {}", winners.join(", ")),
            (winners, _) => format!("tied: {}", winners.join(", ")),
        }
    }
}

impl Recounted {
    /// Who wins by which rules: the groups of rules that say the same, in the order of their first ones. Rules that draw a lot are
    /// left out.
    pub fn opinions(&self) -> Vec<(String, Vec<&'static str>)> {
        let mut groups: Vec<(String, Vec<&'static str>)> = Vec::new();
        for count in self.rules.iter().filter(|count| count.refused.is_none() && count.rule != "random_ballot") {
            let told = count.told();
            match groups.iter_mut().find(|(known, _)| *known == told) {
                Some((_, rules)) => rules.push(count.rule),
                None => groups.push((told, vec![count.rule])),
            }
        }
        groups
    }
}
