//! `export`: writes an experiment in another format.

use super::arguments::ExportArguments;
use super::exit::{Ending, Refusal};

/// Writes an experiment in another format.
///
/// # Errors
/// A [`Refusal`] with the reason.
pub fn export(arguments: &ExportArguments) -> Result<Ending, Refusal> {
    Err(Refusal::failed(format!("export is not built yet: {arguments:?}")))
}
