//! The state of an experiment's folder: its sessions and their progress. A look reads only changes and incomplete sessions, and
//! lists the folders of many sessions less often.
//!
//! It polls, because the operating system's notifications miss writes by other machines to a shared disk. It writes nothing and
//! takes no lock.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::calls::{CallTail, ModelUsage, add_usage};
use super::design::ServedDesign;
use super::session::{SessionStage, Stamp, WatchedSession, written_unix_ms};
use super::tail::{FileIdentity, FolderReadError};
use crate::store::containment::{self, Stray};
use crate::store::files::{FileError, file_error};
use crate::store::results::ResultsFolder;

/// The number of looks after which sessions are listed again even if the folder's time is unchanged.
const LISTED_EVERY: u64 = 16;
/// The number of sessions listed per look, on average.
const LISTED_A_LOOK: u64 = 1000;
/// The approximate number of bytes per look in which answers are counted.
const COUNTED_BYTES: u64 = 32 << 20;

/// The state of an experiment at one look.
#[derive(Debug, Clone, Default)]
pub struct ExperimentState {
    /// The look at which it last changed.
    pub look: u64,
    /// The design.
    pub design: Arc<ServedDesign>,
    /// The sessions that have a folder, by name.
    pub sessions: BTreeMap<Arc<str>, Arc<WatchedSession>>,
    /// The sessions whose folder was removed, with the look that noticed it.
    pub gone: BTreeMap<Arc<str>, u64>,
    /// What could not be read.
    pub problems: Vec<String>,
    /// Whether a run is writing to the folder.
    pub is_running: bool,
    /// When the last run began, in milliseconds since 1970 (UTC); 0 if that is not known.
    pub run_since_unix_ms: u64,
}

/// The number of sessions per stage, and of their records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct SessionCounts {
    /// Planned sessions; `None` if the design cannot be read.
    pub planned: Option<u64>,
    /// Completed sessions.
    pub completed: u64,
    /// Failed sessions, which cannot be resumed.
    pub failed: u64,
    /// Incomplete sessions with a folder.
    pub unfinished: u64,
    /// Sessions whose last line cannot be read.
    pub unreadable: u64,
    /// Records of all sessions.
    pub records: u64,
    /// Records that a seat answered; `None` until all are counted.
    pub answers: Option<u64>,
    /// The last look at which records were added; `None` if none were since the first look.
    pub grew: Option<u64>,
}

impl SessionCounts {
    /// Whether nothing is left to do; `None` if the design cannot be read.
    pub fn is_finished(&self) -> Option<bool> {
        self.planned.map(|planned| self.completed + self.failed >= planned)
    }
}

impl ExperimentState {
    /// What the calls of all sessions used that have ended; `None` until all are counted.
    pub fn sum_usage(&self) -> Option<ModelUsage> {
        let mut sum = ModelUsage::new();
        for session in self.sessions.values() {
            for (model, usage) in session.used.as_ref()? {
                add_usage(sum.entry(model.clone()).or_default(), *usage);
            }
        }
        Some(sum)
    }

    /// Counts the sessions.
    pub fn count_sessions(&self) -> SessionCounts {
        let mut counts = SessionCounts { planned: self.design.sessions, answers: Some(0), ..SessionCounts::default() };
        for session in self.sessions.values() {
            match session.stage {
                SessionStage::Begun | SessionStage::Unfinished => counts.unfinished += 1,
                SessionStage::Completed => counts.completed += 1,
                SessionStage::Failed => counts.failed += 1,
                SessionStage::Unreadable => counts.unreadable += 1,
            }
            counts.records = counts.records.saturating_add(session.records);
            counts.answers = counts.answers.zip(session.answers).map(|(sum, own)| sum + own);
            counts.grew = counts.grew.max(session.grew);
        }
        counts
    }
}

/// Polls an experiment's folder.
#[derive(Debug)]
pub struct Survey {
    folder: Arc<ResultsFolder>,
    looks: u64,
    state: ExperimentState,
    inputs: Vec<Option<Stamp>>,
    listed: Option<Stamp>,
    /// The packs at the last listing.
    packed: Option<Stamp>,
    /// The sessions' folders; another identity means a replaced folder.
    folders: BTreeMap<Arc<str>, Option<FileIdentity>>,
    /// The earliest look of the next listing.
    list_again: u64,
    /// The calls of the sessions that may still make some.
    calls: BTreeMap<Arc<str>, CallTail>,
    /// Session folders that are links out of the experiment's folder.
    strays: Vec<String>,
    absences: Vec<String>,
}

type Folder = (Arc<str>, Option<FileIdentity>);

impl Survey {
    /// A survey before the first look.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            folder: Arc::new(ResultsFolder::open_unchecked(&folder)),
            looks: 0,
            state: ExperimentState::default(),
            inputs: Vec::new(),
            listed: None,
            packed: None,
            folders: BTreeMap::new(),
            list_again: 0,
            calls: BTreeMap::new(),
            strays: Vec::new(),
            absences: Vec::new(),
        }
    }

    /// Looks again; returns the state if it changed.
    pub fn refresh_state(&mut self) -> Option<ExperimentState> {
        self.looks += 1;
        let look = self.looks;
        let mut problems = Vec::new();
        let mut changed = self.refresh_design();
        match self.refresh_sessions() {
            Ok(listed) => changed |= listed,
            Err(error) => problems.push(error.to_string()),
        }
        problems.extend(self.strays.iter().cloned());
        let is_running = self.folder.is_written_to();
        let is_other_run = is_running != self.state.is_running;
        if changed || is_other_run || look.is_multiple_of(LISTED_EVERY) {
            changed |= is_other_run;
            let names = self.state.sessions.keys().map(ToString::to_string).collect();
            let design = &self.state.design;
            // During a run, sessions that have not begun are not missing.
            self.state.is_running = is_running;
            self.state.run_since_unix_ms = written_unix_ms(&self.folder.lock_path()).unwrap_or(0);
            let missing = (!is_running).then(|| design.missing_sessions(&names)).flatten();
            self.absences = missing.into_iter().chain(design.extra_sessions(&names)).collect();
        }
        problems.extend(self.absences.iter().cloned());
        for (name, session) in &mut self.state.sessions {
            if session.is_settled() {
                continue;
            }
            let mut seen = WatchedSession::clone(session);
            match seen.refresh_from((&self.folder, &format!("sessions/{name}")), look) {
                Ok(true) => (*session, changed) = (Arc::new(seen), true),
                Ok(false) => {}
                Err(error) => {
                    problems.push(error.to_string());
                    // A file that is unreadable for a moment, for example because too many files are open, still exists.
                    if matches!(error, FolderReadError::Outside(_)) && session.stage != SessionStage::Unreadable {
                        (*session, changed) = (Arc::new(session.out_of_reach(look)), true);
                    }
                }
            }
        }
        match self.count_answers() {
            Ok(counted) => changed |= counted,
            Err(error) => problems.push(error.to_string()),
        }
        changed |= self.read_calls(&mut problems);
        changed |= problems != self.state.problems || look == 1;
        self.state.problems = problems;
        if changed {
            self.state.look = look;
        }
        changed.then(|| self.state.clone())
    }

    /// The state at the last look.
    pub fn state(&self) -> &ExperimentState {
        &self.state
    }

    fn refresh_design(&mut self) -> bool {
        let kept = [
            "inputs/config.yaml",
            "inputs/overrides.yaml",
            "inputs/items.csv",
            "inputs/change.yaml",
            "experiment.json",
        ];
        let inputs: Vec<Option<Stamp>> =
            kept.iter().map(|name| Stamp::from_path(&self.folder.root().join(name))).collect();
        if inputs == self.inputs {
            return false;
        }
        self.inputs = inputs;
        self.state.design = Arc::new(ServedDesign::read_folder(self.folder.root()));
        true
    }

    /// Lists the session folders again if they may have changed, at limited intervals if there are many.
    fn refresh_sessions(&mut self) -> Result<bool, FileError> {
        let path = self.folder.root().join("sessions");
        let (stamp, packs) = (Stamp::from_path(&path), Stamp::from_path(&self.folder.packs().folder()));
        let may_have_changed = stamp != self.listed || packs != self.packed || self.looks.is_multiple_of(LISTED_EVERY);
        if !may_have_changed || self.looks < self.list_again {
            return Ok(false);
        }
        self.strays.clear();
        let elsewhere = containment::on_the_way(self.folder.root(), "sessions");
        self.strays.extend(elsewhere.iter().map(Stray::to_string));
        let (others, known) = match stamp.filter(|_| elsewhere.is_none()) {
            Some(_) => self.list_changed_folders(&path)?,
            None => (Vec::new(), 0),
        };
        self.listed = stamp;
        self.list_again = self.looks + ((known + others.len()) as u64 / LISTED_A_LOOK).min(LISTED_EVERY);
        let look = self.looks;
        let is_any_other = known < self.folders.len();
        if is_any_other {
            self.forget_missing();
        }
        let newly_packed = if packs == self.packed { Vec::new() } else { self.newly_packed()? };
        self.packed = packs;
        let changed = is_any_other || !others.is_empty() || !newly_packed.is_empty();
        for name in newly_packed {
            self.state.gone.remove(&*name);
            self.state.sessions.insert(Arc::from(name), Arc::new(WatchedSession::new_unread(look, 0)));
        }
        for (name, identity) in others {
            let edition = self.state.sessions.get(&name).map_or(0, |session| session.edition + 1);
            self.state.sessions.insert(Arc::clone(&name), Arc::new(WatchedSession::new_unread(look, edition)));
            self.state.gone.remove(&name);
            self.folders.insert(name, identity);
        }
        Ok(changed)
    }

    fn newly_packed(&self) -> Result<Vec<String>, FileError> {
        self.folder.packs().refresh();
        let mut names = self.folder.packs().session_names()?;
        names.retain(|name| is_session_name(name) && !self.state.sessions.contains_key(name.as_str()));
        Ok(names)
    }

    /// Removes the sessions whose folder no longer exists, unless they were packed.
    fn forget_missing(&mut self) {
        self.folder.packs().refresh();
        let (state, packs, root, look) = (&mut self.state, self.folder.packs(), self.folder.root(), self.looks);
        self.folders.retain(|name, _| {
            let place = format!("sessions/{name}");
            let stays = root.join(&place).is_dir() && containment::on_the_way(root, &place).is_none();
            if !stays && packs.find_pack(name).is_none() {
                state.sessions.remove(name);
                state.gone.insert(Arc::clone(name), look);
            }
            stays
        });
    }

    /// Returns the new and replaced session folders, and the number of unchanged ones. Links out of the experiment's folder are
    /// recorded as strays.
    fn list_changed_folders(&mut self, path: &Path) -> Result<(Vec<Folder>, usize), FileError> {
        let fail = |error: std::io::Error| file_error(Path::new("sessions"), &error);
        let (mut others, mut known) = (Vec::new(), 0);
        for entry in fs::read_dir(path).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| is_session_name(name)) else { continue };
            let kind = entry.file_type().map_err(fail)?;
            if kind.is_symlink()
                && let Some(stray) = containment::on_the_way(self.folder.root(), &format!("sessions/{name}"))
            {
                self.strays.push(stray.to_string());
                continue;
            }
            if !kind.is_dir() && !entry.path().is_dir() {
                continue;
            }
            let identity = folder_identity(&entry);
            match self.folders.get(name) == Some(&identity) {
                true => known += 1,
                false => others.push((Arc::from(name), identity)),
            }
        }
        Ok((others, known))
    }

    /// Counts answers of some sessions, within the limit per look.
    fn count_answers(&mut self) -> Result<bool, FolderReadError> {
        let look = self.looks;
        let mut left = COUNTED_BYTES;
        let mut changed = false;
        for (name, session) in self.state.sessions.iter_mut().filter(|(_, session)| session.answers.is_none()) {
            if left == 0 {
                break;
            }
            let mut counted = WatchedSession::clone(session);
            counted.count_answers((&self.folder, &format!("sessions/{name}")), look)?;
            left = left.saturating_sub(counted.bytes.max(1));
            changed |= counted.answers.is_some();
            *session = Arc::new(counted);
        }
        Ok(changed)
    }

    /// Reads what was added to the call records of some sessions, within the limit per look. Returns whether anything changed.
    fn read_calls(&mut self, problems: &mut Vec<String>) -> bool {
        let (mut left, mut changed) = (COUNTED_BYTES, false);
        self.calls.retain(|name, _| self.state.sessions.contains_key(name));
        let records_calls = self.state.design.makes_calls || self.state.design.asks_people;
        let open = self.state.sessions.iter_mut().filter(|(_, session)| records_calls && !session.has_all_calls);
        for (name, session) in open {
            if left == 0 {
                break;
            }
            let calls = self.calls.entry(Arc::clone(name)).or_insert_with(|| CallTail::new(&self.folder, name));
            let read = match calls.read_added(left) {
                Ok(read) => read,
                Err(error) => {
                    problems.push(error.to_string());
                    continue;
                }
            };
            problems.extend(calls.problem().map(str::to_owned));
            let is_read_to_its_end = read < left;
            left = left.saturating_sub(read.max(1));
            if read > 0 || session.used.is_none() {
                changed |= Arc::make_mut(session).set_calls(calls.asked_seats(), calls.used(), self.looks);
            }
            // All calls of a session are recorded before its end. A line that cannot be read stays a problem.
            if session.stage == SessionStage::Completed && is_read_to_its_end && calls.problem().is_none() {
                Arc::make_mut(session).has_all_calls = true;
                self.calls.remove(name);
            }
        }
        changed
    }
}

fn folder_identity(entry: &fs::DirEntry) -> Option<FileIdentity> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirEntryExt;
        Some(FileIdentity::from_entry_number(entry.ino()))
    }
    #[cfg(not(unix))]
    {
        entry.metadata().ok().map(|found| FileIdentity::from_metadata(&found))
    }
}

/// Whether a session can have this name: letters, digits, `_`, `-` and `.`, but not dots alone, and a limited length.
pub fn is_session_name(name: &str) -> bool {
    let sound = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    sound && name.len() <= 400 && name.bytes().any(|byte| byte != b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_sessions_one_that_comes_and_one_that_goes_is_seen_before_long() {
        let place = tempfile::tempdir().unwrap();
        let sessions = place.path().join("sessions");
        let name = |number: u64| format!("talk-r{number:06}");
        let all = 2 * LISTED_A_LOOK;
        (1..=all).for_each(|number| fs::create_dir_all(sessions.join(name(number))).unwrap());
        let mut survey = Survey::new(place.path().to_owned());
        assert_eq!(survey.refresh_state().unwrap().sessions.len() as u64, all);
        assert!(survey.refresh_state().is_none(), "nothing changed");
        fs::create_dir(sessions.join(name(all + 1))).unwrap();
        fs::remove_dir(sessions.join(name(7))).unwrap();
        let is_told = |state: &ExperimentState| {
            let gone: Vec<&str> = state.gone.keys().map(|name| &**name).collect();
            gone == [name(7)] && state.sessions.contains_key(&*name(all + 1)) && state.sessions.len() as u64 == all
        };
        assert!((0..LISTED_EVERY).any(|_| survey.refresh_state().is_some_and(|state| is_told(&state))));
    }

    #[test]
    fn a_session_that_is_packed_stays_the_same_session() {
        let place = tempfile::tempdir().unwrap();
        let (folder, name) = (ResultsFolder::open_for_writing(place.path()).unwrap(), "talk-r000001");
        let line = |seq: u64, kind: &str| {
            let at = r#"{"phase":"talk","round":0,"turn":0,"step":"convening"}"#;
            format!("{{\"seq\":{seq},\"at\":{at},\"event\":{{\"{kind}\":{{}}}}}}\n")
        };
        folder.make_session(name).unwrap();
        let minutes = folder.minutes(name).path().to_owned();
        fs::write(&minutes, line(0, "Any")).unwrap();
        let mut survey = Survey::new(place.path().to_owned());
        assert_eq!(survey.refresh_state().unwrap().count_sessions().unfinished, 1);
        fs::write(&minutes, line(0, "Any") + &line(1, "Adjourned")).unwrap();
        crate::store::packs::tests::pack(&folder, name);
        let is_told = |state: ExperimentState| {
            let session = &state.sessions[name];
            (session.stage, session.records, session.edition) == (SessionStage::Completed, 2, 0)
                && state.gone.is_empty()
        };
        assert!((0..2 * LISTED_EVERY).any(|_| survey.refresh_state().is_some_and(is_told)));
        let fresh = Survey::new(place.path().to_owned()).refresh_state().unwrap();
        assert_eq!((fresh.sessions.len(), fresh.count_sessions().completed), (1, 1));
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_for_a_moment_stays_known_and_what_lies_elsewhere_does_not_by_its_path_in_the_folder() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("root");
        let minutes = root.join("sessions/talk-r000001/minutes.jsonl");
        fs::create_dir_all(minutes.parent().unwrap()).unwrap();
        let line = r#"{"seq":0,"at":{"phase":"talk","round":0,"turn":0,"step":"convening"},"event":{"Any":{}}}"#;
        fs::write(&minutes, format!("{line}\n")).unwrap();
        let mut survey = Survey::new(root);
        let known = |survey: &mut Survey| {
            survey.refresh_state();
            let session = &survey.state().sessions["talk-r000001"];
            let problem = survey.state().problems.last().cloned().unwrap_or_default();
            (session.records, session.edition, session.stage == SessionStage::Unreadable, problem)
        };
        assert_eq!(known(&mut survey), (1, 0, false, String::new()));
        let aside = place.path().join("aside");
        fs::rename(&minutes, &aside).unwrap();
        fs::create_dir(&minutes).unwrap();
        let (records, edition, is_unreadable, problem) = known(&mut survey);
        assert_eq!((records, edition, is_unreadable), (1, 0, false), "{problem}");
        assert!(problem.starts_with("sessions/talk-r000001/minutes.jsonl: this is a folder"), "{problem}");
        fs::remove_dir(&minutes).unwrap();
        fs::rename(&aside, &minutes).unwrap();
        assert_eq!(known(&mut survey), (1, 0, false, String::new()));
        fs::rename(&minutes, &aside).unwrap();
        std::os::unix::fs::symlink(&aside, &minutes).unwrap();
        let (records, edition, is_unreadable, problem) = known(&mut survey);
        assert_eq!((records, edition, is_unreadable), (0, 1, true), "{problem}");
        assert!(problem.starts_with("sessions/talk-r000001/minutes.jsonl: this is a link"), "{problem}");
    }
}
