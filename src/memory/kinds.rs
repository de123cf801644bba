//! The kinds of events that memories distinguish, and sets of them.

use crate::domain::{EntryKind, Marked};

/// The kind of a remark on the floor, for routing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloorEvent {
    /// A statement.
    Statement,
    /// The facilitator or a human said something.
    Instruction,
    /// A vote was called.
    VoteCalled,
    /// A seat agreed to vote, or did not; where seats vote in turn, it cast its ballot.
    VoteAnswered,
    /// Ballots were counted without a decision.
    TallyOpen,
    /// The group decided.
    TallyDecided,
    /// An exhibit was handed out.
    Exhibit,
    /// A seat's answers to a form that others hear.
    Answer,
}

impl FloorEvent {
    /// Whether only those hear it who hear what is said in the phase.
    pub fn is_of_phase(self) -> bool {
        match self {
            FloorEvent::Statement
            | FloorEvent::VoteCalled
            | FloorEvent::VoteAnswered
            | FloorEvent::TallyOpen
            | FloorEvent::TallyDecided
            | FloorEvent::Answer => true,
            FloorEvent::Instruction | FloorEvent::Exhibit => false,
        }
    }
}

/// A kind of event that may be kept whatever else is dropped: all but reasoning and statements without marks, of which there is no
/// end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A vote was called.
    VoteCalled,
    /// A seat agreed to vote, or did not; where seats vote in turn, it cast its ballot.
    VoteAnswered,
    /// A seat's own ballot.
    OwnBallot,
    /// Ballots were counted without a decision.
    TallyOpen,
    /// The group decided.
    TallyDecided,
    /// What a seat was paid.
    Results,
    /// Something the facilitator or a human said.
    Instruction,
    /// A seat's own ranking.
    OwnRanking,
    /// A seat's own choice in a practice round, or its comprehension test.
    OwnApplication,
    /// An amount that a seat named in private: an estimate in a poll, or what it asked to take from a common stock.
    OwnAnswer,
    /// A statement that is marked as a proposal.
    Proposal,
    /// A statement that is marked as a decision.
    Decision,
}

/// A set of kinds of events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EventKinds(u16);

impl EventKinds {
    /// Builds the set of these kinds.
    pub fn from_kinds(kinds: &[EventKind]) -> Self {
        Self(kinds.iter().fold(0, |set, kind| set | 1 << *kind as u16))
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set contains the kind of a remark; true for an exhibit, false for a statement.
    pub fn hold_remark(self, event: FloorEvent) -> bool {
        let kind = match event {
            // Marks decide: see `hold_marks`.
            FloorEvent::Statement => return false,
            FloorEvent::Exhibit => return true,
            FloorEvent::Instruction | FloorEvent::Answer => EventKind::Instruction,
            FloorEvent::VoteCalled => EventKind::VoteCalled,
            FloorEvent::VoteAnswered => EventKind::VoteAnswered,
            FloorEvent::TallyOpen => EventKind::TallyOpen,
            FloorEvent::TallyDecided => EventKind::TallyDecided,
        };
        self.contains_kind(kind)
    }

    /// Whether the set contains the kind of a seat's own entry; true for exhibits and marked statements.
    pub fn hold_entry(self, kind: EntryKind) -> bool {
        let kind = match kind {
            EntryKind::OwnReasoning | EntryKind::Rewritten | EntryKind::PutBack | EntryKind::Notes => return false,
            EntryKind::Exhibit | EntryKind::Marked => return true,
            EntryKind::Instruction | EntryKind::Dealt => EventKind::Instruction,
            EntryKind::OwnBallot => EventKind::OwnBallot,
            EntryKind::OwnRanking => EventKind::OwnRanking,
            EntryKind::OwnApplication | EntryKind::OwnTest => EventKind::OwnApplication,
            EntryKind::OwnAnswer => EventKind::OwnAnswer,
            EntryKind::Results => EventKind::Results,
            EntryKind::Decision => EventKind::TallyDecided,
        };
        self.contains_kind(kind)
    }

    /// Whether the set contains a kind of statement with one of these marks.
    pub fn hold_marks(self, marks: &[Marked]) -> bool {
        marks.iter().any(|mark| {
            mark.proposes() && self.contains_kind(EventKind::Proposal)
                || mark.decides() && self.contains_kind(EventKind::Decision)
        })
    }

    /// Whether the set contains any kind of statement.
    pub fn hold_statements(self) -> bool {
        self.contains_kind(EventKind::Proposal) || self.contains_kind(EventKind::Decision)
    }

    fn contains_kind(self, kind: EventKind) -> bool {
        self.0 >> kind as u16 & 1 == 1
    }
}
