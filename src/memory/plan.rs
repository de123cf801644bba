//! The plan of a memory: policy, limits, and the routing of events.

use super::{EventKinds, FloorEvent, HistoryInBrief, MemoryPolicy, notice};
use crate::domain::{EntryKind, GuidanceStyle, Language, Marked, OwnEntry};
use crate::text;

/// The lower bound of the two limits on rendered length: room for the longest names and a few words in either style. A seat
/// always sees this much beside its pinned entries, whatever their length and the model's allowance.
pub const RENDERED_LIMIT_MIN: u64 = 300;

/// The settings of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct MemoryPlan {
    /// The policy.
    pub policy: MemoryPolicy,
    /// The part of the public history shown beside the memory.
    pub history: HistoryInBrief,
    /// Kinds of events that are never cut, dropped or replaced, besides results and private instructions.
    #[serde(skip)]
    pub pin: EventKinds,
    /// Kinds of events put back verbatim after a rewrite, if the policy does so.
    #[serde(skip)]
    pub reinject: EventKinds,
    /// The number of older statements related to the current topic that a brief adds; `None` for none.
    pub recall: Option<u32>,
    /// Whether a seat may search the statements that it has heard before it answers.
    pub look_up: bool,
    /// The style of statements.
    #[serde(skip)]
    pub guidance_style: GuidanceStyle,
    /// The kept length of a statement, in Unicode scalar values, with its marker. The public history keeps statements in full.
    pub statement_max_length: u32,
    /// The kept length of a seat's own reasoning, in Unicode scalar values, with its marker.
    pub reasoning_max_length: u32,
    /// Whether statements and reasoning are cut.
    pub enable_truncation: bool,
    /// The limit of a seat's brief, in Unicode scalar values as rendered.
    pub memory_character_limit: u64,
    /// The limit of the public history, in Unicode scalar values in one rendering for all arms: narrative, with the seats' true
    /// names.
    pub public_history_max_length: u64,
    /// The share of its limit above which a memory is compressed, in parts per million, if the policy has no own threshold.
    pub compression_threshold_ppm: u32,
    /// The share of its limit to which a memory is compressed, in parts per million.
    pub compression_target_ppm: u32,
    /// The strategy for each kind of event.
    #[serde(skip)]
    pub routing: Routing,
}

/// What becomes of an event in a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// It is cut, formatted and appended; no model is asked.
    Direct,
    /// It is appended, and at the end of the round or phase the seat rewrites its memory, given what happened.
    Integrated,
    /// It is not remembered; a statement is still in the public history.
    Skip,
}

/// The strategy for each kind of event.
//
// The field names are the keys of a config.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Routing {
    /// A statement on the floor.
    pub statement: Strategy,
    /// What a seat thought before it spoke.
    pub own_reasoning: Strategy,
    /// A vote was called.
    pub vote_called: Strategy,
    /// A seat agreed to vote, or did not; where seats vote in turn, it cast its ballot.
    pub vote_answered: Strategy,
    /// A seat's own ballot.
    pub own_ballot: Strategy,
    /// Ballots were counted without a decision.
    pub tally_open: Strategy,
    /// The group decided.
    pub tally_decided: Strategy,
    /// What a seat was paid.
    pub results: Strategy,
    /// Something the facilitator or a human said.
    pub instruction: Strategy,
    /// A seat's own ranking.
    pub own_ranking: Strategy,
    /// A seat's own choice in a practice round, or its comprehension test.
    pub own_application: Strategy,
    /// An amount that a seat named in private: an estimate in a poll, or what it asked to take from a common stock.
    pub own_answer: Strategy,
}

/// Why a seat rewrites its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RewriteReason {
    /// Events to integrate. The text replaces the seat's own unpinned entries.
    Integration,
    /// A memory near its limit, or a digest that is due. The text replaces the part shown to its writer.
    Compression,
}

impl HistoryInBrief {
    /// The policy's default.
    pub fn for_policy(policy: MemoryPolicy) -> Self {
        policy.terms().history
    }
}

impl Routing {
    /// Skips votes, agreements to vote and tallies, for groups in which nobody hears another.
    #[must_use]
    pub fn without_group_votes(self) -> Self {
        let skip = Strategy::Skip;
        Self { vote_called: skip, vote_answered: skip, tally_open: skip, tally_decided: skip, ..self }
    }

    /// The routing of a phase that says how it is remembered: what is not skipped anyway takes that way.
    #[must_use]
    pub fn in_phase(self, remember: Option<Strategy>) -> Self {
        let Some(way) = remember.filter(|way| *way != Strategy::Skip) else { return self };
        let route = |usual: Strategy| if usual == Strategy::Skip { usual } else { way };
        Self {
            statement: route(self.statement),
            own_reasoning: route(self.own_reasoning),
            vote_called: route(self.vote_called),
            vote_answered: route(self.vote_answered),
            own_ballot: route(self.own_ballot),
            tally_open: route(self.tally_open),
            tally_decided: route(self.tally_decided),
            results: route(self.results),
            instruction: route(self.instruction),
            own_ranking: route(self.own_ranking),
            own_application: route(self.own_application),
            own_answer: route(self.own_answer),
        }
    }

    /// The strategy for a remark.
    pub fn of_floor(&self, event: FloorEvent) -> Strategy {
        match event {
            FloorEvent::Statement => self.statement,
            FloorEvent::Instruction | FloorEvent::Answer => self.instruction,
            FloorEvent::VoteCalled => self.vote_called,
            FloorEvent::VoteAnswered => self.vote_answered,
            FloorEvent::TallyOpen => self.tally_open,
            FloorEvent::TallyDecided => self.tally_decided,
            FloorEvent::Exhibit => Strategy::Direct,
        }
    }

    /// The strategy for a seat's own entry. A rewritten memory is not integrated again.
    pub fn of_entry(&self, kind: EntryKind) -> Strategy {
        match kind {
            EntryKind::Instruction | EntryKind::Dealt => self.instruction,
            EntryKind::OwnReasoning => self.own_reasoning,
            EntryKind::OwnBallot => self.own_ballot,
            EntryKind::OwnRanking => self.own_ranking,
            EntryKind::OwnApplication | EntryKind::OwnTest => self.own_application,
            EntryKind::OwnAnswer => self.own_answer,
            EntryKind::Results => self.results,
            EntryKind::Decision => self.tally_decided,
            EntryKind::Exhibit | EntryKind::Marked | EntryKind::Rewritten | EntryKind::PutBack | EntryKind::Notes => {
                Strategy::Direct
            }
        }
    }
}

impl MemoryPlan {
    /// Whether entries of this kind are never cut, dropped or replaced: results, notes, private instructions, exhibits, marked
    /// statements, and the kinds in `pin`. Private instructions are until a later pass brings them again.
    pub fn pins_entry(&self, kind: EntryKind) -> bool {
        matches!(kind, EntryKind::Results | EntryKind::Notes | EntryKind::Instruction | EntryKind::Dealt)
            || self.pin.hold_entry(kind)
    }

    /// Whether a pinned entry becomes an ordinary one when a newer one comes: a private instruction, if the newer one is that of
    /// another pass of its phase, unless `pin` has the kind.
    pub fn unpins_entry(&self, earlier: &OwnEntry, newer: &OwnEntry) -> bool {
        let is_repeated = earlier.phase.is_other_pass_of(&newer.phase);
        is_repeated && [earlier, newer].iter().all(|entry| self.pins_newest_pass(entry.kind))
    }

    /// Whether of a kind of entry only those of the newest pass are pinned.
    pub fn pins_newest_pass(&self, kind: EntryKind) -> bool {
        kind == EntryKind::Instruction && !self.pin.hold_entry(kind)
    }

    /// Whether a statement with these marks is pinned. A policy that keeps nothing pins none, because the public history may show
    /// the statement.
    pub fn pins_statement(&self, marks: &[Marked]) -> bool {
        self.keeps_statements() && !self.policy.terms().keeps_nothing() && self.pin.hold_marks(marks)
    }

    /// Whether memories keep statements.
    pub fn keeps_statements(&self) -> bool {
        self.routing.statement != Strategy::Skip
    }

    /// The maximal length of a statement in a memory, in rendered characters, for a frame of this length.
    pub fn statement_chars_max(&self, frame: u64) -> u64 {
        frame.saturating_add(self.remark_limit(FloorEvent::Statement, frame))
    }

    /// The part of a statement that hearers can read, in Unicode scalar values; `None` if all of it.
    pub fn readable_length(&self) -> Option<u32> {
        let is_cut = self.enable_truncation && self.policy.terms().is_limited() && self.history == HistoryInBrief::None;
        is_cut.then_some(self.statement_max_length)
    }

    /// Whether statements need a search index.
    pub fn looks_up_statements(&self) -> bool {
        self.recall.is_some() || self.look_up
    }

    /// The maximal length of a seat's notes in a brief, in characters: half of the brief's limit.
    pub fn notes_room(&self) -> u64 {
        match self.policy.terms().tokens_max() {
            Some(most) => self.memory_character_limit.min(most) / 2,
            None => self.character_limit() / 2,
        }
    }

    /// The limit of a seat's brief, in rendered characters; `u64::MAX` if the policy has none.
    pub fn character_limit(&self) -> u64 {
        self.if_limited(self.memory_character_limit)
    }

    /// The measured limit of the public history.
    pub(super) fn public_history_limit(&self) -> u64 {
        self.if_limited(self.public_history_max_length)
    }

    /// The kept length of a remark's text for a frame of this length. An announcement is cut only if it alone exceeds the limit.
    pub(super) fn remark_limit(&self, event: FloorEvent, frame: u64) -> u64 {
        let room = self.character_limit().saturating_sub(frame);
        match event {
            FloorEvent::Statement if self.enable_truncation => {
                room.min(self.if_limited(self.statement_max_length.into()))
            }
            FloorEvent::Exhibit => u64::MAX,
            _ => room,
        }
    }

    /// The kept length of an own entry, without its label.
    pub(super) fn entry_limit(&self, kind: EntryKind, language: Language) -> u64 {
        match kind {
            pinned if self.pins_entry(pinned) => u64::MAX,
            EntryKind::OwnReasoning => {
                let room = self.character_limit().saturating_sub(text::char_count(notice::thought_label(language)));
                let truncated = self.if_limited(self.reasoning_max_length.into());
                if self.enable_truncation { room.min(truncated) } else { room }
            }
            _ => self.character_limit(),
        }
    }

    fn if_limited(&self, limit: u64) -> u64 {
        if self.policy.terms().is_limited() { limit } else { u64::MAX }
    }
}

/// Tokens of a line in a prompt, by the fixed estimate.
pub fn entry_tokens(line: &str) -> u64 {
    /// Tokens between two lines.
    const JOINT: u64 = 2;
    text::tokens_at_most(line) + JOINT
}

/// A share of a limit, rounded down.
pub(super) fn share_of_limit(limit: u64, ppm: u32) -> u64 {
    let exact = u128::from(limit) * u128::from(ppm) / 1_000_000;
    u64::try_from(exact).unwrap_or(u64::MAX)
}
