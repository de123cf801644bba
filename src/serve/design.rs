//! What an experiment was to do, as far as a reader of its course needs it.
//!
//! Taken from the inputs that the folder keeps; nothing is decided here.

use std::collections::BTreeSet;
use std::path::Path;

use crate::adapters::inputs::Inputs;
use crate::plan::{Experiment, Planned, Sitter};

/// Who at the table is simulated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Simulated {
    /// The inputs do not tell.
    #[default]
    Unknown,
    /// No seat.
    Nobody,
    /// These seats, in all arms or some of them.
    Some(Vec<String>),
    /// Every seat in every arm.
    Everybody,
}

/// What was to be done.
#[derive(Debug, Default)]
pub struct Design {
    /// The experiment's name.
    pub name: Option<String>,
    /// The arms' names.
    pub arms: Vec<String>,
    /// How many sessions it calls for.
    pub sessions: Option<u64>,
    /// Who is simulated.
    pub simulated: Simulated,
    /// Whether it is a fork: one session of another experiment with one thing changed.
    pub is_fork: bool,
    /// Why the rest is not known.
    pub problem: Option<String>,
    experiment: Option<Experiment>,
}

impl Design {
    /// Reads what a folder keeps.
    pub fn read(folder: &Path) -> Self {
        let unread = |problem: String| Self { problem: Some(problem), ..Self::default() };
        if !Inputs::are_kept(folder) {
            return unread("inputs/config.yaml is missing, so that what was planned is not known".to_owned());
        }
        let resolved =
            Inputs::read_results(folder).and_then(|inputs| Ok((inputs.change().is_some(), inputs.resolve()?)));
        let (is_fork, experiment) = match resolved {
            Ok((is_fork, resolved)) => (is_fork, resolved.experiment),
            Err(problems) => return unread(format!("what was planned cannot be read: {problems}")),
        };
        let all = experiment.sessions_an_arm() * experiment.arms.len() as u64;
        Self {
            name: Some(experiment.name.clone()),
            arms: experiment.arms.iter().map(|plan| plan.arm.clone()).collect(),
            sessions: Some(if is_fork { 1 } else { all }),
            simulated: simulated(&experiment),
            is_fork,
            problem: None,
            experiment: Some(experiment),
        }
    }

    /// The arm of a session; `None` where the design knows no such session.
    pub fn arm_of(&self, session: &str) -> Option<String> {
        Planned::find(self.experiment.as_ref()?, session).map(|planned| planned.arm.arm.clone())
    }
}

fn simulated(experiment: &Experiment) -> Simulated {
    let (mut simulated, mut others) = (BTreeSet::new(), false);
    for seat in experiment.arms.iter().flat_map(|plan| &plan.seats) {
        match seat.sitter {
            Sitter::Mind(_) => {
                simulated.insert(seat.name.to_string());
            }
            Sitter::Model(_) | Sitter::Person(_) => others = true,
        }
    }
    match (simulated.is_empty(), others) {
        (true, _) => Simulated::Nobody,
        (false, true) => Simulated::Some(simulated.into_iter().collect()),
        (false, false) => Simulated::Everybody,
    }
}

impl Simulated {
    /// What every page says at its top; `None` where every seat is a model's or a person's.
    pub fn announced(&self) -> Option<String> {
        match self {
            Simulated::Unknown => Some("Who is simulated is not known: the inputs cannot be read.".to_owned()),
            Simulated::Nobody => None,
            Simulated::Everybody => {
                Some("Simulated: every seat follows a rule. No person and no model said any of this.".to_owned())
            }
            Simulated::Some(seats) => Some(format!(
                "Partly simulated: these seats follow a rule, in some arm at least: {}.",
                seats.join(", ")
            )),
        }
    }
}
