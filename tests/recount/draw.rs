//! Events, routings, policies and plans, drawn at random, and the usual plan.

use ekklesia::domain::{EntryKind, GuidanceStyle, Sign};
use ekklesia::memory::{
    Compact, Digest, EventKind, EventKinds, FloorEvent, HistoryInBrief, MemoryPlan, MemoryPolicy, RENDERED_LIMIT_MIN,
    Rewriting, Routing, Strategy as Routed, Window,
};
use proptest::prelude::*;

use super::shipped::shipped;
use super::{Happening, SEATS, Saying};

pub fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,40}",
        "[a-z ]{1,900}",
        "(👨‍👩‍👧|é|漢字 |\u{600} |\r\n){1,80}",
        "([a-z .]{1,80}\n\n){1,12}",
        "([\"|\n]| said: \"[a-z]){1,40}"
    ]
}

pub fn kinds() -> impl Strategy<Value = EntryKind> {
    prop::sample::select(vec![
        EntryKind::Instruction,
        EntryKind::OwnReasoning,
        EntryKind::OwnBallot,
        EntryKind::OwnRanking,
        EntryKind::OwnApplication,
        EntryKind::OwnTest,
        EntryKind::Results,
        EntryKind::Decision,
    ])
}

pub fn announcements() -> impl Strategy<Value = FloorEvent> {
    prop::sample::select(vec![
        FloorEvent::Instruction,
        FloorEvent::VoteCalled,
        FloorEvent::VoteAnswered,
        FloorEvent::TallyOpen,
        FloorEvent::TallyDecided,
    ])
}

/// Marks of a statement, most of which name something that may be a proposal.
fn marks() -> impl Strategy<Value = Vec<(Sign, Option<usize>)>> {
    let signs = vec![Sign::Proposal, Sign::Proposal, Sign::Support, Sign::Oppose, Sign::Decision];
    let one = (prop::sample::select(signs), prop::option::weighted(0.7, 0..30usize));
    prop_oneof![1 => Just(Vec::new()), 2 => prop::collection::vec(one, 1..4)]
}

/// What is said, announced and kept.
pub fn witnessed() -> impl Strategy<Value = Happening> {
    let stance = proptest::option::of((0..3u32, proptest::option::of(any::<u32>())));
    prop_oneof![
        6 => (0..SEATS, texts(), stance, marks())
            .prop_map(|(speaker, text, stance, marks)| Happening::Said(Saying { speaker, text, stance, marks })),
        2 => (announcements(), texts()).prop_map(|(event, text)| Happening::Announced { event, text }),
        4 => (0..SEATS, kinds(), texts()).prop_map(|(seat, kind, text)| Happening::Kept { seat, kind, text }),
    ]
}

/// What a seat writes for its memory; some repeat the mark.
fn rewritten() -> impl Strategy<Value = String> {
    prop_oneof![3 => texts(), 1 => texts().prop_map(|text| format!("[MEMORY] {text}"))]
}

/// The same among rewritings and halvings.
pub fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let why = prop::sample::select(vec![Rewriting::Integration, Rewriting::Compression]);
    let one = prop_oneof![
        10 => witnessed(),
        3 => (0..SEATS, why.clone(), rewritten()).prop_map(|(seat, why, text)| Happening::Rewrote { seat, why, text }),
        1 => (0..SEATS, why).prop_map(|(seat, why)| Happening::Left { seat, why }),
        1 => (0..SEATS).prop_map(|seat| Happening::Halved { seat }),
        1 => (0..SEATS).prop_map(|seat| Happening::HalvedOldest { seat }),
        1 => (0..SEATS).prop_map(|seat| Happening::HalvedShort { seat }),
        4 => (0..SEATS).prop_map(|seat| Happening::Answered { seat }),
        1 => (0..SEATS).prop_map(|seat| Happening::Demanded { seat }),
        1 => (0..SEATS).prop_map(|seat| Happening::Forgot { seat }),
        2 => (0..SEATS, 0..6usize).prop_map(|(seat, phase)| Happening::ForgotPhase { seat, phase }),
        2 => (0..SEATS, 0..60usize).prop_map(|(seat, of)| Happening::Marked { seat, of }),
        1 => Just(Happening::RoundBegan),
    ];
    let exhibit = (prop::option::of(0..SEATS), texts())
        .prop_map(|(to, text)| Happening::Exhibited { to, text: format!("[EXHIBIT report]\n{text}") });
    (prop::collection::vec(exhibit, 0..3), prop::collection::vec(one, 0..60))
        .prop_map(|(first, then)| [first, then].concat())
}

/// Every routing there is.
pub fn routings() -> impl Strategy<Value = Routing> {
    any::<u32>().prop_map(|bits| {
        let routed = |place: u32| match bits >> (2 * place) & 3 {
            0 => Routed::Integrated,
            1 => Routed::Skip,
            _ => Routed::Direct,
        };
        Routing {
            statement: routed(0),
            own_reasoning: routed(1),
            vote_called: routed(2),
            vote_answered: routed(3),
            own_ballot: routed(4),
            tally_open: routed(5),
            tally_decided: routed(6),
            results: routed(7),
            instruction: routed(8),
            own_ranking: routed(9),
            own_application: routed(10),
        }
    })
}

/// Some kinds of events, often none.
pub fn kinds_of_events() -> impl Strategy<Value = EventKinds> {
    let all = vec![
        EventKind::VoteCalled,
        EventKind::VoteAnswered,
        EventKind::OwnBallot,
        EventKind::TallyOpen,
        EventKind::TallyDecided,
        EventKind::OwnRanking,
        EventKind::OwnApplication,
        EventKind::Instruction,
        EventKind::Results,
        EventKind::Proposal,
        EventKind::Decision,
    ];
    let some = prop::sample::subsequence(all, 0..4).prop_map(|kinds| EventKinds::of(&kinds));
    prop_oneof![2 => Just(EventKinds::default()), 1 => some]
}

pub fn histories() -> impl Strategy<Value = HistoryInBrief> {
    prop::sample::select(vec![HistoryInBrief::Full, HistoryInBrief::CurrentRound, HistoryInBrief::None])
}

pub fn windows() -> impl Strategy<Value = MemoryPolicy> {
    prop_oneof![
        (1..9u32).prop_map(|most| MemoryPolicy::Window(Window::Statements(most))),
        (1..900u64).prop_map(|most| MemoryPolicy::Window(Window::Tokens(most))),
    ]
}

/// The policies under which seats rewrite their memories.
pub fn rewriting() -> impl Strategy<Value = MemoryPolicy> {
    prop_oneof![
        Just(MemoryPolicy::Selective),
        (1..=1_000_000u32, 1..4u32)
            .prop_map(|(threshold_ppm, keep)| MemoryPolicy::Compact(Compact { threshold_ppm, keep })),
        (1..6u32, 1..60u32, 1..4u32).prop_map(|(every, words, keep)| MemoryPolicy::Digest(Digest {
            every,
            words,
            keep
        })),
    ]
}

pub fn plans_of(policies: impl Strategy<Value = MemoryPolicy>) -> impl Strategy<Value = MemoryPlan> {
    let styles = vec![GuidanceStyle::Narrative, GuidanceStyle::Structured];
    let kept = (policies, prop::sample::select(styles), any::<bool>(), routings());
    let limit = || prop_oneof![1 => Just(RENDERED_LIMIT_MIN), 4 => RENDERED_LIMIT_MIN..4000];
    let numbers = (4..400u32, 4..400u32, limit(), limit(), 0..=1_000_000u32, 0..=1_000_000u32);
    let beside = (histories(), kinds_of_events(), kinds_of_events(), prop::option::of(1..6u32));
    (kept, numbers, beside).prop_map(|((policy, guidance_style, enable_truncation, mut routing), numbers, beside)| {
        if matches!(policy, MemoryPolicy::Digest(_)) && routing.statement == Routed::Skip {
            routing.statement = Routed::Direct;
        }
        MemoryPlan {
            policy,
            history: beside.0,
            pin: beside.1,
            reinject: beside.2,
            recall: beside.3,
            guidance_style,
            enable_truncation,
            routing,
            statement_max_length: numbers.0,
            reasoning_max_length: numbers.1,
            memory_character_limit: numbers.2,
            public_history_max_length: numbers.3,
            compression_threshold_ppm: numbers.4,
            compression_target_ppm: numbers.5,
            ..shipped()
        }
    })
}

/// Every policy that has limits.
pub fn limited() -> impl Strategy<Value = MemoryPolicy> {
    prop_oneof![1 => Just(MemoryPolicy::None), 1 => Just(MemoryPolicy::Shuffled), 2 => windows(), 6 => rewriting()]
}

pub fn plans() -> impl Strategy<Value = MemoryPlan> {
    plans_of(prop_oneof![1 => Just(MemoryPolicy::Full), 6 => limited()])
}

/// What a config has unless it says otherwise, with little room and without the public history beside it.
pub fn usual() -> MemoryPlan {
    let (memory_character_limit, public_history_max_length) = (1_000, 2_000);
    MemoryPlan { history: HistoryInBrief::None, memory_character_limit, public_history_max_length, ..shipped() }
}
