//! Null arms: baselines that lack part of the discussion's effects.

use crate::domain::spelled;

/// The factor whose levels are the nulls; other arms have the empty level.
pub const FACTOR: &str = "null";

/// A kind of null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum NullWord {
    /// No seat talks.
    NoTalk,
    /// Every seat hears another group.
    ShuffledSpeech,
    /// Every seat hears only itself.
    SelfRevision,
    /// Simulated seats take weighted means.
    FriedkinJohnsen,
    /// Simulated seats count answers.
    Polya,
    /// Simulated seats choose at random.
    Random,
}

/// The null of an arm's plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NullArm {
    /// The name of the arm it is compared with; they share draws.
    pub of: String,
    /// The kind of null.
    pub word: NullWord,
    /// What its seats start from.
    pub begins: NullStart,
}

/// What the seats of a null start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NullStart {
    /// Each seat's own mind or model.
    Anew,
    /// The private answers of the arm's seats, whose sessions are recomputed.
    AsRecomputed,
    /// The private answers of the arm's seats, whose sessions are recorded.
    AsRecorded,
}

impl NullWord {
    /// Whether minds replace the respondents of all seats.
    pub fn is_simulated(self) -> bool {
        matches!(self, NullWord::FriedkinJohnsen | NullWord::Polya | NullWord::Random)
    }

    /// Parses the word of a null.
    pub fn from_word(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    /// A short description.
    pub fn description(self) -> &'static str {
        match self {
            NullWord::NoTalk => "nobody talks",
            NullWord::ShuffledSpeech => "everybody hears another group of the same arm",
            NullWord::SelfRevision => "everybody hears itself alone",
            NullWord::FriedkinJohnsen => {
                "everybody takes weighted means of what it hears, and holds on to where it began"
            }
            NullWord::Polya => "everybody counts answers, and answers as often as it believes",
            NullWord::Random => "everybody chooses by lot",
        }
    }
}

spelled!(NullWord);
