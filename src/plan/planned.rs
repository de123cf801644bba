//! The sessions that an experiment calls for.

use std::sync::Arc;

use super::{Experiment, Item, Plan};
use crate::chance::{Pairing, session_seed};

/// A session that a plan calls for.
#[derive(Debug, Clone)]
pub struct Planned {
    /// Its plan: its arm's, with its item.
    pub plan: Arc<Plan>,
    /// Its replicate, from 1.
    pub replicate: u32,
}

impl Experiment {
    /// The sessions of each arm: the replicates, times the items where there are any.
    pub fn sessions_an_arm(&self) -> u64 {
        u64::from(self.replicates) * self.items.len().max(1) as u64
    }

    /// The plans between which all sessions of an arm lie, by the length of what they ask: the arm's own without items, else
    /// that of the shortest and that of the longest item.
    pub fn extremes_of(&self, arm: &Arc<Plan>) -> Vec<Arc<Plan>> {
        let length = |item: &Item| item.text.len() + item.options.iter().map(String::len).sum::<usize>();
        let shortest = self.items.values().min_by_key(|item| length(item));
        let longest = self.items.values().max_by_key(|item| length(item));
        match (shortest, longest) {
            (Some(shortest), Some(longest)) => [shortest, longest].map(|item| Arc::new(arm.of_item(item))).to_vec(),
            _ => vec![Arc::clone(arm)],
        }
    }
}

impl Planned {
    /// All sessions of an experiment, arm by arm and item by item: the order of every table.
    pub fn all(experiment: &Experiment) -> impl Iterator<Item = Planned> + '_ {
        let sessions = |plan: Arc<Plan>| {
            (1..=experiment.replicates).map(move |replicate| Planned { plan: Arc::clone(&plan), replicate })
        };
        experiment.arms.iter().flat_map(|arm| plans(experiment, arm)).flat_map(sessions)
    }

    /// The session of that name.
    pub fn find(experiment: &Experiment, name: &str) -> Option<Planned> {
        experiment.arms.iter().find_map(|arm| {
            let rest = name.strip_prefix(&arm.arm)?;
            let (item, digits) = rest.rsplit_once("-r")?;
            let plan = match experiment.items.is_empty() {
                true => Arc::clone(arm),
                false => Arc::new(arm.of_item(experiment.items.get(item.strip_prefix("-i")?)?)),
            };
            let planned = Planned { plan, replicate: digits.parse().ok()? };
            (planned.name() == name && (1..=experiment.replicates).contains(&planned.replicate)).then_some(planned)
        })
    }

    /// Puts sessions into the order in which they are worked on, which no result depends on.
    ///
    /// Simulated sessions come first, in plan order: they take moments, and no service can keep them. Those that need a
    /// model follow replicate by replicate across all arms and items, and by lot within a replicate, so that a service that
    /// drifts or fails meets all arms alike.
    pub fn order_of_work(sessions: &mut [Planned]) {
        sessions.sort_by_cached_key(|session| {
            if session.plan.is_simulated() {
                return None;
            }
            // Sessions draw their lots apart, whether or not their arms share the draws within them.
            let lot = session_seed(session.plan.seed, session.replicate, Pairing::Independent, &session.name());
            Some((session.replicate, *lot.as_bytes()))
        });
    }

    /// The name of its folder.
    pub fn name(&self) -> String {
        self.plan.session_name(self.replicate)
    }
}

/// The plans of an arm: one an item, or its only one. They share all but what an item changes.
fn plans<'e>(experiment: &'e Experiment, arm: &'e Arc<Plan>) -> impl Iterator<Item = Arc<Plan>> + 'e {
    let alone = experiment.items.is_empty().then(|| Arc::clone(arm));
    alone.into_iter().chain(experiment.items.values().map(|item| Arc::new(arm.of_item(item))))
}
