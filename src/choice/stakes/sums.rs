//! Rules that sum what ballots give: which ballots, and how few of them, change the result, in closed form.

use crate::choice::ranked::{Ranking, Whole, first_places};
use crate::choice::recount::Terms;
use crate::choice::{Ballot, Ballots, Bundle, Form};
use crate::domain::RuleKind;

/// What each bundle's ballot gives each alternative, and what a rule makes of the sums.
pub(super) struct Sums<'b> {
    bundles: &'b [Bundle],
    /// By bundle and alternative.
    given: Vec<Vec<i128>>,
    /// By how much a ballot can put one alternative above another.
    full: i128,
    /// The sums, by alternative.
    totals: Vec<i128>,
    wins: Wins,
}

/// Who wins by sums.
enum Wins {
    /// Those with most.
    Most,
    /// Those with a share of the whole: more than it, or at least it.
    Share { whole: u128, share: (u32, u32), exceeds: Exceeds },
}

#[derive(PartialEq)]
enum Exceeds {
    Must,
    NeedNot,
}

impl<'b> Sums<'b> {
    /// The sums by which a rule counts these ballots; `None` where it does not count by sums.
    pub fn of(rule: RuleKind, ballots: &'b Ballots, terms: &Terms) -> Option<Self> {
        let (given, full, wins) = match rule {
            RuleKind::Plurality => {
                let (given, full, _) = firsts(ballots)?;
                (given, full, Wins::Most)
            }
            RuleKind::Majority => shares(ballots, (1, 2), Exceeds::Must)?,
            RuleKind::Supermajority => shares(ballots, terms.threshold, Exceeds::NeedNot)?,
            RuleKind::Unanimity => shares(ballots, (1, 1), Exceeds::NeedNot)?,
            RuleKind::Approval | RuleKind::Score => (marks(ballots), marks_full(ballots.form()), Wins::Most),
            RuleKind::Borda => (places(ballots), places_full(ballots), Wins::Most),
            _ => return None,
        };
        let mut totals = vec![0; ballots.alternatives()];
        for (bundle, given) in ballots.bundles().iter().zip(&given) {
            let weight = i128::from(bundle.weight * bundle.count);
            totals.iter_mut().zip(given).for_each(|(total, given)| *total += weight * given);
        }
        let full = if ballots.alternatives() < 2 { 0 } else { full };
        Some(Self { bundles: ballots.bundles(), given, full, totals, wins })
    }

    /// Whether a change of one ballot of this bundle can change the result.
    pub fn is_pivotal(&self, bundle: usize) -> bool {
        let changed = |gain: i128, lacks: i128| gain * i128::from(self.bundles[bundle].weight) >= lacks;
        let counts = self.bundles[bundle].count > 0 && self.bundles[bundle].weight > 0;
        counts && self.ways().any(|way| way.lacks <= 0 || changed(self.gain(&way, bundle), way.lacks))
    }

    /// How few ballots change the result; `None` where none do.
    pub fn fewest(&self) -> Option<u64> {
        self.ways().filter_map(|way| self.fewest_by(&way)).min()
    }

    /// Ways in which the result can change: each is a sum that has to grow by what it lacks.
    fn ways(&self) -> impl Iterator<Item = Way> + '_ {
        let all = 0..self.totals.len();
        let ways: Vec<Way> = match &self.wins {
            _ if self.full == 0 => Vec::new(),
            Wins::Share { .. } => all
                .flat_map(|one| {
                    let is_in = self.passes(self.totals[one]);
                    let (up, down) = (Way::up(one, self.lack(one)), Way::down(one, self.excess(one)));
                    [(!is_in).then_some(up), is_in.then_some(down)].into_iter().flatten()
                })
                .collect(),
            Wins::Most => match leaders(&self.totals)[..] {
                [leader] => all
                    .filter(|one| *one != leader)
                    .map(|one| Way::over(one, leader, self.totals[leader] - self.totals[one]))
                    .collect(),
                // Among tied ones any ballot makes a difference.
                _ => vec![Way { up: None, down: None, lacks: 0 }],
            },
        };
        ways.into_iter()
    }

    /// What one changed ballot of a bundle adds, before its weight.
    fn gain(&self, way: &Way, bundle: usize) -> i128 {
        let given = |one: Option<usize>| one.map_or(0, |one| self.given[bundle][one]);
        match (way.up, way.down) {
            (None, Some(_)) => given(way.down),
            _ => self.full - given(way.up) + given(way.down),
        }
    }

    /// The fewest ballots by which a sum grows enough: those that add most.
    fn fewest_by(&self, way: &Way) -> Option<u64> {
        let with = |bundle: &Bundle| bundle.count > 0 && bundle.weight > 0;
        let mut gains: Vec<(i128, u64)> = (0..self.bundles.len())
            .filter(|at| with(&self.bundles[*at]))
            .map(|at| (self.gain(way, at) * i128::from(self.bundles[at].weight), self.bundles[at].count))
            .collect();
        gains.sort_unstable_by(|one, other| other.cmp(one));
        // One ballot has to change, whatever is lacking.
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

    /// Whether a sum is enough for a share.
    fn passes(&self, sum: i128) -> bool {
        let Wins::Share { whole, share, exceeds } = &self.wins else { return false };
        let (part, needed) = (sum.unsigned_abs() * u128::from(share.1), whole * u128::from(share.0));
        sum > 0 && if *exceeds == Exceeds::Must { part > needed } else { part >= needed }
    }

    /// The least sum that is enough.
    fn least(&self) -> i128 {
        let Wins::Share { whole, share, exceeds } = &self.wins else { return 0 };
        let needed = whole * u128::from(share.0);
        let least = match exceeds {
            Exceeds::Must => needed / u128::from(share.1) + 1,
            Exceeds::NeedNot => needed.div_ceil(u128::from(share.1)).max(1),
        };
        least as i128
    }

    fn lack(&self, one: usize) -> i128 {
        self.least() - self.totals[one]
    }

    fn excess(&self, one: usize) -> i128 {
        self.totals[one] - self.least() + 1
    }
}

/// What has to grow, and by how much: what one alternative has, less what another has.
struct Way {
    up: Option<usize>,
    down: Option<usize>,
    lacks: i128,
}

impl Way {
    fn up(one: usize, lacks: i128) -> Self {
        Self { up: Some(one), down: None, lacks }
    }

    fn down(one: usize, lacks: i128) -> Self {
        Self { up: None, down: Some(one), lacks }
    }

    fn over(one: usize, leader: usize, lacks: i128) -> Self {
        Self { up: Some(one), down: Some(leader), lacks }
    }
}

/// Those with the greatest sum.
fn leaders(totals: &[i128]) -> Vec<usize> {
    let most = totals.iter().max();
    (0..totals.len()).filter(|one| Some(&totals[*one]) == most).collect()
}

/// First places in parts of a ballot, by how much a ballot can put one above another, and how many parts it has.
fn firsts(ballots: &Ballots) -> Option<(Vec<Vec<i128>>, i128, i128)> {
    let preferences = ballots.preferences();
    let all = preferences.all();
    let unit = first_places(&preferences, &all).ok()?.unit as i128;
    let mut top = Vec::new();
    let given = orders(ballots).into_iter().map(|order| {
        order.best_of(&all, &mut top);
        let mut given = vec![0; all.len()];
        top.iter().for_each(|one| given[*one] = unit / top.len() as i128);
        given
    });
    let full = if ballots.form() == Form::Score(0) { 0 } else { unit };
    Some((given.collect(), full, unit))
}

fn shares(ballots: &Ballots, share: (u32, u32), exceeds: Exceeds) -> Option<(Vec<Vec<i128>>, i128, Wins)> {
    let Whole::Of(whole) = ballots.whole() else { return None };
    let (given, full, unit) = firsts(ballots)?;
    Some((given, full, Wins::Share { whole: u128::from(whole) * unit.unsigned_abs(), share, exceeds }))
}

/// Approvals and scores.
fn marks(ballots: &Ballots) -> Vec<Vec<i128>> {
    let given = |bundle: &Bundle| match &bundle.ballot {
        Ballot::Approval(approved) => approved.iter().map(|is_approved| i128::from(*is_approved)).collect(),
        Ballot::Score(scores) => scores.iter().map(|score| i128::from(*score)).collect(),
        Ballot::Choice(_) | Ballot::Ranking(_) => vec![0; ballots.alternatives()],
    };
    ballots.bundles().iter().map(given).collect()
}

fn marks_full(form: Form) -> i128 {
    match form {
        Form::Score(most) => i128::from(most),
        Form::Approval | Form::Choice | Form::Ranking => 1,
    }
}

/// Borda's points in halves.
fn places(ballots: &Ballots) -> Vec<Vec<i128>> {
    let all = 0..ballots.alternatives();
    let given = |order: Ranking| {
        let points = |one: usize| {
            let others = all.clone().filter(|other| *other != one);
            others.map(|other| if order.prefers(one, other) { 2 } else { i128::from(!order.prefers(other, one)) }).sum()
        };
        all.clone().map(points).collect()
    };
    orders(ballots).into_iter().map(given).collect()
}

/// The best place less the worst: of scores with two values alone, whoever is above is above as many as are not tied with it.
fn places_full(ballots: &Ballots) -> i128 {
    let alternatives = ballots.alternatives() as i128;
    match ballots.form() {
        Form::Score(0) => 0,
        Form::Score(1) => alternatives,
        Form::Score(_) | Form::Choice | Form::Approval | Form::Ranking => 2 * (alternatives - 1).max(0),
    }
}

/// Each bundle's ballot as an order.
pub(super) fn orders(ballots: &Ballots) -> Vec<Ranking> {
    ballots.bundles().iter().map(|bundle| ballots.order(&bundle.ballot)).collect()
}
