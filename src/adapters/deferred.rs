//! Questions by file: those that can be asked are written as lines of a batch, and replies are read from files.
//!
//! No server is called, and what a reply says is not known here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::adapters::openai::{BatchReply, Call, Identity, Request, Served, Spent, without_credentials};
use crate::adapters::results::{FileError, UNFINISHED, file_error, open_file, write_whole};
use crate::domain::{Digest, Moment, Outage, PhaseName, QuestionId, SeatName, Step};
use crate::plan::OpenAiModel;

/// A batch has no more requests, and no more bytes: OpenAI's limits, 50 000 requests and 200 MB (2026-11).
const REQUESTS_MAX: usize = 50_000;
const BYTES_MAX: usize = 190_000_000;
/// The questions that earlier files hold and nobody has answered, as lines of a batch.
const UNANSWERED: &str = "unanswered.jsonl";

/// The questions and replies of one run.
pub struct Deferred {
    /// Where questions are written; `None` where only replies are read.
    folder: Option<PathBuf>,
    held: BTreeMap<String, Held>,
    replies: Mutex<BTreeMap<String, Read>>,
    open: Mutex<Vec<Open>>,
    served: Served,
}

/// A question that a file of the folder holds.
#[derive(Debug, Clone)]
struct Held {
    file: String,
    line: usize,
    digest: Digest,
}

/// A reply that was read.
struct Read {
    /// The file and the line.
    place: String,
    reply: BatchReply,
    fate: Fate,
}

/// What became of a reply.
enum Fate {
    /// Its question was not asked yet.
    Waiting,
    Taken,
    /// It holds no answer, for this reason.
    Failed(String),
}

/// A question that can be asked now.
struct Open {
    session: String,
    id: String,
    /// `None` where a file of the folder holds it already.
    new: Option<New>,
}

struct New {
    line: Vec<u8>,
    model: String,
    server: String,
    at_most: Spent,
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
    /// What their answers may take at the most.
    #[serde(skip)]
    pub at_most: Spent,
}

/// The open questions of a run.
#[derive(Debug, Clone, Default, Serialize)]
pub struct OpenQuestions {
    /// New files.
    pub written: Vec<QuestionFile>,
    /// The questions that earlier files hold, each with its file.
    pub unanswered: Vec<(String, String)>,
    /// Where these are listed.
    pub listed: Option<PathBuf>,
}

/// What is known of a reply that no question took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The file and the line.
    pub place: String,
    /// The question's id as the file has it.
    pub id: String,
    /// The session and the question that this names; `None` where it names none.
    pub named: Option<(String, QuestionId)>,
}

#[derive(Deserialize)]
struct Named {
    custom_id: String,
}

/// The id of a question of a session, unique within an experiment.
pub fn write_id(session: &str, question: &QuestionId) -> String {
    let Moment { phase, round, turn, step } = &question.at;
    format!("{session}:{phase}:{round}:{turn}:{}:{}:{}", step.as_str(), question.seat, question.attempt)
}

/// The session and the question of an id; `None` where it is none. A seat's name may hold colons.
fn read_id(id: &str) -> Option<(String, QuestionId)> {
    let parts: Vec<&str> = id.splitn(6, ':').collect();
    let [session, phase, round, turn, step, rest] = parts[..] else { return None };
    let (seat, attempt) = rest.rsplit_once(':')?;
    let step = serde_json::from_value::<Step>(step.into()).ok()?;
    let at = Moment { phase: PhaseName::new(phase), round: round.parse().ok()?, turn: turn.parse().ok()?, step };
    Some((session.to_owned(), QuestionId { at, seat: SeatName::new(seat), attempt: attempt.parse().ok()? }))
}

impl Deferred {
    /// For a run that writes its questions into a folder, if one is given, and compares who answers with who answered before.
    ///
    /// # Errors
    /// When the folder's files of questions cannot be read.
    pub fn new(folder: Option<&Path>, served: Served) -> Result<Self, FileError> {
        let mut held = BTreeMap::new();
        for (_, path) in folder.map(question_files).transpose()?.unwrap_or_default() {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            each_line(&path, |line, text| {
                let Named { custom_id } = serde_json::from_str(text).map_err(|error| error.to_string())?;
                held.insert(custom_id, Held { file: file.clone(), line, digest: Digest::of(text.as_bytes()) });
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
        let (mut unused, mut replies) = (Vec::new(), self.replies());
        each_line(path, |line, text| {
            let place = format!("{}:{line}", path.display());
            match BatchReply::read(text) {
                Err(why) => unused.push(format!("{place}: {why}")),
                Ok(reply) => match replies.get(&reply.custom_id) {
                    Some(first) if first.reply.is_answer() || !reply.is_answer() => {
                        unused.push(format!("{place}: a second reply to {}; {} counts", reply.custom_id, first.place));
                    }
                    _ => {
                        replies.insert(reply.custom_id.clone(), Read { place, reply, fate: Fate::Waiting });
                    }
                },
            }
            Ok(())
        })?;
        Ok(unused)
    }

    /// How many replies were read.
    pub fn replies_read(&self) -> usize {
        self.replies().len()
    }

    /// The call that brought the reply to a request, if a file holds one.
    pub fn take_reply(&self, id: &str, request: &Request) -> Option<Call> {
        let mut replies = self.replies();
        let read = replies.get_mut(id)?;
        match read.reply.clone().into_call(request) {
            Ok(call) => {
                read.fate = Fate::Taken;
                Some(call)
            }
            Err(why) => {
                read.fate = Fate::Failed(why);
                None
            }
        }
    }

    /// Takes note of who answered.
    ///
    /// # Errors
    /// [`Outage::ModelChanged`] where a change of model stops the run.
    pub fn note(&self, asked: &str, identity: Identity) -> Result<(), Outage> {
        self.served.note(asked, identity)
    }

    /// What the user is to be told of the models and was not yet.
    pub fn news(&self) -> Vec<String> {
        self.served.news()
    }

    /// Puts a question that can be asked now.
    ///
    /// # Errors
    /// [`Outage::Unwritten`] when a file of the folder holds another question of this id.
    pub fn put(&self, session: &str, id: &str, (model, request): (&OpenAiModel, &Request)) -> Result<(), Outage> {
        let line = request.batch_line(id);
        let new = match self.held.get(id) {
            Some(held) if held.digest == Digest::of(&line) => None,
            Some(held) => {
                return Err(Outage::Unwritten {
                    path: self.folder.as_deref().unwrap_or(Path::new("")).join(&held.file).display().to_string(),
                    reason: format!(
                        "line {} holds another question of the id {id}; give --defer another folder",
                        held.line
                    ),
                });
            }
            None => {
                let (model, server) = (model.model.clone(), without_credentials(&model.base_url));
                Some(New { line, model, server, at_most: request.spent_at_most() })
            }
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.push(Open { session: session.to_owned(), id: id.to_owned(), new });
        Ok(())
    }

    /// What the answers to new questions may take at the most.
    pub fn new_at_most(&self) -> Spent {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().filter_map(|one| one.new.as_ref()).fold(Spent::default(), |sum, new| sum.plus(new.at_most))
    }

    /// Writes the new questions into new files, one for each model, in the order of their sessions; and lists those that earlier files
    /// hold.
    ///
    /// # Errors
    /// When a file cannot be written. No question is lost: it can be asked again.
    pub fn write_questions(&self, sessions: impl Iterator<Item = String>) -> Result<OpenQuestions, FileError> {
        let Some(folder) = &self.folder else { return Ok(OpenQuestions::default()) };
        let places: BTreeMap<String, usize> = sessions.enumerate().map(|(place, name)| (name, place)).collect();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.sort_by_key(|one| places.get(&one.session).copied());
        let mut found = OpenQuestions::default();
        let mut by_model: BTreeMap<(String, String), Vec<New>> = BTreeMap::new();
        for Open { id, new, .. } in open.drain(..) {
            match new {
                Some(new) => by_model.entry((new.model.clone(), new.server.clone())).or_default().push(new),
                None => found.unanswered.push((self.held[&id].file.clone(), id)),
            }
        }
        let mut number = question_files(folder)?.last().map_or(0, |(number, _)| *number);
        for ((model, server), questions) in by_model {
            for batch in in_batches(&questions) {
                number += 1;
                let file = folder.join(format!("questions-{number:04}.jsonl"));
                write_new(&file, batch.iter().map(|new| &*new.line))?;
                let at_most = batch.iter().fold(Spent::default(), |sum, new| sum.plus(new.at_most));
                let (model, server) = (model.clone(), server.clone());
                found.written.push(QuestionFile { file, model, server, questions: batch.len() as u64, at_most });
            }
        }
        found.listed = self.list_unanswered(folder, &found.unanswered)?;
        Ok(found)
    }

    /// Lists the questions that nobody has answered, in a file that can be sent as it is; removes it where there are none.
    fn list_unanswered(&self, folder: &Path, unanswered: &[(String, String)]) -> Result<Option<PathBuf>, FileError> {
        let list = folder.join(UNANSWERED);
        if unanswered.is_empty() {
            return match fs::remove_file(&list) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(file_error(&list, &error)),
                _ => Ok(None),
            };
        }
        let ids: BTreeSet<&str> = unanswered.iter().map(|(_, id)| id.as_str()).collect();
        let files: BTreeSet<&str> = unanswered.iter().map(|(file, _)| file.as_str()).collect();
        let mut lines = Vec::new();
        for file in files {
            each_line(&folder.join(file), |line, text| {
                let is_of =
                    |id: &&str| self.held.get(*id).is_some_and(|held| (held.file.as_str(), held.line) == (file, line));
                let Named { custom_id } = serde_json::from_str(text).map_err(|error| error.to_string())?;
                if ids.get(custom_id.as_str()).is_some_and(is_of) {
                    lines.extend_from_slice(text.as_bytes());
                    lines.push(b'\n');
                }
                Ok(())
            })?;
        }
        write_whole(&list, &lines)?;
        Ok(Some(list))
    }

    /// The replies that hold no answer, in words, and those that no question took.
    pub fn replies_left(&self) -> (Vec<String>, Vec<Left>) {
        let (mut failed, mut left) = (Vec::new(), Vec::new());
        for (id, Read { place, fate, .. }) in &*self.replies() {
            match fate {
                Fate::Taken => {}
                Fate::Failed(why) => failed.push(format!("{place}: no answer to {id}: {why}")),
                Fate::Waiting => left.push(Left { place: place.clone(), id: id.clone(), named: read_id(id) }),
            }
        }
        (failed, left)
    }

    fn replies(&self) -> MutexGuard<'_, BTreeMap<String, Read>> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Questions in batches, each as large as a service takes.
fn in_batches(questions: &[New]) -> Vec<&[New]> {
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

/// The folder's files of questions with their numbers, in their order; none where there is no such folder.
fn question_files(folder: &Path) -> Result<Vec<(u32, PathBuf)>, FileError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| file_error(folder, &error))?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| file_error(folder, &error))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let digits = name.strip_prefix("questions-").and_then(|rest| rest.strip_suffix(".jsonl"));
        if let Some(number) = digits.and_then(|digits| digits.parse().ok()) {
            files.push((number, path));
        }
    }
    files.sort();
    Ok(files)
}

/// Reads a file line by line, with the number of each; empty lines are passed over.
fn each_line(path: &Path, mut take: impl FnMut(usize, &str) -> Result<(), String>) -> Result<(), FileError> {
    let fail = |error: io::Error| file_error(path, &error);
    for (place, line) in BufReader::new(open_file(path).map_err(fail)?).lines().enumerate() {
        let line = line.map_err(fail)?;
        if !line.trim().is_empty() {
            let number = place + 1;
            let fail = |why| FileError { path: path.to_owned(), reason: format!("line {number}: {why}") };
            take(number, &line).map_err(fail)?;
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
            prop_assert_eq!(read_id(&write_id(&session, &question)), Some((session, question)));
        }
    }
}
