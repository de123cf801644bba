//! What memories hold and how where a config says nothing of it: the one place in which tests and benches write it out.
#![allow(dead_code, reason = "each test file and bench uses its own part of this")]

use ekklesia::domain::GuidanceStyle;
use ekklesia::memory::{EventKinds, HistoryInBrief, MemoryPlan, MemoryPolicy, Routing, Strategy};

/// The plan of a config without a `memory` section.
pub fn shipped() -> MemoryPlan {
    let integrated = Strategy::Integrated;
    MemoryPlan {
        policy: MemoryPolicy::Selective,
        history: HistoryInBrief::Full,
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
            tally_decided: integrated,
            results: integrated,
            own_ranking: integrated,
            own_application: integrated,
            ..direct()
        },
    }
}

/// Everything as it comes.
pub fn direct() -> Routing {
    let direct = Strategy::Direct;
    Routing {
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
    }
}
