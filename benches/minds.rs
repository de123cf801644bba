//! How long one step of one agent takes in each model of opinions: the rule alone, without records or draws, among ten agents that
//! all hear each other. The times shown are for ten agents.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ekklesia::minds::{
    Scheme, add_answers, adopt_argument, anchored_opinion, averaged_opinion, balance_arguments, converged_opinion,
    local_majority, near_mean, opinion_anchor, partner_attraction, q_voter_choice, quantal_response,
};

const AGENTS: usize = 10;

fn steps(criterion: &mut Criterion) {
    let opinions: Vec<f64> = (0..AGENTS).map(|place| place as f64 / 10.0).collect();
    let heard: Vec<(f64, f64)> = opinions[1..].iter().map(|opinion| (0.05, *opinion)).collect();
    let held: Vec<u32> = (0..AGENTS as u32).map(|place| place % 2).collect();
    let mut group = criterion.benchmark_group("a step of ten agents");
    let each = |step: &dyn Fn(f64) -> f64| opinions.iter().map(|own| step(black_box(*own))).sum::<f64>();
    group.bench_function("degroot", |b| b.iter(|| each(&|own| averaged_opinion(own, black_box(&heard)))));
    group.bench_function("friedkin_johnsen", |b| {
        b.iter(|| {
            each(&|own| anchored_opinion(averaged_opinion(own, black_box(&heard)), opinion_anchor(own, 0.5, 0.1), 0.3))
        });
    });
    group.bench_function("hegselmann_krause", |b| b.iter(|| each(&|own| near_mean(own, black_box(&opinions), 0.3))));
    group.bench_function("deffuant", |b| {
        b.iter(|| each(&|own| converged_opinion(own, black_box(0.4), ((own - 0.4).abs(), 0.3), 0.5)))
    });
    group.bench_function("q_voter", |b| {
        b.iter(|| held.iter().map(|own| q_voter_choice(black_box(&held[2..5]), *own)).sum::<u32>());
    });
    group.bench_function("majority", |b| {
        b.iter(|| held.iter().map(|own| local_majority(*own, black_box(&held[2..5]))).sum::<u32>());
    });
    group.bench_function("polya", |b| {
        let mut belief = vec![1.0, 2.0];
        b.iter(|| (0..AGENTS).for_each(|_| add_answers(black_box(&mut belief), black_box(&held))));
    });
    group.bench_function("argument_exchange", |b| {
        // The argument of one partner, and where one stands then.
        let (mut held, mut shares) = (vec![0, 3, 4, 7, 8, 11], [0.0; 2]);
        b.iter(|| {
            let step = |said: u32| {
                adopt_argument(black_box(&mut held), said, 6);
                balance_arguments(&held, black_box(&mut shares));
                shares[0]
            };
            (0..AGENTS as u32).map(step).sum::<f64>()
        });
    });
    group.bench_function("argument_exchange, how attractive a partner is", |b| {
        b.iter(|| each(&|own| partner_attraction(black_box(own), black_box(3.0))));
    });
    group.bench_function("social_decision_scheme", |b| {
        let step = |_| {
            let mut counts = black_box([6, 4]);
            Scheme::TwoThirds.decide(&mut counts, None);
            counts[0]
        };
        b.iter(|| (0..AGENTS).map(step).sum::<u64>());
    });
    group.bench_function("quantal_response", |b| {
        let step = |_| {
            let mut options = black_box([1.0, 0.8]);
            quantal_response(&mut options, 4.0);
            options[0]
        };
        b.iter(|| (0..AGENTS).map(step).sum::<f64>());
    });
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
