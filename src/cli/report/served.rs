//! The page for a server, which delivers its sessions separately.

use std::path::Path;

use super::build_page;
use super::source::PageSource;
use crate::report::page::{Delivery, Templates};
use crate::serve::PrintedPage;

/// Makes the page of an experiment's folder.
///
/// # Errors
/// The reason as text.
pub fn build_served_page(folder: &Path) -> Result<PrintedPage, String> {
    let source = PageSource::read(folder).map_err(|refusal| match refusal.problems.is_empty() {
        true => refusal.message,
        false => refusal.problems.to_string(),
    })?;
    let templates = Templates::new();
    let (page, _) = build_page(&source, &templates, Delivery::Served);
    let html = page.html(&templates, Delivery::Served);
    Ok(PrintedPage { html, policy: Delivery::Served.policy(), sessions: page.sessions.into_iter().collect() })
}
