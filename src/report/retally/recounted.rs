//! Counts an election under every rule.

use super::hangs::margin;
use super::{BestOrders, FewestShown, Recounted, RuleCount, SessionElection, SharesShown};
use crate::choice::ranked::{Counting, Pairwise, kemeny};
use crate::choice::stakes::{FewestBallots, Shares, Stakes, bootstrap_ballots, find_stakes, resampling_draws};
use crate::choice::{Ballots, CountTerms, RuleOutcome, TallyForm, UncountedReason, recount_ballots};
use crate::domain::RuleKind;

/// The maximum number of ballots drawn for one election.
const DRAWS_MAX: u64 = 100_000_000;
/// The maximum number of ballot positions counted again; counting this many takes about ten seconds.
const PLACES_MAX: u64 = 20_000_000;

/// The extent of the computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Only winners and points.
    Winners,
    /// Also the robustness of the result, by search and by bootstrap.
    Whole {
        /// The number of bootstrap resamples.
        resamples: u32,
        /// The seed of the resamples.
        seed: u64,
        /// The maximum number of changed profiles that the search examines.
        profiles_max: u64,
    },
}

/// An election to count.
#[derive(Clone)]
pub struct Question {
    /// The file, or the session's folder.
    pub path: String,
    /// The title in the file.
    pub title: String,
    /// The election within its session; `None` for files.
    pub held: Option<SessionElection>,
    /// The alternatives.
    pub names: Vec<String>,
    /// The ballots.
    pub ballots: Ballots,
    /// The seat of each bundle of ballots; `None` for files.
    pub voters: Option<Vec<String>>,
    /// The settings of the count.
    pub terms: CountTerms,
    /// What is decided where nobody wins; `None` if nothing is.
    pub otherwise: Option<String>,
}

impl Question {
    /// Counts the election under the rules.
    pub fn counted(&self, rules: &[RuleKind], depth: Depth) -> Recounted {
        let ballots = &self.ballots;
        let counts = recount_ballots(ballots, rules, &self.terms);
        let (mut hangs, mut shares) = (vec![None; rules.len()], vec![None; rules.len()]);
        if let Depth::Whole { resamples, seed, profiles_max } = depth {
            hangs = find_stakes(ballots, rules, &self.terms, profiles_max);
            let times = |of: u64| u64::from(resamples).saturating_mul(of);
            let places = ballots.bundles().len() as u64 * ballots.alternative_count() as u64;
            if resamples > 0 && times(ballots.ballot_count()) <= DRAWS_MAX && times(places) <= PLACES_MAX {
                shares = bootstrap_ballots(
                    ballots,
                    rules,
                    &self.terms,
                    (resamples, &mut resampling_draws(seed, &self.coordinate())),
                );
            }
        }
        let of_rule = rules.iter().zip(counts).zip(hangs.into_iter().zip(shares));
        let of_rule =
            of_rule.map(|((rule, count), (hangs, shares))| self.rule_count(*rule, count, hangs, shares)).collect();
        let pairwise = self.pairwise();
        let name = |place: usize| self.names[place].clone();
        let smith_set = pairwise.as_ref().map(|pairwise| pairwise.smith_set().into_iter().map(name).collect());
        Recounted {
            path: self.path.clone(),
            title: self.title.clone(),
            held: self.held.clone(),
            form: ballots.form().as_str(),
            score_max: match ballots.form() {
                TallyForm::Score(most) => Some(most),
                TallyForm::Choice | TallyForm::Approval | TallyForm::Ranking => None,
            },
            alternatives: self.names.clone(),
            strength: self.terms.strength.as_str(),
            threshold: format!("{}/{}", self.terms.threshold.0, self.terms.threshold.1),
            ballots: ballots.ballot_count(),
            weight: ballots.weight(),
            absent: ballots.absent_weight(),
            condorcet_winner: pairwise.as_ref().and_then(|pairwise| pairwise.condorcet_winner().map(name)),
            smith_set: smith_set.unwrap_or_default(),
            kemeny: pairwise.as_ref().filter(|_| rules.contains(&RuleKind::KemenyYoung)).and_then(|pairwise| {
                let best = kemeny(pairwise).ok()?;
                let order = best.order.into_iter().map(name).collect();
                Some(BestOrders { orders: best.orders, agreement: best.agreement, order })
            }),
            above: pairwise.map(|pairwise| {
                let all = || 0..pairwise.alternative_count();
                all().map(|one| all().map(|other| pairwise.weight_above(one, other)).collect()).collect()
            }),
            rules: of_rule,
        }
    }

    /// The pairwise preferences; `None` if ballots give no order.
    fn pairwise(&self) -> Option<Pairwise> {
        let gives_orders =
            matches!(self.ballots.form(), TallyForm::Ranking | TallyForm::Score(_)) && self.ballots.ballot_count() > 0;
        let preferences = gives_orders.then(|| self.ballots.to_preferences())?;
        Counting::new(&preferences).pairwise().ok().cloned()
    }

    /// The coordinate of its random draws. It does not depend on paths, so a moved folder gives the same draws.
    fn coordinate(&self) -> Vec<&str> {
        match &self.held {
            None => Vec::new(),
            Some(held) => vec![&held.session, held.purpose, &held.phase],
        }
    }

    fn rule_count(
        &self,
        rule: RuleKind,
        count: Result<RuleOutcome, UncountedReason>,
        hangs: Option<Stakes>,
        shares: Option<Shares>,
    ) -> RuleCount {
        let names = |places: &[usize]| places.iter().map(|place| self.names[*place].clone()).collect::<Vec<_>>();
        let refused = count.as_ref().err().map(UncountedReason::to_string);
        let outcome = count.ok();
        let points = outcome.as_ref().and_then(|outcome| outcome.count.points.clone());
        let pivotal = hangs.as_ref().and_then(|hangs| hangs.pivotal.as_ref());
        let bundles = || self.ballots.bundles().iter().enumerate();
        let won = outcome.as_ref().map_or_else(Vec::new, |outcome| names(&outcome.count.winners));
        let has_nobody = outcome.as_ref().is_some_and(|outcome| outcome.committees.is_none()) && won.is_empty();
        let default = self.otherwise.as_ref().filter(|_| has_nobody);
        RuleCount {
            rule: rule.as_str(),
            by_default: default.is_some(),
            winners: won.into_iter().chain(default.cloned()).collect(),
            refused,
            committees: outcome
                .as_ref()
                .and_then(|outcome| outcome.committees.as_ref())
                .map(|sets| sets.iter().map(|set| names(set)).collect()),
            margin: margin(rule.as_str(), points.as_ref()),
            points_unit: points.as_ref().map(|points| points.unit),
            points: points.map(|points| points.of),
            fewest: hangs.as_ref().map(|hangs| match hangs.fewest {
                FewestBallots::Exactly(ballots) => FewestShown::Exactly(ballots),
                FewestBallots::MoreThan(ballots) => FewestShown::MoreThan(ballots),
                FewestBallots::Never => FewestShown::Never,
            }),
            pivotal_ballots: pivotal
                .map(|pivotal| bundles().filter(|(at, _)| pivotal[*at]).map(|(_, bundle)| bundle.count).sum()),
            pivotal_seats: pivotal.zip(self.voters.as_ref()).map(|(pivotal, voters)| {
                let those = voters.iter().zip(pivotal).filter(|(_, is_pivotal)| **is_pivotal);
                those.map(|(voter, _)| voter.clone()).collect()
            }),
            bootstrap: shares.map(|shares| SharesShown {
                alone: shares.alone,
                tied: shares.tied,
                nobody: shares.nobody,
            }),
        }
    }
}
