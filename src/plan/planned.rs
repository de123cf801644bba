//! The sessions that an experiment calls for.

use std::sync::Arc;

use super::{Experiment, Item, Plan};
use crate::chance::{Pairing, session_seed};

/// A session that an experiment calls for. It holds no plan of its own: of a million there are a million of these.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The plan of its arm, which knows no item.
    pub arm: Arc<Plan>,
    /// Its question; `None` in an experiment without items.
    pub item: Option<Arc<Item>>,
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
        let items = || -> Box<dyn Iterator<Item = Option<&Arc<Item>>>> {
            match experiment.items.is_empty() {
                true => Box::new(std::iter::once(None)),
                false => Box::new(experiment.items.values().map(Some)),
            }
        };
        let sessions = |(arm, item): (&Arc<Plan>, Option<&Arc<Item>>)| {
            let (arm, item) = (Arc::clone(arm), item.cloned());
            (1..=experiment.replicates).map(move |replicate| Planned {
                arm: Arc::clone(&arm),
                item: item.clone(),
                replicate,
            })
        };
        experiment.arms.iter().flat_map(move |arm| items().map(move |item| (arm, item))).flat_map(sessions)
    }

    /// The session of that name.
    pub fn find(experiment: &Experiment, name: &str) -> Option<Planned> {
        experiment.arms.iter().find_map(|arm| {
            let rest = name.strip_prefix(&arm.arm)?;
            let (item, digits) = rest.rsplit_once("-r")?;
            let item = match experiment.items.is_empty() {
                true => None,
                false => Some(Arc::clone(experiment.items.get(item.strip_prefix("-i")?)?)),
            };
            let planned = Planned { arm: Arc::clone(arm), item, replicate: digits.parse().ok()? };
            (planned.name() == name && (1..=experiment.replicates).contains(&planned.replicate)).then_some(planned)
        })
    }

    /// Puts sessions into the order in which they are worked on, which no result depends on.
    ///
    /// Sessions that show another's statements come after all others. Of either, simulated ones come first, in plan order: they take moments, and no service can keep them. Those that need a
    /// model follow replicate by replicate across all arms and items, and by lot within a replicate, so that a service that
    /// drifts or fails meets all arms alike.
    pub fn order_of_work(sessions: &mut [Planned]) {
        sessions.sort_by_cached_key(|session| {
            let borrows = session.arm.lender.is_some();
            if session.arm.is_simulated() {
                return (borrows, None);
            }
            // Sessions draw their lots apart, whether or not their arms share the draws within them.
            let lot = session_seed(session.arm.seed, session.replicate, Pairing::Independent, &session.name());
            (borrows, Some((session.replicate, *lot.as_bytes())))
        });
    }

    /// Its plan, its arm's with its item; made anew with every call where it has an item.
    pub fn plan(&self) -> Arc<Plan> {
        match &self.item {
            None => Arc::clone(&self.arm),
            Some(item) => Arc::new(self.arm.of_item(item)),
        }
    }

    /// The name of its folder: `<arm>-r000001`, or `<arm>-i<item>-r000001`.
    pub fn name(&self) -> String {
        session_name(&self.arm.arm, self.item.as_deref(), self.replicate)
    }
}

impl Plan {
    /// The name of a session's folder, see [`Planned::name`].
    pub fn session_name(&self, replicate: u32) -> String {
        session_name(&self.arm, self.item.as_deref(), replicate)
    }
}

pub(super) fn session_name(arm: &str, item: Option<&Item>, replicate: u32) -> String {
    match item {
        None => format!("{arm}-r{replicate:06}"),
        Some(item) => format!("{arm}-i{}-r{replicate:06}", item.id),
    }
}
