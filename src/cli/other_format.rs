//! Folders whose minutes have another format than this version reads.

use super::exit::{Ending, Refusal};
use crate::store::fold::first_of_other_format;
use crate::store::results::ResultsFolder;

/// Refuses a folder, or one session of it, whose minutes this version does not read. All sessions of a folder have one format.
///
/// # Errors
/// A [`Refusal`] with the version that wrote the minutes, and what to do with that one.
pub fn refuse_other_format(folder: &ResultsFolder, session: Option<&str>, remedy: &str) -> Result<(), Refusal> {
    let names = match session {
        Some(name) => vec![name.to_owned()],
        None => folder.session_names()?,
    };
    let first = names.into_iter().find(|name| folder.minutes_format(name).is_some());
    match first_of_other_format(folder, first) {
        Some(why) => Err(Refusal::with_ending(Ending::Diverged, format!("{why}: {remedy}"))),
        None => Ok(()),
    }
}
