//! Counts ballots of any form under any rule that the form allows.
//!
//! Nothing is imputed: a ballot for one choice says nothing about the other alternatives, so rules that need rankings reject it.

use std::collections::BTreeSet;

use super::ranked::{
    CountRefusal, Counting, DefeatStrength, Preferences, RunoffTies, VoteCount, absolute_majority, amendment_agenda,
    borda, copeland, instant_runoff, kemeny, minimax, plurality, random_ballot, ranked_pairs, schulze,
    single_transferable_vote, supermajority, two_round, unanimity,
};
use super::{Ballots, TallyBallot, TallyForm, approval, score};
use crate::domain::RuleKind;

/// Settings that rules leave open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountTerms {
    /// The measure of a defeat's strength.
    pub strength: DefeatStrength,
    /// How an instant runoff treats several that are last together.
    pub runoff_ties: RunoffTies,
    /// The share that a supermajority needs, as numerator and denominator.
    pub threshold: (u32, u32),
    /// How many the single transferable vote elects, from 1.
    pub seats: usize,
    /// The order of an amendment agenda, as places of alternatives; empty for the order of the alternatives.
    pub agenda: Vec<usize>,
}

impl Default for CountTerms {
    /// Margins; all that are last dropped together; two thirds; one seat; the order of the alternatives.
    fn default() -> Self {
        let (strength, runoff_ties) = (DefeatStrength::Margins, RunoffTies::Together);
        Self { strength, runoff_ties, threshold: (2, 3), seats: 1, agenda: Vec::new() }
    }
}

/// The outcome of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleOutcome {
    /// The winners, ties kept, and their points. For several seats, everybody who may be elected.
    pub count: VoteCount,
    /// The sets of winners that ties within the count leave open; `None` except for the single transferable vote.
    pub committees: Option<BTreeSet<Vec<usize>>>,
}

impl RuleOutcome {
    /// The decision: the set of winners, ties kept, or the committees.
    pub fn decision(&self) -> BTreeSet<Vec<usize>> {
        match &self.committees {
            Some(committees) => committees.clone(),
            None => BTreeSet::from([self.count.winners.clone()]),
        }
    }

    /// The certain winners: a sole winner, or the members of every committee.
    pub fn certain_winners(&self) -> Vec<usize> {
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

/// Why a rule cannot count these ballots.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UncountedReason {
    /// The ballots lack what the rule needs.
    #[error("needs {needs}, and these are {have} ballots")]
    Form {
        /// What the rule needs.
        needs: &'static str,
        /// The form of the ballots.
        have: &'static str,
    },
    /// Nobody votes under it, or it decides an amount.
    #[error("it does not choose among alternatives by ballots")]
    NoCount,
    /// The exact result would take too long.
    #[error(transparent)]
    Refused(#[from] CountRefusal),
}

/// Whether a rule can count ballots of this form. Choices, rankings and scores show first places; rankings and scores show orders.
///
/// # Errors
/// [`UncountedReason::NoCount`] if the rule does not choose by ballots, else [`UncountedReason::Form`].
fn check_form(rule: RuleKind, form: TallyForm) -> Result<(), UncountedReason> {
    let (needs, has) = match rule {
        RuleKind::Imposed | RuleKind::Mean | RuleKind::Median => return Err(UncountedReason::NoCount),
        RuleKind::Approval => ("approval ballots", form == TallyForm::Approval),
        RuleKind::Score => ("score ballots", matches!(form, TallyForm::Score(_))),
        RuleKind::Plurality
        | RuleKind::Majority
        | RuleKind::Supermajority
        | RuleKind::Unanimity
        | RuleKind::RandomBallot => ("choice, ranking or score ballots", form != TallyForm::Approval),
        _ => ("ranking or score ballots", matches!(form, TallyForm::Ranking | TallyForm::Score(_))),
    };
    if has { Ok(()) } else { Err(UncountedReason::Form { needs, have: form.as_str() }) }
}

/// The rules that can count this form, in the order of all rules. A rule may still reject too many alternatives or ties.
pub fn countable_rules(form: TallyForm) -> Vec<RuleKind> {
    RuleKind::ALL.into_iter().filter(|rule| check_form(*rule, form).is_ok()).collect()
}

/// Counts ballots under each rule, in the given order. Shared work is done once.
pub fn recount_ballots(
    ballots: &Ballots,
    rules: &[RuleKind],
    terms: &CountTerms,
) -> Vec<Result<RuleOutcome, UncountedReason>> {
    let preferences = ballots.to_preferences();
    let counting = Counting::new(&preferences);
    rules.iter().map(|rule| recount_rule(*rule, ballots, &counting, terms)).collect()
}

fn recount_rule(
    rule: RuleKind,
    ballots: &Ballots,
    counting: &Counting<'_>,
    terms: &CountTerms,
) -> Result<RuleOutcome, UncountedReason> {
    check_form(rule, ballots.form())?;
    let count = match rule {
        RuleKind::Approval => count_approvals(ballots),
        RuleKind::Score => count_scores(ballots),
        RuleKind::Stv => return elect_committees(counting.preferences(), terms.seats),
        _ => count_rankings(rule, counting, ballots.voter_weight(), terms)?,
    };
    Ok(RuleOutcome { count, committees: None })
}

/// Counts ranked ballots under a rule for one winner. `voters` is the weight of all who could have voted. Without ballots, or without
/// alternatives, nobody wins.
///
/// # Errors
/// [`UncountedReason::NoCount`] of other rules; [`UncountedReason::Refused`] if there is no exact result within the limits.
pub fn count_rankings(
    rule: RuleKind,
    counting: &Counting<'_>,
    voters: u64,
    terms: &CountTerms,
) -> Result<VoteCount, UncountedReason> {
    let preferences = counting.preferences();
    if preferences.weight() == 0 {
        return Ok(VoteCount { winners: Vec::new(), points: None });
    }
    Ok(match rule {
        RuleKind::Plurality => plurality(preferences)?,
        RuleKind::Majority => absolute_majority(preferences, voters)?,
        RuleKind::Supermajority => supermajority(preferences, terms.threshold, voters)?,
        RuleKind::Unanimity => unanimity(preferences, voters)?,
        RuleKind::Borda => borda(preferences),
        RuleKind::Copeland => copeland(counting.pairwise()?),
        RuleKind::Minimax => minimax(counting.pairwise()?, terms.strength),
        RuleKind::Schulze => schulze(counting.pairwise()?, terms.strength),
        RuleKind::RankedPairs => ranked_pairs(counting.pairwise()?, terms.strength)?,
        RuleKind::KemenyYoung => kemeny(counting.pairwise()?)?.count,
        RuleKind::InstantRunoff => instant_runoff(preferences, terms.runoff_ties)?,
        RuleKind::TwoRound => two_round(preferences, counting.pairwise()?)?,
        RuleKind::RandomBallot => random_ballot(preferences)?,
        RuleKind::AmendmentAgenda if terms.agenda.is_empty() => {
            amendment_agenda(counting.pairwise()?, 0..preferences.alternative_count())
        }
        RuleKind::AmendmentAgenda => amendment_agenda(counting.pairwise()?, terms.agenda.iter().copied()),
        RuleKind::Approval
        | RuleKind::Score
        | RuleKind::Stv
        | RuleKind::Imposed
        | RuleKind::Mean
        | RuleKind::Median => return Err(UncountedReason::NoCount),
    })
}

fn count_approvals(ballots: &Ballots) -> VoteCount {
    let of = ballots.bundles().iter().filter_map(|bundle| match &bundle.ballot {
        TallyBallot::Approval(approved) => Some((approved.as_slice(), bundle.weight * bundle.count)),
        _ => None,
    });
    approval(ballots.alternative_count(), of)
}

fn count_scores(ballots: &Ballots) -> VoteCount {
    let of = ballots.bundles().iter().filter_map(|bundle| match &bundle.ballot {
        TallyBallot::Score(scores) => Some((scores.as_slice(), bundle.weight * bundle.count)),
        _ => None,
    });
    score(ballots.alternative_count(), of)
}

/// The committees that may be elected; none if nobody voted.
fn elect_committees(preferences: &Preferences, seats: usize) -> Result<RuleOutcome, UncountedReason> {
    let committees = match preferences.weight() {
        0 => BTreeSet::new(),
        _ => single_transferable_vote(preferences, seats)?.elected,
    };
    let somewhere: BTreeSet<usize> = committees.iter().flatten().copied().collect();
    let count = VoteCount { winners: somewhere.into_iter().collect(), points: None };
    Ok(RuleOutcome { count, committees: Some(committees) })
}
