//! What was changed of an announced comparison after sessions had been run.

use std::path::Path;

use crate::adapters::frozen::{Deviation, Frozen};
use crate::plan::{OF_KEYS, item_of_key};
use crate::report::counted;

/// What was changed of the announced comparison when sessions had been run: then it was not announced before the run. What is
/// right is part of a comparison of what is correct.
pub fn since(root: &Path, metric: &str) -> Vec<String> {
    let Some(Frozen { deviations, pilot_of, .. }) = Frozen::read(root) else { return Vec::new() };
    let pilot =
        pilot_of.map(|whole| format!("this is a pilot of a design with {}", counted(whole.into(), "replicate")));
    let concerns = |what: &str| what == "baseline" || what.starts_with("primary.");
    let is_key = |what: &str| OF_KEYS.contains(&metric) && item_of_key(what).is_some();
    let told = deviations
        .into_iter()
        .filter(|Deviation { what, sessions_done, .. }| (concerns(what) || is_key(what)) && *sessions_done > 0);
    let told = told.map(|Deviation { what, from, to, sessions_done }| {
        let [from, to] = [from, to].map(|value| value.unwrap_or_else(|| "not given".to_owned()));
        format!("{what} was changed from {from} to {to} when {} done", counted_done(sessions_done))
    });
    pilot.into_iter().chain(told).collect()
}

fn counted_done(sessions: u64) -> String {
    format!("{} {}", counted(sessions, "session"), if sessions == 1 { "was" } else { "were" })
}
