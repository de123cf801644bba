//! `run`: conducts the missing sessions of an experiment, then writes its tables.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::runtime::Runtime;

use super::arguments::RunArguments;
use super::budget_gate::Purse;
use super::defer::{self, DeferReport};
use super::exit::{Ending, Refusal};
use super::follow::{FollowScreen, FollowedRecords};
use super::other_format::refuse_other_format;
use super::output::{note, print_json, print_text, print_warning};
use super::pack::{Packer, Storage};
use super::pilot::Outlook;
use super::progress::{CallProgress, ExpectedCalls, Progress};
use super::run_outcome::{self, Hope, RunOutcome};
use super::runtime::build_runtime;
use super::scheduler::{self, WorkQueues};
use super::tables::{GrowingTables, WrittenTables};
use super::{
    budget, check, compare, draws, experiment_file, interrupt, output_style, pool, retry_failed, served_models, shard,
    shell_command, size, terminal,
};
use crate::builtin;
use crate::config::{Problems, ResolvedExperiment};
use crate::domain::{Digest, Dollars, Outage, Record};
use crate::plan::UnknownWindow;
use crate::plan::{DesignDifference, Experiment, Limits, Plan, PlannedSession, Shard, first_difference, sessions_of};
use crate::report::{Report, counted, escape_unseen, render};
use crate::service::deferred::{Deferred, SessionsReached};
use crate::service::forms;
use crate::service::human_console::Desk;
use crate::service::openai::Clients;
use crate::service::sessions::{self, SessionMode, Workplace};
use crate::service::stopwatch::Stopwatch;
use crate::service::windows;
use crate::session::Forecast;
use crate::store::calls::CallRecord;
use crate::store::failed_attempts;
use crate::store::files::{FileError, read_whole, write_whole};
use crate::store::fold::SessionReading;
use crate::store::followed::{Follower, RecordAge};
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::{Inputs, Overrides};
use crate::store::results::ResultsFolder;
use crate::store::tables::ArmsByName;

/// Writing the tables of more sessions takes a while.
const MANY: usize = 10_000;
/// The remedy if a results folder is unusable.
const ELSEWHERE: &str = "give --out another folder";

/// Runs an experiment.
///
/// # Errors
/// A [`Refusal`] when the config is invalid, or the folder belongs to another plan or cannot be written to.
pub fn run_experiment(arguments: &RunArguments) -> Result<Ending, Refusal> {
    let clock = Stopwatch::start();
    let stop = interrupt::watch_ctrl_c()?;
    if arguments.stop_with_stdin {
        interrupt::watch_stdin(Arc::clone(&stop));
    }
    if arguments.draws.is_some() {
        draws::collect_streams();
    }
    let RunRequest { inputs, resolved, replicates_whole, without_key } = resolve_request(arguments)?;
    size::refuse_giants(arguments, &resolved)?;
    let experiment = &resolved.experiment;
    arguments.follow.refuse_people(experiment)?;
    let root = root_of(arguments, experiment);
    arguments.by_file.refuse_live(&inputs, experiment, &root)?;
    refuse_other_folder(arguments, &inputs, &resolved, &root)?;
    let shard = shard::resolve_shard(arguments.shard, &root)?;
    if !without_key.is_empty() && !is_complete(&root, experiment)? {
        return Err(without_key.into());
    }
    // Lock an existing folder before reading it.
    let kept = Inputs::are_kept(&root).then(|| ResultsFolder::open_for_writing(&root)).transpose()?;
    let known = ResultsFolder::open_unchecked(&root);
    refuse_other_format(&known, None, "give --out another folder, or continue with that version")?;
    let served = Arc::new(served_models::read_served(
        arguments.on_model_change,
        &known,
        PlannedSession::for_experiment(experiment),
    ));
    let given = Limits { usd: arguments.budget_usd, tokens: arguments.budget_tokens };
    let limits_of_all = budget::effective_limits(given, experiment);
    let limits = shard::divide_limits(limits_of_all, shard, experiment)?;
    let deferred = arguments.by_file.read_files(&served)?;
    let clients =
        Clients::new().with_budget(budget::build_budget(limits, experiment, &root)?).with_served_models(served);
    let clients = clients.with_shared_rates(shard.map_or(1, |shard| shard.of));
    let clients = (!arguments.calls_nobody()).then_some(&clients);
    if let Some(clients) = clients {
        forms::load_recorded_forms(clients, &known, experiment);
        inputs.unknown_windows(&unknown_windows(&root, experiment, clients, &stop)?).into_result()?;
    }
    let folder = kept.map_or_else(|| ResultsFolder::open_for_writing(&root), Ok)?;
    prepare_folder(&folder, &inputs, &resolved, shard)?;
    let storage = Storage::for_folder(&folder, arguments.pack.then_some(Storage::Packed))?;
    if arguments.retry_failed {
        retry_failed::set_aside(&folder, experiment)?;
    }
    failed_attempts::begin_again(&folder).map_err(Refusal::machine_failure)?;
    let sessions: Vec<PlannedSession> = sessions_of(experiment, shard).collect();
    let forecasts = if clients.is_some() {
        report_forecasts((&folder, &sessions), &resolved, limits_of_all)?
    } else {
        BTreeMap::new()
    };
    let jobs = arguments.jobs.map_or_else(|| scheduler::jobs_for(experiment), usize::from);
    let progress_every = arguments.progress.map(|seconds| Duration::from_secs(seconds.into()));
    let (follow, by_file) = (arguments.follow.follow, deferred.as_ref());
    let begin_tables = || GrowingTables::begin((&folder, experiment), &sessions, &root);
    let mut tables = shard.is_none().then(begin_tables).transpose()?;
    let arms = tables.as_ref().map(GrowingTables::arms);
    let terms = RunTerms { jobs, limits, follow, progress_every, forecasts, by_file, storage, arms };
    let course = conduct_missing((&folder, experiment), (&sessions, tables.as_mut()), &terms, clients, &stop)?;
    let reached = if course.interrupted { SessionsReached::Some } else { SessionsReached::All };
    // Report a write error only after everything else.
    let asked = by_file.map(|by_file| defer::write_open_questions(by_file, (&folder, experiment), limits, reached));
    let (questions, refusal) = match asked.transpose() {
        Ok(questions) => (questions, None),
        Err(refusal) => (None, Some(refusal)),
    };
    let ending = match shard {
        Some(shard) => shard::report_shard((shard, &sessions), (&folder, experiment), &course, arguments)?,
        None => {
            let tables = tables.expect("invariant: a run that is no shard writes tables");
            let told = RunSummaryInput { clock, replicates_whole, questions };
            finish_run(arguments, (&folder, experiment), (&sessions, tables, jobs), &course, told)?
        }
    };
    refusal.map_or(Ok(ending), Err)
}

/// Input for a run's summary, besides the sessions.
struct RunSummaryInput {
    clock: Stopwatch,
    /// The replicates of the complete design, for a pilot.
    replicates_whole: Option<u32>,
    questions: Option<DeferReport>,
}

fn finish_run(
    arguments: &RunArguments,
    (folder, experiment): (&ResultsFolder, &Experiment),
    (sessions, tables, jobs): (&[PlannedSession], GrowingTables<'_>, usize),
    course: &RunOutcome,
    told: RunSummaryInput,
) -> Result<Ending, Refusal> {
    let root = folder.root();
    if course.interrupted && sessions.len() > MANY {
        let of = counted(sessions.len() as u64, "session");
        note!("ekklesia: stopped; the tables of {of} are being written, and Ctrl-C again leaves at once");
    }
    let written = write_results((folder, experiment), sessions, tables, jobs);
    let ending = course.print_report(folder, written.as_ref().map_or(&[], |written| written.unsound.as_slice()));
    let written = written?;
    if let Some(file) = &arguments.draws {
        draws::write_streams(file)?;
    }
    let whole = told.replicates_whole;
    let outlook = whole.and_then(|whole| Outlook::from_pilot(folder, experiment, &written.report, whole, jobs));
    let questions = told.questions.as_ref();
    match (arguments.json, &outlook) {
        (true, Some(outlook)) => {
            let pilot = in_folder(root, &written.report, questions);
            print_json(&serde_json::json!({ "pilot": pilot, "whole": outlook }))?;
        }
        (true, None) => print_json(&in_folder(root, &written.report, questions))?,
        (false, outlook) => {
            let contrast = compare::first_contrast(root, experiment, sessions.len());
            let sheet = output_style::stream_sheet(&std::io::stdout());
            let summary = render(&written.report, told.clock.elapsed(), contrast.as_deref(), sheet);
            let next = match outlook {
                Some(outlook) => outlook.render(arguments),
                None => what_next((root, experiment), arguments, sessions, &written.report),
            };
            print_text(&format!("{summary}{next}"))?;
        }
    }
    Ok(ending)
}

/// Writes the tables and `experiment.json`.
pub fn write_results(
    (folder, experiment): (&ResultsFolder, &Experiment),
    sessions: &[PlannedSession],
    tables: GrowingTables<'_>,
    jobs: usize,
) -> Result<WrittenTables, Refusal> {
    let mut written = tables.finish(jobs)?;
    let account = budget::read_account(experiment, folder.root(), sessions.iter().cloned())?;
    experiment_file::add_attempt_costs(&mut written.report, &account);
    experiment_file::write_experiment_file(folder, sessions, &written, &account)?;
    Ok(written)
}

/// The summary as JSON, with the folder and any open questions.
pub fn in_folder(root: &Path, report: &Report, questions: Option<&DeferReport>) -> serde_json::Value {
    let mut told = serde_json::Map::new();
    told.insert("folder".to_owned(), root.display().to_string().into());
    told.extend(questions.map(|questions| ("questions".to_owned(), serde_json::json!(questions))));
    if let serde_json::Value::Object(summary) = serde_json::json!(report) {
        told.extend(summary);
    }
    told.into()
}

/// Reads the inputs of a config or of a results folder, which allows no overrides.
fn read_inputs(config: &Path, overrides: Overrides) -> Result<Inputs, Refusal> {
    if !Inputs::are_kept(config) {
        return Ok(Inputs::read_config(config, overrides)?);
    }
    if overrides != Overrides::default() {
        let message =
            "is a results folder and is run as it was; give --set, --seed, --replicates and --pilot with a config";
        return Err(Refusal::wrong_input(format!("{} {message}", config.display())));
    }
    Ok(Inputs::read_results(config)?)
}

/// Whether an environment variable is set and not blank.
fn is_set(variable: &str) -> bool {
    #[expect(clippy::disallowed_methods, reason = "the key of a model server is kept in the environment")]
    let value = std::env::var(variable);
    value.is_ok_and(|value| !value.trim().is_empty())
}

/// The models with unknown context windows in arms with new sessions. Begun sessions have the windows in their records. Leaves
/// out unreachable servers: their first session reports them.
fn unknown_windows(
    root: &Path,
    experiment: &Experiment,
    clients: &Clients,
    stop: &AtomicBool,
) -> Result<Vec<UnknownWindow>, Refusal> {
    let folder = ResultsFolder::open_unchecked(root);
    let is_begun = |name: &str| folder.minutes(name).exists() || folder.calls(name).exists();
    let mut arms: BTreeSet<String> = BTreeSet::new();
    for session in PlannedSession::for_experiment(experiment) {
        let is_of_interest =
            !arms.contains(&session.arm.arm) && windows::unknown_to_the_table(&session.arm).next().is_some();
        if is_of_interest && !is_begun(&session.name()) {
            arms.insert(session.arm.arm.clone());
        }
    }
    let plans = || experiment.arms.iter().filter(|plan| arms.contains(&plan.arm)).map(|plan| &**plan);
    let Some(runtime) = (!arms.is_empty()).then(|| build_runtime(experiment)).transpose()?.flatten() else {
        return Ok(Vec::new());
    };
    let answers = runtime.block_on(windows::ask_windows(plans(), clients, stop));
    Ok(answers.unknown_windows(plans()).into_iter().filter(|model| model.unreached.is_none()).collect())
}

/// Whether every session is complete; then no model is called.
fn is_complete(root: &Path, experiment: &Experiment) -> Result<bool, FileError> {
    if !Inputs::are_kept(root) {
        return Ok(false);
    }
    let folder = ResultsFolder::open_for_writing(root)?;
    Ok(PlannedSession::for_experiment(experiment)
        .all(|session| folder.is_complete(&session.name(), &session.plan().digest)))
}

struct RunRequest {
    inputs: Inputs,
    resolved: ResolvedExperiment,
    /// The replicates of the complete design, for a pilot.
    replicates_whole: Option<u32>,
    /// Missing API keys.
    without_key: Problems,
}

/// The changes that the command line makes to the config.
fn config_overrides(arguments: &RunArguments) -> Overrides {
    Overrides {
        set: arguments.set.clone(),
        seed: arguments.seed,
        replicates: arguments.replicates.map(u64::from),
        ..Overrides::default()
    }
}

/// Resolves the experiment without checking API keys.
pub fn resolve_experiment(arguments: &RunArguments) -> Result<ResolvedExperiment, Refusal> {
    Ok(read_inputs(&arguments.config, config_overrides(arguments))?.resolve()?)
}

/// Resolves the run: the complete experiment or a pilot.
fn resolve_request(arguments: &RunArguments) -> Result<RunRequest, Refusal> {
    let overrides = config_overrides(arguments);
    let inputs = read_inputs(&arguments.config, overrides.clone())?;
    let resolved = match inputs.resolve() {
        Ok(resolved) => resolved,
        Err(problems) if arguments.calls_nobody() => return Err(problems.into()),
        Err(problems) => return Err(inputs.join_problems(problems, inputs.missing_keys(is_set)).into()),
    };
    let without_key = match arguments.calls_nobody() {
        true => Problems::default(),
        false => inputs.missing_keys_of(&resolved.experiment, is_set),
    };
    let Some(pilot) = arguments.pilot else {
        return Ok(RunRequest { inputs, resolved, replicates_whole: None, without_key });
    };
    let whole = resolved.experiment.replicates;
    if pilot >= whole {
        let message = format!("--pilot {pilot} is no pilot: an arm has {} in all", counted(whole.into(), "replicate"));
        return Err(Refusal::wrong_input(message));
    }
    let pilot = Overrides { replicates: Some(u64::from(pilot)), pilot_of: Some(whole.into()), ..overrides };
    let inputs = read_inputs(&arguments.config, pilot)?;
    let resolved = inputs.resolve()?;
    Ok(RunRequest { inputs, resolved, replicates_whole: Some(whole), without_key })
}

/// The results folder: `--out`, the given results folder, or the default. A pilot has its own, so that its data never enter the
/// analysis.
fn root_of(arguments: &RunArguments, experiment: &Experiment) -> PathBuf {
    let given = || Inputs::are_kept(&arguments.config).then(|| arguments.config.clone());
    let named = || match arguments.shard {
        Some(shard) => shard::folder_of(shard, experiment),
        None => Path::new("results").join(&experiment.name),
    };
    let root = arguments.out.clone().or_else(given).unwrap_or_else(named);
    match (arguments.pilot, root.file_name()) {
        (Some(_), Some(name)) => {
            let mut name = name.to_owned();
            name.push("-pilot");
            root.with_file_name(name)
        }
        (Some(_), None) => root.join("pilot"),
        (None, _) => root,
    }
}

/// Refuses a folder that this run must not write to.
fn refuse_other_folder(
    arguments: &RunArguments,
    inputs: &Inputs,
    resolved: &ResolvedExperiment,
    root: &Path,
) -> Result<(), Refusal> {
    if Inputs::are_kept(&arguments.config) {
        refuse_fork(&arguments.config, inputs)?;
        match is_same_folder(&arguments.config, root) {
            true => refuse_changed_inputs(root, resolved)?,
            false => refuse_second_payment(arguments, &resolved.experiment, root)?,
        }
    }
    refuse_strangers(root)
}

/// Refuses to run a results folder's inputs in a new folder, which would pay for every answer again.
fn refuse_second_payment(arguments: &RunArguments, experiment: &Experiment, root: &Path) -> Result<(), Refusal> {
    let is_simulated = experiment.arms.iter().all(|plan| plan.is_simulated());
    if arguments.offline || is_simulated || Inputs::are_kept(root) {
        return Ok(());
    }
    let (given, out) = (arguments.config.display(), root.display());
    Err(Refusal::wrong_input(format!(
        "{given} is a results folder, and --out {out} would pay for all its calls again; leave --out out to continue the folder, or copy \
         {given}/inputs to {out}/inputs and run {out} to ask the models again"
    )))
}

/// Refuses to run a fork, here or elsewhere: its sessions belong to another design than its inputs.
fn refuse_fork(root: &Path, inputs: &Inputs) -> Result<(), Refusal> {
    if inputs.change_bytes().is_none() {
        return Ok(());
    }
    let message = format!("{} holds a fork; the `ekklesia fork` command that made it continues it", root.display());
    Err(Refusal::wrong_input(message))
}

/// Refuses to continue a folder whose inputs were changed.
fn refuse_changed_inputs(root: &Path, resolved: &ResolvedExperiment) -> Result<(), Refusal> {
    let shown = root.display();
    let is_kept = |kept: Vec<u8>| kept == resolved.plan_yaml.as_bytes();
    if read_whole(&root.join("plan.yaml")).is_ok_and(|kept| !is_kept(kept)) {
        let message = format!(
            "{shown}/plan.yaml is not what {shown}/inputs says: the inputs were changed, or another version wrote the folder; undo the \
             change, or run the changed config with --out {shown}"
        );
        return Err(Refusal::wrong_input(message));
    }
    Ok(())
}

fn is_same_folder(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Refuses a folder with foreign files, which tables could overwrite.
pub fn refuse_strangers(root: &Path) -> Result<(), Refusal> {
    match ResultsFolder::find_foreign_file(root)? {
        None => Ok(()),
        Some(name) => {
            let message = format!("{} holds {name:?} and no experiment; give --out another folder", root.display());
            Err(Refusal::wrong_input(message))
        }
    }
}

/// Checks that the folder holds sessions of this plan only, and writes the inputs to it.
///
/// # Errors
/// A [`Refusal`] when the folder holds something else or cannot be written to.
pub fn prepare_folder(
    folder: &ResultsFolder,
    inputs: &Inputs,
    resolved: &ResolvedExperiment,
    shard: Option<Shard>,
) -> Result<(), Refusal> {
    let root = folder.root();
    let mut frozen = FrozenDesign::from_resolved(resolved);
    if Inputs::are_kept(root) {
        let before = Inputs::read_results(root)?;
        if before.change_bytes().is_some() {
            return Err(Refusal::wrong_input(format!("{} holds a fork; {ELSEWHERE}", root.display())));
        }
        let changed = inputs.changed_files(&before);
        let before = before.resolve()?;
        for (arm, old) in &before.identities {
            let Some((_, new)) = resolved.identities.iter().find(|(name, _)| name == arm) else {
                let message = format!(
                    "{} holds sessions of the arm {arm}, which is not in the plan; {ELSEWHERE}",
                    root.display()
                );
                return Err(Refusal::wrong_input(message));
            };
            if let Some(difference) = first_difference(old, new) {
                let message = format!(
                    "{} holds sessions of another plan: in the arm {arm}, {}",
                    root.display(),
                    difference_in_words(&difference, &changed)
                );
                return Err(Refusal::wrong_input(message));
            }
        }
        for name in folder.session_names()? {
            let (old, new) = (
                PlannedSession::find_by_name(&before.experiment, &name),
                PlannedSession::find_by_name(&resolved.experiment, &name),
            );
            if let (Some(old), Some(new)) = (old, new)
                && let Some(difference) = old.item.zip(new.item).and_then(|(old, new)| new.difference_from(&old))
            {
                let message = format!("{} holds sessions of another plan: {difference}; {ELSEWHERE}", root.display());
                return Err(Refusal::wrong_input(message));
            }
        }
        frozen = FrozenDesign::with_changes(folder, &before, resolved)?;
    }
    for name in folder.session_names()? {
        let planned = PlannedSession::find_by_name(&resolved.experiment, &name);
        if let Some((shard, session)) = shard.zip(planned.as_ref()) {
            shard::refuse_moved_session(shard, (folder, &name), (&resolved.experiment, session))?;
        }
        if planned.is_none() {
            let message = format!(
                "{} holds the session {name}, which is not in the plan: more replicates, levels or items were run before; name them again, or {ELSEWHERE}",
                root.display()
            );
            return Err(Refusal::wrong_input(message));
        }
    }
    frozen.pilot_of = inputs.pilot_of().and_then(|whole| u32::try_from(whole).ok());
    frozen.shard = shard;
    // If the folder has inputs, record the change before writing them: a kill in between must not hide it.
    if Inputs::are_kept(root) {
        frozen.write_to(root)?;
        frozen.change_notices().iter().for_each(|line| print_warning(line));
    }
    inputs.write(root)?;
    frozen.write_to(root)?;
    write_whole(&root.join("plan.yaml"), resolved.plan_yaml.as_bytes())?;
    Ok(())
}

/// Describes a difference between plans, with the remedy. Names the changed files if only the digest of a text differs.
fn difference_in_words(difference: &DesignDifference, changed: &[(String, String)]) -> String {
    if !difference.is_of_a_text() || changed.is_empty() {
        return format!("{difference}; {ELSEWHERE}");
    }
    let files = changed.iter().map(|(now, kept)| format!("{now} is no longer the same as {kept}"));
    let files = files.collect::<Vec<_>>().join(", ");
    // Users cannot restore built-in files.
    let way_on = match changed.iter().any(|(now, _)| now.starts_with(builtin::PREFIX)) {
        true => {
            "continue with the version of ekklesia that began it (see run.json), or with its own copy in inputs/scenario"
        }
        false => "restore it to continue",
    };
    format!("{} was changed: {files}; {way_on}, or {ELSEWHERE}", difference.key)
}

/// Runs a session on its turn, unless the budget or an outage prevents it.
fn attempt_session(
    workplace: &Workplace<'_>,
    purse: &Purse<'_>,
    session: &PlannedSession,
    number: usize,
) -> SessionAttempt {
    let claim = purse.wait_to_begin((session, number), workplace.stop);
    let begun = match workplace.clients.and_then(|clients| barring_outage(clients, &session.arm)) {
        Some(outage) => SessionAttempt::Not(outage),
        None if claim.is_none() => SessionAttempt::Stopped,
        None => SessionAttempt::Came(sessions::run_session(workplace, &session.plan(), session.replicate, None)),
    };
    if let SessionAttempt::Came(Ok(outcome)) = &begun
        && outcome.end.as_ref().is_err_and(run_outcome::is_unaffordable)
    {
        purse.close();
    }
    purse.end_session(session, claim);
    begun
}

/// The outage that keeps a session from beginning: a model is unreachable, or changed and changes stop the run.
fn barring_outage(clients: &Clients, plan: &Plan) -> Option<Outage> {
    let models = || plan.models_asked().map(|place| &plan.models[place]);
    clients.given_up_outage(models()).or_else(|| clients.check_model_changes(models()).err())
}

/// The incomplete sessions, in working order.
fn missing_sessions(folder: &ResultsFolder, sessions: &[PlannedSession]) -> Result<Vec<PlannedSession>, FileError> {
    // In a large design most sessions have no folder: one listing is faster than many lookups.
    let loose: BTreeSet<String> = folder.loose_names()?.into_iter().collect();
    let is_complete = |session: &PlannedSession| {
        let name = session.name();
        (loose.contains(&name) || folder.packs().find_pack(&name).is_some())
            && folder.is_complete(&name, &session.plan().digest)
    };
    let mut missing: Vec<PlannedSession> = sessions.iter().filter(|session| !is_complete(session)).cloned().collect();
    PlannedSession::order_of_work(&mut missing);
    Ok(missing)
}

/// The result of a session's turn.
enum SessionAttempt {
    /// It ran.
    Came(Result<sessions::SessionOutcome, FileError>),
    /// An outage prevented it.
    Not(Outage),
    /// The run or the budget stopped while it waited.
    Stopped,
}

struct RunTerms<'r> {
    /// Sessions at once.
    jobs: usize,
    limits: Limits,
    follow: Option<FollowedRecords>,
    /// The interval between progress lines; `None` for one changing line.
    progress_every: Option<Duration>,
    /// The forecast for a session by plan digest; empty if no model is called.
    forecasts: BTreeMap<Digest, Forecast>,
    by_file: Option<&'r Arc<Deferred>>,
    storage: Storage,
    /// The facts of each arm, to fold sessions while they run; `None` if no tables are written.
    arms: Option<ArmsByName<'r>>,
}

impl RunTerms<'_> {
    /// The expected calls of a session: the middle of its forecast, or the mean of all forecasts if its plan was not rehearsed.
    fn calls_foreseen(&self, plan: &Plan) -> u64 {
        let middle = |forecast: &Forecast| {
            forecast.models.iter().map(|load| (load.questions.low + load.questions.high).div_ceil(2)).sum::<u64>()
        };
        let of_all = || {
            let all = self.forecasts.values().map(middle).sum::<u64>();
            all.checked_div(self.forecasts.len() as u64).unwrap_or(0)
        };
        if plan.is_simulated() { 0 } else { self.forecasts.get(&plan.digest).map_or_else(of_all, middle) }
    }

    /// The expected calls of these sessions.
    fn calls_expected(&self, folder: &ResultsFolder, sessions: &[PlannedSession]) -> ExpectedCalls {
        let foreseen = sessions.iter().map(|session| self.calls_foreseen(&session.arm)).sum();
        // An unreadable record is reported when its session resumes.
        let calls = |session: &PlannedSession| {
            CallRecord::read(folder.calls(&session.name())).map_or(0, |(record, _)| record.calls_of_models() as u64)
        };
        let recorded = if self.forecasts.is_empty() { 0 } else { sessions.iter().map(calls).sum() };
        ExpectedCalls::new(foreseen, recorded)
    }

    fn count_ended(
        &self,
        session: &PlannedSession,
        outcome: &Result<sessions::SessionOutcome, FileError>,
        expected: &mut ExpectedCalls,
    ) {
        if let Ok(outcome) = outcome {
            expected.end_session(self.calls_foreseen(&session.arm), outcome.calls_made + outcome.calls_served);
        }
    }

    /// Begins the progress line, unless a person answers on this terminal.
    fn begin_progress(&self, desk: Option<&Arc<Desk>>, total: u64, missing: u64) -> Progress {
        let complete = total - missing;
        if complete > 0 {
            note!("{} complete already", counted(complete, "session"));
        }
        match desk {
            Some(_) => Progress::new_hidden(),
            None => Progress::begin_every(self.progress_every, "run", total, complete),
        }
    }

    fn calls_so_far(&self, clients: Option<&Clients>, expected: &ExpectedCalls) -> CallProgress {
        clients.map_or(CallProgress::default(), |clients| CallProgress {
            answered: clients.answered_calls(),
            expected: expected.calls_left(),
            spent: clients.total_spent().dollars,
            limit: self.limits.usd.map(Dollars::new),
        })
    }
}

fn conduct_missing(
    (folder, experiment): (&ResultsFolder, &Experiment),
    (sessions, mut tables): (&[PlannedSession], Option<&mut GrowingTables<'_>>),
    terms: &RunTerms<'_>,
    clients: Option<&Clients>,
    stop: &Arc<AtomicBool>,
) -> Result<RunOutcome, Refusal> {
    let total = sessions.len() as u64;
    note!("{}: {}; results in {}", experiment.name, counted(total, "session"), folder.root().display());
    let mut missing = missing_sessions(folder, sessions)?;
    let mut packer = Packer::begin(terms.storage, (folder, experiment), sessions, &mut missing)?;
    let runtime = build_runtime(experiment)?;
    let desk = clients.and_then(|_| terminal::open_desk(experiment));
    let screen = FollowScreen::new(experiment, terms.follow, missing.len());
    let tell = |session: &str, record: &Record, kept: RecordAge| screen.show_record(session, record, kept);
    let workplace = Workplace {
        folder,
        clients,
        deferred: terms.by_file,
        desk: desk.as_ref(),
        runtime: runtime.as_ref().map(Runtime::handle),
        stop,
        change: None,
        mode: SessionMode::Run,
        follower: terms.follow.map(|_| &tell as &Follower<'_>),
        arms: terms.arms.as_ref(),
    };
    let progress = terms.begin_progress(desk.as_ref(), total, missing.len() as u64);
    let limits = clients.map_or(Limits::default(), |_| terms.limits);
    let purse =
        Purse::for_run(limits, clients.map(Clients::total_spent).unwrap_or_default(), experiment, folder.root())?;
    let expected = RefCell::new(terms.calls_expected(folder, &missing));
    let (mut course, mut halted) = (RunOutcome::default(), false);
    let mut done = |session: &PlannedSession, begun: SessionAttempt| {
        let mut outcome = match begun {
            SessionAttempt::Came(outcome) => outcome,
            SessionAttempt::Not(outage) => return course.record_not_begun(outage),
            SessionAttempt::Stopped => return,
        };
        terms.count_ended(session, &outcome, &mut expected.borrow_mut());
        if let Some((tables, reading)) = tables.as_mut().zip(outcome.as_mut().ok().and_then(take_reading)) {
            tables.add_session(session.name(), reading);
        }
        outcome.iter().flat_map(|outcome| &outcome.torn).for_each(|torn| progress.print_line(&escape_unseen(torn)));
        let hopes =
            [course.record_outcome(session.name(), outcome), course.record_packing(packer.end_session(session))];
        if hopes.contains(&Hope::None) && !halted {
            halted = true;
            stop.store(true, Ordering::Relaxed);
        }
        progress.count_session();
    };
    let show_calls = || {
        progress.show_calls(terms.calls_so_far(clients, &expected.borrow()));
        clients
            .iter()
            .flat_map(|clients| clients.take_news())
            .for_each(|line| progress.print_line(&escape_unseen(&line)));
    };
    let mut before = 0;
    // Finish each stage before the next: later sessions need earlier ones.
    for sessions in missing.chunk_by(|one, next| one.work_stage() == next.work_stage()) {
        pool::process_queues(
            (sessions, &WorkQueues::for_sessions(sessions)),
            terms.jobs,
            stop,
            |session, number| attempt_session(&workplace, &purse, session, before + number),
            |place, outcome| done(&sessions[place], outcome),
            show_calls,
        );
        before += sessions.len();
    }
    show_calls();
    course.record_packing(packer.finish());
    progress.end();
    course.interrupted = stop.load(Ordering::Relaxed) && !halted;
    course.stopped.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(course)
}

/// The rows of a session that was folded while it ran, if it completed.
fn take_reading(outcome: &mut sessions::SessionOutcome) -> Option<SessionReading> {
    let (folded, run) = outcome.folded.take().zip(outcome.run.take())?;
    Some(SessionReading { folded: *folded, run: Some(*run), error: None })
}

/// Prints the forecast of calls and warnings about limits, before the first call.
///
/// Returns the forecasts by plan digest; empty if no call remains.
fn report_forecasts(
    (folder, sessions): (&ResultsFolder, &[PlannedSession]),
    resolved: &ResolvedExperiment,
    limits: Limits,
) -> Result<BTreeMap<Digest, Forecast>, Refusal> {
    let calls_models = resolved.experiment.arms.iter().any(|plan| !plan.is_simulated());
    if !calls_models || missing_sessions(folder, sessions)?.is_empty() {
        return Ok(BTreeMap::new());
    }
    let forecasts = check::forecast_plans(&resolved.experiment)?;
    check::describe_forecasts(resolved, &forecasts, limits).iter().for_each(|line| note!("{}", escape_unseen(line)));
    Ok(forecasts)
}

/// The commands that come next. Where sessions are left, that is the run itself.
fn what_next(
    (root, experiment): (&Path, &Experiment),
    arguments: &RunArguments,
    sessions: &[PlannedSession],
    report: &Report,
) -> String {
    let first = sessions.first().map(PlannedSession::name).unwrap_or_default();
    let replicates = sessions.last().map_or(0, |last| last.replicate);
    let (double, more) = (u64::from(replicates) * 2, shell_command::run_command(arguments));
    let root = root.display().to_string();
    let session = escape_unseen(&shell_command::shell_word(&format!("{root}/sessions/{first}")));
    let (folder, root) = (escape_unseen(&root), escape_unseen(&shell_command::shell_word(&root)));
    let last = match report.count_unfinished() {
        0 if Inputs::are_kept(&arguments.config) => format!("again   ekklesia replay {root}"),
        // More replicates need the config, not the results folder.
        0 => format!("again   ekklesia replay {root}\n more    {more} --replicates {double}"),
        _ => format!("go on   {more}"),
    };
    let compare = if experiment.arms.len() > 1 { format!("\n compare ekklesia compare {root}") } else { String::new() };
    format!("\n tables  {folder}/\n read    ekklesia show {session}{compare}\n report  ekklesia report {root}\n {last}")
}
