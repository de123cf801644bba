//! What memories cost: hearing with few seats and many, recalling early and late, with statements short and long.
//!
//! Hearing is to cost the same whatever the number of seats and what was heard before, but for the statement's length; recalling
//! is to cost the same whatever was heard before, under every policy; searching, beside a logarithm of it, from some hundreds of
//! statements on.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ekklesia::domain::{Alternative, AlternativeName, GuidanceStyle, Motion, SeatId, Seq};
use ekklesia::memory::{
    Compact, Digest, EventKinds, FloorEvent, HistoryInBrief, Memory, MemoryPlan, MemoryPolicy, Routing, Said, Strategy,
    Window,
};

const SEATS: [usize; 3] = [10, 100, 1_000];
const ROUNDS: [u64; 4] = [10, 100, 1_000, 10_000];
const LENGTHS: [usize; 4] = [10, 100, 1_000, 10_000];
/// Statements a round.
const TURNS: u64 = 10;

fn plan(policy: MemoryPolicy) -> MemoryPlan {
    let direct = Strategy::Direct;
    MemoryPlan {
        policy,
        history: HistoryInBrief::of(policy),
        pin: EventKinds::default(),
        reinject: EventKinds::default(),
        recall: None,
        look_up: false,
        guidance_style: GuidanceStyle::Narrative,
        statement_max_length: 300,
        reasoning_max_length: 200,
        enable_truncation: true,
        memory_character_limit: 50_000,
        public_history_max_length: 100_000,
        compression_threshold_ppm: 800_000,
        compression_target_ppm: 600_000,
        routing: Routing {
            statement: direct,
            own_reasoning: direct,
            vote_called: direct,
            vote_answered: direct,
            own_ballot: direct,
            tally_open: direct,
            tally_decided: direct,
            results: direct,
            instruction: direct,
            own_ranking: direct,
            own_application: direct,
        },
    }
}

fn motion() -> Motion {
    let alternative = |name: &str| Alternative {
        name: AlternativeName::new(name),
        label: name.to_owned(),
        status_quo: false,
        takes_amount: false,
    };
    Motion {
        text: "Yes or no?".to_owned(),
        alternatives: vec![alternative("for"), alternative("against")],
        amount_max: None,
    }
}

fn hear(memory: &mut Memory, number: u64, text: &str) {
    let (round, turn) = ((number / TURNS) as u32 + 1, (number % TURNS) as u32 + 1);
    let said = Said { seq: Seq(number), round, turn, speaker: Some(SeatId((number % TURNS) as u32)) };
    memory.witness(said, FloorEvent::Statement, "Alice", text, None);
}

fn after(policy: MemoryPolicy, seats: usize, rounds: u64) -> Memory {
    let mut memory = Memory::new(plan(policy), &motion(), seats);
    (0..rounds * TURNS).for_each(|number| hear(&mut memory, number, &"We should share the costs. ".repeat(8)));
    memory
}

fn hearing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hear");
    for seats in SEATS {
        let (mut memory, mut number) = (after(MemoryPolicy::Selective, seats, 100), 100 * TURNS);
        group.bench_function(BenchmarkId::new("seats", seats), |bencher| {
            bencher.iter(|| {
                number += 1;
                hear(&mut memory, number, "We should share the costs.");
            });
        });
    }
    for length in LENGTHS {
        let (mut memory, mut number) = (after(MemoryPolicy::Selective, 10, 100), 100 * TURNS);
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
    for policy in [
        MemoryPolicy::Selective,
        MemoryPolicy::Full,
        MemoryPolicy::Window(Window::Statements(20)),
        MemoryPolicy::Window(Window::Tokens(2_000)),
        MemoryPolicy::Compact(Compact { threshold_ppm: 900_000, keep: 1 }),
        MemoryPolicy::Digest(Digest { every: 12, words: 200, keep: 3 }),
    ] {
        for rounds in ROUNDS {
            let memory = after(policy, 10, rounds);
            group.bench_function(BenchmarkId::new(format!("{policy:?}"), rounds), |bencher| {
                bencher.iter(|| black_box(memory.recall(SeatId(3))));
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
            let mut memory = Memory::new(plan, &motion(), 10);
            let text = |number: u64| {
                format!("We should share the costs of plan {} with district {}. ", number % kinds, number % 31)
                    .repeat(4)
            };
            (0..rounds * TURNS).for_each(|number| hear(&mut memory, number, &text(number)));
            group.bench_function(BenchmarkId::new(format!("recall, {words} words"), rounds), |bencher| {
                bencher.iter(|| black_box(memory.recall(SeatId(3))));
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
