//! Ballots of any form under any rule: which rule can be counted from which form, and what it gives.
//!
//! Nothing is imputed: a ballot of one choice says nothing about the other alternatives, so rules that need rankings are refused.

use std::collections::BTreeSet;

use super::ranked::{
    Count, Counting, Points, Preferences, RankedRule, Refusal, RunoffTies, Strength, amendment_agenda,
    single_transferable_vote,
};
use super::{Ballot, Ballots, Form, approval, score};
use crate::domain::RuleKind;

/// What rules leave open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// How strong a defeat is.
    pub strength: Strength,
    /// What becomes of several that are last together in an instant runoff.
    pub runoff_ties: RunoffTies,
    /// The share that a supermajority needs, as numerator and denominator.
    pub threshold: (u32, u32),
    /// How many the single transferable vote elects, from 1.
    pub seats: usize,
    /// The order of an amendment agenda, as places of alternatives; empty for the order in which they stand.
    pub agenda: Vec<usize>,
}

impl Default for Terms {
    /// Margins; all that are last dropped together; two thirds; one seat; the agenda is the order of the alternatives.
    fn default() -> Self {
        let (strength, runoff_ties) = (Strength::Margins, RunoffTies::Together);
        Self { strength, runoff_ties, threshold: (2, 3), seats: 1, agenda: Vec::new() }
    }
}

/// What a rule gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Who wins, ties kept, and by what. Of several seats, everybody who may be elected.
    pub count: Count,
    /// The sets of winners that ties within the count leave open; `None` but for the single transferable vote.
    pub committees: Option<BTreeSet<Vec<usize>>>,
}

impl Outcome {
    /// What was decided: the winners as they are tied, or the committees.
    pub fn decision(&self) -> BTreeSet<Vec<usize>> {
        match &self.committees {
            Some(committees) => committees.clone(),
            None => BTreeSet::from([self.count.winners.clone()]),
        }
    }

    /// Who wins for certain: alone, or in every committee.
    pub fn certain(&self) -> Vec<usize> {
        let winners = &self.count.winners;
        match &self.committees {
            Some(committees) => {
                winners.iter().copied().filter(|one| committees.iter().all(|set| set.contains(one))).collect()
            }
            None if winners.len() == 1 => winners.clone(),
            None => Vec::new(),
        }
    }
}

/// Why a rule says nothing about these ballots.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Uncounted {
    /// The ballots do not tell what it needs.
    #[error("needs {needs}, and these are {have} ballots")]
    Form {
        /// What the rule needs.
        needs: &'static str,
        /// The form of the ballots.
        have: &'static str,
    },
    /// Nobody votes under it, or it decides no alternative.
    #[error("it does not choose among alternatives by ballots")]
    NoCount,
    /// The exact result would take too long.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// What a rule needs of ballots, in words; `None` where these have it.
///
/// First places are read off choices, rankings and scores, orders off rankings and scores.
fn lacks(rule: RuleKind, form: Form) -> Option<&'static str> {
    let (needs, has) = match rule {
        RuleKind::Approval => ("approval ballots", form == Form::Approval),
        RuleKind::Score => ("score ballots", matches!(form, Form::Score(_))),
        RuleKind::Plurality
        | RuleKind::Majority
        | RuleKind::Supermajority
        | RuleKind::Unanimity
        | RuleKind::RandomBallot => ("choice, ranking or score ballots", form != Form::Approval),
        _ => ("ranking or score ballots", matches!(form, Form::Ranking | Form::Score(_))),
    };
    (!has).then_some(needs)
}

/// The rules that these ballots can be counted under, in the order of all rules. Too many alternatives or ties may still refuse.
pub fn countable(form: Form) -> Vec<RuleKind> {
    RuleKind::ALL.into_iter().filter(|rule| chooses(*rule) && lacks(*rule, form).is_none()).collect()
}

/// Whether the rule chooses among alternatives by ballots.
fn chooses(rule: RuleKind) -> bool {
    !matches!(rule, RuleKind::Imposed | RuleKind::Mean | RuleKind::Median)
}

/// Counts ballots under each rule, in the order told. What rules share is worked out once.
pub fn recount(ballots: &Ballots, rules: &[RuleKind], terms: &Terms) -> Vec<Result<Outcome, Uncounted>> {
    let preferences = ballots.preferences();
    let counting = Counting::of(&preferences);
    rules.iter().map(|rule| under(*rule, ballots, &counting, terms)).collect()
}

fn under(rule: RuleKind, ballots: &Ballots, counting: &Counting<'_>, terms: &Terms) -> Result<Outcome, Uncounted> {
    if !chooses(rule) {
        return Err(Uncounted::NoCount);
    }
    if let Some(needs) = lacks(rule, ballots.form()) {
        return Err(Uncounted::Form { needs, have: ballots.form().as_str() });
    }
    let whole = ballots.whole();
    let ranked = match rule {
        RuleKind::Approval => return Ok(alone(approved(ballots))),
        RuleKind::Score => return Ok(alone(scored(ballots))),
        RuleKind::Stv => return elected(counting.preferences(), terms.seats),
        RuleKind::AmendmentAgenda if !terms.agenda.is_empty() && counting.preferences().weight() > 0 => {
            return Ok(alone(amendment_agenda(counting.pairwise()?, terms.agenda.iter().copied())));
        }
        RuleKind::Imposed | RuleKind::Mean | RuleKind::Median => return Err(Uncounted::NoCount),
        RuleKind::Plurality => RankedRule::Plurality,
        RuleKind::Majority => RankedRule::Majority(whole),
        RuleKind::Supermajority => RankedRule::Supermajority(terms.threshold.0, terms.threshold.1, whole),
        RuleKind::Unanimity => RankedRule::Unanimity(whole),
        RuleKind::Borda => RankedRule::Borda,
        RuleKind::Copeland => RankedRule::Copeland,
        RuleKind::Minimax => RankedRule::Minimax(terms.strength),
        RuleKind::Schulze => RankedRule::Schulze(terms.strength),
        RuleKind::RankedPairs => RankedRule::RankedPairs(terms.strength),
        RuleKind::KemenyYoung => RankedRule::KemenyYoung,
        RuleKind::InstantRunoff => RankedRule::InstantRunoff(terms.runoff_ties),
        RuleKind::TwoRound => RankedRule::TwoRound,
        RuleKind::RandomBallot => RankedRule::RandomBallot,
        RuleKind::AmendmentAgenda => RankedRule::AmendmentAgenda,
    };
    Ok(alone(counting.under(ranked)?))
}

fn alone(count: Count) -> Outcome {
    Outcome { count, committees: None }
}

fn approved(ballots: &Ballots) -> Count {
    let of = ballots.bundles().iter().filter_map(|bundle| match &bundle.ballot {
        Ballot::Approval(approved) => Some((approved.as_slice(), bundle.weight * bundle.count)),
        _ => None,
    });
    approval(ballots.alternatives(), of)
}

fn scored(ballots: &Ballots) -> Count {
    let of = ballots.bundles().iter().filter_map(|bundle| match &bundle.ballot {
        Ballot::Score(scores) => Some((scores.as_slice(), bundle.weight * bundle.count)),
        _ => None,
    });
    score(ballots.alternatives(), of)
}

/// Who is elected to so many seats; nobody where nobody voted.
fn elected(preferences: &Preferences, seats: usize) -> Result<Outcome, Uncounted> {
    if preferences.weight() == 0 {
        return Ok(Outcome { count: Count { winners: Vec::new(), points: None }, committees: Some(BTreeSet::new()) });
    }
    let committees = single_transferable_vote(preferences, seats)?.elected;
    let somewhere: BTreeSet<usize> = committees.iter().flatten().copied().collect();
    let count = Count { winners: somewhere.into_iter().collect(), points: None::<Points> };
    Ok(Outcome { count, committees: Some(committees) })
}
