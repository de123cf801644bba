//! Deferred questions: writes questions as batch files, and reads replies from files. It calls no server.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::domain::{Digest, Moment, Outage, PhaseName, QuestionId, SeatName, Step};
use crate::plan::OpenAiModel;
use crate::service::openai::{BatchReply, Request, ServedModels, without_credentials};
use crate::store::calls::{Call, Spending};
use crate::store::files::{FileError, begin_file, file_error, list_folder, open_file, remove_file, write_whole};

/// The limits of a batch; OpenAI's are 50 000 requests and 200 MB (2026-11).
const REQUESTS_MAX: usize = 50_000;
const BYTES_MAX: usize = 190_000_000;
/// The number of hexadecimal digits in an id that distinguish plans and experiments.
const DIGITS: usize = 8;
/// Some editors write this mark at the start of a file.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The questions and replies of one run.
pub struct Deferred {
    /// The folder for questions; `None` if the run only reads replies.
    folder: Option<PathBuf>,
    held: BTreeMap<String, HeldQuestion>,
    replies: Mutex<BTreeMap<String, ReadReply>>,
    open: Mutex<Vec<OpenQuestion>>,
    served: Arc<ServedModels>,
}

/// A question in an earlier file of the folder.
#[derive(Debug, Clone)]
struct HeldQuestion {
    file: String,
    line: usize,
    digest: Digest,
}

struct ReadReply {
    place: String,
    reply: BatchReply,
    fate: ReplyFate,
}

enum ReplyFate {
    /// The question was not asked yet.
    Waiting,
    Taken,
    /// Why the reply is not an answer.
    Failed(String),
}

/// A question that can be asked now.
struct OpenQuestion {
    session: String,
    id: String,
    at_most: Spending,
    /// `None` if an earlier file holds the question.
    new: Option<NewQuestion>,
}

struct NewQuestion {
    line: Vec<u8>,
    model: String,
    server: String,
    at_most: Spending,
}

/// Which sessions the run reached before it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionsReached {
    /// All that can make progress.
    All,
    /// The run was interrupted.
    Some,
}

/// A file of questions to one model.
#[derive(Debug, Clone, Serialize)]
pub struct QuestionFile {
    /// The file.
    pub file: PathBuf,
    /// The server's name of the model.
    pub model: String,
    /// The server, without credentials.
    pub server: String,
    /// The number of questions.
    pub questions: u64,
    /// The maximum spending of the answers.
    #[serde(skip)]
    pub at_most: Spending,
}

/// The open questions of a run.
#[derive(Debug, Clone, Default)]
pub struct OpenQuestions {
    /// New files.
    pub written: Vec<QuestionFile>,
    /// Unanswered questions in earlier files: file and id.
    pub unanswered: Vec<(String, String)>,
    /// The lists of unanswered questions, one per file of questions.
    pub listed: Vec<PathBuf>,
}

/// A reply that no question used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusedReply {
    /// The file and the line.
    pub place: String,
    /// The question's id in the file.
    pub id: String,
    /// The session, the question and the digits in the id; `None` if the id is invalid.
    pub named: Option<(String, QuestionId, String)>,
}

#[derive(Deserialize)]
struct BatchLine {
    custom_id: String,
}

/// The id of a question. The digits distinguish plans and experiments: their first prompts may be equal, but an answer belongs to
/// one of them.
pub fn write_id(session: &str, question: &QuestionId, digits: &str) -> String {
    let Moment { phase, round, turn, step } = &question.at;
    format!("{session}:{phase}:{round}:{turn}:{}:{}:{}:{digits}", step.as_str(), question.seat, question.attempt)
}

/// The digits of a session's ids.
pub fn id_digits(experiment: &str, plan: &Digest) -> String {
    let digest = Digest::of(format!("{experiment}\n{}", plan.as_str()).as_bytes());
    let digits = digest.as_str().rsplit(':').next().unwrap_or_default();
    digits.chars().take(DIGITS).collect()
}

/// Parses an id into session, question and digits. A seat's name may contain colons.
fn read_id(id: &str) -> Option<(String, QuestionId, String)> {
    let parts: Vec<&str> = id.splitn(6, ':').collect();
    let [session, phase, round, turn, step, rest] = parts[..] else { return None };
    let (rest, digits) = rest.rsplit_once(':')?;
    let (seat, attempt) = rest.rsplit_once(':')?;
    let step = serde_json::from_value::<Step>(step.into()).ok()?;
    let at = Moment { phase: PhaseName::new(phase), round: round.parse().ok()?, turn: turn.parse().ok()?, step };
    let question = QuestionId { at, seat: SeatName::new(seat), attempt: attempt.parse().ok()? };
    Some((session.to_owned(), question, digits.to_owned()))
}

impl Deferred {
    /// Opens a folder for questions, if one is given. `served` compares the models that answer with earlier ones.
    ///
    /// # Errors
    /// If the question files in the folder cannot be read.
    pub fn new(folder: Option<&Path>, served: Arc<ServedModels>) -> Result<Self, FileError> {
        let mut held = BTreeMap::new();
        for (_, path) in folder.map(|folder| numbered_files(folder, QUESTIONS)).transpose()?.unwrap_or_default() {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            each_line(&path, |line, text| {
                let text = text.map_err(|why| no_question(&path, line, why))?;
                let BatchLine { custom_id } =
                    serde_json::from_str(text).map_err(|error| no_question(&path, line, error))?;
                held.insert(custom_id, HeldQuestion { file: file.clone(), line, digest: Digest::of(text.as_bytes()) });
                Ok(())
            })?;
        }
        let folder = folder.map(Path::to_owned);
        Ok(Self { folder, held, replies: Mutex::default(), open: Mutex::default(), served })
    }

    /// Whether the run writes questions to files.
    pub fn writes_questions(&self) -> bool {
        self.folder.is_some()
    }

    /// Reads the replies in a file. If several reply to one question, the first with an answer counts. Returns messages about
    /// unused lines.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read_replies(&self, path: &Path) -> Result<Vec<String>, FileError> {
        let (mut unused, mut replies) = (Vec::new(), self.lock_replies());
        each_line(path, |line, text| {
            let place = format!("{}:{line}", path.display());
            let reply = match text.map_err(ToOwned::to_owned).and_then(BatchReply::parse_line) {
                Ok(reply) => reply,
                Err(why) => {
                    unused.push(format!("{place}: {why}"));
                    return Ok(());
                }
            };
            let id = reply.custom_id.clone();
            let is_better = |first: &ReadReply| reply.is_answer() && !first.reply.is_answer();
            match replies.get(&id).map(|first| (is_better(first), first.place.clone())) {
                Some((false, first)) => unused.push(format!("{place}: a second reply to {id}; {first} counts")),
                replaced => {
                    unused.extend(replaced.map(|(_, first)| format!("{first}: no answer to {id}; {place} has one")));
                    replies.insert(id, ReadReply { place, reply, fate: ReplyFate::Waiting });
                }
            }
            Ok(())
        })?;
        Ok(unused)
    }

    /// The number of replies read.
    pub fn replies_read(&self) -> usize {
        self.lock_replies().len()
    }

    /// The call with the reply to a request, if a file holds an answer.
    pub fn take_reply(&self, id: &str, request: &Request) -> Option<Call> {
        let mut replies = self.lock_replies();
        let read = replies.get_mut(id)?;
        match read.reply.clone().into_call(request) {
            Ok(call) => {
                read.fate = ReplyFate::Taken;
                Some(call)
            }
            Err(why) => {
                read.fate = ReplyFate::Failed(why);
                None
            }
        }
    }

    /// The models that answered.
    pub fn served_models(&self) -> &ServedModels {
        &self.served
    }

    /// Queues a question that can be asked now.
    ///
    /// # Errors
    /// [`Outage::Unwritten`] if a file of the folder holds another question with this id.
    pub fn queue_question(
        &self,
        session: &str,
        id: &str,
        (model, request): (&OpenAiModel, &Request),
    ) -> Result<(), Outage> {
        let (line, at_most) = (request.batch_line(id), request.spent_at_most());
        let new = match self.held.get(id) {
            Some(held) if held.digest == Digest::of(&line) => None,
            Some(held) => {
                return Err(Outage::Unwritten {
                    path: self.folder.as_deref().unwrap_or(Path::new("")).join(&held.file).display().to_string(),
                    reason: format!(
                        "line {} is another question with the id {id}; give --defer another folder",
                        held.line
                    ),
                });
            }
            None => {
                let (model, server) = (model.model.clone(), without_credentials(&model.base_url));
                Some(NewQuestion { line, model, server, at_most })
            }
        };
        self.lock_open_questions().push(OpenQuestion { session: session.to_owned(), id: id.to_owned(), at_most, new });
        Ok(())
    }

    /// The maximum spending of all open questions, and whether any question is new.
    pub fn open_at_most(&self) -> (Spending, bool) {
        let open = self.lock_open_questions();
        let sum = open.iter().fold(Spending::default(), |sum, one| sum.saturating_add(one.at_most));
        (sum, open.iter().any(|one| one.new.is_some()))
    }

    /// Writes the new questions to new files, one or more per model, in the order of `sessions`. If all sessions were reached, it
    /// also lists the unanswered questions of earlier files.
    ///
    /// # Errors
    /// If a file cannot be written. The questions can be asked again.
    pub fn write_questions(
        &self,
        sessions: impl Iterator<Item = String>,
        reached: SessionsReached,
    ) -> Result<OpenQuestions, FileError> {
        let Some(folder) = &self.folder else { return Ok(OpenQuestions::default()) };
        let places: BTreeMap<String, usize> = sessions.enumerate().map(|(place, name)| (name, place)).collect();
        let mut open = std::mem::take(&mut *self.lock_open_questions());
        open.sort_by_key(|one| places.get(&one.session).copied());
        let mut found = OpenQuestions::default();
        let mut by_model: BTreeMap<(String, String), Vec<NewQuestion>> = BTreeMap::new();
        for OpenQuestion { id, new, .. } in open {
            match new {
                Some(new) => by_model.entry((new.model.clone(), new.server.clone())).or_default().push(new),
                None => found.unanswered.push((self.held[&id].file.clone(), id)),
            }
        }
        let mut number = numbered_files(folder, QUESTIONS)?.last().map_or(0, |(number, _)| *number);
        for ((model, server), questions) in by_model {
            for batch in in_batches(&questions) {
                number += 1;
                let file = folder.join(numbered_file_name(QUESTIONS, number));
                write_new(&file, batch.iter().map(|new| &*new.line))?;
                let at_most = batch.iter().fold(Spending::default(), |sum, new| sum.saturating_add(new.at_most));
                let (model, server) = (model.clone(), server.clone());
                found.written.push(QuestionFile { file, model, server, questions: batch.len() as u64, at_most });
            }
        }
        if reached == SessionsReached::All {
            found.listed = self.list_unanswered(folder, &found.unanswered)?;
        }
        Ok(found)
    }

    /// Writes a list of unanswered questions for each file of questions, in batch format. Removes lists of fully answered files.
    fn list_unanswered(&self, folder: &Path, unanswered: &[(String, String)]) -> Result<Vec<PathBuf>, FileError> {
        let mut by_file: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (file, id) in unanswered {
            by_file.entry(file).or_default().insert(id);
        }
        let mut listed = Vec::new();
        for (number, path) in numbered_files(folder, QUESTIONS)? {
            let list = folder.join(numbered_file_name(UNANSWERED, number));
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let Some(ids) = by_file.get(&*file) else {
                remove_file(&list)?;
                continue;
            };
            let wanted: BTreeSet<usize> = ids.iter().map(|id| self.held[*id].line).collect();
            let mut lines = Vec::new();
            each_line(&path, |line, text| {
                let text = text.map_err(|why| no_question(&path, line, why))?;
                if wanted.contains(&line) {
                    lines.extend_from_slice(text.as_bytes());
                    lines.push(b'\n');
                }
                Ok(())
            })?;
            write_whole(&list, &lines)?;
            listed.push(list);
        }
        Ok(listed)
    }

    /// Messages about replies without an answer, and the replies that no question used.
    pub fn replies_left(&self) -> (Vec<String>, Vec<UnusedReply>) {
        let (mut failed, mut left) = (Vec::new(), Vec::new());
        for (id, ReadReply { place, fate, .. }) in &*self.lock_replies() {
            match fate {
                ReplyFate::Taken => {}
                ReplyFate::Failed(why) => failed.push(format!("{place}: no answer to {id}: {why}")),
                ReplyFate::Waiting => {
                    left.push(UnusedReply { place: place.clone(), id: id.clone(), named: read_id(id) })
                }
            }
        }
        (failed, left)
    }

    fn lock_open_questions(&self) -> MutexGuard<'_, Vec<OpenQuestion>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_replies(&self) -> MutexGuard<'_, BTreeMap<String, ReadReply>> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn in_batches(questions: &[NewQuestion]) -> Vec<&[NewQuestion]> {
    let (mut batches, mut begun, mut bytes) = (Vec::new(), 0, 0);
    for (place, question) in questions.iter().enumerate() {
        let own = question.line.len() + 1;
        if place > begun && (place - begun == REQUESTS_MAX || bytes + own > BYTES_MAX) {
            batches.push(&questions[begun..place]);
            (begun, bytes) = (place, 0);
        }
        bytes += own;
    }
    batches.push(&questions[begun..]);
    batches
}

/// Prefixes of the names of question files and of lists of unanswered questions.
const QUESTIONS: &str = "questions";
const UNANSWERED: &str = "unanswered";

fn numbered_file_name(kind: &str, number: u32) -> String {
    format!("{kind}-{number:04}.jsonl")
}

/// The numbered files of a kind, sorted; empty if the folder does not exist.
fn numbered_files(folder: &Path, kind: &str) -> Result<Vec<(u32, PathBuf)>, FileError> {
    let numbered = |path: PathBuf| {
        let rest = path.file_name()?.to_str()?.strip_prefix(kind)?.strip_prefix('-')?;
        Some((rest.strip_suffix(".jsonl")?.parse().ok()?, path))
    };
    let mut files: Vec<(u32, PathBuf)> = list_folder(folder)?.into_iter().filter_map(numbered).collect();
    files.sort();
    Ok(files)
}

fn no_question(path: &Path, line: usize, why: impl Display) -> FileError {
    FileError { path: path.to_owned(), reason: format!("line {line} is no question: {why}; move the file away") }
}

/// Reads the non-empty lines of a file with their numbers; a line that is not UTF-8 is an error text.
fn each_line(
    path: &Path,
    mut take: impl FnMut(usize, Result<&str, &str>) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let fail = |error: io::Error| file_error(path, &error);
    for (place, line) in BufReader::new(open_file(path).map_err(fail)?).split(b'\n').enumerate() {
        let line = line.map_err(fail)?;
        match std::str::from_utf8(&line) {
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => take(place + 1, Ok(text.trim_start_matches(BYTE_ORDER_MARK)))?,
            Err(_) => take(place + 1, Err("this is not UTF-8"))?,
        }
    }
    Ok(())
}

/// Writes a new file atomically; fails if the file exists.
fn write_new<'l>(path: &Path, lines: impl Iterator<Item = &'l [u8]>) -> Result<(), FileError> {
    let write = || -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut file = begin_file(folder)?;
        let mut buffered = io::BufWriter::new(file.as_file_mut());
        for line in lines {
            buffered.write_all(line)?;
            buffered.write_all(b"\n")?;
        }
        buffered.flush()?;
        drop(buffered);
        file.as_file().sync_all()?;
        file.persist_noclobber(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| file_error(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_id_tells_its_session_and_question(
            seat in ".{1,12}", round: u32, turn: u32, attempt: u8, session in "[a-z.-]{1,9}-r[0-9]{6}", phase in "[a-z_]{1,9}",
        ) {
            let at = Moment { phase: PhaseName::new(&phase), round, turn, step: Step::Statement };
            let question = QuestionId { at, seat: SeatName::new(&seat), attempt };
            let digits = id_digits("talk", &Digest::of(session.as_bytes()));
            prop_assert_eq!(read_id(&write_id(&session, &question, &digits)), Some((session, question, digits)));
        }
    }
}
