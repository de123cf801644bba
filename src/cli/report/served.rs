//! The page as a server hands it out: its sessions apart.

use std::path::Path;

use super::build_page;
use super::source::PageSource;
use crate::report::page::{Delivery, Templates};
use crate::serve::PrintedPage;

/// Makes the page of an experiment's folder.
///
/// # Errors
/// Why there is none, in words.
pub fn build_served_page(folder: &Path) -> Result<PrintedPage, String> {
    let source = PageSource::read(folder).map_err(|refusal| match refusal.problems.is_empty() {
        true => refusal.message,
        false => refusal.problems.to_string(),
    })?;
    let templates = Templates::new();
    let (page, _) = build_page(&source, &templates);
    let html = page.html(&templates, Delivery::Served);
    Ok(PrintedPage { html, policy: Delivery::Served.policy(), sessions: page.sessions.into_iter().collect() })
}
