//! Rules that sum points: which ballots, and how few of them, change the result, in closed form.

use crate::choice::ranked::{Ranking, Whole, first_places};
use crate::choice::recount::CountTerms;
use crate::choice::{Ballots, Bundle, TallyBallot, TallyForm};
use crate::domain::RuleKind;

/// The points that each bundle's ballot gives each alternative, and how a rule decides by their sums.
pub(super) struct RuleSums<'b> {
    bundles: &'b [Bundle],
    /// By bundle and alternative.
    given: Vec<Vec<i128>>,
    /// The greatest lead that a ballot can give one alternative over another.
    full: i128,
    /// The sums, by alternative.
    totals: Vec<i128>,
    wins: Wins,
}

/// How sums decide.
enum Wins {
    /// The greatest sum wins.
    Most,
    /// A share of the base wins: more than it, or at least it.
    Share { whole: u128, share: (u32, u32), exceeds: ShareBound },
}

#[derive(PartialEq)]
enum ShareBound {
    Must,
    NeedNot,
}

impl<'b> RuleSums<'b> {
    /// The sums by which a rule counts these ballots; `None` if it does not count by sums.
    pub fn for_rule(rule: RuleKind, ballots: &'b Ballots, terms: &CountTerms) -> Option<Self> {
        let (given, full, wins) = match rule {
            RuleKind::Plurality => {
                let (given, full, _) = first_place_points(ballots)?;
                (given, full, Wins::Most)
            }
            RuleKind::Majority => share_points(ballots, (1, 2), ShareBound::Must)?,
            RuleKind::Supermajority => share_points(ballots, terms.threshold, ShareBound::NeedNot)?,
            RuleKind::Unanimity => share_points(ballots, (1, 1), ShareBound::NeedNot)?,
            RuleKind::Approval | RuleKind::Score => (mark_points(ballots), marks_full(ballots.form()), Wins::Most),
            RuleKind::Borda => (borda_points(ballots), places_full(ballots), Wins::Most),
            _ => return None,
        };
        let mut totals = vec![0; ballots.alternative_count()];
        for (bundle, given) in ballots.bundles().iter().zip(&given) {
            let weight = i128::from(bundle.weight * bundle.count);
            totals.iter_mut().zip(given).for_each(|(total, given)| *total += weight * given);
        }
        let full = if ballots.alternative_count() < 2 { 0 } else { full };
        Some(Self { bundles: ballots.bundles(), given, full, totals, wins })
    }

    /// Whether a change of one ballot of this bundle can change the result.
    pub fn is_pivotal(&self, bundle: usize) -> bool {
        let changed = |gain: i128, lacks: i128| gain * i128::from(self.bundles[bundle].weight) >= lacks;
        let counts = self.bundles[bundle].count > 0 && self.bundles[bundle].weight > 0;
        counts && self.result_changes().any(|way| way.lacks <= 0 || changed(self.ballot_gain(&way, bundle), way.lacks))
    }

    /// The fewest ballots that change the result; `None` if none do.
    pub fn fewest_ballots(&self) -> Option<u64> {
        self.result_changes().filter_map(|way| self.fewest_by(&way)).min()
    }

    /// The ways in which the result can change.
    fn result_changes(&self) -> impl Iterator<Item = ResultChange> + '_ {
        let all = 0..self.totals.len();
        let ways: Vec<ResultChange> = match &self.wins {
            _ if self.full == 0 => Vec::new(),
            Wins::Share { .. } => all
                .flat_map(|one| {
                    let is_in = self.reaches_share(self.totals[one]);
                    let (up, down) = (
                        ResultChange::for_rise(one, self.missing_sum(one)),
                        ResultChange::for_fall(one, self.excess_sum(one)),
                    );
                    [(!is_in).then_some(up), is_in.then_some(down)].into_iter().flatten()
                })
                .collect(),
            Wins::Most => match sum_leaders(&self.totals)[..] {
                [leader] => all
                    .filter(|one| *one != leader)
                    .map(|one| ResultChange::for_overtaking(one, leader, self.totals[leader] - self.totals[one]))
                    .collect(),
                // At a tie any ballot makes a difference.
                _ => vec![ResultChange { up: None, down: None, lacks: 0 }],
            },
        };
        ways.into_iter()
    }

    /// The gain from one changed ballot of a bundle, before its weight.
    fn ballot_gain(&self, way: &ResultChange, bundle: usize) -> i128 {
        let given = |one: Option<usize>| one.map_or(0, |one| self.given[bundle][one]);
        match (way.up, way.down) {
            (None, Some(_)) => given(way.down),
            _ => self.full - given(way.up) + given(way.down),
        }
    }

    /// The fewest ballots for one way: those with the greatest gains.
    fn fewest_by(&self, way: &ResultChange) -> Option<u64> {
        let with = |bundle: &Bundle| bundle.count > 0 && bundle.weight > 0;
        let mut gains: Vec<(i128, u64)> = (0..self.bundles.len())
            .filter(|at| with(&self.bundles[*at]))
            .map(|at| (self.ballot_gain(way, at) * i128::from(self.bundles[at].weight), self.bundles[at].count))
            .collect();
        gains.sort_unstable_by(|one, other| other.cmp(one));
        // At least one ballot has to change.
        let (mut lacks, mut ballots) = (way.lacks.max(1), 0);
        for (gain, count) in gains {
            if way.lacks <= 0 {
                return Some(1);
            }
            if gain <= 0 {
                break;
            }
            let needed = u64::try_from((lacks + gain - 1) / gain).unwrap_or(u64::MAX);
            if needed <= count {
                return Some(ballots + needed);
            }
            lacks -= gain * i128::from(count);
            ballots += count;
        }
        None
    }

    /// Whether a sum reaches the share.
    fn reaches_share(&self, sum: i128) -> bool {
        let Wins::Share { whole, share, exceeds } = &self.wins else { return false };
        let (part, needed) = (sum.unsigned_abs() * u128::from(share.1), whole * u128::from(share.0));
        sum > 0 && if *exceeds == ShareBound::Must { part > needed } else { part >= needed }
    }

    /// The least sum that reaches the share.
    fn least_sum(&self) -> i128 {
        let Wins::Share { whole, share, exceeds } = &self.wins else { return 0 };
        let needed = whole * u128::from(share.0);
        let least = match exceeds {
            ShareBound::Must => needed / u128::from(share.1) + 1,
            ShareBound::NeedNot => needed.div_ceil(u128::from(share.1)).max(1),
        };
        least as i128
    }

    fn missing_sum(&self, one: usize) -> i128 {
        self.least_sum() - self.totals[one]
    }

    fn excess_sum(&self, one: usize) -> i128 {
        self.totals[one] - self.least_sum() + 1
    }
}

/// The sum of `up` minus that of `down` has to grow by `lacks`.
struct ResultChange {
    up: Option<usize>,
    down: Option<usize>,
    lacks: i128,
}

impl ResultChange {
    fn for_rise(one: usize, lacks: i128) -> Self {
        Self { up: Some(one), down: None, lacks }
    }

    fn for_fall(one: usize, lacks: i128) -> Self {
        Self { up: None, down: Some(one), lacks }
    }

    fn for_overtaking(one: usize, leader: usize, lacks: i128) -> Self {
        Self { up: Some(one), down: Some(leader), lacks }
    }
}

fn sum_leaders(totals: &[i128]) -> Vec<usize> {
    let most = totals.iter().max();
    (0..totals.len()).filter(|one| Some(&totals[*one]) == most).collect()
}

/// First places in parts of a ballot, the greatest lead that a ballot can give, and the parts per ballot.
fn first_place_points(ballots: &Ballots) -> Option<(Vec<Vec<i128>>, i128, i128)> {
    let preferences = ballots.to_preferences();
    let all = preferences.all_alternatives();
    let unit = first_places(&preferences, &all).ok()?.unit as i128;
    let mut top = Vec::new();
    let given = ballot_rankings(ballots).into_iter().map(|order| {
        order.best_of(&all, &mut top);
        let mut given = vec![0; all.len()];
        top.iter().for_each(|one| given[*one] = unit / top.len() as i128);
        given
    });
    let full = if ballots.form() == TallyForm::Score(0) { 0 } else { unit };
    Some((given.collect(), full, unit))
}

fn share_points(ballots: &Ballots, share: (u32, u32), exceeds: ShareBound) -> Option<(Vec<Vec<i128>>, i128, Wins)> {
    let Whole::Of(whole) = ballots.whole() else { return None };
    let (given, full, unit) = first_place_points(ballots)?;
    Some((given, full, Wins::Share { whole: u128::from(whole) * unit.unsigned_abs(), share, exceeds }))
}

/// Approvals or scores.
fn mark_points(ballots: &Ballots) -> Vec<Vec<i128>> {
    let given = |bundle: &Bundle| match &bundle.ballot {
        TallyBallot::Approval(approved) => approved.iter().map(|is_approved| i128::from(*is_approved)).collect(),
        TallyBallot::Score(scores) => scores.iter().map(|score| i128::from(*score)).collect(),
        TallyBallot::Choice(_) | TallyBallot::Ranking(_) => vec![0; ballots.alternative_count()],
    };
    ballots.bundles().iter().map(given).collect()
}

fn marks_full(form: TallyForm) -> i128 {
    match form {
        TallyForm::Score(most) => i128::from(most),
        TallyForm::Approval | TallyForm::Choice | TallyForm::Ranking => 1,
    }
}

/// Borda's points in halves.
fn borda_points(ballots: &Ballots) -> Vec<Vec<i128>> {
    let all = 0..ballots.alternative_count();
    let given = |order: Ranking| {
        let points = |one: usize| {
            let others = all.clone().filter(|other| *other != one);
            others.map(|other| if order.prefers(one, other) { 2 } else { i128::from(!order.prefers(other, one)) }).sum()
        };
        all.clone().map(points).collect()
    };
    ballot_rankings(ballots).into_iter().map(given).collect()
}

/// The points of the best place minus those of the worst. With two score values, the upper ones always lead the lower ones by the
/// number of alternatives.
fn places_full(ballots: &Ballots) -> i128 {
    let alternatives = ballots.alternative_count() as i128;
    match ballots.form() {
        TallyForm::Score(0) => 0,
        TallyForm::Score(1) => alternatives,
        TallyForm::Score(_) | TallyForm::Choice | TallyForm::Approval | TallyForm::Ranking => {
            2 * (alternatives - 1).max(0)
        }
    }
}

pub(super) fn ballot_rankings(ballots: &Ballots) -> Vec<Ranking> {
    ballots.bundles().iter().map(|bundle| ballots.ballot_to_ranking(&bundle.ballot)).collect()
}
