//! The purpose of a choice.

use crate::domain::spelled;

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

spelled!(ChoicePurpose);
