//! Which model a server says it used, for each model that is asked: a change of it within an experiment is told, or stops it.
//!
//! It calls nothing and reads no file. A server that does not say which model it used is taken at its silence.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::domain::Outage;
use crate::store::calls::ServedModel;

/// What is done when another model answers than before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnModelChange {
    /// The run stops before the answer is used; it is recorded all the same.
    Stop,
    /// It is told once.
    #[default]
    Warn,
}

/// The models that answered so far, in this run and in earlier ones of the same folder.
#[derive(Debug, Default)]
pub struct ServedModels {
    on_change: OnModelChange,
    known: Mutex<KnownIdentities>,
}

#[derive(Debug, Default)]
struct KnownIdentities {
    /// What answered first, by the name of the model in the config.
    first: BTreeMap<String, ServedModel>,
    others: BTreeSet<(String, ServedModel)>,
    /// The first change of each model that changed, by its name in the config.
    changes: BTreeMap<String, Outage>,
    news: Vec<String>,
}

impl ServedModels {
    /// With what answered earlier, in the order of time: the name of the model in the config, and who answered. What changed then
    /// is not told again.
    pub fn new(on_change: OnModelChange, earlier: impl IntoIterator<Item = (String, ServedModel)>) -> Self {
        let served = Self { on_change, known: Mutex::default() };
        for (asked, identity) in earlier {
            // What is wrong with it is asked for before anything else is done.
            let _ = served.note_identity(&asked, identity);
        }
        served.lock_known().news.clear();
        served
    }

    /// Takes note of who answered.
    ///
    /// # Errors
    /// [`Outage::ModelChanged`] when it is another model than the first that answered for this one, and that stops the run.
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

    /// Refuses to go on with a session where a change stops it and one of the models that it asks, by their names in the config,
    /// changed.
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

    /// What is to be told and was not yet. Where a change stops the run, that tells it.
    pub fn take_news(&self) -> Vec<String> {
        let news = std::mem::take(&mut self.lock_known().news);
        if self.on_change == OnModelChange::Stop { Vec::new() } else { news }
    }

    fn lock_known(&self) -> MutexGuard<'_, KnownIdentities> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
