//! The purpose of a choice.

use crate::domain::{PollTime, Step, spelled};

/// The purpose of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ChoicePurpose {
    /// The straw poll before the talk.
    StrawBefore,
    /// The straw poll that closes a round.
    StrawRound,
    /// The straw poll after the talk.
    StrawAfter,
    /// A ranking of all alternatives.
    Ranking,
    /// A practice round.
    Application,
    /// A vote.
    Vote,
}

impl ChoicePurpose {
    /// The purpose of a question at a step of a phase with a poll at this time.
    pub fn of_step(step: Step, poll: Option<PollTime>) -> Self {
        match (step, poll) {
            (Step::Ballot | Step::Amount, _) => Self::Vote,
            (Step::Ranking, _) => Self::Ranking,
            (Step::Application, _) => Self::Application,
            (_, Some(PollTime::Before)) => Self::StrawBefore,
            (_, Some(PollTime::After)) => Self::StrawAfter,
            (_, Some(PollTime::EachRound) | None) => Self::StrawRound,
        }
    }
}

spelled!(ChoicePurpose);
