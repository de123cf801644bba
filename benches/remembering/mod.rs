//! Memories to be measured: a talk of ten speakers that goes on for as long as one likes.
#![allow(dead_code, reason = "each bench uses its own part of this")]

#[path = "../../tests/fixtures/shipped/mod.rs"]
mod shipped;

use ekklesia::domain::{Alternative, AlternativeName, Motion, SeatId, Seq};
use ekklesia::memory::{
    CompactPolicy, DigestPolicy, FloorEvent, HistoryInBrief, Memory, MemoryPlan, MemoryPolicy, RemarkHeader, Window,
};
use shipped::{direct, shipped};

/// How many seats hear.
pub const SEATS: [usize; 3] = [10, 100, 1_000];
/// Rounds of talk that were heard before.
pub const ROUNDS: [u64; 4] = [10, 100, 1_000, 10_000];
/// Lengths of a statement, in characters.
pub const LENGTHS: [usize; 4] = [10, 100, 1_000, 10_000];
/// Statements a round.
pub const TURNS: u64 = 10;

/// The defaults, with everything as it comes.
pub fn plan(policy: MemoryPolicy) -> MemoryPlan {
    MemoryPlan { policy, history: HistoryInBrief::for_policy(policy), routing: direct(), ..shipped() }
}

/// One question, two answers.
pub fn motion() -> Motion {
    let alternative = |name: &str| Alternative {
        name: AlternativeName::new(name),
        label: name.to_owned(),
        status_quo: false,
        takes_amount: false,
        said: None,
    };
    Motion {
        text: "Yes or no?".to_owned(),
        alternatives: vec![alternative("for"), alternative("against")],
        amount_max: None,
        amount_min: 1,
        unit: None,
        language: Default::default(),
    }
}

/// Everyone hears the statement of this number, from 0.
pub fn hear(memory: &mut Memory, number: u64, text: &str) {
    let (round, turn) = ((number / TURNS) as u32 + 1, (number % TURNS) as u32 + 1);
    let said = RemarkHeader { seq: Seq(number), round, turn, speaker: Some(SeatId((number % TURNS) as u32)) };
    memory.add_remark(said, FloorEvent::Statement, "Alice", text, None);
}

/// Memories after this many rounds of this statement.
pub fn after(plan: MemoryPlan, seats: usize, rounds: u64, text: &str) -> Memory {
    let mut memory = Memory::new(plan, &motion(), vec!["Alice"; seats]);
    (0..rounds * TURNS).for_each(|number| hear(&mut memory, number, text));
    memory
}

/// The policies that hold something, each with its usual numbers.
pub const POLICIES: [(&str, MemoryPolicy); 6] = [
    ("selective", MemoryPolicy::Selective),
    ("full", MemoryPolicy::Full),
    ("window of statements", MemoryPolicy::Window(Window::Statements(20))),
    ("window of tokens", MemoryPolicy::Window(Window::Tokens(2_000))),
    ("compact", MemoryPolicy::Compact(CompactPolicy { threshold_ppm: 900_000, keep: 1 })),
    ("digest", MemoryPolicy::Digest(DigestPolicy { every: 12, words: 200, keep: 3 })),
];
