//! What a folder holds of an experiment, as far as it can be read, and what is wrong with the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::kin;
use crate::analysis::{ArmFacts, ColumnLayout};
use crate::cli::exit::Refusal;
use crate::cli::locate;
use crate::cli::planned::list_planned;
use crate::config::Problems;
use crate::plan::{Experiment, PlannedSession, is_session_name};
use crate::report::page::Forked;
use crate::report::{Summary, counted};
use crate::store::inputs::Inputs;
use crate::store::results::ResultsFolder;
use crate::store::strays::{self, Stray};
use crate::store::tables::experiment_facts;

/// Files and folders by which a results folder is known, however little of it is there.
const SIGNS: [&str; 6] = ["inputs", "sessions", "plan.yaml", "experiment.json", "sessions.csv", ".lock"];
/// Problems of the inputs, and strange folders, that are told one by one.
const TOLD: usize = 20;

/// A results folder, as it is.
pub struct PageSource {
    place: PathBuf,
    folder: ResultsFolder,
    experiment: Option<Experiment>,
    arms: Vec<Arc<ArmFacts>>,
    layout: Arc<ColumnLayout>,
    /// The change of a fork, as its author wrote it.
    change: Option<String>,
    /// Of how many replicates the experiment is a pilot of which the folder holds the first; `None` where it holds no pilot.
    pilot_of: Option<u64>,
    /// The forks of its sessions that lie beside it, by session.
    forks: BTreeMap<String, Vec<Forked>>,
    /// What lies in it and is no part of it: what lies behind these links is shown to nobody.
    strays: Vec<Stray>,
    /// The sessions that are shown, in the order of the plan.
    pub sessions: Vec<PageSession>,
    /// What is missing or wrong, a line each.
    pub missing: Vec<String>,
}

/// A session that is shown.
pub enum PageSession {
    /// One that the plan calls for.
    Planned(PlannedSession),
    /// A folder whose plan cannot be read.
    Folder(String),
}

impl PageSource {
    /// Reads what a path holds.
    ///
    /// # Errors
    /// A [`Refusal`] when it holds nothing of an experiment, or its folders cannot be listed.
    pub fn read(path: &Path) -> Result<Self, Refusal> {
        let (root, only) = locate_source(path)?;
        let place = only.as_ref().map_or_else(|| root.clone(), |name| root.join("sessions").join(name));
        let folder = ResultsFolder::open_unchecked(&root);
        let mut source = Self {
            place,
            folder,
            experiment: None,
            arms: Vec::new(),
            layout: Arc::default(),
            change: None,
            pilot_of: None,
            forks: BTreeMap::new(),
            strays: strays::find_all_strays(&root),
            sessions: Vec::new(),
            missing: Vec::new(),
        };
        let names = source.session_names();
        match Inputs::read_results(&root).and_then(|inputs| Ok((inputs.resolve()?.experiment, inputs))) {
            Ok((experiment, inputs)) => source.load_plan(experiment, &inputs, &names)?,
            Err(problems) => source.load_unplanned(&problems, names),
        }
        if let Some(name) = only {
            source.sessions.retain(|session| session.name() == name);
            if source.sessions.is_empty() {
                return Err(Refusal::wrong_input(format!("{name}: not a session of its plan")));
            }
        }
        source.forks = kin::find_forks(&source);
        let is_told = |stray: &&Stray| {
            stray.blocks_part("inputs")
                || source.sessions.iter().any(|session| source.session_stray(session) == Some(*stray))
        };
        let untold: Vec<String> = source.strays.iter().filter(|stray| !is_told(stray)).map(Stray::to_string).collect();
        source.missing.extend(untold);
        Ok(source)
    }

    /// The names of the folder's own sessions.
    fn session_names(&mut self) -> Vec<String> {
        if self.has_sessions_elsewhere() {
            return Vec::new();
        }
        self.folder.session_names().unwrap_or_else(|error| {
            self.missing.push(self.strip_root(&error.to_string()));
            Vec::new()
        })
    }

    /// What of a session is no part of the folder; `None` where all of it is.
    pub fn session_stray(&self, session: &PageSession) -> Option<&Stray> {
        let place = format!("sessions/{}", session.name());
        self.strays.iter().find(|stray| stray.blocks_part(&place))
    }

    /// The sessions all of whose files are the folder's own.
    pub fn sessions_inside(&self) -> impl Iterator<Item = &PageSession> {
        self.sessions.iter().filter(|session| self.session_stray(session).is_none())
    }

    /// Whether a file or folder, or something in it, is no part of the folder.
    pub fn is_outside(&self, part: &str) -> bool {
        self.strays.iter().any(|stray| stray.blocks_part(part))
    }

    /// Whether the sessions as a whole lie elsewhere.
    fn has_sessions_elsewhere(&self) -> bool {
        self.strays.iter().any(|stray| stray.place == "sessions")
    }

    /// Takes the sessions that the plan calls for, and tells of folders that it knows nothing of.
    fn load_plan(&mut self, experiment: Experiment, inputs: &Inputs, names: &[String]) -> Result<(), Refusal> {
        self.change = inputs.change_bytes().map(|change| String::from_utf8_lossy(change).into_owned());
        self.pilot_of = inputs.pilot_of();
        let planned = list_planned(&self.folder, inputs, &experiment)?;
        let known: BTreeSet<String> = planned.iter().map(PlannedSession::name).collect();
        self.leave_out(names.iter().filter(|name| !known.contains(*name)), "no session of this plan");
        (self.layout, self.arms) = experiment_facts(&experiment);
        self.sessions = planned.into_iter().map(PageSession::Planned).collect();
        self.experiment = Some(experiment);
        Ok(())
    }

    /// Tells of folders that are shown nowhere.
    fn leave_out<'n>(&mut self, names: impl Iterator<Item = &'n String>, why: &str) {
        let names: Vec<&String> = names.collect();
        self.missing.extend(names.iter().take(TOLD).map(|name| format!("sessions/{name}: {why}; left out")));
        if names.len() > TOLD {
            self.missing.push(format!("{} more like it", counted((names.len() - TOLD) as u64, "folder")));
        }
    }

    /// Takes the sessions that have folders, for the plan cannot be read.
    fn load_unplanned(&mut self, problems: &Problems, names: Vec<String>) {
        let all = problems.to_string();
        let lines: Vec<String> = all.lines().map(|line| self.strip_root(line)).collect();
        self.missing.push(
            "The experiment's inputs cannot be read, or this version does not understand them, so there is no outcome and no figure; \
             transcripts are shown as far as they can be read."
                .to_owned(),
        );
        self.missing.extend(lines.iter().take(TOLD).cloned());
        if lines.len() > TOLD {
            self.missing.push(format!("{} more", counted((lines.len() - TOLD) as u64, "problem")));
        }
        if names.is_empty() && !self.has_sessions_elsewhere() {
            self.missing.push("sessions: no session has been begun".to_owned());
        }
        // A name is an address on the page, and other addresses stand there, too.
        let (sessions, others): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| is_session_name(name));
        self.leave_out(others.iter(), "no session has such a name");
        self.sessions = sessions.into_iter().map(PageSession::Folder).collect();
    }

    /// A text without the path by which the folder was named: the same folder has the same page wherever it lies.
    pub fn strip_root(&self, text: &str) -> String {
        let root = self.folder.root().display().to_string();
        match root.as_str() {
            "" | "." => strip_dot_slash(text),
            root => text.replace(&format!("{}/", root.trim_end_matches('/')), ""),
        }
    }

    /// The folder that the page is about: the experiment's, or a session's.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Whether the page is on the whole experiment.
    pub fn is_whole(&self) -> bool {
        self.place == self.folder.root()
    }

    /// The results folder.
    pub fn folder(&self) -> &ResultsFolder {
        &self.folder
    }

    /// The change of a fork, as its author wrote it; `None` where the folder holds none.
    pub fn change(&self) -> Option<&str> {
        self.change.as_deref()
    }

    /// Of how many replicates the experiment is a pilot of which the folder holds the first; `None` where it holds no pilot.
    pub fn pilot_of(&self) -> Option<u64> {
        self.pilot_of
    }

    /// The forks of a session that lie beside this folder.
    pub fn forks(&self, session: &str) -> &[Forked] {
        self.forks.get(session).map_or(&[], Vec::as_slice)
    }

    /// The experiment; `None` where the inputs cannot be read.
    pub fn experiment(&self) -> Option<&Experiment> {
        self.experiment.as_ref()
    }

    /// What a fold must know of a session's arm.
    ///
    /// # Panics
    /// When the session is of no arm of the plan.
    pub fn arm(&self, session: &PlannedSession) -> &Arc<ArmFacts> {
        let arm = self.arms.iter().find(|arm| arm.arm == session.arm.arm);
        arm.expect("invariant: every session is of an arm")
    }

    /// The open columns of its tables.
    pub fn layout(&self) -> &ColumnLayout {
        &self.layout
    }

    /// The experiment's name; without a plan the folder's own.
    pub fn name(&self) -> String {
        match &self.experiment {
            Some(experiment) => experiment.name.clone(),
            None => own_name(self.folder.root()),
        }
    }

    /// What is decided, where that is the same in all sessions; else empty.
    pub fn question(&self) -> String {
        let Some(experiment) = self.experiment.as_ref().filter(|experiment| experiment.items.is_empty()) else {
            return String::new();
        };
        let mut texts = experiment.arms.iter().map(|plan| plan.motion.text.as_str());
        let first = texts.next().unwrap_or_default();
        if texts.all(|text| text == first) { first.to_owned() } else { String::new() }
    }

    /// The summary that sessions are added to; `None` without a plan.
    pub fn new_summary(&self) -> Option<Summary> {
        let experiment = self.experiment.as_ref()?;
        Some(Summary::new(&experiment.name, experiment.arms.first().map_or(0, |plan| plan.seed)))
    }
}

impl PageSession {
    /// The name of its folder.
    pub fn name(&self) -> String {
        match self {
            PageSession::Planned(planned) => planned.name(),
            PageSession::Folder(name) => name.clone(),
        }
    }
}

/// The experiment's folder that a path means, and a session's name where it means one. A folder of which little is left counts as
/// long as it shows a sign of a run, or is empty as one is that a run had no time to fill.
fn locate_source(path: &Path) -> Result<(PathBuf, Option<String>), Refusal> {
    if let Ok(found) = locate::find_experiment(path) {
        return Ok(found);
    }
    let is_of_a_run = SIGNS.iter().any(|sign| path.join(sign).exists());
    let is_empty = || path.read_dir().is_ok_and(|mut entries| entries.next().is_none());
    match path.is_dir() && (is_of_a_run || is_empty()) {
        true => Ok((path.to_owned(), None)),
        false => locate::find_experiment(path),
    }
}

/// The folder's own name, by whatever path it was named.
fn own_name(root: &Path) -> String {
    let path = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    path.file_name().map_or_else(|| "results".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// A text whose paths do not begin with `./`; where these characters stand within a word, as in `../x`, they stay.
fn strip_dot_slash(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("./") {
        out.push_str(before);
        let is_start = out.chars().last().is_none_or(|last| !last.is_alphanumeric() && !"./_-".contains(last));
        if !is_start {
            out.push_str("./");
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::strip_dot_slash;

    #[test]
    fn only_a_word_that_begins_here_loses_its_beginning() {
        let told = strip_dot_slash("./inputs/config.yaml: no file (./a, '../x', a./b, c/./d); ./.lock");
        assert_eq!(told, "inputs/config.yaml: no file (a, '../x', a./b, c/./d); .lock");
    }
}
