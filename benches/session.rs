//! Records a second: a session run with its minutes on, replayed, and folded into tables.

mod setting;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use setting::Setting;

/// Seats and rounds.
const SIZES: [(u32, u32); 5] = [(5, 10), (5, 1_000), (50, 10), (50, 1_000), (1_000, 10)];
/// The same of the justice experiment; with more seats only what seats say and are told grows.
const JUSTICE_SIZES: [(u32, u32); 4] = [(5, 10), (5, 500), (50, 50), (500, 10)];

fn sessions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("session");
    group.sample_size(10);
    let motion = SIZES.map(|size| ("motion", size, Setting::new as fn(u32, u32) -> Setting));
    let justice = JUSTICE_SIZES.map(|size| ("justice", size, Setting::justice as fn(u32, u32) -> Setting));
    for (scenario, (seats, rounds), make) in motion.into_iter().chain(justice) {
        let setting = make(seats, rounds);
        let size = format!("{scenario}, {seats} seats, {rounds} rounds");
        group.throughput(Throughput::Elements(setting.run()));
        group.bench_function(BenchmarkId::new("run", &size), |bencher| bencher.iter(|| setting.run()));
        group.bench_function(BenchmarkId::new("replay", &size), |bencher| bencher.iter(|| setting.replay()));
        group.bench_function(BenchmarkId::new("fold", &size), |bencher| bencher.iter(|| setting.fold_tables()));
    }
    group.finish();
}

criterion_group!(benches, sessions);
criterion_main!(benches);
