//! How it was done: the page of methods, the plan with the origin of every value, the prompts, and the versions.

use super::{Absent, Gathered};
use crate::report::counted;
use crate::report::page::parts::Part;

/// The pieces.
pub fn parts(gathered: &Gathered<'_>) -> Result<Vec<Part>, Absent> {
    let known = gathered.provenance;
    let mut parts = Vec::new();
    if !known.versions.is_empty() {
        let told =
            known.versions.iter().map(|(version, sessions)| format!("{version} ({})", counted(*sessions, "session")));
        parts.push(Part::words(format!("Sessions were run with ekklesia {}.", told.collect::<Vec<_>>().join(", "))));
    }
    if !known.files.is_empty() {
        parts.push(Part::words(
            "The files below stand in the results folder as they are. plan.yaml is the plan with every value's origin: default, scenario, \
             config, command line or arm.",
        ));
    }
    parts.extend(known.files.iter().map(|(name, text)| Part::text(name, text)));
    if parts.is_empty() { Err(Absent("the folder holds neither plan nor methods")) } else { Ok(parts) }
}
