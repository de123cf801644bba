//! When something happens in a session, as a coordinate: no clock, no record number, no order of arrival.

use crate::domain::spelled;
use serde::{Deserialize, Serialize};

use super::{PhaseName, SeatName};

/// The name that stands for a phase where a moment is outside every phase.
pub const OUTSIDE_PHASES: &str = "session";

/// What a moment is for. The order of the variants is part of no file; their spelling is.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Step {
    /// The session begins; the one moment outside every phase.
    Convening,
    /// A seat chooses its name; its turn counts the times that names were asked for.
    Naming,
    /// A phase opens.
    Opening,
    /// The facilitator or a human tells all seats or some of them something.
    Brief,
    /// A seat ranks the alternatives.
    Ranking,
    /// A seat answers the comprehension test; its round is the try.
    Comprehension,
    /// A situation is put before the seats.
    Situation,
    /// A seat applies an alternative of its choice to a situation.
    Application,
    /// What a choice pays is drawn.
    Payment,
    /// A seat says whether it wants to speak in the round that is about to begin, and how urgently.
    Volunteer,
    /// The speaking order of a round is drawn.
    Order,
    /// A seat thinks before it speaks; nobody hears it.
    Reasoning,
    /// A seat speaks on the floor.
    Statement,
    /// A seat says whether it calls a vote now.
    VoteCall,
    /// A seat says whether it agrees to vote now.
    Confirmation,
    /// A seat answers a private poll that binds nobody.
    StrawPoll,
    /// A seat votes.
    Ballot,
    /// A seat names the amount that belongs to the alternative it voted for.
    Amount,
    /// A seat answers a form that the scenario asks.
    Ask,
    /// Values are computed.
    Compute,
    /// Seats are put into groups.
    Assignment,
    /// Ballots are counted.
    Tally,
    /// A decision is imposed on the group.
    Imposition,
    /// A seat rewrites its memory, given what happened.
    Integration,
    /// A seat rewrites its memory, because it is nearly full.
    Compression,
    /// A seat changes its notes before the session ends.
    Notes,
    /// A seat says whether it recognises what it took part in; nothing comes after it but the end.
    Recognition,
    /// A round closes.
    Closing,
    /// The session ends.
    Adjournment,
}

impl Step {
    /// Whether the question is a small one about the course of the talk: whether to speak, to call a vote, to agree to one.
    pub fn is_small(self) -> bool {
        matches!(self, Step::Volunteer | Step::VoteCall | Step::Confirmation)
    }

    /// Whether a seat is asked to rewrite its memory.
    pub fn rewrites_memory(self) -> bool {
        matches!(self, Step::Integration | Step::Compression)
    }

    /// Whether the question is part of a seat's turn in a round of talk: whether it wants to speak, what it thinks and says, and
    /// whether it would vote now. Any other question is a turn of its own.
    pub fn is_of_a_turn(self) -> bool {
        self.is_small() || matches!(self, Step::Reasoning | Step::Statement)
    }
}

/// Where a straw poll stands: before the talk, in its rounds, or after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PollTime {
    /// Before the discussion.
    Before,
    /// At the end of each round.
    EachRound,
    /// After the discussion.
    After,
}

/// A coordinate in a session. The phase is named, never numbered, so arms with different agendas share coordinates.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moment {
    /// The phase's name in the agenda; the moment of convening and the adjournment carry the name `session`.
    pub phase: PhaseName,
    /// Rounds count from 1 within a phase; 0 is that phase's part outside rounds.
    pub round: u32,
    /// Speaking turns count from 1 within a round; 0 for every step outside a speaking turn, but for a memory that is made
    /// shorter part by part: its parts in a phase and round count from 0.
    pub turn: u32,
    /// What happens.
    pub step: Step,
}

impl Moment {
    /// A moment outside every phase.
    pub fn outside_phases(step: Step) -> Self {
        Self { phase: PhaseName::new(OUTSIDE_PHASES), round: 0, turn: 0, step }
    }
}

/// Identifies a question inside a session. By this it is found again on resume, replay and fork.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionId {
    /// When it is asked.
    pub at: Moment,
    /// Who is asked.
    pub seat: SeatName,
    /// 0 for the first try, 1 for the first re-ask, and so on.
    pub attempt: u8,
}

impl std::fmt::Display for QuestionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Moment { phase, round, turn, step } = &self.at;
        write!(f, "{phase} round {round}")?;
        match step {
            Step::Compression if *turn > 0 => write!(f, " part {}", turn + 1)?,
            _ if *turn > 0 => write!(f, " turn {turn}")?,
            _ => {}
        }
        write!(f, ", {} of {}", step.as_str(), self.seat)?;
        if self.attempt > 0 {
            write!(f, " (attempt {})", self.attempt + 1)?;
        }
        Ok(())
    }
}

spelled!(Step);
