//! How long 10 000 ballots take under fifteen rules, and the exact order of fifteen alternatives.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ekklesia::choice::ranked::{Counting, Pairwise, Preferences, Ranking, kemeny, single_transferable_vote};
use ekklesia::choice::{CountTerms, count_rankings};
use ekklesia::domain::RuleKind;

const BALLOTS: usize = 10_000;

/// With the single transferable vote they are fifteen.
const RULES: [RuleKind; 14] = [
    RuleKind::Plurality,
    RuleKind::Majority,
    RuleKind::Supermajority,
    RuleKind::Unanimity,
    RuleKind::Borda,
    RuleKind::Copeland,
    RuleKind::Minimax,
    RuleKind::Schulze,
    RuleKind::RankedPairs,
    RuleKind::KemenyYoung,
    RuleKind::InstantRunoff,
    RuleKind::TwoRound,
    RuleKind::RandomBallot,
    RuleKind::AmendmentAgenda,
];

fn fifteen_rules(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("choice");
    group.sample_size(10);
    let few: Vec<Ranking> = strict(5, BALLOTS);
    group.bench_function("10 000 ballots over 5 alternatives, 15 rules, merging included", |bencher| {
        bencher.iter(|| counted(5, black_box(&few)));
    });
    let merged = Preferences::new(5, few.iter().cloned().map(|ballot| (ballot, 1)));
    group.bench_function("the same, merged before", |bencher| bencher.iter(|| all_rules(black_box(&merged))));
    let tied: Vec<Ranking> = weak(5, BALLOTS);
    group.bench_function("10 000 ballots over 5 with ties and gaps, merging included", |bencher| {
        bencher.iter(|| counted(5, black_box(&tied)));
    });
    // Of 5 alternatives there are 120 strict orders, so ballots that all differ need more.
    let many: Vec<Ranking> = strict(10, BALLOTS);
    group.bench_function("10 000 ballots over 10 alternatives, hardly two alike, 15 rules", |bencher| {
        bencher.iter(|| counted(10, black_box(&many)));
    });
    let more: Vec<Ranking> = strict(12, BALLOTS);
    group.bench_function("10 000 ballots over 12 alternatives, hardly two alike, 15 rules", |bencher| {
        bencher.iter(|| counted(12, black_box(&more)));
    });
    let uneven: Vec<Ranking> = weak(12, BALLOTS);
    group.bench_function("10 000 ballots over 12 with ties and gaps, 15 rules", |bencher| {
        bencher.iter(|| counted(12, black_box(&uneven)));
    });
    for (words, ballots) in [("strict", &more), ("with ties and gaps", &uneven)] {
        let merged = Preferences::new(12, ballots.iter().cloned().map(|ballot| (ballot, 1)));
        group.bench_function(format!("10 000 ballots over 12, {words}, five seats by transfer alone"), |bencher| {
            bencher.iter(|| single_transferable_vote(black_box(&merged), 5).map(|told| told.elected.len()));
        });
    }
    group.finish();
}

fn fifteen_alternatives(criterion: &mut Criterion) {
    let ballots = strict(15, 1_000).into_iter().map(|ballot| (ballot, 1));
    let pairwise = Pairwise::from_preferences(&Preferences::new(15, ballots));
    criterion.bench_function("the best order of 15 alternatives", |bencher| {
        bencher.iter(|| black_box(kemeny(black_box(&pairwise)).is_ok()));
    });
}

fn counted(alternatives: usize, ballots: &[Ranking]) -> usize {
    all_rules(&Preferences::new(alternatives, ballots.iter().cloned().map(|ballot| (ballot, 1))))
}

/// How many winners there are under all rules.
fn all_rules(preferences: &Preferences) -> usize {
    let (counting, terms) = (Counting::new(preferences), CountTerms::default());
    let count = |rule: &RuleKind| count_rankings(*rule, &counting, 0, &terms);
    let winners = RULES.iter().map(|rule| count(rule).map_or(0, |count| count.winners.len()));
    winners.sum::<usize>() + single_transferable_vote(preferences, 2).map_or(0, |committees| committees.elected.len())
}

/// Orders without ties, in an order of no kind.
fn strict(alternatives: usize, ballots: usize) -> Vec<Ranking> {
    let mut state = 42;
    let order = |_| {
        let mut order: Vec<usize> = (0..alternatives).collect();
        order.sort_by_key(|_| next(&mut state));
        let levels: Vec<[usize; 1]> = order.into_iter().map(|one| [one]).collect();
        Ranking::of_levels(alternatives, &levels)
    };
    (0..ballots).map(order).collect()
}

/// Orders with ties, of which some leave something out.
fn weak(alternatives: usize, ballots: usize) -> Vec<Ranking> {
    let mut state = 7;
    let order = |_| {
        let mut levels = vec![Vec::new(); alternatives + 1];
        (0..alternatives).for_each(|one| levels[next(&mut state) as usize % (alternatives + 1)].push(one));
        levels.pop();
        Ranking::of_levels(alternatives, &levels)
    };
    (0..ballots).map(order).collect()
}

/// Numbers of no order: a linear congruence.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

criterion_group!(benches, fifteen_rules, fifteen_alternatives);
criterion_main!(benches);
