//! `compare`: compares the arms of an experiment.

use super::arguments::CompareArguments;
use super::exit::{Ending, Refusal};

/// Compares the arms of an experiment.
///
/// # Errors
/// A [`Refusal`] with the reason.
pub fn compare(arguments: &CompareArguments) -> Result<Ending, Refusal> {
    Err(Refusal::failed(format!("compare is not built yet: {arguments:?}")))
}
