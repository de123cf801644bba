//! What an experiment was to do, as far as a reader of its course needs it.
//!
//! Taken from the inputs that the folder keeps; nothing is decided here.

use std::collections::BTreeSet;
use std::path::Path;

use crate::choice::ranked::DefeatStrength;
use crate::plan::{Experiment, PlannedSession, Shard, Sitter, sessions_of};
use crate::report::page::sitting;
use crate::report::{name_extra, name_missing};
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::Inputs;

/// What was to be done.
#[derive(Debug, Default)]
pub struct ServedDesign {
    /// The experiment's name.
    pub name: Option<String>,
    /// The arms' names.
    pub arms: Vec<String>,
    /// How many sessions it calls for.
    pub sessions: Option<u64>,
    /// Who sits at the table, as the report says it; empty before anything was read.
    pub announced: String,
    /// Whether it is a fork: one session of another experiment with one thing changed.
    pub is_fork: bool,
    /// Why the rest is not known.
    pub problem: Option<String>,
    experiment: Option<Experiment>,
    /// The slice of its sessions that the folder holds; `None` where it holds all.
    shard: Option<Shard>,
}

impl ServedDesign {
    /// Reads what a folder keeps.
    pub fn read_folder(folder: &Path) -> Self {
        let unread = |problem: String| Self {
            problem: Some(problem),
            announced: sitting(None).words.to_owned(),
            ..Self::default()
        };
        if !Inputs::are_kept(folder) {
            return unread("inputs/config.yaml is missing, so that what was planned is not known".to_owned());
        }
        let resolved =
            Inputs::read_results(folder).and_then(|inputs| Ok((inputs.change_bytes().is_some(), inputs.resolve()?)));
        let (is_fork, experiment) = match resolved {
            Ok((is_fork, resolved)) => (is_fork, resolved.experiment),
            Err(problems) => return unread(format!("what was planned cannot be read: {problems}")),
        };
        let shard = FrozenDesign::read(folder).and_then(|frozen| frozen.shard);
        let all = sessions_of(&experiment, shard).count() as u64;
        Self {
            name: Some(experiment.name.clone()),
            arms: experiment.arms.iter().map(|plan| plan.arm.clone()).collect(),
            sessions: Some(if is_fork { 1 } else { all }),
            announced: compose_banner(&experiment),
            is_fork,
            problem: None,
            experiment: Some(experiment),
            shard,
        }
    }

    /// The arm of a session; `None` where the design knows no such session.
    pub fn arm_of(&self, session: &str) -> Option<String> {
        Some(self.find_planned(session)?.arm.arm.clone())
    }

    /// How strong a win of one alternative over another is in a session; `None` where the design knows no such session.
    pub fn strength_in(&self, session: &str) -> Option<DefeatStrength> {
        Some(self.find_planned(session)?.arm.voting.strength)
    }

    /// Which sessions of the plan are not among these, in words. A fork plans none but its own.
    pub fn missing_sessions(&self, sessions: &BTreeSet<String>) -> Option<String> {
        let experiment = self.experiment.as_ref().filter(|_| !self.is_fork)?;
        name_missing(sessions_of(experiment, self.shard).map(|planned| planned.name()), sessions)
    }

    /// Which of these sessions are not in the plan, in words.
    pub fn extra_sessions(&self, sessions: &BTreeSet<String>) -> Option<String> {
        name_extra(self.experiment.as_ref()?, sessions.iter().cloned())
    }

    fn find_planned(&self, session: &str) -> Option<PlannedSession> {
        PlannedSession::find_by_name(self.experiment.as_ref()?, session)
    }
}

/// What every page says at its top: the report's own words, and where only some seats follow rules their names.
fn compose_banner(experiment: &Experiment) -> String {
    let (mut by_rule, mut others) = (BTreeSet::new(), false);
    for seat in experiment.arms.iter().flat_map(|plan| &plan.seats) {
        match seat.sitter {
            Sitter::Mind(_) => drop(by_rule.insert(seat.name.as_str())),
            Sitter::Model(_) | Sitter::Person(_) => others = true,
        }
    }
    let banner = sitting(Some(experiment)).words;
    if by_rule.is_empty() || !others {
        return banner.to_owned();
    }
    format!("{banner} By rules, in some arm at least: {}.", by_rule.into_iter().collect::<Vec<_>>().join(", "))
}
