//! Chooses a default metric if neither the config nor the user names one: the first usual outcome that has numbers.

use std::path::Path;

use crate::cli::exit::{Ending, Refusal};
use crate::plan::Experiment;
use crate::store::session_table::SessionTable;

/// The usual outcomes, in order of preference.
pub const USUAL: [&str; 6] =
    ["conformed", "correct", "carried", "result_relative_error", "payoff_settlement_cents_mean", BESIDE_NULLS];
/// The outcome to prefer if there are nulls: the share of the most frequent answer after the talk.
const BESIDE_NULLS: &str = "straw_after_modal_share";

/// The usual outcomes that have numbers in an experiment.
pub struct UsualOutcomes {
    /// Outcomes with a number in the baseline and in another arm. Those that vary between sessions come first.
    pub named: Vec<&'static str>,
    planned: usize,
    complete: usize,
    /// The number of sessions that are neither completed nor failed.
    missing: usize,
}

impl UsualOutcomes {
    /// Finds them in the table of sessions. `baseline` overrides the config's.
    pub fn from_table(root: &Path, experiment: &Experiment, baseline: Option<&str>) -> Result<Self, Refusal> {
        let table =
            SessionTable::read(root, experiment, &[&USUAL[..], &["status"]].concat()).map_err(Refusal::wrong_input)?;
        let first = experiment.arms.first().map(|plan| plan.arm.as_str());
        let baseline = baseline.or(experiment.baseline.as_deref()).or(first).unwrap_or_default();
        let (mut differing, mut constant) = (Vec::new(), Vec::new());
        for name in USUAL {
            let cells = table.sessions.iter().zip(table.cells("status").zip(table.cells(name)));
            let numbers = cells.filter(|(_, (status, cell))| *status == "completed" && !cell.is_empty());
            let (mut of_baseline, mut of_others, mut first, mut differs) = (false, false, None, false);
            for (session, (_, cell)) in numbers {
                if session.arm.arm == baseline {
                    of_baseline = true
                } else {
                    of_others = true
                }
                differs |= *first.get_or_insert(cell) != cell;
            }
            match (of_baseline && of_others, differs) {
                (false, _) => {}
                (true, true) => differing.push(name),
                (true, false) => constant.push(name),
            }
        }
        if experiment.arms.iter().any(|plan| plan.null.is_some()) {
            differing.sort_by_key(|name| *name != BESIDE_NULLS);
        }
        let (planned, complete) =
            (table.sessions.len(), table.cells("status").filter(|one| *one == "completed").count());
        let failed = table.cells("status").filter(|one| *one == "failed").count();
        let missing = planned.saturating_sub(complete + failed);
        Ok(Self { named: [differing, constant].concat(), planned, complete, missing })
    }

    /// The metric to compare by default.
    ///
    /// # Errors
    /// A [`Refusal`] when no usual outcome has numbers.
    pub fn default_metric(&self) -> Result<&'static str, Refusal> {
        if let Some(first) = self.named.first() {
            return Ok(first);
        }
        let none =
            format!("none of the usual metrics ({}) has a number in the baseline and in another arm", USUAL.join(", "));
        Err(match (self.missing, self.complete) {
            (0, _) => Refusal::wrong_input(format!(
                "the config announces no primary metric, and {none}; name a column of sessions.csv with --metric"
            )),
            (_, 0) => Refusal::with_ending(
                Ending::Resumable,
                "no session is complete, so no metric has a number; `ekklesia run` completes them",
            ),
            (missing, _) => Refusal::with_ending(
                Ending::Resumable,
                format!(
                    "{missing} of {} sessions are not complete, and {none}; `ekklesia run` completes them, or name a column of \
                     sessions.csv with --metric",
                    self.planned
                ),
            ),
        })
    }

    /// Explains the default metric and lists the alternatives; empty if no outcome has numbers.
    pub fn explain_default(&self) -> String {
        let [first, others @ ..] = self.named.as_slice() else { return String::new() };
        let others = match others {
            [] => "no other has any".to_owned(),
            others => format!("--metric takes another, as {}", others.join(", ")),
        };
        format!("{first} is the first of the usual outcomes that have numbers here; {others}")
    }

    /// Lists the usual outcomes that have numbers, to end a sentence; empty if there are none.
    pub fn other_metrics_hint(&self) -> String {
        match self.named.as_slice() {
            [] => String::new(),
            [one] => format!("; a usual outcome with numbers is {one}"),
            named => format!("; usual outcomes with numbers are {}", named.join(", ")),
        }
    }
}
