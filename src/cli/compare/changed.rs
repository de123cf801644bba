//! Design changes after the first session, and whether they make a comparison exploratory.

use std::path::Path;

use crate::config::OF_KEYS;
use crate::plan::{CORRECT_WITHIN, Deviation, Experiment, REPLICATES, item_of_key};
use crate::report::counted;
use crate::store::frozen::FrozenDesign;

/// The parts of a design whose change makes a comparison exploratory, besides `primary` and the number of replicates.
const CONCERNS: [&str; 4] = ["baseline", "arms", "items", "panel.waves"];

/// The changes of a design since its first session.
pub struct DesignChanges {
    /// Every change, oldest first.
    pub deviations: Vec<Deviation>,
    /// Why these changes make the comparison exploratory; empty if they do not.
    pub because: Vec<String>,
    /// Says that this is a pilot, or that the number of replicates is not the announced one.
    pub unfinished: Option<String>,
}

/// Reads the changes that were made after sessions were done. Changes to right answers count only for metrics that use them.
pub fn read_design_changes(root: &Path, metrics: &[String], experiment: &Experiment) -> DesignChanges {
    let frozen = FrozenDesign::read(root);
    let pilot = frozen.as_ref().and_then(|frozen| frozen.pilot_of);
    let deviations = frozen.map_or_else(Vec::new, |frozen| frozen.deviations);
    let announced = experiment.primary.as_ref().and_then(|primary| primary.replicates);
    let unfinished = match (pilot, announced) {
        (Some(whole), _) => Some(format!("this is a pilot of a design with {}", counted(whole.into(), "replicate"))),
        (None, Some(announced)) if announced != experiment.replicates => Some(format!(
            "{} of each arm are announced, and the design has {}",
            counted(announced.into(), "replicate"),
            experiment.replicates
        )),
        (None, _) => None,
    };
    let seen: Vec<&Deviation> = deviations.iter().filter(|deviation| deviation.sessions_done > 0).collect();
    let mut because: Vec<String> = describe_replicate_change(&seen).into_iter().collect();
    let is_of_keys = metrics.iter().any(|metric| OF_KEYS.contains(&metric.as_str()));
    let concerns = |what: &str| {
        let is_of_right_answers = what == CORRECT_WITHIN || item_of_key(what).is_some();
        CONCERNS.contains(&what) || what.starts_with("primary.") || is_of_keys && is_of_right_answers
    };
    because.extend(seen.iter().filter(|deviation| concerns(&deviation.what)).map(
        |Deviation { what, from, to, sessions_done }| {
            let [from, to] = [from, to].map(|value| value.as_deref().unwrap_or("not given"));
            format!("{what} was changed from {from} to {to} when {} done", counted_done(*sessions_done))
        },
    ));
    DesignChanges { because, unfinished, deviations }
}

/// Describes changes in the number of replicates; `None` if there were none.
fn describe_replicate_change(seen: &[&Deviation]) -> Option<String> {
    let steps: Vec<&&Deviation> = seen.iter().filter(|deviation| deviation.what == REPLICATES).collect();
    let value = |value: &Option<String>| value.clone().unwrap_or_default();
    let (first, last) = (value(&steps.first()?.from), value(&steps.last()?.to));
    let number = |value: &Option<String>| value.as_deref().and_then(|value| value.parse::<u32>().ok());
    let is_of_all = |grows: bool| steps.iter().all(|step| (number(&step.to) > number(&step.from)) == grows);
    let changed = match (is_of_all(true), is_of_all(false)) {
        (true, _) => "extended",
        (_, true) => "reduced",
        _ => "changed",
    };
    let times = match steps.len() {
        1 => String::new(),
        times => format!(" {times} times,"),
    };
    Some(format!("replicates were {changed}{times} from {first} to {last} after results had been seen"))
}

fn counted_done(sessions: u64) -> String {
    format!("{} {}", counted(sessions, "session"), if sessions == 1 { "was" } else { "were" })
}
