//! What memories cost: hearing with few seats and many, recalling early and late, with statements short and long.
//!
//! Hearing is to cost the same whatever the number of seats and what was heard before, but for the statement's length; recalling
//! is to cost the same whatever was heard before, under every policy; searching, beside a logarithm of it, from some hundreds of
//! statements on. What they cost in instructions, which no other load on the machine can move, counts the bench `curves`.

mod remembering;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ekklesia::domain::SeatId;
use ekklesia::memory::{Memory, MemoryPlan, MemoryPolicy, Window};
use remembering::{LENGTHS, POLICIES, ROUNDS, SEATS, TURNS, after, hear, motion, plan};

/// What everyone says.
fn text() -> String {
    "We should share the costs. ".repeat(8)
}

fn hearing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hear");
    for seats in SEATS {
        let (mut memory, mut number) = (after(plan(MemoryPolicy::Selective), seats, 100, &text()), 100 * TURNS);
        group.bench_function(BenchmarkId::new("seats", seats), |bencher| {
            bencher.iter(|| {
                number += 1;
                hear(&mut memory, number, "We should share the costs.");
            });
        });
    }
    for length in LENGTHS {
        let (mut memory, mut number) = (after(plan(MemoryPolicy::Selective), 10, 100, &text()), 100 * TURNS);
        let text = "x".repeat(length);
        group.bench_function(BenchmarkId::new("length", length), |bencher| {
            bencher.iter(|| {
                number += 1;
                hear(&mut memory, number, &text);
            });
        });
    }
    group.finish();
}

fn recalling(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("recall");
    for (name, policy) in POLICIES {
        for rounds in ROUNDS {
            let memory = after(plan(policy), 10, rounds, &text());
            group.bench_function(BenchmarkId::new(name, rounds), |bencher| {
                bencher.iter(|| black_box(memory.recall_brief(SeatId(3))));
            });
        }
    }
    group.finish();
}

/// What recalling older statements costs beside that, with the same words in every statement and with many.
fn searching(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    let plan = MemoryPlan { recall: Some(5), look_up: true, ..plan(MemoryPolicy::Window(Window::Statements(20))) };
    for rounds in ROUNDS {
        for (words, kinds) in [("few", 1), ("many", 997)] {
            let mut memory = Memory::new(plan, &motion(), ["Alice"; 10]);
            let text = |number: u64| {
                format!("We should share the costs of plan {} with district {}. ", number % kinds, number % 31)
                    .repeat(4)
            };
            (0..rounds * TURNS).for_each(|number| hear(&mut memory, number, &text(number)));
            group.bench_function(BenchmarkId::new(format!("recall, {words} words"), rounds), |bencher| {
                bencher.iter(|| black_box(memory.recall_brief(SeatId(3))));
            });
            group.bench_function(BenchmarkId::new(format!("look up, {words} words"), rounds), |bencher| {
                bencher.iter(|| black_box(memory.look_up(SeatId(3), "the costs of plan 7")));
            });
            let mut number = rounds * TURNS;
            group.bench_function(BenchmarkId::new(format!("hear, {words} words"), rounds), |bencher| {
                bencher.iter(|| {
                    number += 1;
                    hear(&mut memory, number, &text(number));
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, hearing, recalling, searching);
criterion_main!(benches);
