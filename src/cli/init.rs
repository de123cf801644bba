//! `init`: makes a folder with a commented experiment.

use super::arguments::InitArguments;
use super::exit::{Ending, Refusal};

/// Makes a folder with a commented experiment.
///
/// # Errors
/// A [`Refusal`] with the reason.
pub fn init(arguments: &InitArguments) -> Result<Ending, Refusal> {
    Err(Refusal::failed(format!("init is not built yet: {arguments:?}")))
}
