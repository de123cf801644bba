//! The sessions that an experiment calls for.

use std::sync::Arc;

use super::{Experiment, Plan};

/// A session that a plan calls for.
#[derive(Debug, Clone)]
pub struct Planned {
    /// Its arm's plan.
    pub plan: Arc<Plan>,
    /// Its replicate, from 1.
    pub replicate: u32,
}

impl Planned {
    /// All sessions of an experiment, arm by arm: the order of every table.
    pub fn all(experiment: &Experiment) -> impl Iterator<Item = Planned> + '_ {
        let sessions = |plan: &Arc<Plan>| {
            let plan = Arc::clone(plan);
            (1..=experiment.replicates).map(move |replicate| Planned { plan: Arc::clone(&plan), replicate })
        };
        experiment.arms.iter().flat_map(sessions)
    }

    /// The session of that name.
    pub fn find(experiment: &Experiment, name: &str) -> Option<Planned> {
        experiment.arms.iter().find_map(|plan| {
            let digits = name.strip_prefix(&plan.arm)?.strip_prefix("-r")?;
            let replicate: u32 = digits.parse().ok()?;
            let planned = Planned { plan: Arc::clone(plan), replicate };
            (planned.name() == name && (1..=experiment.replicates).contains(&replicate)).then_some(planned)
        })
    }

    /// The name of its folder.
    pub fn name(&self) -> String {
        self.plan.session_name(self.replicate)
    }
}
