//! What a seat did wrong with a question. A service that could not be reached is an [`Outage`](super::Outage), never a fault.

use crate::domain::spelled;
use serde::{Deserialize, Serialize};

/// Why an answer does not count. Each is the typed reason given with the re-ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Fault {
    /// The reply does not have the form that was asked for.
    Unreadable,
    /// The reply names something that was not on offer.
    UnknownAlternative,
    /// The reply chooses more than one thing, or not the kind of thing asked for.
    Ambiguous,
    /// An alternative that takes an amount was chosen without one.
    AmountMissing,
    /// The amount cannot be read as a whole number.
    AmountUnreadable,
    /// The amount is 0, or above any income.
    AmountOutOfRange,
    /// An amount was named with an alternative that takes none.
    AmountUncalledFor,
    /// Not every alternative has a rank of its own.
    NotARanking,
    /// An alternative is approved of twice.
    NamedTwice,
    /// Not every alternative has one score.
    NotScored,
    /// A score is above the greatest one.
    ScoreOutOfRange,
    /// The reply is empty.
    Empty,
    /// The statement is shorter than the plan's `statement_min_length`.
    TooShort,
    /// The text is longer than the question allows.
    TooLong,
    /// A number is outside its bounds.
    OutOfRange,
    /// Points do not add up to what was to be shared.
    WrongTotal,
    /// The name is too long, has characters that names do not have, or is a word that is kept.
    UnfitName,
    /// Another seat goes by the name.
    NameTaken,
    /// The text to be replaced does not stand exactly once in the notes.
    NotOnce,
    /// The seat declined to answer.
    Refused,
    /// The reply was cut by its length limit.
    CutByLength,
    /// The question did not fit the model's context window.
    ContextTooLong,
}

/// What the engine does about a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Consequence {
    /// The same question is put again, with the reason.
    AskedAgain,
    /// The seat's tries are used up: a speaker forfeits the turn, a voter's ballot is invalid, a poll stays unanswered,
    /// a vote is not called or agreed to, a memory or notes stay as
    /// they are, a seat keeps its name.
    TriesUsedUp,
}

spelled!(Fault);
