//! Tries changed ballots one after another, for rules that do not count by sums.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{FewestBallots, Stakes};
use super::sums::count_needed_ballots;
use crate::choice::ranked::{Pairwise, Ranking};
use crate::choice::recount::{CountTerms, recount_ballots};
use crate::choice::{Ballots, Bundle, TallyBallot, TallyForm};
use crate::domain::RuleKind;

/// The most orders tried in place of a ballot: those of seven alternatives.
const ORDERS_MAX: usize = 5_040;

/// A result under one rule.
type Decision = BTreeSet<Vec<usize>>;

/// Equal ballots as an order, with the weight of each and their number.
type Orders = Vec<(Ranking, u64, u64)>;

/// A rule under search.
struct SearchedRule {
    place: usize,
    rule: RuleKind,
    decision: Decision,
    /// Fewer ballots than this cannot change the result.
    least: u64,
    fewest: Option<u64>,
    pivotal: Option<Vec<bool>>,
}

/// The stakes of rules, with their places.
pub(super) fn search_stakes(
    ballots: &Ballots,
    rules: Vec<(usize, RuleKind, Decision)>,
    terms: &CountTerms,
    profiles_max: u64,
) -> Vec<(usize, Stakes)> {
    let (orders, at) = merge_bundles(ballots);
    let pairwise = Pairwise::from_preferences(&ballots.to_preferences());
    let seen = |(place, rule, decision)| {
        let least = if follows_condorcet(rule) { least_to_topple(&pairwise, &orders) } else { 1 };
        SearchedRule { place, rule, decision, least, fewest: None, pivotal: None }
    };
    let mut rules: Vec<SearchedRule> = rules.into_iter().map(seen).collect();
    let every = orders_of(ballots.form(), ballots.alternative_count());
    let mut looked =
        ProfileSearch { orders: &orders, alternatives: ballots.alternative_count(), terms, left: profiles_max };
    let most = if rules.is_empty() { 0 } else { looked.search_profiles(&mut rules, every.as_deref()) };
    let told = |seen: SearchedRule| {
        let cannot = ballots.alternative_count() < 2 || orders.is_empty();
        let fewest = match seen.fewest {
            Some(fewest) => FewestBallots::Exactly(fewest),
            None if cannot || most >= looked.ballot_count() => FewestBallots::Never,
            None => FewestBallots::MoreThan(most.max(seen.least - 1)),
        };
        // If one ballot is not enough, none is pivotal.
        let none = || vec![false; orders.len()];
        let pivotal = seen.pivotal.or_else(|| (cannot || seen.least > 1).then(none));
        let of = |pivotal: &Vec<bool>| at.iter().map(|place| place.is_some_and(|place| pivotal[place])).collect();
        let pivotal = pivotal.as_ref().map(of);
        (seen.place, Stakes { fewest, pivotal })
    };
    rules.into_iter().map(told).collect()
}

/// Merges equal bundles into orders and drops those without effect; also returns the place of each bundle among the orders.
fn merge_bundles(ballots: &Ballots) -> (Orders, Vec<Option<usize>>) {
    let (mut orders, mut places): (Orders, BTreeMap<(Ranking, u64), usize>) = (Vec::new(), BTreeMap::new());
    let place = |bundle: &Bundle| {
        if bundle.weight == 0 || bundle.count == 0 {
            return None;
        }
        let order = ballots.ballot_to_ranking(&bundle.ballot);
        let place = *places.entry((order.clone(), bundle.weight)).or_insert(orders.len());
        match orders.get_mut(place) {
            Some(known) => known.2 += bundle.count,
            None => orders.push((order, bundle.weight, bundle.count)),
        }
        Some(place)
    };
    let at = ballots.bundles().iter().map(place).collect();
    (orders, at)
}

/// Whether a Condorcet winner wins alone under this rule.
fn follows_condorcet(rule: RuleKind) -> bool {
    matches!(
        rule,
        RuleKind::Copeland
            | RuleKind::Minimax
            | RuleKind::Schulze
            | RuleKind::RankedPairs
            | RuleKind::KemenyYoung
            | RuleKind::AmendmentAgenda
    )
}

/// A lower bound on the ballots that unseat a Condorcet winner; 1 without one.
fn least_to_topple(pairwise: &Pairwise, orders: &Orders) -> u64 {
    let Some(winner) = pairwise.condorcet_winner() else { return 1 };
    let others = (0..pairwise.alternative_count()).filter(|other| *other != winner);
    // How much a ballot reduces the margin if it puts the other above.
    let takes = |other: usize| {
        let take = move |(order, weight, count): &(Ranking, u64, u64)| {
            let now = i128::from(order.prefers(winner, other)) - i128::from(order.prefers(other, winner));
            ((now + 1) * i128::from(*weight), *count)
        };
        orders.iter().map(take).collect()
    };
    others.filter_map(|other| count_needed_ballots(pairwise.margin(winner, other), takes(other))).min().unwrap_or(1)
}

/// The orders that a changed ballot may have: strict and complete ones, or those that scores give. `None` if they are too many to
/// try.
fn orders_of(form: TallyForm, alternatives: usize) -> Option<Vec<Ranking>> {
    let levels = match form {
        TallyForm::Score(most) => alternatives.min(most as usize + 1),
        TallyForm::Ranking => alternatives,
        TallyForm::Choice | TallyForm::Approval => return None,
    };
    let is_strict = form == TallyForm::Ranking;
    let mut grown: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..alternatives {
        let next = grown.iter().flat_map(|levels_of| {
            let free = (0..levels).filter(|level| !is_strict || !levels_of.contains(level));
            free.map(|level| [levels_of.as_slice(), &[level]].concat())
        });
        grown = next.take(ORDERS_MAX * 20).collect();
        if grown.len() == ORDERS_MAX * 20 {
            return None;
        }
    }
    let order = |levels_of: &Vec<usize>| {
        let level = |level: usize| (0..alternatives).filter(|one| levels_of[*one] == level).collect::<Vec<_>>();
        Ranking::of_levels(alternatives, &(0..levels).map(level).collect::<Vec<_>>())
    };
    let orders: BTreeSet<Ranking> = grown.iter().map(order).collect();
    (orders.len() <= ORDERS_MAX).then(|| orders.into_iter().collect())
}

/// The progress of the search.
struct ProfileSearch<'a> {
    orders: &'a Orders,
    alternatives: usize,
    terms: &'a CountTerms,
    /// How many more profiles may be tried.
    left: u64,
}

impl ProfileSearch<'_> {
    /// Tries all profiles with one changed ballot, then two, and so on. Returns the last number that was tried in full.
    fn search_profiles(&mut self, rules: &mut [SearchedRule], every: Option<&[Ranking]>) -> u64 {
        let ballots = self.ballot_count();
        let Some(every) = every.filter(|every| every.len() > 1) else { return 0 };
        for changed in 1..=ballots {
            let open = rules.iter().any(|seen| seen.fewest.is_none());
            if !open || !self.is_affordable(changed, every.len()) {
                return changed - 1;
            }
            if changed == 1 {
                self.change_one_ballot(rules, every);
            } else {
                self.change_ballots(rules, every, changed);
            }
        }
        ballots
    }

    fn ballot_count(&self) -> u64 {
        self.orders.iter().map(|(_, _, count)| count).sum()
    }

    /// Whether all profiles with so many changed ballots can be tried; if so, subtracts them.
    fn is_affordable(&mut self, changed: u64, orders: usize) -> bool {
        let left = self.left;
        // One changed ballot gives this many profiles, and more ballots give no fewer.
        if (self.orders.len() as u64).saturating_mul(orders as u64) > left {
            return false;
        }
        let mut profiles = 0_u64;
        let within = self.take_ballots(changed, &mut |taken| {
            let ways = by_weight(self.orders, taken).into_iter().map(|(_, many)| count_multisets(orders as u64, many));
            profiles = profiles.saturating_add(ways.fold(1, u64::saturating_mul));
            profiles <= left
        });
        self.left -= if within { profiles } else { 0 };
        within
    }

    /// Changes one ballot of each bundle in turn into every order.
    fn change_one_ballot(&self, rules: &mut [SearchedRule], every: &[Ranking]) {
        for seen in rules.iter_mut() {
            seen.pivotal = Some(vec![false; self.orders.len()]);
        }
        for bundle in 0..self.orders.len() {
            let mut profile = self.orders.clone();
            profile[bundle].2 -= 1;
            let weight = profile[bundle].1;
            for order in every {
                profile.push((order.clone(), weight, 1));
                let is_open = |seen: &SearchedRule| !seen.pivotal.as_ref().is_some_and(|pivotal| pivotal[bundle]);
                for place in self.changed_rules(rules, &profile, 1, is_open) {
                    rules[place].fewest = Some(1);
                    if let Some(pivotal) = &mut rules[place].pivotal {
                        pivotal[bundle] = true;
                    }
                }
                profile.pop();
            }
        }
    }

    /// Changes so many ballots in every way.
    fn change_ballots(&self, rules: &mut [SearchedRule], every: &[Ranking], changed: u64) {
        self.take_ballots(changed, &mut |taken| {
            let mut left = self.orders.clone();
            left.iter_mut().zip(taken).for_each(|(bundle, taken)| bundle.2 -= taken);
            fill_profiles(&mut left, &by_weight(self.orders, taken), every, 0, &mut |profile| {
                for place in self.changed_rules(rules, profile, changed, |seen| seen.fewest.is_none()) {
                    rules[place].fewest = Some(changed);
                }
                rules.iter().any(|seen| seen.fewest.is_none())
            })
        });
    }

    /// The rules, by place here, whose decision differs over a profile.
    fn changed_rules(
        &self,
        rules: &[SearchedRule],
        profile: &Orders,
        changed: u64,
        is_open: impl Fn(&SearchedRule) -> bool,
    ) -> Vec<usize> {
        let open: Vec<usize> =
            (0..rules.len()).filter(|place| is_open(&rules[*place]) && rules[*place].least <= changed).collect();
        let kinds: Vec<RuleKind> = open.iter().map(|place| rules[*place].rule).collect();
        if kinds.is_empty() {
            return Vec::new();
        }
        let bundle = |(order, weight, count): &(Ranking, u64, u64)| Bundle {
            ballot: TallyBallot::Ranking(order.clone()),
            weight: *weight,
            count: *count,
        };
        let ballots = Ballots::new(TallyForm::Ranking, self.alternatives, profile.iter().map(bundle).collect(), 0);
        let outcomes = recount_ballots(&ballots, &kinds, self.terms);
        let other = open.into_iter().zip(outcomes).filter(|(place, outcome)| {
            outcome.as_ref().is_ok_and(|outcome| outcome.decision() != rules[*place].decision)
        });
        other.map(|(place, _)| place).collect()
    }

    /// Tries every way of taking so many ballots from the bundles until `go_on` returns false. Returns whether it never did.
    fn take_ballots(&self, ballots: u64, go_on: &mut impl FnMut(&[u64]) -> bool) -> bool {
        fn take_from_bundles(
            bundles: &[(Ranking, u64, u64)],
            ballots: u64,
            taken: &mut Vec<u64>,
            go_on: &mut impl FnMut(&[u64]) -> bool,
        ) -> bool {
            let Some(((_, _, count), rest)) = bundles.split_first() else {
                return ballots > 0 || go_on(taken);
            };
            (0..=ballots.min(*count)).all(|many| {
                taken.push(many);
                let goes_on = take_from_bundles(rest, ballots - many, taken, go_on);
                taken.pop();
                goes_on
            })
        }
        take_from_bundles(self.orders, ballots, &mut Vec::new(), go_on)
    }
}

/// How many of the taken ballots have each weight.
fn by_weight(orders: &Orders, taken: &[u64]) -> Vec<(u64, u64)> {
    let mut sums = BTreeMap::new();
    for ((_, weight, _), many) in orders.iter().zip(taken).filter(|(_, many)| **many > 0) {
        *sums.entry(*weight).or_insert(0) += many;
    }
    sums.into_iter().collect()
}

/// Adds so many ballots of each weight in every way until `go_on` returns false. Returns whether it never did.
fn fill_profiles(
    profile: &mut Orders,
    lacks: &[(u64, u64)],
    every: &[Ranking],
    from: usize,
    go_on: &mut impl FnMut(&Orders) -> bool,
) -> bool {
    let Some(((weight, many), rest)) = lacks.split_first() else { return go_on(profile) };
    if *many == 0 {
        return fill_profiles(profile, rest, every, 0, go_on);
    }
    let Some(order) = every.get(from) else { return true };
    // `here` ballots get this order, the others later ones.
    (0..=*many).all(|here| {
        profile.push((order.clone(), *weight, here));
        let left: Vec<(u64, u64)> = [&[(*weight, many - here)], rest].concat();
        let goes_on = fill_profiles(profile, &left, every, from + 1, go_on);
        profile.pop();
        goes_on
    })
}

/// The number of multisets of so many from some kinds: `C(kinds + many − 1, many)`.
fn count_multisets(kinds: u64, many: u64) -> u64 {
    let mut ways = 1_u128;
    for step in 1..=u128::from(many) {
        ways = ways * (u128::from(kinds) + step - 1) / step;
        if ways > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    ways as u64
}
