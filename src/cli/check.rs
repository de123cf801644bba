//! `check`: tells every mistake of a config, or what it will do and cost.

use super::arguments::CheckArguments;
use super::exit::{Ending, Refusal};

/// Tells every mistake of a config, or what it will do and cost.
///
/// # Errors
/// A [`Refusal`] with the reason.
pub fn check(arguments: &CheckArguments) -> Result<Ending, Refusal> {
    Err(Refusal::failed(format!("check is not built yet: {arguments:?}")))
}
