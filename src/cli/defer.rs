//! `run --defer` and `--answers`: writes questions to files and reads replies from files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::budget;
use super::exit::{Ending, Refusal};
use super::output::note;
use crate::domain::Dollars;
use crate::plan::{Experiment, Limits, Plan, PlannedSession, UnknownWindow};
use crate::report::{counted, escape_unseen, grouped};
use crate::service::deferred::{Deferred, OpenQuestions, QuestionFile, SessionsReached, UnusedReply, id_digits};
use crate::service::forms;
use crate::service::openai::ServedModels;
use crate::service::windows;
use crate::store::calls::CallRecord;
use crate::store::calls::Spending;
use crate::store::inputs::Inputs;
use crate::store::results::ResultsFolder;

/// The most lines of a list to print.
const SHOWN: usize = 10;

/// Questions and replies by file.
#[derive(Debug, Args)]
pub struct DeferArguments {
    /// Call no model: write every question that can be asked now to DIR/questions-NNNN.jsonl, in the input format of OpenAI's batches,
    /// and exit with 4 while questions are open.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["offline", "retry_failed", "pilot"])]
    pub defer: Option<PathBuf>,
    /// Read replies from files in the output format of OpenAI's batches, and continue.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub answers: Vec<PathBuf>,
}

/// The open questions of a run, as JSON.
#[derive(Debug, Default, Serialize)]
pub struct DeferReport {
    /// The number of open questions.
    pub open: u64,
    /// The new question files.
    pub written: Vec<QuestionFile>,
    /// Unanswered questions of earlier files: file and question.
    pub unanswered: Vec<(String, String)>,
    /// The files that list the unanswered questions.
    pub listed: Vec<PathBuf>,
}

impl DeferArguments {
    /// Refuses designs that cannot run by file: a person answers, a model is stateful, or a server would have to report a
    /// window or a reply format.
    pub fn refuse_live(&self, inputs: &Inputs, experiment: &Experiment, root: &Path) -> Result<(), Refusal> {
        if self.defer.is_none() {
            return Ok(());
        }
        let mut reasons = BTreeSet::new();
        if experiment.arms.iter().any(|plan| plan.people_count() > 0) {
            reasons.insert("a person answers at this terminal".to_owned());
        }
        let models = experiment.arms.iter().flat_map(|plan| plan.models_asked().map(|place| &plan.models[place]));
        for model in models.filter(|model| model.is_stateful) {
            reasons.insert(format!("models.{} is stateful, and a batch does not tell it who is asked", model.name));
        }
        // Begun sessions have their windows and forms in their records.
        let folder = ResultsFolder::open_unchecked(root);
        let is_begun = |name: &str| folder.minutes(name).exists() || folder.calls(name).exists();
        let new = PlannedSession::for_experiment(experiment).filter(|session| !is_begun(&session.name()));
        let arms: BTreeMap<String, Arc<Plan>> = new.map(|session| (session.arm.arm.clone(), session.arm)).collect();
        for model in
            arms.values().flat_map(|plan| plan.models_without_form()).filter(|model| forms::of_server(model).is_none())
        {
            reasons.insert(format!(
                "models.{}.openai: answers: auto asks its server; write answers: json_schema or answers: anchored",
                model.name
            ));
        }
        if !reasons.is_empty() {
            let reasons: Vec<String> = reasons.into_iter().collect();
            return Err(Refusal::wrong_input(format!("--defer calls nobody, but {}", reasons.join("; "))));
        }
        let unknown: BTreeSet<UnknownWindow> = arms
            .values()
            .flat_map(|plan| windows::unknown_to_the_table(plan))
            .map(|model| UnknownWindow::for_model(model, Some("--defer calls no server".to_owned())))
            .collect();
        Ok(inputs.unknown_windows(&unknown.into_iter().collect::<Vec<_>>()).into_result()?)
    }

    /// Reads the replies and the earlier questions; `None` if the run uses no files.
    pub fn read_files(&self, served: &Arc<ServedModels>) -> Result<Option<Arc<Deferred>>, Refusal> {
        if self.defer.is_none() && self.answers.is_empty() {
            return Ok(None);
        }
        let deferred = Deferred::new(self.defer.as_deref(), Arc::clone(served))?;
        let mut unused = Vec::new();
        for file in &self.answers {
            unused.extend(deferred.read_replies(file)?);
        }
        print_list(&unused);
        Ok(Some(Arc::new(deferred)))
    }
}

/// Reports how the replies were used and writes the open questions.
///
/// # Errors
/// A [`Refusal`] when the answers may exceed the limits, or a file cannot be written.
pub fn write_open_questions(
    deferred: &Deferred,
    (folder, experiment): (&ResultsFolder, &Experiment),
    limits: Limits,
    reached: SessionsReached,
) -> Result<DeferReport, Refusal> {
    deferred.served_models().take_news().iter().for_each(|line| note!("{}", escape_unseen(line)));
    report_answers(deferred, folder, experiment)?;
    refuse_unaffordable(deferred.open_at_most(), (folder.root(), experiment), limits)?;
    let sessions = PlannedSession::for_experiment(experiment).map(|session| session.name());
    let files = deferred.write_questions(sessions, reached)?;
    for one in &files.written {
        let Spending { tokens, dollars } = one.at_most;
        let cost = if dollars > Dollars::NONE { format!(", {dollars}") } else { String::new() };
        note!(
            "{}: {} to {} at {}; the answers take at most {} tokens{cost}",
            escape_unseen(&one.file.display().to_string()),
            counted(one.questions, "new question"),
            escape_unseen(&one.model),
            escape_unseen(&one.server),
            grouped(tokens)
        );
    }
    if !files.unanswered.is_empty() {
        let listed: Vec<String> = files.listed.iter().map(|file| escape_unseen(&file.display().to_string())).collect();
        let listed = if listed.is_empty() { String::new() } else { format!("; listed in {}", listed.join(", ")) };
        note!("{} of earlier files not answered yet{listed}", counted(files.unanswered.len() as u64, "question"));
        print_list(&files.unanswered.iter().map(|(file, id)| format!("  {file}: {id}")).collect::<Vec<_>>());
    }
    let open = files.written.iter().map(|one| one.questions).sum::<u64>() + files.unanswered.len() as u64;
    let OpenQuestions { written, unanswered, listed } = files;
    Ok(DeferReport { open, written, unanswered, listed })
}

/// Why a reply was not used.
enum ReplyUse {
    /// Its question is already answered.
    Answered,
    /// Its session has not reached the question in this run.
    Waiting,
    /// This folder never asked the question.
    Unknown,
}

/// Reports how many replies were used, and lists failed and unknown ones.
fn report_answers(deferred: &Deferred, folder: &ResultsFolder, experiment: &Experiment) -> Result<(), Refusal> {
    let read = deferred.replies_read();
    if read == 0 {
        return Ok(());
    }
    let (failed, left) = deferred.replies_left();
    let (mut answered, mut waiting, mut unknown) = (0, 0, Vec::new());
    let mut records = BTreeMap::new();
    for one in &left {
        match use_of(one, (folder, experiment), &mut records)? {
            ReplyUse::Answered => answered += 1,
            ReplyUse::Waiting => waiting += 1,
            ReplyUse::Unknown => unknown.push(format!("{}: this run asked no question {}", one.place, one.id)),
        }
    }
    let used = read - failed.len() - left.len();
    let mut told = format!("{} of {} used", grouped(used as u64), counted(read as u64, "answer"));
    if answered > 0 {
        told.push_str(&format!("; {} skipped: their questions are already answered", grouped(answered)));
    }
    if waiting > 0 {
        told.push_str(&format!("; {} not used yet: give the file again", grouped(waiting)));
    }
    note!("{told}");
    print_list(&failed);
    print_list(&unknown);
    Ok(())
}

/// Looks an unused reply up in its session's call record. `records` caches the call records.
fn use_of(
    unused: &UnusedReply,
    (folder, experiment): (&ResultsFolder, &Experiment),
    records: &mut BTreeMap<String, Option<(String, CallRecord)>>,
) -> Result<ReplyUse, Refusal> {
    let Some((session, question, digits)) = &unused.named else { return Ok(ReplyUse::Unknown) };
    if !records.contains_key(session) {
        let record = match PlannedSession::find_by_name(experiment, session) {
            None => None,
            Some(planned) => {
                let (record, _) = CallRecord::read(folder.calls(session))?;
                Some((id_digits(&experiment.name, &planned.plan().digest), record))
            }
        };
        records.insert(session.clone(), record);
    }
    Ok(match &records[session] {
        Some((own, record)) if own == digits && record.find_call(question).is_some() => ReplyUse::Answered,
        Some((own, record)) if own == digits && record.deferred_request(question).is_some() => ReplyUse::Waiting,
        _ => ReplyUse::Unknown,
    })
}

/// Refuses to write new questions if the answers to all open questions may exceed the limits.
fn refuse_unaffordable(
    (open, is_any_new): (Spending, bool),
    (root, experiment): (&Path, &Experiment),
    limits: Limits,
) -> Result<(), Refusal> {
    if limits == Limits::default() || !is_any_new {
        return Ok(());
    }
    let spent = budget::read_account(experiment, root, PlannedSession::for_experiment(experiment))?.all.to_spending();
    let sum = spent.saturating_add(open);
    let over = |what: String, limit: String, spent: String| {
        let message = format!(
            "no question was written: the answers to open questions may take {what}, and {spent} of {limit} is spent; raise the limit to continue"
        );
        Err(Refusal::with_ending(Ending::Resumable, message))
    };
    match (limits.usd.map(Dollars::new), limits.tokens) {
        (Some(limit), _) if sum.dollars > limit => {
            over(open.dollars.to_string(), limit.to_string(), spent.dollars.to_string())
        }
        (_, Some(limit)) if sum.tokens > limit => {
            over(format!("{} tokens", grouped(open.tokens)), grouped(limit), grouped(spent.tokens))
        }
        _ => Ok(()),
    }
}

/// Prints the first lines on stderr and the number of the others.
fn print_list(lines: &[String]) {
    lines.iter().take(SHOWN).for_each(|line| note!("{}", escape_unseen(line)));
    if lines.len() > SHOWN {
        note!("  and {} more", lines.len() - SHOWN);
    }
}
