//! Memories to be measured: a talk of ten speakers that goes on for as long as one likes.
#![allow(dead_code, reason = "each bench uses its own part of this")]

use ekklesia::domain::{Alternative, AlternativeName, GuidanceStyle, Motion, SeatId, Seq};
use ekklesia::memory::{
    Compact, Digest, EventKinds, FloorEvent, HistoryInBrief, Memory, MemoryPlan, MemoryPolicy, Routing, Said, Strategy,
    Window,
};

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

/// One question, two answers.
pub fn motion() -> Motion {
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

/// Everyone hears the statement of this number, from 0.
pub fn hear(memory: &mut Memory, number: u64, text: &str) {
    let (round, turn) = ((number / TURNS) as u32 + 1, (number % TURNS) as u32 + 1);
    let said = Said { seq: Seq(number), round, turn, speaker: Some(SeatId((number % TURNS) as u32)) };
    memory.witness(said, FloorEvent::Statement, "Alice", text, None);
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
    ("compact", MemoryPolicy::Compact(Compact { threshold_ppm: 900_000, keep: 1 })),
    ("digest", MemoryPolicy::Digest(Digest { every: 12, words: 200, keep: 3 })),
];
