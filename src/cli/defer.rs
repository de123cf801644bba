//! `run --defer` and `--answers`: questions go to files, and replies come from files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::budget;
use super::exit::{Ending, Refusal};
use super::say::note;
use crate::adapters::calls::CallRecord;
use crate::adapters::deferred::{Deferred, Left, OpenQuestions};
use crate::adapters::inputs::Inputs;
use crate::adapters::openai::{Served, Spent};
use crate::adapters::results::ResultsFolder;
use crate::adapters::windows::{self, Unknown};
use crate::domain::Dollars;
use crate::plan::{Experiment, Limits, Planned};
use crate::report::{counted, grouped, visible};

/// So many of a list are shown.
const SHOWN: usize = 10;

/// Questions and replies by file.
#[derive(Debug, Args)]
pub struct DeferArguments {
    /// Call no model: write every question that can be asked now to DIR/questions-NNNN.jsonl, in the input format of OpenAI's batches,
    /// and exit with 4 while questions are open.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["offline", "retry_failed", "pilot"])]
    pub defer: Option<PathBuf>,
    /// Take the replies of a file, in the output format of OpenAI's batches, and go on; may be given often.
    #[arg(long, value_name = "FILE")]
    pub answers: Vec<PathBuf>,
}

/// The open questions of a run, for programs.
#[derive(Debug, Default, Serialize)]
pub struct Questions {
    /// How many are open.
    pub open: u64,
    /// Where they are.
    #[serde(flatten)]
    pub files: OpenQuestions,
}

impl DeferArguments {
    /// Refuses designs that cannot be asked by file: one in which a person is asked, a model keeps a memory of its own, or a window is to
    /// be asked for.
    ///
    /// # Errors
    /// A [`Refusal`] that names each.
    pub fn refuse_live(&self, inputs: &Inputs, experiment: &Experiment) -> Result<(), Refusal> {
        if self.defer.is_none() {
            return Ok(());
        }
        let mut reasons = Vec::new();
        if experiment.arms.iter().any(|plan| plan.people() > 0) {
            reasons.push("a person answers at this terminal".to_owned());
        }
        let models = || experiment.arms.iter().flat_map(|plan| plan.models_asked().map(|place| &plan.models[place]));
        for model in models().filter(|model| model.is_stateful) {
            let reason = format!("models.{} is stateful, and a batch does not tell it who is asked", model.name);
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        if !reasons.is_empty() {
            return Err(Refusal::wrong(format!("--defer puts questions by file, but {}", reasons.join("; "))));
        }
        let mut unknown: Vec<Unknown> = experiment
            .arms
            .iter()
            .flat_map(|plan| windows::unknown_to_the_table(plan))
            .map(|model| Unknown::of(model, Some("--defer calls no server".to_owned())))
            .collect();
        unknown.sort();
        unknown.dedup();
        Ok(inputs.unknown_windows(&unknown).none()?)
    }

    /// Reads the replies and the questions that were written before; `None` where nothing is put by file.
    ///
    /// # Errors
    /// A [`Refusal`] when a file cannot be read.
    pub fn begin(&self, served: Served) -> Result<Option<Arc<Deferred>>, Refusal> {
        if self.defer.is_none() && self.answers.is_empty() {
            return Ok(None);
        }
        let deferred = Deferred::new(self.defer.as_deref(), served)?;
        let mut unused = Vec::new();
        for file in &self.answers {
            unused.extend(deferred.read_replies(file)?);
        }
        list(&unused);
        Ok(Some(Arc::new(deferred)))
    }
}

/// Reports what became of the replies, and writes the open questions.
///
/// # Errors
/// A [`Refusal`] when the answers to new questions may take more than the limits leave, or a file cannot be written.
pub fn end(
    deferred: &Deferred,
    (folder, experiment): (&ResultsFolder, &Experiment),
    limits: Limits,
) -> Result<Questions, Refusal> {
    deferred.news().iter().for_each(|line| note!("{}", visible(line)));
    report_replies(deferred, folder, experiment)?;
    refuse_unaffordable(deferred.new_at_most(), (folder.root(), experiment), limits)?;
    let files = deferred.write_questions(Planned::all(experiment).map(|session| session.name()))?;
    for one in &files.written {
        let Spent { tokens, dollars } = one.at_most;
        let cost = if dollars > Dollars::NONE { format!(", {dollars}") } else { String::new() };
        note!(
            "{}: {} to {} at {}; the answers take at most {} tokens{cost}",
            visible(&one.file.display().to_string()),
            counted(one.questions, "new question"),
            visible(&one.model),
            visible(&one.server),
            grouped(tokens)
        );
    }
    if let Some(listed) = &files.listed {
        let count = files.unanswered.len() as u64;
        note!(
            "{}: {} of earlier files not answered yet",
            visible(&listed.display().to_string()),
            counted(count, "question")
        );
        list(&files.unanswered.iter().map(|(file, id)| format!("  {file}: {id}")).collect::<Vec<_>>());
    }
    let open = files.written.iter().map(|one| one.questions).sum::<u64>() + files.unanswered.len() as u64;
    Ok(Questions { open, files })
}

/// Reports replies without an answer, and those that no question took: those to questions that are answered, and those to questions that
/// this folder never put.
fn report_replies(deferred: &Deferred, folder: &ResultsFolder, experiment: &Experiment) -> Result<(), Refusal> {
    let read = deferred.replies_read();
    if read == 0 {
        return Ok(());
    }
    let (failed, left) = deferred.replies_left();
    let (mut answered, mut unknown) = (0, Vec::new());
    for one in &left {
        match answered_by(one, folder, experiment)? {
            true => answered += 1,
            false => unknown.push(format!("{}: no question {} was put", one.place, one.id)),
        }
    }
    let taken = read - failed.len() - left.len();
    let before = match answered {
        0 => String::new(),
        before => format!("; left out are {} whose questions are answered already", grouped(before)),
    };
    note!("{} of {} taken{before}", grouped(taken as u64), counted(read as u64, "answer"));
    list(&failed);
    list(&unknown);
    Ok(())
}

/// Whether the question of a reply is answered in its session's record.
fn answered_by(left: &Left, folder: &ResultsFolder, experiment: &Experiment) -> Result<bool, Refusal> {
    let Some((session, question)) = &left.named else { return Ok(false) };
    if Planned::find(experiment, session).is_none() {
        return Ok(false);
    }
    let (record, _) = CallRecord::read(&folder.calls(session)).map_err(|error| Refusal::failed(error.to_string()))?;
    Ok(record.find(question).is_some())
}

/// Refuses to put questions whose answers may take more than is left.
fn refuse_unaffordable(most: Spent, (root, experiment): (&Path, &Experiment), limits: Limits) -> Result<(), Refusal> {
    if limits == Limits::default() || most == Spent::default() {
        return Ok(());
    }
    let spent = budget::account(experiment, root, Planned::all(experiment))?.all.spent();
    let sum = spent.plus(most);
    let over = |what: String, limit: String, spent: String| {
        let message = format!(
            "no question was written: the answers may take {what}, and of {limit} {spent} are spent; raise the limit to go on"
        );
        Err(Refusal { ending: Ending::Resumable, ..Refusal::wrong(message) })
    };
    match (limits.usd.map(Dollars::new), limits.tokens) {
        (Some(limit), _) if sum.dollars > limit => {
            over(most.dollars.to_string(), limit.to_string(), spent.dollars.to_string())
        }
        (_, Some(limit)) if sum.tokens > limit => {
            over(format!("{} tokens", grouped(most.tokens)), grouped(limit), grouped(spent.tokens))
        }
        _ => Ok(()),
    }
}

/// Lists lines on stderr, and how many more there are.
fn list(lines: &[String]) {
    lines.iter().take(SHOWN).for_each(|line| note!("{}", visible(line)));
    if lines.len() > SHOWN {
        note!("  and {} more", lines.len() - SHOWN);
    }
}
