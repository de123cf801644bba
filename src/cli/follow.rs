//! `run --follow`: prints the talk on stderr as it happens.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::Args;

use super::exit::Refusal;
use super::output_style;
use super::progress::print_above;
use crate::domain::Record;
use crate::plan::{Experiment, PlannedSession};
use crate::report::{Follow, PlanWords, Sheet};
use crate::store::followed::RecordAge;

/// Whether the talk is shown.
#[derive(Debug, Args)]
pub struct FollowArguments {
    /// Show the talk on stderr as it happens; with =all also what was there before of sessions that go on.
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "new", hide_possible_values = true)]
    pub follow: Option<FollowedRecords>,
}

/// How much of a session that goes on is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum FollowedRecords {
    /// What happens from now on.
    New,
    /// All of it.
    All,
}

impl FollowArguments {
    /// Refuses `--follow` if a person answers at this terminal: it would show what the seat may not know.
    pub fn refuse_people(&self, experiment: &Experiment) -> Result<(), Refusal> {
        match self.follow {
            Some(_) if experiment.arms.iter().any(|plan| plan.people_count() > 0) => Err(Refusal::wrong_input(
                "--follow shows what seats think and vote, and a person answers at this terminal; leave it out, and read the session with `ekklesia show` afterwards",
            )),
            _ => Ok(()),
        }
    }
}

/// Prints the talk of a run.
pub struct FollowScreen<'e> {
    experiment: &'e Experiment,
    extent: FollowedRecords,
    sheet: Sheet,
    /// Whether each line names its session.
    is_named: bool,
    sessions: Mutex<BTreeMap<String, Follow>>,
    /// Whether stderr is closed. The run continues without it.
    is_gone: AtomicBool,
}

impl<'e> FollowScreen<'e> {
    /// Prints to stderr, for a run of this many sessions.
    pub fn new(experiment: &'e Experiment, extent: Option<FollowedRecords>, sessions: usize) -> Self {
        let stderr = io::stderr();
        Self {
            experiment,
            extent: extent.unwrap_or(FollowedRecords::New),
            sheet: output_style::stream_sheet(&stderr),
            is_named: sessions > 1,
            sessions: Mutex::default(),
            is_gone: AtomicBool::new(false),
        }
    }

    /// Prints a record. With `FollowedRecords::New`, skips records of earlier runs.
    pub fn show_record(&self, session: &str, record: &Record, kept: RecordAge) {
        if self.is_gone.load(Ordering::Relaxed) {
            return;
        }
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if !sessions.contains_key(session) {
            let name = self.is_named.then_some(session);
            let planned = PlannedSession::find_by_name(self.experiment, session);
            let plan = planned.map(|planned| PlanWords::of_plan(&planned.plan())).unwrap_or_default();
            sessions.insert(session.to_owned(), Follow::new(name, self.sheet, plan));
        }
        let follow = sessions.get_mut(session).expect("invariant: it was put there");
        let lines = match (kept, self.extent) {
            (RecordAge::Before, FollowedRecords::New) => {
                follow.pass_over(record);
                String::new()
            }
            _ => follow.take(record),
        };
        if record.event.is_adjourned() {
            sessions.remove(session);
        }
        // The lock is held until here: sessions do not mix their lines.
        if !lines.is_empty() && print_above(lines.trim_end_matches('\n')).is_err() {
            self.is_gone.store(true, Ordering::Relaxed);
        }
    }
}
