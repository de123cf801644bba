//! Reads what a folder holds of an experiment and collects what is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::forks;
use crate::analysis::{ArmFacts, ColumnLayout};
use crate::cli::exit::Refusal;
use crate::cli::locate;
use crate::cli::planned::list_planned;
use crate::config::Problems;
use crate::plan::{Experiment, PlannedSession, is_session_name};
use crate::report::page::Forked;
use crate::report::{Summary, counted};
use crate::store::containment::{self, Stray};
use crate::store::inputs::Inputs;
use crate::store::results::ResultsFolder;
use crate::store::tables::experiment_facts;

/// Entries that identify a results folder, even an incomplete one.
const SIGNS: [&str; 6] = ["inputs", "sessions", "plan.yaml", "experiment.json", "sessions.csv", ".lock"];
/// The most problems or unknown folders to list.
const LISTED_MAX: usize = 20;

/// A results folder, complete or not.
pub struct PageSource {
    /// The folder that the page is about: the experiment's or a session's.
    pub place: PathBuf,
    /// The results folder.
    pub folder: ResultsFolder,
    experiment: Option<Experiment>,
    arms: Vec<Arc<ArmFacts>>,
    /// The open columns of the tables.
    pub layout: Arc<ColumnLayout>,
    /// A fork's change, as its author wrote it.
    change: Option<String>,
    /// The replicates of the complete design, if the folder holds a pilot.
    pub pilot_of: Option<u64>,
    /// The forks of its sessions in folders beside it, by session.
    forks: BTreeMap<String, Vec<Forked>>,
    /// Links out of the folder and entries that are neither files nor folders; never read.
    strays: Vec<Stray>,
    /// The sessions to show, in plan order.
    pub sessions: Vec<PageSession>,
    /// Notes about missing or invalid parts, one line each.
    pub missing: Vec<String>,
}

/// A session to show.
pub enum PageSession {
    /// A planned session.
    Planned(PlannedSession),
    /// A folder whose plan cannot be read.
    Folder(String),
}

impl PageSource {
    /// Reads a folder or a session.
    ///
    /// # Errors
    /// A [`Refusal`] when the path holds no experiment, or its folders cannot be listed.
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
            strays: containment::find_all_strays(&root),
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
        source.forks = forks::find_forks(&source);
        let is_listed = |stray: &&Stray| {
            stray.blocks_part("inputs")
                || source.sessions.iter().any(|session| source.session_stray(session) == Some(*stray))
        };
        let unlisted: Vec<String> =
            source.strays.iter().filter(|stray| !is_listed(stray)).map(Stray::to_string).collect();
        source.missing.extend(unlisted);
        Ok(source)
    }

    /// The names of the sessions in the folder.
    fn session_names(&mut self) -> Vec<String> {
        if self.has_sessions_elsewhere() {
            return Vec::new();
        }
        self.folder.session_names().unwrap_or_else(|error| {
            self.missing.push(self.strip_root(&error.to_string()));
            Vec::new()
        })
    }

    /// The stray in the way of a session; `None` if all of it is in the folder.
    pub fn session_stray(&self, session: &PageSession) -> Option<&Stray> {
        let place = format!("sessions/{}", session.name());
        self.strays.iter().find(|stray| stray.blocks_part(&place))
    }

    /// The sessions without strays.
    pub fn sessions_inside(&self) -> impl Iterator<Item = &PageSession> {
        self.sessions.iter().filter(|session| self.session_stray(session).is_none())
    }

    /// Whether a part of the folder lies behind a stray or contains one.
    pub fn is_outside(&self, part: &str) -> bool {
        self.strays.iter().any(|stray| stray.blocks_part(part))
    }

    /// Whether `sessions` itself is a stray.
    fn has_sessions_elsewhere(&self) -> bool {
        self.strays.iter().any(|stray| stray.place == "sessions")
    }

    /// Loads the planned sessions and reports unknown folders.
    fn load_plan(&mut self, experiment: Experiment, inputs: &Inputs, names: &[String]) -> Result<(), Refusal> {
        self.change = inputs.change_bytes().map(|change| String::from_utf8_lossy(change).into_owned());
        self.pilot_of = inputs.pilot_of();
        let planned = list_planned(&self.folder, inputs, &experiment)?;
        let known: BTreeSet<String> = planned.iter().map(PlannedSession::name).collect();
        self.leave_out(names.iter().filter(|name| !known.contains(*name)), "not a session of this plan");
        (self.layout, self.arms) = experiment_facts(&experiment);
        self.sessions = planned.into_iter().map(PageSession::Planned).collect();
        self.experiment = Some(experiment);
        Ok(())
    }

    /// Notes folders that the page leaves out.
    fn leave_out<'n>(&mut self, names: impl Iterator<Item = &'n String>, why: &str) {
        let names: Vec<&String> = names.collect();
        self.missing.extend(names.iter().take(LISTED_MAX).map(|name| format!("sessions/{name}: {why}; left out")));
        if names.len() > LISTED_MAX {
            self.missing.push(format!("{} like it", counted((names.len() - LISTED_MAX) as u64, "more folder")));
        }
    }

    /// Loads the sessions that have folders, because the plan cannot be read.
    fn load_unplanned(&mut self, problems: &Problems, names: Vec<String>) {
        let all = problems.to_string();
        let lines: Vec<String> = all.lines().map(|line| self.strip_root(line)).collect();
        self.missing.push(
            "The experiment's inputs cannot be read, or this version does not understand them, so there are no results or \
             figures. The page shows transcripts as far as they can be read."
                .to_owned(),
        );
        self.missing.extend(lines.iter().take(LISTED_MAX).cloned());
        if lines.len() > LISTED_MAX {
            self.missing.push(counted((lines.len() - LISTED_MAX) as u64, "more problem"));
        }
        if names.is_empty() && !self.has_sessions_elsewhere() {
            self.missing.push("sessions: no session has been started".to_owned());
        }
        // A name becomes an address on the page, so it must have the form of a session's name.
        let (sessions, others): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| is_session_name(name));
        self.leave_out(others.iter(), "not a valid session name");
        self.sessions = sessions.into_iter().map(PageSession::Folder).collect();
    }

    /// Removes the folder's path from a text, so that the page does not depend on it.
    pub fn strip_root(&self, text: &str) -> String {
        let root = self.folder.root().display().to_string();
        match root.as_str() {
            "" | "." => strip_dot_slash(text),
            root => text.replace(&format!("{}/", root.trim_end_matches('/')), ""),
        }
    }

    /// Whether the page covers the complete experiment.
    pub fn is_whole(&self) -> bool {
        self.place == self.folder.root()
    }

    /// A fork's change, as its author wrote it; `None` for other folders.
    pub fn change(&self) -> Option<&str> {
        self.change.as_deref()
    }

    /// The forks of a session beside this folder.
    pub fn forks(&self, session: &str) -> &[Forked] {
        self.forks.get(session).map_or(&[], Vec::as_slice)
    }

    /// The experiment; `None` if the inputs cannot be read.
    pub fn experiment(&self) -> Option<&Experiment> {
        self.experiment.as_ref()
    }

    /// The facts about a session's arm, for folding.
    ///
    /// # Panics
    /// When the plan has no such arm.
    pub fn arm(&self, session: &PlannedSession) -> &Arc<ArmFacts> {
        let arm = self.arms.iter().find(|arm| arm.arm == session.arm.arm);
        arm.expect("invariant: every session is of an arm")
    }

    /// The experiment's name, or the folder's without a plan.
    pub fn name(&self) -> String {
        match &self.experiment {
            Some(experiment) => experiment.name.clone(),
            None => own_name(self.folder.root()),
        }
    }

    /// The question under decision; empty if it differs between sessions.
    pub fn question(&self) -> String {
        let Some(experiment) = self.experiment.as_ref().filter(|experiment| experiment.items.is_empty()) else {
            return String::new();
        };
        let mut texts = experiment.arms.iter().map(|plan| plan.motion.text.as_str());
        let first = texts.next().unwrap_or_default();
        if texts.all(|text| text == first) { first.to_owned() } else { String::new() }
    }

    /// An empty summary; `None` without a plan.
    pub fn new_summary(&self) -> Option<Summary> {
        let experiment = self.experiment.as_ref()?;
        let seed = experiment.arms.first().map_or(0, |plan| plan.seed);
        Some(Summary::new(&experiment.name, seed).with_primary(experiment.announced_metrics()))
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

/// Like `locate::find_experiment`. Also accepts an empty folder and one with any sign of a run.
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

/// The folder's own name, whatever path leads to it.
fn own_name(root: &Path) -> String {
    let path = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    path.file_name().map_or_else(|| "results".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Removes `./` from the start of paths, but not from `../x`.
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
    fn only_paths_lose_a_leading_dot_slash() {
        let stripped = strip_dot_slash("./inputs/config.yaml: no file (./a, '../x', a./b, c/./d); ./.lock");
        assert_eq!(stripped, "inputs/config.yaml: no file (a, '../x', a./b, c/./d); .lock");
    }
}
