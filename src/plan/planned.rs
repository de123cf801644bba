//! The sessions of an experiment.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Experiment, Item, OpenAiModel, Plan, Price};
use crate::chance::{Pairing, session_seed};
use crate::text::put;

/// A session of an experiment. It stores no plan of its own, because there may be a million of them.
#[derive(Debug, Clone)]
pub struct PlannedSession {
    /// The plan of its arm, without an item.
    pub arm: Arc<Plan>,
    /// Its item; `None` in an experiment without items.
    pub item: Option<Arc<Item>>,
    /// Its replicate, from 1.
    pub replicate: u32,
    /// Its place in its panel, from 1; `None` in an experiment without panels.
    pub wave: Option<u32>,
}

impl Experiment {
    /// The metrics of the announced comparison; empty without one.
    pub fn announced_metrics(&self) -> Vec<String> {
        self.primary.as_ref().map(|primary| primary.metrics.clone()).unwrap_or_default()
    }

    /// The price of the model with this name in the config; `None` if there is no price or no such model.
    pub fn model_price(&self, model: &str) -> Option<Price> {
        let after = self.arms.iter().filter_map(|plan| plan.plan_after()).flat_map(|(after, _)| &after.models);
        let mut known = self.arms.iter().flat_map(|plan| &plan.models).chain(after);
        known.find(|known| known.name == model).and_then(|model| model.price)
    }

    /// The names of the models that are called and have no price.
    pub fn unpriced_models(&self) -> BTreeSet<&str> {
        self.called_models().filter(|model| model.price.is_none()).map(|model| model.name.as_str()).collect()
    }

    /// The names of the models that are called and cost something.
    pub fn paid_models(&self) -> BTreeSet<&str> {
        let costs = |price: Price| price.input_per_mtok > 0.0 || price.output_per_mtok > 0.0;
        self.called_models().filter(|model| model.price.is_some_and(costs)).map(|model| model.name.as_str()).collect()
    }

    /// The models that are called, also since a fork departed from its parent.
    fn called_models(&self) -> impl Iterator<Item = &OpenAiModel> {
        let after = self.arms.iter().filter_map(|plan| plan.plan_after()).map(|(after, _)| after);
        let plans = self.arms.iter().chain(after);
        plans.flat_map(|plan| plan.models_asked().map(|place| &plan.models[place]))
    }

    /// The number of sessions per arm: replicates × items × waves.
    pub fn sessions_an_arm(&self) -> u64 {
        u64::from(self.replicates) * self.items.len().max(1) as u64 * u64::from(self.waves.unwrap_or(1))
    }

    /// The plans with the shortest and the longest questions of an arm: its own plan without items, otherwise those of the
    /// shortest and the longest item; with panels, the first and the last session of each.
    pub fn extremes_of(&self, arm: &Arc<Plan>) -> Vec<Arc<Plan>> {
        let Some(waves) = self.waves else { return self.items_of(arm) };
        let of_panel = |plan: Arc<Plan>| [plan.of_wave(1), plan.longest_of_panel(waves)].map(Arc::new);
        self.items_of(arm).into_iter().flat_map(of_panel).collect()
    }

    fn items_of(&self, arm: &Arc<Plan>) -> Vec<Arc<Plan>> {
        let length = |item: &Item| item.text.len() + item.options.iter().map(String::len).sum::<usize>();
        let shortest = self.items.values().min_by_key(|item| length(item));
        let longest = self.items.values().max_by_key(|item| length(item));
        match (shortest, longest) {
            (Some(shortest), Some(longest)) => [shortest, longest].map(|item| Arc::new(arm.of_item(item))).to_vec(),
            _ => vec![Arc::clone(arm)],
        }
    }
}

impl PlannedSession {
    /// All sessions of an experiment, by arm, then by item: the order of every table.
    pub fn for_experiment(experiment: &Experiment) -> impl Iterator<Item = PlannedSession> + '_ {
        let items = || -> Box<dyn Iterator<Item = Option<&Arc<Item>>>> {
            match experiment.items.is_empty() {
                true => Box::new(std::iter::once(None)),
                false => Box::new(experiment.items.values().map(Some)),
            }
        };
        let waves = || -> Box<dyn Iterator<Item = Option<u32>>> {
            match experiment.waves {
                None => Box::new(std::iter::once(None)),
                Some(waves) => Box::new((1..=waves).map(Some)),
            }
        };
        let sessions = move |(arm, item): (&Arc<Plan>, Option<&Arc<Item>>)| {
            let (arm, item) = (Arc::clone(arm), item.cloned());
            (1..=experiment.replicates).flat_map(move |replicate| {
                let (arm, item) = (Arc::clone(&arm), item.clone());
                waves().map(move |wave| PlannedSession { arm: Arc::clone(&arm), item: item.clone(), replicate, wave })
            })
        };
        experiment.arms.iter().flat_map(move |arm| items().map(move |item| (arm, item))).flat_map(sessions)
    }

    /// The session with a name.
    pub fn find_by_name(experiment: &Experiment, name: &str) -> Option<PlannedSession> {
        Self::parse_name(experiment, name).filter(|planned| (1..=experiment.replicates).contains(&planned.replicate))
    }

    /// The replicates of the experiment for the arm, item and wave of a session; empty if no session has this name.
    pub fn replicates_of(experiment: &Experiment, name: &str) -> Vec<PlannedSession> {
        let named = Self::parse_name(experiment, name).into_iter();
        let of_it = |named: PlannedSession| {
            (1..=experiment.replicates).map(move |replicate| PlannedSession { replicate, ..named.clone() })
        };
        named.flat_map(of_it).collect()
    }

    /// The session with a name, in an experiment of any number of replicates.
    pub fn parse_name(experiment: &Experiment, name: &str) -> Option<PlannedSession> {
        experiment.arms.iter().find_map(|arm| {
            let rest = name.strip_prefix(&arm.arm)?;
            let (rest, wave) = match experiment.waves {
                None => (rest, None),
                Some(waves) => {
                    let (rest, wave) = rest.rsplit_once("-w")?;
                    (rest, Some(wave.parse().ok().filter(|wave| (1..=waves).contains(wave))?))
                }
            };
            let (item, digits) = rest.rsplit_once("-r")?;
            let item = match experiment.items.is_empty() {
                true => None,
                false => Some(Arc::clone(experiment.items.get(item.strip_prefix("-i")?)?)),
            };
            let replicate = digits.parse().ok().filter(|replicate| *replicate > 0)?;
            let planned = PlannedSession { arm: Arc::clone(arm), item, replicate, wave };
            (planned.name() == name).then_some(planned)
        })
    }

    /// Sorts sessions into the order of work, which affects no result.
    ///
    /// Sessions follow all those of earlier [stages](PlannedSession::work_stage). Within a stage, simulated sessions come first,
    /// in plan order: they are fast and do not wait for a service. The others are sorted by replicate across all arms and items,
    /// and in random order within a replicate, so that drift or failures of a service affect all arms equally.
    pub fn order_of_work(sessions: &mut [PlannedSession]) {
        if sessions.iter().all(|session| session.arm.is_simulated()) {
            // Do not cache a key for each of a million sessions.
            return sessions.sort_by_key(PlannedSession::work_stage);
        }
        sessions.sort_by_cached_key(|session| {
            if session.arm.is_simulated() {
                return (session.work_stage(), None);
            }
            // Each session has its own draw for the order, even if arms share the draws within them.
            let lot = session_seed(session.arm.seed, session.replicate, Pairing::Independent, &session.name());
            (session.work_stage(), Some((session.replicate, *lot.as_bytes())))
        });
    }

    /// Its plan with its item and wave; built on each call if it has either.
    pub fn plan(&self) -> Arc<Plan> {
        let of_item = match &self.item {
            None => Arc::clone(&self.arm),
            Some(item) => Arc::new(self.arm.of_item(item)),
        };
        match self.wave {
            None => of_item,
            Some(wave) => Arc::new(of_item.of_wave(wave)),
        }
    }

    /// The name of its folder: `<arm>-r000001`, or `<arm>-i<item>-r000001`; in a panel followed by `-w01` for the first wave.
    pub fn name(&self) -> String {
        session_name(&self.arm.arm, self.item.as_deref(), self.replicate, self.wave)
    }

    /// Its stage of work: the wave, and within a wave first the sessions that need no other, then those that show another's
    /// statements, then those whose seats start from another's answers, last those matched to another.
    pub fn work_stage(&self) -> (u32, u8) {
        let rank = match (&self.arm.matched, &self.arm.lender) {
            (Some(_), _) => 3,
            (None, _) if !self.arm.begins_anew() => 2,
            (None, Some(_)) => 1,
            (None, None) => 0,
        };
        (self.wave.map_or(0, |wave| wave - 1), rank)
    }
}

impl Plan {
    /// The name of a session's folder, see [`PlannedSession::name`].
    pub fn session_name(&self, replicate: u32) -> String {
        session_name(&self.arm, self.item.as_deref(), replicate, self.wave.as_ref().map(|wave| wave.number))
    }

    /// The name of a session's panel; `None` in an experiment without panels.
    pub fn panel_name(&self, replicate: u32) -> Option<String> {
        self.wave.as_ref().map(|_| session_name(&self.arm, self.item.as_deref(), replicate, None))
    }

    /// The names of the sessions that must be complete before this one starts, because it reads their minutes.
    pub fn needed_sessions(&self, replicate: u32) -> Vec<String> {
        let lent = [self.lender_of(replicate), self.begins_with(replicate)];
        let others = [self.session_before(replicate), self.matched_to(replicate)].into_iter().chain(lent);
        others.flatten().collect()
    }

    /// The name of the previous session in its panel, if there is one.
    pub fn session_before(&self, replicate: u32) -> Option<String> {
        let before = self.wave.as_ref()?.number.checked_sub(1).filter(|wave| *wave > 0)?;
        Some(session_name(&self.arm, self.item.as_deref(), self.drawn_replicate(replicate), Some(before)))
    }
}

/// The name of a session's folder, see [`PlannedSession::name`].
pub fn session_name(arm: &str, item: Option<&Item>, replicate: u32, wave: Option<u32>) -> String {
    let mut name = String::with_capacity(arm.len() + "-r000001".len());
    name.push_str(arm);
    if let Some(item) = item {
        put!(name, "-i{}", item.id);
    }
    put!(name, "-r{replicate:06}");
    if let Some(wave) = wave {
        put!(name, "-w{wave:02}");
    }
    name
}

/// Whether a session can have this name: letters, digits, `_`, `-` and `.`, with the replicate and any wave at the end.
pub fn is_session_name(name: &str) -> bool {
    let is_number =
        |digits: &str, least: usize| digits.len() >= least && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_sound = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    let without_wave = name.rsplit_once("-w").filter(|(_, wave)| is_number(wave, 2)).map_or(name, |(rest, _)| rest);
    let replicate = without_wave.rsplit_once("-r");
    is_sound && name.len() <= 400 && replicate.is_some_and(|(arm, number)| !arm.is_empty() && is_number(number, 6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_name_of_a_session_is_one(arm in "[A-Za-z0-9_]{1,9}(-[A-Za-z0-9_]{1,9}){0,3}", replicate in 1_u32.., wave in prop::option::of(1_u32..)) {
            let name = session_name(&arm, None, replicate, wave);
            prop_assert!(is_session_name(&name), "{}", name);
        }
    }

    #[test]
    fn what_could_be_another_place_of_a_page_or_a_disk_is_no_name_of_a_session() {
        for name in [
            "",
            "main",
            "-r000001",
            "talk-r00001",
            "talk-r000001/7",
            "../talk-r000001",
            "talk-r000001-w1",
            "b>-r000001",
        ] {
            assert!(!is_session_name(name), "{name}");
        }
    }
}
