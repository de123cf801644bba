//! Questions by file: those that can be asked are written as lines of a batch, and replies are read from files.
//!
//! No server is called, and what a reply says is not known here.

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
use crate::store::files::{FileError, file_error, open_file, write_whole};
use crate::store::places::UNFINISHED;

/// A batch has no more requests, and no more bytes: OpenAI's limits are 50 000 requests and 200 MB (2026-11).
const REQUESTS_MAX: usize = 50_000;
const BYTES_MAX: usize = 190_000_000;
/// The hexadecimal digits of an id that tell one run's questions from another's.
const DIGITS: usize = 8;
/// What reads like the start of a file that some editors write.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The questions and replies of one run.
pub struct Deferred {
    /// Where questions are written; `None` where only replies are read.
    folder: Option<PathBuf>,
    held: BTreeMap<String, HeldQuestion>,
    replies: Mutex<BTreeMap<String, ReadReply>>,
    open: Mutex<Vec<OpenQuestion>>,
    served: Arc<ServedModels>,
}

/// A question that a file of the folder holds.
#[derive(Debug, Clone)]
struct HeldQuestion {
    file: String,
    line: usize,
    digest: Digest,
}

/// A reply that was read.
struct ReadReply {
    /// The file and the line.
    place: String,
    reply: BatchReply,
    fate: ReplyFate,
}

/// What became of a reply.
enum ReplyFate {
    /// Its question was not asked yet.
    Waiting,
    Taken,
    /// It holds no answer, for this reason.
    Failed(String),
}

/// A question that can be asked now.
struct OpenQuestion {
    session: String,
    id: String,
    /// What its answer may take at most.
    at_most: Spending,
    /// `None` where a file of the folder holds it already.
    new: Option<NewQuestion>,
}

struct NewQuestion {
    line: Vec<u8>,
    model: String,
    server: String,
    at_most: Spending,
}

/// Which sessions of a run were reached before it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionsReached {
    /// All that can be worked on.
    All,
    /// Not all: the run was interrupted.
    Some,
}

/// A file of questions to one model.
#[derive(Debug, Clone, Serialize)]
pub struct QuestionFile {
    /// The file.
    pub file: PathBuf,
    /// The model, as its server knows it.
    pub model: String,
    /// The server, without credentials.
    pub server: String,
    /// How many questions it holds.
    pub questions: u64,
    /// What their answers may take at most.
    #[serde(skip)]
    pub at_most: Spending,
}

/// The open questions of a run.
#[derive(Debug, Clone, Default)]
pub struct OpenQuestions {
    /// New files.
    pub written: Vec<QuestionFile>,
    /// The questions that earlier files hold, each with its file.
    pub unanswered: Vec<(String, String)>,
    /// Where these are listed, a file for each file of questions.
    pub listed: Vec<PathBuf>,
}

/// What is known of a reply that no question took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusedReply {
    /// The file and the line.
    pub place: String,
    /// The question's id as the file has it.
    pub id: String,
    /// The session, the question and the digits that this names; `None` where it names none.
    pub named: Option<(String, QuestionId, String)>,
}

#[derive(Deserialize)]
struct BatchLine {
    custom_id: String,
}

/// The id of a question of a session. The digits at its end tell the sessions of one plan and experiment from those of another: the
/// first prompts of two experiments may be the same, and an answer counts in one of them.
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

/// The session, the question and the digits of an id; `None` where it is none. A seat's name may hold colons.
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
    /// For a run that writes its questions into a folder, if one is given, and compares who answers with who answered before.
    ///
    /// # Errors
    /// When the folder's files of questions cannot be read.
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

    /// Whether questions are written.
    pub fn writes_questions(&self) -> bool {
        self.folder.is_some()
    }

    /// Reads the replies of a file. Of several to one question the first that holds an answer counts.
    ///
    /// Returns what of the file is not used, in words.
    ///
    /// # Errors
    /// When the file cannot be read.
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

    /// How many replies were read.
    pub fn replies_read(&self) -> usize {
        self.lock_replies().len()
    }

    /// The call that brought the reply to a request, if a file holds one.
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

    /// Who answers, as far as is known.
    pub fn served_models(&self) -> &ServedModels {
        &self.served
    }

    /// Puts a question that can be asked now.
    ///
    /// # Errors
    /// [`Outage::Unwritten`] when a file of the folder holds another question of this id.
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

    /// What the answers to all open questions may take at most, and whether any of them is new.
    pub fn open_at_most(&self) -> (Spending, bool) {
        let open = self.lock_open_questions();
        let sum = open.iter().fold(Spending::default(), |sum, one| sum.saturating_add(one.at_most));
        (sum, open.iter().any(|one| one.new.is_some()))
    }

    /// Writes the new questions into new files, one for each model, in the order of their sessions. If all sessions were reached, it
    /// also lists the questions of earlier files that nobody has answered.
    ///
    /// # Errors
    /// When a file cannot be written. No question is lost: it can be asked again.
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

    /// Lists the questions that nobody has answered, a file for each file of questions, which can be sent as it is; removes lists of
    /// which everything is answered.
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
                match fs::remove_file(&list) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(file_error(&list, &error)),
                    _ => continue,
                }
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

    /// The replies that hold no answer, in words, and those that no question took.
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

/// Questions in batches, each as large as a service takes.
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

/// How the names of files of questions begin, and those of lists of unanswered ones.
const QUESTIONS: &str = "questions";
const UNANSWERED: &str = "unanswered";

fn numbered_file_name(kind: &str, number: u32) -> String {
    format!("{kind}-{number:04}.jsonl")
}

/// A folder's files of a kind with their numbers, in their order; none where there is no such folder.
fn numbered_files(folder: &Path, kind: &str) -> Result<Vec<(u32, PathBuf)>, FileError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| file_error(folder, &error))?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| file_error(folder, &error))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let rest = name.strip_prefix(kind).and_then(|rest| rest.strip_prefix('-'));
        if let Some(number) = rest.and_then(|rest| rest.strip_suffix(".jsonl")?.parse().ok()) {
            files.push((number, path));
        }
    }
    files.sort();
    Ok(files)
}

/// A line of a file of questions that is none.
fn no_question(path: &Path, line: usize, why: impl Display) -> FileError {
    FileError { path: path.to_owned(), reason: format!("line {line} is no question: {why}; move the file away") }
}

/// Reads a file line by line, with the number of each, or why it cannot be read; empty lines are passed over.
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

/// Writes a file that is not there yet: whole, or not at all.
fn write_new<'l>(path: &Path, lines: impl Iterator<Item = &'l [u8]>) -> Result<(), FileError> {
    let write = || -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
        let mut buffered = io::BufWriter::new(file.as_file_mut());
        for line in lines {
            buffered.write_all(line)?;
            buffered.write_all(b"\n")?;
        }
        buffered.flush()?;
        drop(buffered);
        file.as_file().sync_all()?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
        }
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
