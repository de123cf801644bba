//! Text's meaning, checked once: what was written ([`Config`] and scenario) becomes what is true ([`Plan`]).
//!
//! Nothing below this layer validates a value again, and nothing here reads a file.

#[allow(clippy::module_inception)]
mod plan;

pub use plan::{
    Controls, Discussion, Experiment, Level, OpenAiModel, OptionOrder, Phase, PhaseKind, Plan, Seat, Sitter,
    SpeakingOrder,
};
