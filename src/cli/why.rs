//! `why`: tells where a number of a table comes from.

use super::arguments::WhyArguments;
use super::exit::{Ending, Refusal};

/// Tells where a number of a table comes from.
///
/// # Errors
/// A [`Refusal`] with the reason.
pub fn why(arguments: &WhyArguments) -> Result<Ending, Refusal> {
    Err(Refusal::failed(format!("why is not built yet: {arguments:?}")))
}
