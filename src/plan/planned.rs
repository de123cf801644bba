//! The sessions that an experiment calls for.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Experiment, Item, Plan, Price};
use crate::chance::{Pairing, session_seed};

/// A session that an experiment calls for. It holds no plan of its own: of a million there are a million of these.
#[derive(Debug, Clone)]
pub struct PlannedSession {
    /// The plan of its arm, which knows no item.
    pub arm: Arc<Plan>,
    /// Its question; `None` in an experiment without items.
    pub item: Option<Arc<Item>>,
    /// Its replicate, from 1.
    pub replicate: u32,
    /// Its place in its panel, from 1; `None` in an experiment without panels.
    pub wave: Option<u32>,
}

impl Experiment {
    /// The price of a model that the config names so; `None` where it has none, or no such model.
    pub fn model_price(&self, model: &str) -> Option<Price> {
        let named = self.arms.iter().flat_map(|plan| &plan.models).find(|known| known.name == model);
        named.and_then(|model| model.price)
    }

    /// The names of the models that are called and have no price, each once.
    pub fn unpriced_models(&self) -> BTreeSet<&str> {
        let called = self.arms.iter().flat_map(|plan| plan.models_asked().map(|place| &plan.models[place]));
        called.filter(|model| model.price.is_none()).map(|model| model.name.as_str()).collect()
    }

    /// The names of the models that are called and cost something, each once.
    pub fn paid_models(&self) -> BTreeSet<&str> {
        let called = self.arms.iter().flat_map(|plan| plan.models_asked().map(|place| &plan.models[place]));
        let costs = |price: Price| price.input_per_mtok > 0.0 || price.output_per_mtok > 0.0;
        called.filter(|model| model.price.is_some_and(costs)).map(|model| model.name.as_str()).collect()
    }

    /// The sessions of each arm: the replicates, times the items and the waves where there are any.
    pub fn sessions_an_arm(&self) -> u64 {
        u64::from(self.replicates) * self.items.len().max(1) as u64 * u64::from(self.waves.unwrap_or(1))
    }

    /// The plans between which all sessions of an arm lie, by the length of what they ask: the arm's own without items, else
    /// that of the shortest and that of the longest item; with panels the first and the last session of each.
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
    /// All sessions of an experiment, arm by arm and item by item: the order of every table.
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

    /// The session of that name.
    pub fn find_by_name(experiment: &Experiment, name: &str) -> Option<PlannedSession> {
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
            let planned = PlannedSession { arm: Arc::clone(arm), item, replicate: digits.parse().ok()?, wave };
            (planned.name() == name && (1..=experiment.replicates).contains(&planned.replicate)).then_some(planned)
        })
    }

    /// Puts sessions into the order in which they are worked on, which no result depends on.
    ///
    /// Sessions come after all of an earlier [stage](PlannedSession::work_stage). Of one stage, simulated ones come first, in plan order:
    /// they take moments, and no service can keep them. Those that need a model follow replicate by replicate across all arms
    /// and items, and by lot within a replicate, so that a service that drifts or fails meets all arms alike.
    pub fn order_of_work(sessions: &mut [PlannedSession]) {
        if sessions.iter().all(|session| session.arm.is_simulated()) {
            // Of a million sessions no key is kept.
            return sessions.sort_by_key(PlannedSession::work_stage);
        }
        sessions.sort_by_cached_key(|session| {
            if session.arm.is_simulated() {
                return (session.work_stage(), None);
            }
            // Sessions draw their lots apart, whether or not their arms share the draws within them.
            let lot = session_seed(session.arm.seed, session.replicate, Pairing::Independent, &session.name());
            (session.work_stage(), Some((session.replicate, *lot.as_bytes())))
        });
    }

    /// Its plan, its arm's with its item and wave; made anew with every call where it has one of them.
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

    /// The name of its folder: `<arm>-r000001`, or `<arm>-i<item>-r000001`, and `-w01` at the end of the first wave's of a panel.
    pub fn name(&self) -> String {
        session_name(&self.arm.arm, self.item.as_deref(), self.replicate, self.wave)
    }

    /// What all is worked on before it: earlier waves of panels, and of its own wave the sessions that need no other, then those that
    /// show another's statements, then those whose seats begin with words of another's, and last those that are matched to another.
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

    /// The name of the panel that a session is one of; `None` in an experiment without panels.
    pub fn panel_name(&self, replicate: u32) -> Option<String> {
        self.wave.as_ref().map(|_| session_name(&self.arm, self.item.as_deref(), replicate, None))
    }

    /// The names of the sessions that must be complete before one of this plan begins: it has their minutes.
    pub fn needed_sessions(&self, replicate: u32) -> Vec<String> {
        let lent = [self.lender_of(replicate), self.begins_with(replicate)];
        let others = [self.session_before(replicate), self.matched_to(replicate)].into_iter().chain(lent);
        others.flatten().collect()
    }

    /// The name of the session before one of this plan in its panel; `None` where none comes before it.
    pub fn session_before(&self, replicate: u32) -> Option<String> {
        let before = self.wave.as_ref()?.number.checked_sub(1).filter(|wave| *wave > 0)?;
        Some(session_name(&self.arm, self.item.as_deref(), replicate, Some(before)))
    }
}

/// The name of a session's folder, see [`PlannedSession::name`].
pub fn session_name(arm: &str, item: Option<&Item>, replicate: u32, wave: Option<u32>) -> String {
    let item = item.map_or(String::new(), |item| format!("-i{}", item.id));
    let wave = wave.map_or(String::new(), |wave| format!("-w{wave:02}"));
    format!("{arm}{item}-r{replicate:06}{wave}")
}

/// Whether a session can have this name: letters, digits, `_`, `-` and `.`, at the end its replicate, and behind that its wave
/// where it has one.
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
