//! Null arms as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::written::minds::{FRIEDKIN_JOHNSEN, POLYA, TraitConfig, bound_by};
use crate::config::written::shapes;

/// What a null arm lacks, or what sits on its seats.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = shapes::also_words(&["friedkin_johnsen", "polya"]))]
pub enum NullConfig {
    /// Nobody talks; the group votes once, where its agenda has a vote.
    NoTalk,
    /// Everybody talks, and is shown statements of another group of the same arm in the place of its own: those at the same round and
    /// turn of the partner replicate (1 and 2, 3 and 4, …), as under the memory policy `shuffled`.
    ShuffledSpeech,
    /// Everybody talks, and hears nobody but itself.
    SelfRevision,
    /// Every seat is simulated, begins with what the same seat of its arm said alone before the talk, and takes weighted means of
    /// what it hears, holding on to where it began.
    FriedkinJohnsen(Option<FriedkinJohnsenNull>),
    /// Every seat is simulated, begins with what the same seat of its arm said alone before the talk, counts the answers that it
    /// hears, and answers as often as it believes.
    Polya(Option<PolyaNull>),
    /// Every seat is simulated, and chooses by lot from its second private answer on.
    Random,
}

/// How the seats of the null take means; the words are those of the mind.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_by(FRIEDKIN_JOHNSEN))]
pub struct FriedkinJohnsenNull {
    /// How far it holds on to its anchor: 0 goes with the mean, 1 stays where it is.
    pub stubbornness: TraitConfig,
    /// The weight of the own opinion in the mean.
    pub self_weight: TraitConfig,
    /// What it is drawn to whatever is said; with two alternatives 1 is the first.
    pub attractor: TraitConfig,
    /// How much of the anchor that is: at 0 the anchor is where it stood at first.
    pub pull: TraitConfig,
}

/// How the seats of the null count.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = bound_by(POLYA))]
pub struct PolyaNull {
    /// How many answers its first belief counts for.
    pub concentration: TraitConfig,
}
