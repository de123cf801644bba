//! What is true of a session: complete, checked, and the same for all replicates of an arm.

use std::num::NonZeroU32;
use std::sync::Arc;

use crate::chance::Pairing;
use crate::choice::DecisionRule;
use crate::domain::{Agent, Digest, Motion, PhaseKindName, PhaseName, PollTime, SeatName};
use crate::memory::MemoryLimits;
use crate::minds::Mind;
use crate::prompt::{AnswerForm, Pack};

/// An experiment: its arms, and how often each is replicated.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Its name; the results folder is named after it.
    pub name: String,
    /// The names of the factors, in the author's order.
    pub factors: Vec<String>,
    /// The sessions of each arm, from 1.
    pub replicates: u32,
    /// One plan an arm, in the order of the design.
    pub arms: Vec<Arc<Plan>>,
}

/// A level of one factor, by its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// The factor.
    pub factor: String,
    /// The label, `[A-Za-z0-9_]+`.
    pub label: String,
}

/// A checked, complete instance of an experiment's arm.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The experiment's name.
    pub experiment: String,
    /// The arm's name: its level labels joined by `-`, or `baseline`.
    pub arm: String,
    /// The arm's levels, in factor order.
    pub levels: Vec<Level>,
    /// The digest of the session's own resolved plan.
    pub digest: Digest,
    /// The experiment's seed, 0 … 2⁵³−1.
    pub seed: u64,
    /// Whether arms share their draws.
    pub pairing: Pairing,
    /// The language of the prompts.
    pub language: String,
    /// What is decided.
    pub motion: Motion,
    /// The seats in the author's order; at least one.
    pub seats: Vec<Seat>,
    /// The phases in order; names are unique.
    pub agenda: Vec<Phase>,
    /// How ballots become a decision.
    pub decision: DecisionRule,
    /// Names and the order of options.
    pub controls: Controls,
    /// What memories hold.
    pub memory: MemoryLimits,
    /// How often a question is put at the most; at least 1.
    pub tries_max: u8,
    /// The prompts of the plan's language.
    pub prompts: Pack,
    /// The models that seats refer to.
    pub models: Vec<OpenAiModel>,
}

/// A place at the table.
#[derive(Debug, Clone)]
pub struct Seat {
    /// Its name, unique.
    pub name: SeatName,
    /// Who sits there.
    pub agent: Agent,
    /// The name of its model in the config.
    pub model: String,
    /// What answers for it.
    pub sitter: Sitter,
}

/// What answers for a seat.
#[derive(Debug, Clone)]
pub enum Sitter {
    /// A simulated agent; recomputed on replay.
    Mind(Mind),
    /// A language model, as a position in the plan's `models`; recorded.
    Model(usize),
}

/// A named part of the agenda.
#[derive(Debug, Clone)]
pub struct Phase {
    /// Its name, unique in the agenda.
    pub name: PhaseName,
    /// What happens in it.
    pub kind: PhaseKind,
}

/// What happens in a phase.
#[derive(Debug, Clone)]
pub enum PhaseKind {
    /// The facilitator says this to every seat.
    Brief {
        /// The words.
        text: String,
    },
    /// Every seat answers a straw poll, all at once.
    Ask {
        /// Where the poll stands.
        time: PollTime,
    },
    /// Talk in rounds.
    Discussion(Discussion),
    /// Every seat votes once, all at once.
    Ballot,
}

/// How the seats talk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discussion {
    /// Rounds at the most; a discussion of no rounds is left out of the agenda.
    pub rounds: NonZeroU32,
    /// Who speaks when.
    pub order: SpeakingOrder,
    /// The least length of a statement, in Unicode scalar values.
    pub statement_min_length: u32,
    /// Whether a straw poll closes each round.
    pub poll_each_round: bool,
    /// Whether a vote closes each round; a decision ends the discussion.
    pub vote_each_round: bool,
}

/// Who speaks when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpeakingOrder {
    /// The author's order, in every round.
    Fixed,
    /// By seeded lot, anew in every round.
    Random,
    /// All at once: nobody hears this round's statements before it ends.
    Simultaneous,
}

/// In which order the options of a ballot are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OptionOrder {
    /// The scenario's order.
    Fixed,
    /// By seeded lot for each question.
    Seeded,
    /// Rotated by one from seat to seat, from a seeded start.
    Latin,
}

/// Experimental controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Controls {
    /// Whether seats see each other as `Participant 1`, `Participant 2`, ….
    pub anonymous: bool,
    /// In which order options are shown.
    pub option_order: OptionOrder,
}

/// A model behind an OpenAI-compatible server.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenAiModel {
    /// Its name in the config.
    pub name: String,
    /// The server's base URL; not part of a session's identity.
    pub base_url: String,
    /// The model's name at the server.
    pub model: String,
    /// Sampling temperature; `None` leaves it to the server.
    pub temperature: Option<f64>,
    /// The reply's length at the most, in tokens; always sent.
    pub max_tokens: u32,
    /// How replies are asked for.
    pub answers: AnswerForm,
    /// The environment variable that holds the key; `None` sends no key. Not part of a session's identity.
    pub api_key_env: Option<String>,
    /// How long a call may take, in seconds. Not part of a session's identity.
    pub timeout_s: u64,
    /// Calls under way at once at the most. Not part of a session's identity.
    pub concurrency: usize,
}

impl PhaseKind {
    /// The kind's name in the minutes.
    pub fn name(&self) -> PhaseKindName {
        match self {
            PhaseKind::Brief { .. } => PhaseKindName::Brief,
            PhaseKind::Ask { .. } => PhaseKindName::Ask,
            PhaseKind::Discussion(_) => PhaseKindName::Discussion,
            PhaseKind::Ballot => PhaseKindName::Ballot,
        }
    }
}

impl Plan {
    /// Whether every seat is simulated, so that a session is recomputed and needs no call record.
    pub fn is_simulated(&self) -> bool {
        self.seats.iter().all(|seat| matches!(seat.sitter, Sitter::Mind(_)))
    }

    /// The name of a session's folder: `<arm>-r000001`.
    pub fn session_name(&self, replicate: u32) -> String {
        format!("{}-r{replicate:06}", self.arm)
    }
}
