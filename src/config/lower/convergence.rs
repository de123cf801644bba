//! The action to take once the statements of a round have become similar.
//!
//! [`measures`](crate::analysis::measures) computes their similarity.

use crate::config::written::config::ConvergenceConfig;
use crate::plan::{Convergence, parts_per_million};

/// The default threshold, in parts per million.
const THRESHOLD: u32 = 800_000;

/// Reads the convergence rule.
///
/// # Errors
/// If the threshold has more than six decimals. The range is checked elsewhere.
pub fn lower_convergence(written: &ConvergenceConfig) -> Result<Convergence, String> {
    Ok(Convergence {
        profile: written.profile.unwrap_or_default(),
        threshold: written.threshold.map(parts_per_million).transpose()?.unwrap_or(THRESHOLD),
        action: written.action.unwrap_or_default(),
    })
}
