//! What follows when the statements of a round have become alike.
//!
//! How alike they are is the affair of [`measures`](crate::metrics::measures).

use serde::Deserialize;

use super::config::ConvergenceConfig;
use super::decimal::parts_per_million;
use crate::metrics::measures::ConvergenceProfile;

/// The threshold where the author names none, in millionths.
const THRESHOLD: u32 = 800_000;

/// What follows when the statements of a round have become alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Convergence {
    /// How the components weigh.
    pub profile: ConvergenceProfile,
    /// From which convergence on, in millionths.
    pub threshold: u32,
    /// What follows.
    pub action: ConvergenceAction,
}

/// What follows from convergence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConvergenceAction {
    /// The talk ends after the round.
    Stop,
    /// The summary tells it; the talk goes on.
    #[default]
    Warn,
    /// The minutes tell it; the talk goes on.
    Continue,
}

impl Convergence {
    /// Whether a round's convergence, in millionths, reaches the threshold; that of fewer than two speakers does not.
    pub fn is_reached(&self, convergence: Option<u32>) -> bool {
        convergence.is_some_and(|millionths| millionths >= self.threshold)
    }

    /// Whether it ends the talk.
    pub fn stops(&self, convergence: Option<u32>) -> bool {
        self.action == ConvergenceAction::Stop && self.is_reached(convergence)
    }
}

/// What an author wrote of it.
///
/// # Errors
/// When the threshold has more than six decimals; its range is checked elsewhere.
pub fn lower(written: &ConvergenceConfig) -> Result<Convergence, String> {
    Ok(Convergence {
        profile: written.profile.unwrap_or_default(),
        threshold: written.threshold.map(parts_per_million).transpose()?.unwrap_or(THRESHOLD),
        action: written.action.unwrap_or_default(),
    })
}
