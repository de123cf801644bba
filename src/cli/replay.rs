//! `replay`: conducts sessions again from their records and compares every byte.

use std::path::Path;

use serde::Serialize;

use super::arguments::ReplayArguments;
use super::exit::{Ending, Refusal};
use super::missing_sessions::describe_missing_sessions;
use super::output::print_result;
use super::planned::list_planned;
use super::progress::Progress;
use super::tables::GrowingTables;
use super::{interrupt, locate, pool};
use crate::config::ResolvedExperiment;
use crate::plan::{Experiment, PlannedSession};
use crate::report::{counted, escape_unseen, grouped};
use crate::service::models::Reuse;
use crate::service::sessions::{SessionMode, SessionOutcome, SessionStop, Workplace, run_or_replay_session};
use crate::session::Halt;
use crate::store::files::read_whole;
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::Inputs;
use crate::store::minutes::MinutesError;
use crate::store::results::{ResultsFolder, RunStatus};

#[derive(Debug, Default, Serialize)]
struct ReplayReport {
    sessions: u64,
    incomplete: u64,
    records: u64,
    answers_recomputed: u64,
    answers_recorded: u64,
    plan_compared: bool,
    tables_compared: u64,
    /// Incomplete sessions. Tables are not compared if there are any.
    tables_waiting: u64,
    /// Describes planned sessions without a folder.
    gone: Option<String>,
    differences: Vec<String>,
    unusable: Vec<String>,
}

/// Replays an experiment or a session.
///
/// # Errors
/// A [`Refusal`] when there is nothing to replay.
pub fn run_replay(arguments: &ReplayArguments) -> Result<Ending, Refusal> {
    let (root, only) = locate::find_experiment(&arguments.path)?;
    let folder = ResultsFolder::open_for_reading(&root, only.as_deref())?;
    let inputs = Inputs::read_results(&root)?;
    let resolved = inputs.resolve()?;
    let names = match &only {
        Some(name) => vec![name.clone()],
        None => folder.session_names()?,
    };
    if names.is_empty() {
        return Err(Refusal::wrong_input(format!("{}: no session to replay", root.display())));
    }
    let stop = interrupt::watch_ctrl_c()?;
    let sessions = find_sessions(&resolved.experiment, &folder, &names)?;
    // A fork's folder holds a single session.
    let change = match (inputs.written_change()?, sessions.first()) {
        (Some(written), Some(session)) => written.lower_change(&session.plan())?,
        _ => None,
    };
    let workplace = Workplace {
        folder: &folder,
        clients: None,
        deferred: None,
        desk: None,
        runtime: None,
        stop: &stop,
        change: change.as_ref(),
        mode: SessionMode::Replay,
        follower: None,
        arms: None,
    };
    let mut found = ReplayReport::default();
    let progress = Progress::begin("replay", sessions.len() as u64, 0);
    let jobs = arguments.jobs.map_or_else(pool::core_count, usize::from);
    let work =
        |session: &PlannedSession| run_or_replay_session(&workplace, &session.plan(), session.replicate, Reuse::Own);
    let mut outcomes: Vec<Option<SessionOutcome>> = names.iter().map(|_| None).collect();
    pool::process_items(
        &sessions,
        jobs,
        &stop,
        work,
        |place, outcome| {
            outcomes[place] = Some(outcome);
            progress.count_session();
        },
        || progress.show_time(),
    );
    progress.end();
    if stop.load(std::sync::atomic::Ordering::Relaxed) {
        return Ok(Ending::Interrupted);
    }
    for (name, outcome) in names.iter().zip(outcomes.into_iter().flatten()) {
        found.add_session(&folder, name, &outcome);
    }
    if only.is_none() {
        compare_rest((&folder, &inputs), &resolved, jobs, &mut found)?;
    }
    print_result(arguments.json.then_some(&found), || render_report(&found))?;
    Ok(found.ending())
}

/// Compares the plan and the tables, and looks for missing sessions. Shards have no tables.
fn compare_rest(
    (folder, inputs): (&ResultsFolder, &Inputs),
    resolved: &ResolvedExperiment,
    jobs: usize,
    found: &mut ReplayReport,
) -> Result<(), Refusal> {
    let planned = list_planned(folder, inputs, &resolved.experiment)?;
    found.gone = describe_missing_sessions(folder, &planned)?;
    if !found.differences.is_empty() || !found.unusable.is_empty() {
        return Ok(());
    }
    found.compare_plan(folder.root(), resolved);
    let complete = |session: &&PlannedSession| folder.is_complete(&session.name(), &session.plan().digest);
    found.tables_waiting = (planned.len() - planned.iter().filter(complete).count()) as u64;
    let has_tables = FrozenDesign::read(folder.root()).is_none_or(|frozen| frozen.shard.is_none());
    match found.tables_waiting == 0 && has_tables {
        true => compare_tables(folder, &resolved.experiment, &planned, jobs, found),
        false => Ok(()),
    }
}

fn find_sessions(
    experiment: &Experiment,
    folder: &ResultsFolder,
    names: &[String],
) -> Result<Vec<PlannedSession>, Refusal> {
    let find = |name: &String| {
        let stranger = || format!("{}: not a session of this plan", folder.session_folder(name).display());
        PlannedSession::find_by_name(experiment, name).ok_or_else(|| Refusal::wrong_input(stranger()))
    };
    names.iter().map(find).collect()
}

impl ReplayReport {
    fn add_session(&mut self, folder: &ResultsFolder, name: &str, outcome: &SessionOutcome) {
        let run = folder.run_file(name);
        self.unusable.extend(folder.run_file_error(name).map(|error| format!("{name}: {error}")));
        self.sessions += 1;
        self.records += outcome.minutes.as_ref().map_or(0, |minutes| minutes.compared);
        self.answers_recomputed += outcome.recomputed;
        self.answers_recorded += outcome.calls_served;
        let completed = run.filter(|run| run.status == RunStatus::Completed);
        if completed.is_some() {
            self.differences.extend(outcome.torn.iter().map(|torn| format!("{name}: {torn}")));
        }
        match &outcome.end {
            Ok(_) => {}
            Err(SessionStop::Halted(Halt::Minutes(ended @ MinutesError::Ended { .. }))) => match completed {
                Some(run) => {
                    self.differences
                        .push(format!("{name}: {ended}; when the session ended there were {}", run.records));
                }
                None => self.incomplete += 1,
            },
            Err(SessionStop::Halted(Halt::Minutes(other @ MinutesError::Format { .. }))) => {
                let wrote = folder
                    .run_file(name)
                    .map(|run| format!("; version {} wrote them: replay with that one", run.ekklesia));
                self.differences.push(format!("{name}: {other}{}", wrote.unwrap_or_default()));
            }
            Err(stopped) if stopped.is_divergence() => self.differences.push(format!("{name}: {stopped}")),
            Err(stopped) => self.unusable.push(format!("{name}: {stopped}")),
        }
    }

    fn compare_plan(&mut self, root: &Path, resolved: &ResolvedExperiment) {
        self.plan_compared =
            read_whole(&root.join("plan.yaml")).is_ok_and(|kept| kept == resolved.plan_yaml.as_bytes());
        if !self.plan_compared {
            self.differences.push("plan.yaml is missing or not what the inputs say".to_owned());
        }
    }

    fn ending(&self) -> Ending {
        let is_whole =
            self.unusable.is_empty() && self.incomplete == 0 && self.tables_waiting == 0 && self.gone.is_none();
        match (self.differences.is_empty(), is_whole) {
            (false, _) => Ending::Diverged,
            (true, false) => Ending::Resumable,
            (true, true) => Ending::Done,
        }
    }
}

/// Makes the tables again in a temporary folder and compares them.
fn compare_tables(
    folder: &ResultsFolder,
    experiment: &Experiment,
    sessions: &[PlannedSession],
    jobs: usize,
    found: &mut ReplayReport,
) -> Result<(), Refusal> {
    let again = tempfile::tempdir().map_err(|error| Refusal::machine_failure(format!("temporary folder: {error}")))?;
    let written = GrowingTables::begin((folder, experiment), sessions, again.path())?.finish(jobs)?;
    for file in written.files {
        let (old, new) = (read_whole(&folder.root().join(&file)), read_whole(&again.path().join(&file)));
        found.tables_compared += 1;
        match (old, new) {
            (Ok(old), Ok(new)) if old == new => {}
            (Ok(old), Ok(new)) => {
                let lines = old.split(|byte| *byte == b'\n').zip(new.split(|byte| *byte == b'\n'));
                let line = lines.take_while(|(old, new)| old == new).count() + 1;
                found.differences.push(describe_difference(&file, line));
            }
            (Err(_), _) => {
                found.differences.push(format!("{file} is missing; `ekklesia run` makes it again from the minutes"));
            }
            (_, Err(error)) => return Err(Refusal::machine_failure(format!("{file}: {error}"))),
        }
    }
    Ok(())
}

/// Describes a table's first difference. Other versions may write some tables differently from the same minutes.
fn describe_difference(file: &str, line: usize) -> String {
    const AGAIN: &str = "if another version wrote it, `ekklesia run` makes it again from the minutes";
    let is_of_minutes = file.ends_with(".csv") && file != "codebook.csv";
    match (is_of_minutes, line) {
        (true, 1) => format!("{file}:1 has other columns than this version writes; {AGAIN}"),
        (true, _) => format!("{file}:{line} is not what the minutes say"),
        (false, _) => format!("{file}:{line} is not what this version writes; {AGAIN}"),
    }
}

fn render_report(found: &ReplayReport) -> String {
    let mut lines: Vec<String> =
        found.differences.iter().chain(&found.unusable).map(|line| escape_unseen(line)).collect();
    let outcome = match (found.differences.len(), found.unusable.len()) {
        (0, 0) => "no divergence".to_owned(),
        (0, unusable) => format!("no divergence, but {unusable} could not be replayed"),
        (differences, _) => format!("{differences} diverged"),
    };
    lines.push(format!(
        "{} records in {}, {outcome}; {} answers recomputed, {} from the record",
        grouped(found.records),
        counted(found.sessions, "session"),
        grouped(found.answers_recomputed),
        grouped(found.answers_recorded),
    ));
    if found.incomplete > 0 {
        let sessions = counted(found.incomplete, "session");
        lines.push(format!("{sessions} of these stopped before the end: compared as far as they go"));
    }
    if let Some(gone) = &found.gone {
        lines.push(format!("not replayed: {gone}"));
    }
    if found.tables_waiting > 0 {
        let sessions = counted(found.tables_waiting, "session");
        lines.push(format!("tables not compared: {sessions} not complete; `ekklesia run` completes them"));
    }
    if found.differences.is_empty() && found.unusable.is_empty() {
        lines.push("no seat was shown anything that it had not witnessed".to_owned());
    }
    lines.join("\n")
}
