//! What results hang on, against looking at every profile there is.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::chance::Draws;
use crate::choice::ranked::Ranking;
use crate::choice::{Ballots, Bundle, CountTerms, TallyBallot, TallyForm, countable_rules, recount_ballots};
use crate::domain::RuleKind;

const TERMS: CountTerms = CountTerms {
    strength: crate::choice::ranked::DefeatStrength::Margins,
    runoff_ties: crate::choice::ranked::RunoffTies::Together,
    threshold: (2, 3),
    seats: 1,
    agenda: Vec::new(),
};

/// Every ballot of a form over three alternatives that another may be changed into.
fn every(form: TallyForm) -> Vec<TallyBallot> {
    let bits = |most: u32| {
        (0..(most + 1).pow(3)).map(move |n| [n % (most + 1), n / (most + 1) % (most + 1), n / (most + 1) / (most + 1)])
    };
    match form {
        TallyForm::Choice => (0..3).map(TallyBallot::Choice).collect(),
        TallyForm::Approval => bits(1).map(|bits| TallyBallot::Approval(bits.map(|bit| bit == 1).to_vec())).collect(),
        TallyForm::Score(most) => bits(most).map(|scores| TallyBallot::Score(scores.to_vec())).collect(),
        TallyForm::Ranking => {
            let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
            orders.map(|order| TallyBallot::Ranking(Ranking::of_levels(3, &order.map(|one| [one])))).to_vec()
        }
    }
}

/// A ballot of a form; of rankings also one with a tie or a gap.
fn ballot(form: TallyForm) -> impl Strategy<Value = TallyBallot> {
    let mut all = every(form);
    if form == TallyForm::Ranking {
        all.extend([
            TallyBallot::Ranking(Ranking::of_levels(3, &[vec![0, 1], vec![2]])),
            TallyBallot::Ranking(Ranking::of_levels(3, &[[1]])),
            TallyBallot::Ranking(Ranking::of_levels::<[usize; 1]>(3, &[])),
        ]);
    }
    prop::sample::select(all)
}

fn ballots() -> impl Strategy<Value = Ballots> {
    let forms =
        vec![TallyForm::Choice, TallyForm::Approval, TallyForm::Ranking, TallyForm::Score(1), TallyForm::Score(2)];
    prop::sample::select(forms).prop_flat_map(|form| {
        let most = if matches!(form, TallyForm::Score(2)) { 2 } else { 3 };
        let bundle = (ballot(form), prop_oneof![3 => Just(1_u64), 1 => 0_u64..4], 0_u64..3);
        let bundles = prop::collection::vec(bundle, 1..4).prop_map(move |bundles| {
            let mut left = most;
            let bundles = bundles.into_iter().map(|(ballot, weight, count)| {
                let count = count.min(left);
                left -= count;
                Bundle { ballot, weight, count }
            });
            bundles.collect::<Vec<_>>()
        });
        (bundles, 0_u64..3).prop_map(move |(bundles, absent)| Ballots::new(form, 3, bundles, absent))
    })
}

/// What every rule's result hangs on, found by looking at every profile: the fewest changed ballots, and for each single ballot
/// whether it is enough alone.
fn looked_up(ballots: &Ballots, rules: &[RuleKind]) -> Vec<(Option<u64>, BTreeSet<usize>)> {
    let single = ballots
        .bundles()
        .iter()
        .flat_map(|bundle| std::iter::repeat_n(Bundle { count: 1, ..bundle.clone() }, bundle.count as usize));
    let single: Vec<Bundle> = single.collect();
    let decided = |bundles: Vec<Bundle>| {
        let ballots = Ballots::new(ballots.form(), 3, bundles, ballots.absent_weight());
        recount_ballots(&ballots, rules, &TERMS)
            .into_iter()
            .map(|outcome| outcome.expect("few").decision())
            .collect::<Vec<_>>()
    };
    let now = decided(single.clone());
    let every = every(ballots.form());
    let mut found = vec![(None, BTreeSet::new()); rules.len()];
    for number in 0..(every.len() + 1).pow(single.len() as u32) {
        let (mut bundles, mut rest, mut changed) = (single.clone(), number, Vec::new());
        for (at, bundle) in bundles.iter_mut().enumerate() {
            let which = rest % (every.len() + 1);
            rest /= every.len() + 1;
            if let Some(ballot) = every.get(which) {
                bundle.ballot = ballot.clone();
                changed.push(at);
            }
        }
        for ((then, now), found) in decided(bundles).iter().zip(&now).zip(&mut found) {
            if then != now {
                let many = changed.len() as u64;
                found.0 = Some(found.0.map_or(many, |least: u64| least.min(many)));
                if let [only] = changed[..] {
                    found.1.insert(only);
                }
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_worked_out_is_what_looking_at_every_profile_finds(ballots in ballots()) {
        let mut rules = countable_rules(ballots.form());
        rules.retain(|rule| *rule != RuleKind::RandomBallot);
        let worked_out = find_stakes(&ballots, &rules, &TERMS, u64::MAX);
        // The bundle of each single ballot.
        let of: Vec<usize> = ballots.bundles().iter().enumerate()
            .flat_map(|(at, bundle)| std::iter::repeat_n(at, bundle.count as usize)).collect();
        for ((rule, stakes), (fewest, pivotal)) in rules.iter().zip(worked_out).zip(looked_up(&ballots, &rules)) {
            let stakes = stakes.expect("a rule that counts");
            prop_assert_eq!(stakes.fewest, fewest.map_or(FewestBallots::Never, FewestBallots::Exactly), "{:?} {:?}", rule, ballots);
            let told = stakes.pivotal.expect("few orders");
            for (single, bundle) in of.iter().enumerate() {
                prop_assert_eq!(told[*bundle], pivotal.contains(&single), "{:?} {} {:?}", rule, bundle, ballots);
            }
        }
    }

    #[test]
    fn looking_at_fewer_profiles_never_says_too_much(ballots in ballots(), profiles in 0_u64..400) {
        let rules = countable_rules(ballots.form());
        let whole = find_stakes(&ballots, &rules, &TERMS, u64::MAX);
        for (part, whole) in find_stakes(&ballots, &rules, &TERMS, profiles).into_iter().zip(whole) {
            let (Some(part), Some(whole)) = (part, whole) else { continue };
            match (part.fewest, whole.fewest) {
                (FewestBallots::MoreThan(least), FewestBallots::Exactly(fewest)) => prop_assert!(least < fewest),
                (FewestBallots::MoreThan(_), FewestBallots::Never) => {}
                (part, whole) => prop_assert_eq!(part, whole),
            }
            prop_assert!(part.pivotal.is_none() || part.pivotal == whole.pivotal);
        }
    }

    #[test]
    fn every_resample_has_winners_or_nobody(ballots in ballots(), seed: u8) {
        let rules = countable_rules(ballots.form());
        let shares = bootstrap_ballots(&ballots, &rules, &TERMS, (20, &mut Draws::from_key([seed; 32])));
        for (rule, shares) in rules.iter().zip(shares) {
            let Some(shares) = shares else {
                prop_assert_eq!(*rule, RuleKind::RandomBallot);
                continue;
            };
            let (alone, tied): (u32, u32) = (shares.alone.iter().sum(), shares.tied.iter().sum());
            let resamples = if ballots.ballot_count() == 0 { 0 } else { 20 };
            prop_assert!(alone + shares.nobody <= resamples && alone + shares.nobody + tied >= resamples);
        }
    }
}

fn rankings(letters: &str, ballots: &str) -> Ballots {
    let bundles = ballots.split(", ").map(|ballot| {
        let (count, order) = ballot.split_once(' ').expect("a count and an order");
        let levels: Vec<[usize; 1]> = order.chars().map(|letter| [letters.find(letter).expect("a letter")]).collect();
        let ballot = TallyBallot::Ranking(Ranking::of_levels(letters.len(), &levels));
        Bundle { ballot, weight: 1, count: count.parse().expect("a count") }
    });
    Ballots::new(TallyForm::Ranking, letters.len(), bundles.collect(), 0)
}

#[test]
fn how_far_tennessee_is_from_another_capital() {
    let ballots = rankings("MNCK", "42 MNCK, 26 NCKM, 15 CKNM, 17 KCNM");
    let rules = [RuleKind::Plurality, RuleKind::Majority, RuleKind::Borda, RuleKind::Schulze, RuleKind::InstantRunoff];
    let stakes: Vec<FewestBallots> = find_stakes(&ballots, &rules, &TERMS, 2_000)
        .into_iter()
        .map(|stakes| stakes.expect("counted").fewest)
        .collect();
    // Memphis leads Nashville by 16 first places, 2 a ballot; with 9 more it has a majority of 100. By Borda's points Chattanooga
    // lacks 21: a ballot that has Nashville just above it gives 4. Nashville beats Memphis by 16, 2 a ballot.
    assert_eq!(stakes[..2], [FewestBallots::Exactly(8), FewestBallots::Exactly(9)]);
    assert_eq!(stakes[2], FewestBallots::Exactly(6));
    assert_eq!(stakes[3], FewestBallots::MoreThan(7));
    // One of Knoxville's ballots for Chattanooga: both are last together, and Nashville beats Memphis.
    assert_eq!(stakes[4], FewestBallots::Exactly(1));
}

#[test]
fn ballots_drawn_again_follow_their_shares() {
    let ballots = Ballots::new(
        TallyForm::Choice,
        2,
        vec![
            Bundle { ballot: TallyBallot::Choice(0), weight: 1, count: 2 },
            Bundle { ballot: TallyBallot::Choice(1), weight: 1, count: 1 },
        ],
        0,
    );
    let shares = bootstrap_ballots(&ballots, &[RuleKind::Plurality], &TERMS, (20_000, &mut Draws::from_key([7; 32])));
    let shares = shares[0].as_ref().expect("counted");
    // Of three ballots drawn, each for the first with probability 2/3, two or three are: 20/27.
    let share = f64::from(shares.alone[0]) / 20_000.0;
    assert!((share - 20.0 / 27.0).abs() < 0.02, "{share}");
    assert_eq!((shares.tied.as_slice(), shares.nobody), (&[0, 0][..], 0));
}
