//! Tracks which model a server says it used, and reports changes within an experiment. A server that names no model counts as
//! unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::Outage;
use crate::store::calls::ServedModel;

/// The reaction to a changed model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnModelChange {
    /// The run stops. The answer is recorded, but not used.
    Stop,
    /// The user is warned once.
    #[default]
    Warn,
}

/// The models that answered in this run and in earlier runs of the folder.
#[derive(Debug, Default)]
pub struct ServedModels {
    on_change: OnModelChange,
    known: Mutex<KnownIdentities>,
}

#[derive(Debug, Default)]
struct KnownIdentities {
    /// The first model that answered, by its name in the config.
    first: BTreeMap<String, ServedModel>,
    others: BTreeSet<(String, ServedModel)>,
    /// The first change of each model, by its name in the config.
    changes: BTreeMap<String, Outage>,
    news: Vec<String>,
}

impl ServedModels {
    /// Starts with earlier answers in chronological order: name in the config and model that answered. Their changes are not
    /// reported again.
    pub fn new(on_change: OnModelChange, earlier: impl IntoIterator<Item = (String, ServedModel)>) -> Self {
        let served = Self { on_change, known: Mutex::default() };
        for (asked, identity) in earlier {
            // `check_model_changes` reports these errors later.
            let _ = served.note_identity(&asked, identity);
        }
        served.lock_known().news.clear();
        served
    }

    /// Records which model answered.
    ///
    /// # Errors
    /// [`Outage::ModelChanged`] if it differs from the first model for this name and a change stops the run.
    pub fn note_identity(&self, asked: &str, identity: ServedModel) -> Result<(), Outage> {
        let mut known = self.lock_known();
        let Some(first) = known.first.get_mut(asked) else {
            known.first.insert(asked.to_owned(), identity);
            return Ok(());
        };
        if !identity.differs_from(first) {
            first.model = first.model.take().or(identity.model);
            first.fingerprint = first.fingerprint.take().or(identity.fingerprint);
            return Ok(());
        }
        let reason = format!("{first} answered before, and now {identity}");
        let change = Outage::ModelChanged { model: asked.to_owned(), reason };
        if known.others.insert((asked.to_owned(), identity)) {
            known.news.push(format!("{change}; experiment.json counts both"));
        }
        known.changes.entry(asked.to_owned()).or_insert_with(|| change.clone());
        match self.on_change {
            OnModelChange::Stop => Err(change),
            OnModelChange::Warn => Ok(()),
        }
    }

    /// Fails if a change stops sessions and one of these models, by name in the config, changed.
    ///
    /// # Errors
    /// [`Outage::ModelChanged`].
    pub fn check_model_changes<'m>(&self, mut models: impl Iterator<Item = &'m str>) -> Result<(), Outage> {
        let known = self.lock_known();
        match models.find_map(|model| known.changes.get(model)).filter(|_| self.on_change == OnModelChange::Stop) {
            Some(change) => Err(change.clone()),
            None => Ok(()),
        }
    }

    /// Unreported messages for the user. If a change stops the run, there are none, since the error reports it.
    pub fn take_news(&self) -> Vec<String> {
        let news = std::mem::take(&mut self.lock_known().news);
        if self.on_change == OnModelChange::Stop { Vec::new() } else { news }
    }

    fn lock_known(&self) -> MutexGuard<'_, KnownIdentities> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
