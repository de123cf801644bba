//! What is known of an experiment's folder: its sessions and how far they came. A look costs by what changed and by the sessions
//! that have no end yet; the list of many sessions is read less often.
//!
//! It looks at the files itself, because notifications of the operating system miss what another machine writes to a shared disk.
//! Nothing is written, no lock is kept, and the words of sessions are not read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::design::ServedDesign;
use super::session::{SessionStage, Stamp, WatchedSession};
use super::tail::{FileIdentity, FolderReadError};
use crate::store::files::{FileError, file_error};
use crate::store::results::{ResultsFolder, is_written_to};
use crate::store::strays::{self, Stray};

/// The list of sessions is read again after so many looks, whatever the folder's own time says.
const LISTED_EVERY: u64 = 16;
/// So many are listed a look, taken over several looks.
const LISTED_A_LOOK: u64 = 1000;
/// Answers are counted in about so many bytes of minutes a look.
const COUNTED_BYTES: u64 = 32 << 20;

/// What is known of an experiment at one look.
#[derive(Debug, Clone)]
pub struct ExperimentState {
    /// The number of the look at which it last changed.
    pub look: u64,
    /// What was to be done.
    pub design: Arc<ServedDesign>,
    /// The sessions that have a folder, by name.
    pub sessions: BTreeMap<Arc<str>, Arc<WatchedSession>>,
    /// The names of sessions that had a folder and have none now, with the look at which that was seen.
    pub gone: BTreeMap<Arc<str>, u64>,
    /// What could not be read, in words.
    pub problems: Vec<String>,
}

/// Sessions counted by how far they came, and their records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct SessionCounts {
    /// Sessions that the design calls for; `None` where it cannot be read.
    pub planned: Option<u64>,
    /// Sessions at their end.
    pub completed: u64,
    /// Sessions that cannot go on.
    pub failed: u64,
    /// Sessions with a folder and without an end.
    pub unfinished: u64,
    /// Sessions whose last line cannot be read.
    pub unreadable: u64,
    /// Records of all sessions.
    pub records: u64,
    /// Of these, answers; `None` until all are counted.
    pub answers: Option<u64>,
    /// The last look at which records were added; `None` when none were since the first.
    pub grew: Option<u64>,
}

impl SessionCounts {
    /// Whether nothing is left to do; `None` where the design cannot be read.
    pub fn is_finished(&self) -> Option<bool> {
        self.planned.map(|planned| self.completed + self.failed >= planned)
    }
}

impl ExperimentState {
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

/// Looks at an experiment's folder again and again.
#[derive(Debug)]
pub struct Survey {
    folder: ResultsFolder,
    looks: u64,
    state: ExperimentState,
    inputs: Vec<Option<Stamp>>,
    listed: Option<Stamp>,
    /// The packs, as they were listed.
    packed: Option<Stamp>,
    /// The sessions' folders, by which another one in the same place is noticed.
    folders: BTreeMap<Arc<str>, Option<FileIdentity>>,
    /// The look before which they are not listed again.
    list_again: u64,
    /// Folders of sessions that are links out of the experiment's folder, in words.
    strays: Vec<String>,
    /// Sessions that are missing or not in the plan, in words.
    absences: Vec<String>,
}

/// A session's folder.
type Folder = (Arc<str>, Option<FileIdentity>);

impl Survey {
    /// Before the first look.
    pub fn new(folder: PathBuf) -> Self {
        let state = ExperimentState {
            look: 0,
            design: Arc::new(ServedDesign::default()),
            sessions: BTreeMap::new(),
            gone: BTreeMap::new(),
            problems: Vec::new(),
        };
        let (inputs, folders, strays, absences) = (Vec::new(), BTreeMap::new(), Vec::new(), Vec::new());
        let folder = ResultsFolder::open_unchecked(&folder);
        Self { folder, looks: 0, state, inputs, listed: None, packed: None, folders, list_again: 0, strays, absences }
    }

    /// Looks again; what is known is told anew only where it changed.
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
        // A run that ends or begins changes no folder, and is noticed a few looks later.
        if changed || look.is_multiple_of(LISTED_EVERY) {
            let names = self.state.sessions.keys().map(ToString::to_string).collect();
            let design = &self.state.design;
            // While a run is writing, its sessions are not missing yet.
            let missing = (!is_written_to(self.folder.root())).then(|| design.missing_sessions(&names)).flatten();
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
                    // What cannot be read for a moment, as when too many files are open, is still there.
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
        changed |= problems != self.state.problems || look == 1;
        self.state.problems = problems;
        if changed {
            self.state.look = look;
        }
        changed.then(|| self.state.clone())
    }

    /// What is known since the last look.
    pub fn state(&self) -> &ExperimentState {
        &self.state
    }

    /// Reads the design again where its files changed.
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

    /// Lists the sessions' folders again where that may have changed; of many not at every look.
    fn refresh_sessions(&mut self) -> Result<bool, FileError> {
        let path = self.folder.root().join("sessions");
        let (stamp, packs) = (Stamp::from_path(&path), Stamp::from_path(&self.folder.packs().folder()));
        let may_have_changed = stamp != self.listed || packs != self.packed || self.looks.is_multiple_of(LISTED_EVERY);
        if !may_have_changed || self.looks < self.list_again {
            return Ok(false);
        }
        self.strays.clear();
        let elsewhere = strays::on_the_way(self.folder.root(), "sessions");
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

    /// The packed sessions that were not known.
    fn newly_packed(&self) -> Result<Vec<String>, FileError> {
        self.folder.packs().refresh();
        let mut names = self.folder.packs().session_names()?;
        names.retain(|name| is_session_name(name) && !self.state.sessions.contains_key(name.as_str()));
        Ok(names)
    }

    /// Forgets the sessions that have no folder any more, unless they were packed.
    fn forget_missing(&mut self) {
        self.folder.packs().refresh();
        let (state, packs, root, look) = (&mut self.state, self.folder.packs(), self.folder.root(), self.looks);
        self.folders.retain(|name, _| {
            let place = format!("sessions/{name}");
            let stays = root.join(&place).is_dir() && strays::on_the_way(root, &place).is_none();
            if !stays && packs.find_pack(name).is_none() {
                state.sessions.remove(name);
                state.gone.insert(Arc::clone(name), look);
            }
            stays
        });
    }

    /// The folders in a folder, by names that a session can have, that were not there before or are others now; and how many were
    /// there and are the same. Links out of the experiment's folder are none, and are remembered.
    fn list_changed_folders(&mut self, path: &Path) -> Result<(Vec<Folder>, usize), FileError> {
        let fail = |error: std::io::Error| file_error(Path::new("sessions"), &error);
        let (mut others, mut known) = (Vec::new(), 0);
        for entry in fs::read_dir(path).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| is_session_name(name)) else { continue };
            let kind = entry.file_type().map_err(fail)?;
            if kind.is_symlink()
                && let Some(stray) = strays::on_the_way(self.folder.root(), &format!("sessions/{name}"))
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

    /// Counts some of the answers that are not counted yet.
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
}

/// Which folder an entry is, as far as a list tells it.
fn folder_identity(entry: &fs::DirEntry) -> Option<FileIdentity> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirEntryExt;
        Some(FileIdentity::from_entry_number(entry.ino()))
    }
    #[cfg(not(unix))]
    {
        entry.metadata().ok().map(|found| FileIdentity::of(&found))
    }
}

/// Whether a session can have this name: letters, digits, `_`, `-` and `.`, and not only dots.
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
