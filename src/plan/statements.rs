//! Pinned statements, by a mark or an intervention: whether they are possible, and their greatest size in a memory.

use super::{Deed, Intervention, Plan, Seat};
use crate::domain::{AlternativeName, NAME_CHARS_MAX, NamedChoice, SeatId, Seq, Voice};
use crate::memory::{MemoryPlan, RemarkHeader, guidance, notice};
use crate::text;

/// The longest name of an alternative, in characters.
const NAME_MAX: usize = 80;
/// Upper bounds on tokens, by the estimate that errs high: per character, and between two entries.
const CHAR_TOKENS: u64 = 4;
const JOINT: u64 = 2;

/// An upper bound on statements in a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statements {
    /// Their maximum number.
    pub count: u64,
    /// The maximum length of one, in characters as rendered.
    pub chars: u64,
}

impl Statements {
    /// The total length in characters.
    pub fn all_chars(self) -> u64 {
        self.count.saturating_mul(self.chars)
    }

    /// The total length in tokens.
    pub fn all_tokens(self) -> u64 {
        self.count.saturating_mul(self.chars.saturating_mul(CHAR_TOKENS).saturating_add(JOINT))
    }
}

/// The statements that may have a pinned mark: all in discussions that read marks.
pub fn pinnable_statements(plan: &Plan, seat: &Seat) -> Statements {
    let pins = plan.memory.pin.hold_statements() && can_keep_statements(&plan.memory);
    let talks = plan.discussions().filter(|talk| pins && talk.proposals);
    let count = talks.map(|talk| u64::from(talk.rounds.get()) * plan.seats.len() as u64).sum();
    Statements { count, chars: longest_statement_chars(plan, &seat.memory) }
}

/// The statements that interventions mark for a seat.
pub fn marked_statements(plan: &Plan, seat: &Seat) -> Statements {
    let is_marked = |told: &&Intervention| matches!(told.deed, Deed::Marked { .. }) && told.is_for(&seat.name);
    let voice = [Voice::Facilitator, Voice::Human]
        .map(|by| text::char_count(&notice::marked_line("", by, plan.motion.language)));
    let before = voice.into_iter().max().unwrap_or(0);
    let count = match plan.memory.policy.terms().keeps_nothing() {
        true => 0,
        false => plan.interventions.iter().filter(is_marked).count() as u64,
    };
    Statements { count, chars: longest_statement_chars(plan, &seat.memory).saturating_add(before) }
}

/// A hint if pinned statements have no length limit, so that no memory limit is sufficient.
pub fn truncation_hint(plan: &Plan) -> Option<String> {
    let has_some =
        plan.seats.iter().any(|seat| pinnable_statements(plan, seat).count + marked_statements(plan, seat).count > 0);
    let is_endless = has_some && plan.seats.iter().any(|seat| !seat.memory.enable_truncation);
    is_endless.then(|| "write enable_truncation: true: a statement may be as long as the whole memory".to_owned())
}

/// Whether memories keep statements.
pub fn can_keep_statements(memory: &MemoryPlan) -> bool {
    memory.keeps_statements() && !memory.policy.terms().keeps_nothing()
}

/// The maximum length of a statement in a memory, in characters as rendered.
fn longest_statement_chars(plan: &Plan, memory: &MemoryPlan) -> u64 {
    let name = |seat: &Seat| match seat.chooses_name() {
        true => (NAME_CHARS_MAX as usize).max(seat.agent.public_name.chars().count()),
        false => seat.agent.public_name.chars().count(),
    };
    let name = "x".repeat(plan.seats.iter().map(name).max().unwrap_or(0));
    let (round, turn) = (plan.discussions().map(|talk| talk.rounds.get()).max().unwrap_or(0), plan.seats.len() as u32);
    let said = RemarkHeader { seq: Seq(0), round, turn, speaker: Some(SeatId(0)) };
    // Items may have their own alternatives.
    let alternative = AlternativeName::new(&"x".repeat(NAME_MAX));
    let favours = NamedChoice { alternative, amount: Some(u32::MAX) };
    let frame = guidance::frame_chars(&said, &name, Some(&favours), (plan.memory.guidance_style, plan.motion.language));
    memory.statement_chars_max(frame)
}
