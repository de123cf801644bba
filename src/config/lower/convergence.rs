//! What follows when the statements of a round have become alike.
//!
//! How alike they are is the affair of [`measures`](crate::analysis::measures).

use crate::config::written::config::ConvergenceConfig;
use crate::plan::{Convergence, parts_per_million};

/// The threshold where the author names none, in millionths.
const THRESHOLD: u32 = 800_000;

/// What an author wrote of it.
///
/// # Errors
/// When the threshold has more than six decimals; its range is checked elsewhere.
pub fn lower_convergence(written: &ConvergenceConfig) -> Result<Convergence, String> {
    Ok(Convergence {
        profile: written.profile.unwrap_or_default(),
        threshold: written.threshold.map(parts_per_million).transpose()?.unwrap_or(THRESHOLD),
        action: written.action.unwrap_or_default(),
    })
}
