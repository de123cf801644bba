//! The page as a server hands it out: its sessions apart.

use std::path::Path;

use super::page;
use super::source::Source;
use crate::report::page::{Delivery, Templates};
use crate::serve::Printed;

/// Makes the page of an experiment's folder.
///
/// # Errors
/// Why there is none, in words.
pub fn printed(folder: &Path) -> Result<Printed, String> {
    let source = Source::read(folder).map_err(|refusal| match refusal.problems.is_empty() {
        true => refusal.message,
        false => refusal.problems.to_string(),
    })?;
    let templates = Templates::new();
    let (page, _) = page(&source, &templates);
    let html = page.html(&templates, Delivery::Served);
    Ok(Printed { html, policy: Delivery::Served.policy(), sessions: page.sessions.into_iter().collect() })
}
