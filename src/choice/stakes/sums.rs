//! Rules that sum points: which ballots, and how few of them, change the result, in closed form.

use crate::choice::ranked::{Ranking, borda_halves, first_places};
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
    /// Every sum from this one on wins.
    AtLeast(i128),
}

impl<'b> RuleSums<'b> {
    /// The sums by which a rule counts these ballots; `None` if it does not count by sums.
    pub fn for_rule(rule: RuleKind, ballots: &'b Ballots, terms: &CountTerms) -> Option<Self> {
        let (given, full, wins) = match rule {
            RuleKind::Plurality => {
                let (given, full, _) = first_place_points(ballots)?;
                (given, full, Wins::Most)
            }
            RuleKind::Majority => share_points(ballots, |base| base / 2 + 1)?,
            RuleKind::Supermajority => {
                let (share, whole) = terms.threshold;
                share_points(ballots, |base| (base * u128::from(share)).div_ceil(u128::from(whole)).max(1))?
            }
            RuleKind::Unanimity => share_points(ballots, |base| base.max(1))?,
            RuleKind::Approval | RuleKind::Score => (mark_points(ballots), marks_full(ballots.form()), Wins::Most),
            RuleKind::Borda => {
                let given = ballot_rankings(ballots).iter().map(borda_halves).collect();
                (given, places_full(ballots), Wins::Most)
            }
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
        let Bundle { weight, count, .. } = &self.bundles[bundle];
        let changes =
            |way: ResultChange| way.lacks <= 0 || self.ballot_gain(&way, bundle) * i128::from(*weight) >= way.lacks;
        *count > 0 && *weight > 0 && self.result_changes().into_iter().any(changes)
    }

    /// The fewest ballots that change the result; `None` if none do.
    pub fn fewest_ballots(&self) -> Option<u64> {
        self.result_changes().iter().filter_map(|way| self.fewest_by(way)).min()
    }

    /// The ways in which the result can change.
    fn result_changes(&self) -> Vec<ResultChange> {
        let all = 0..self.totals.len();
        match self.wins {
            _ if self.full == 0 => Vec::new(),
            Wins::AtLeast(least) => all
                .map(|one| match least - self.totals[one] {
                    missing @ 1.. => ResultChange { up: Some(one), down: None, lacks: missing },
                    missing => ResultChange { up: None, down: Some(one), lacks: 1 - missing },
                })
                .collect(),
            Wins::Most => match sum_leaders(&self.totals)[..] {
                [leader] => all
                    .filter(|one| *one != leader)
                    .map(|one| {
                        let lacks = self.totals[leader] - self.totals[one];
                        ResultChange { up: Some(one), down: Some(leader), lacks }
                    })
                    .collect(),
                // At a tie any ballot makes a difference.
                _ => vec![ResultChange { up: None, down: None, lacks: 0 }],
            },
        }
    }

    /// The gain from one changed ballot of a bundle, before its weight.
    fn ballot_gain(&self, way: &ResultChange, bundle: usize) -> i128 {
        let given = |one: Option<usize>| one.map_or(0, |one| self.given[bundle][one]);
        match (way.up, way.down) {
            (None, Some(_)) => given(way.down),
            _ => self.full - given(way.up) + given(way.down),
        }
    }

    /// The fewest ballots for one way.
    fn fewest_by(&self, way: &ResultChange) -> Option<u64> {
        let counting = (0..self.bundles.len()).filter(|at| self.bundles[*at].count > 0 && self.bundles[*at].weight > 0);
        let gains: Vec<(i128, u64)> = counting
            .map(|at| (self.ballot_gain(way, at) * i128::from(self.bundles[at].weight), self.bundles[at].count))
            .collect();
        match way.lacks <= 0 {
            // Any ballot will do, but one has to change.
            true => (!gains.is_empty()).then_some(1),
            false => count_needed_ballots(way.lacks, gains),
        }
    }
}

/// The fewest ballots whose gains add up to what lacks, which is more than 0: those with the greatest gains. `gains` has the gain of a
/// ballot and the number of such ballots. `None` if all of them do not suffice.
pub(super) fn count_needed_ballots(mut lacks: i128, mut gains: Vec<(i128, u64)>) -> Option<u64> {
    gains.retain(|(gain, _)| *gain > 0);
    gains.sort_unstable_by(|one, other| other.cmp(one));
    let mut ballots = 0;
    for (gain, count) in gains {
        let needed = u64::try_from((lacks + gain - 1) / gain).unwrap_or(u64::MAX);
        if needed <= count {
            return Some(ballots + needed);
        }
        lacks -= gain * i128::from(count);
        ballots += count;
    }
    None
}

/// The sum of `up` minus that of `down` has to grow by `lacks`.
struct ResultChange {
    up: Option<usize>,
    down: Option<usize>,
    lacks: i128,
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

/// First places, with the sum that wins; `least_sum` finds it from the base. Both are in parts of a ballot.
fn share_points(ballots: &Ballots, least_sum: impl Fn(u128) -> u128) -> Option<(Vec<Vec<i128>>, i128, Wins)> {
    let (given, full, unit) = first_place_points(ballots)?;
    Some((given, full, Wins::AtLeast(least_sum(u128::from(ballots.voter_weight()) * unit.unsigned_abs()) as i128)))
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

fn ballot_rankings(ballots: &Ballots) -> Vec<Ranking> {
    ballots.bundles().iter().map(|bundle| ballots.ballot_to_ranking(&bundle.ballot)).collect()
}
