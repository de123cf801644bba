//! How long a comparison of 10 000 sessions with 10 000 resamples takes on one core; the command spreads it over all of them.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ekklesia::analysis::statistics::{
    AnswerValidity, CompletionStatus, MetricScale, Observation, Resampling, Study, StudyArm, Unit, compare_arms,
    contrast_arms,
};
use ekklesia::chance::Pairing;

/// Arms, and replicates of each.
const SIZES: [(u32, u32); 2] = [(2, 5_000), (4, 2_500)];

fn comparisons(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("comparison");
    group.sample_size(10);
    for (arms, replicates) in SIZES {
        let study = study(arms, replicates);
        let contrasts = contrast_arms(&study.arms, 0);
        group.bench_function(format!("{arms} arms, {replicates} replicates, 10 000 resamples"), |bencher| {
            bencher.iter(|| black_box(compare_arms(&study, &contrasts, &Resampling::all_ranges)));
        });
    }
    group.finish();
}

/// Numbers without order, of which one in seven is missing: every rule has something else to resample.
fn study(arms: u32, replicates: u32) -> Study {
    let sessions = (0..arms).flat_map(|arm| (1..=replicates).map(move |replicate| (arm, replicate)));
    let observations = sessions.map(|(arm, replicate)| {
        let number = (replicate * 7_919 + arm * 104_729) % 1_009;
        Observation {
            arm: arm as usize,
            replicate,
            item: String::new(),
            wave: 0,
            reached: CompletionStatus::Completed,
            answers: if number % 11 == 0 { AnswerValidity::SomeInvalid } else { AnswerValidity::AllValid },
            value: (number % 7 != 0).then(|| f64::from(number) / 10.0),
        }
    });
    Study {
        seed: 42,
        metric: "metric".to_owned(),
        scale: MetricScale::Number,
        arms: (0..arms).map(|arm| StudyArm { name: format!("arm{arm}"), levels: Vec::new(), limits: None }).collect(),
        pairing: Pairing::CommonRandomNumbers,
        unit: Unit::Session,
        observations: observations.collect(),
        resamples: 10_000,
    }
}

criterion_group!(benches, comparisons);
criterion_main!(benches);
