//! The design of an experiment, read from the inputs in its folder.

use std::collections::BTreeSet;
use std::path::Path;

use super::calls::ModelUsage;
use crate::plan::{Experiment, PlannedSession, Shard, Sitter, sessions_of};
use crate::report::page::{Labels, sitting};
use crate::report::{PlanWords, grouped, name_extra, name_missing};
use crate::store::calls::Spending;
use crate::store::frozen::FrozenDesign;
use crate::store::inputs::Inputs;

/// The design of an experiment.
#[derive(Debug, Default)]
pub struct ServedDesign {
    /// The experiment's name.
    pub name: Option<String>,
    /// The arms' names.
    pub arms: Vec<String>,
    /// The number of sessions in this folder's part of the plan.
    pub sessions: Option<u64>,
    /// The banner about who fills the seats, in the report's words; empty before the first read.
    pub announced: String,
    /// Whether this is a fork: one session of another experiment with one change.
    pub is_fork: bool,
    /// Whether a model is asked in any arm; true if the design cannot be read.
    pub makes_calls: bool,
    /// Whether a person is asked in any arm.
    pub asks_people: bool,
    /// The labels of the options; empty if the design cannot be read.
    pub labels: Labels,
    /// Why the design cannot be read.
    pub problem: Option<String>,
    experiment: Option<Experiment>,
    /// The shard that the folder holds; `None` if it holds all sessions.
    shard: Option<Shard>,
}

impl ServedDesign {
    /// Reads the design from an experiment's folder.
    pub fn read_folder(folder: &Path) -> Self {
        let unread = |problem: String| Self {
            problem: Some(problem),
            announced: sitting(None).words.to_owned(),
            makes_calls: true,
            ..Self::default()
        };
        if !Inputs::are_kept(folder) {
            return unread("inputs/config.yaml is missing, so that what was planned is not known".to_owned());
        }
        let resolved = Inputs::read_results(folder).and_then(|inputs| Ok((count_forks(&inputs), inputs.resolve()?)));
        let (forks, experiment) = match resolved {
            Ok((forks, resolved)) => (forks, resolved.experiment),
            Err(problems) => return unread(format!("what was planned cannot be read: {problems}")),
        };
        let shard = FrozenDesign::read(folder).and_then(|frozen| frozen.shard);
        let all = sessions_of(&experiment, shard).count() as u64;
        Self {
            name: Some(experiment.name.clone()),
            arms: experiment.arms.iter().map(|plan| plan.arm.clone()).collect(),
            sessions: forks.or(Some(all)),
            announced: compose_banner(&experiment),
            is_fork: forks.is_some(),
            makes_calls: experiment.arms.iter().any(|plan| plan.models_asked().next().is_some()),
            asks_people: experiment.arms.iter().any(|plan| plan.people_count() > 0),
            labels: Labels::new(Some(&experiment)),
            problem: None,
            experiment: Some(experiment),
            shard,
        }
    }

    /// The arm of a session; `None` if the design has no such session.
    pub fn arm_of(&self, session: &str) -> Option<String> {
        Some(self.find_planned(session)?.arm.arm.clone())
    }

    /// What models used, in dollars and tokens.
    pub fn word_spending(&self, used: &ModelUsage) -> String {
        let price = |model: &str| self.experiment.as_ref().and_then(|experiment| experiment.model_price(model));
        let spent = used.iter().map(|(model, usage)| Spending::from_usage(*usage, price(model)));
        let spent = spent.fold(Spending::default(), Spending::saturating_add);
        let unpriced: Vec<&str> = used.keys().map(String::as_str).filter(|model| price(model).is_none()).collect();
        let left_out = match unpriced.is_empty() {
            true => String::new(),
            false => format!(" without {}, which has no price", unpriced.join(", ")),
        };
        format!("{}{left_out}; {} tokens", spent.dollars, grouped(spent.tokens))
    }

    /// What the plan of a session adds to the wording of its records; empty if the design has no such session.
    pub fn words_of(&self, session: &str) -> PlanWords {
        self.find_planned(session).map(|planned| PlanWords::of_plan(&planned.plan())).unwrap_or_default()
    }

    /// Lists the planned sessions that are missing. A fork has no missing sessions.
    pub fn missing_sessions(&self, sessions: &BTreeSet<String>) -> Option<String> {
        let experiment = self.experiment.as_ref().filter(|_| !self.is_fork)?;
        name_missing(sessions_of(experiment, self.shard).map(|planned| planned.name()), sessions)
    }

    /// Lists the sessions that are not in the plan.
    pub fn extra_sessions(&self, sessions: &BTreeSet<String>) -> Option<String> {
        name_extra(self.experiment.as_ref()?, sessions.iter().cloned())
    }

    fn find_planned(&self, session: &str) -> Option<PlannedSession> {
        PlannedSession::find_by_name(self.experiment.as_ref()?, session)
    }
}

/// The banner of every page: the report's text, and the seats that follow rules if other seats do not.
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

/// How many sessions a fork has; `None` for other experiments.
fn count_forks(inputs: &Inputs) -> Option<u64> {
    inputs.change_bytes()?;
    Some(inputs.fork_of().map_or(1, |forked| forked.replicates.into()))
}
