//! Arms that say what chance alone would give.

use crate::domain::spelled;

/// The factor of which each null is a level; an arm that is none has the empty one.
pub const FACTOR: &str = "null";

/// A kind of null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum NullWord {
    /// Nobody talks.
    NoTalk,
    /// Everybody hears another group.
    ShuffledSpeech,
    /// Everybody hears itself alone.
    SelfRevision,
    /// Everybody takes means.
    FriedkinJohnsen,
    /// Everybody counts answers.
    Polya,
    /// Everybody chooses by lot.
    Random,
}

/// The same in a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NullArm {
    /// The arm that it stands beside, by name: it shares its draws.
    pub of: String,
    /// Its kind.
    pub word: NullWord,
    /// Whether its seats begin with what those of the other arm said alone before the talk.
    pub begins: NullStart,
}

/// Where the seats of a null begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NullStart {
    /// Each where its own mind has it, or its own model.
    Anew,
    /// Where the same seats of its arm stood, whose sessions are recomputed.
    AsRecomputed,
    /// Where the same seats of its arm stood, whose sessions are recorded.
    AsRecorded,
}

impl NullWord {
    const ALL: [NullWord; 6] = [
        NullWord::NoTalk,
        NullWord::ShuffledSpeech,
        NullWord::SelfRevision,
        NullWord::FriedkinJohnsen,
        NullWord::Polya,
        NullWord::Random,
    ];

    /// Whether minds sit on its seats, whatever sits on those of its arm.
    pub fn is_simulated(self) -> bool {
        matches!(self, NullWord::FriedkinJohnsen | NullWord::Polya | NullWord::Random)
    }

    /// The null of this spelling.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|null| null.as_str() == word)
    }

    /// What it is, in a few words.
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
