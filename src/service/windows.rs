//! Context windows that the config leaves open: as recorded in the session's minutes, or as learnt now.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use futures::future::join_all;

use crate::domain::{ContextWindow, Outage, WindowSource};
use crate::plan::{OpenAiModel, Plan, UnknownWindow, known_window};
use crate::service::openai::{Clients, Patience};
use crate::store::files::FileError;
use crate::store::minutes::read_beginning;
use crate::store::session_file::SessionFile;

/// The windows in the first record of minutes; `None` without minutes.
///
/// # Errors
/// If the file cannot be read.
pub fn read_minuted_windows(minutes: impl Into<SessionFile>) -> Result<Option<Vec<ContextWindow>>, FileError> {
    Ok(read_beginning(minutes)?.map(|convened| convened.windows))
}

/// The windows of a plan's models, from their servers, else from the table of known models. Without `clients`, no server is
/// asked. Unknown windows are left out.
///
/// # Errors
/// An [`Outage`] if a server cannot be asked.
pub async fn learn_windows(
    plan: &Plan,
    clients: Option<&Clients>,
    stop: &AtomicBool,
) -> Result<Vec<ContextWindow>, Outage> {
    let mut learnt = Vec::new();
    for model in plan.models_without_window() {
        let told = match clients {
            Some(clients) => clients.client_for(model).context_window(stop, Patience::OfACall).await?,
            None => None,
        };
        let (tokens, source) = match told {
            Some(tokens) => (Some(tokens), WindowSource::Server),
            None => (known_window(&model.model), WindowSource::Table),
        };
        learnt.extend(tokens.map(|tokens| ContextWindow { model: model.name.clone(), tokens, source }));
    }
    Ok(learnt)
}

/// The servers' answers about windows that neither the config nor the table gives.
#[derive(Debug, Default)]
pub struct WindowAnswers(BTreeMap<(String, String), Result<Option<u32>, String>>);

/// Asks the servers of the plans' models in parallel, each once, with a short time-out. No model is called.
pub async fn ask_windows<'p>(
    plans: impl Iterator<Item = &'p Plan>,
    clients: &Clients,
    stop: &AtomicBool,
) -> WindowAnswers {
    let models: BTreeMap<(String, String), &OpenAiModel> =
        plans.flat_map(unknown_to_the_table).map(|model| (server_of(model), model)).collect();
    let answers = models.into_iter().map(async |(server, model)| {
        let told = clients.client_for(model).context_window(stop, Patience::Short).await;
        (server, told.map_err(|outage| outage.to_string()))
    });
    WindowAnswers(join_all(answers).await.into_iter().collect())
}

impl WindowAnswers {
    /// The windows of a plan's models that their servers gave.
    pub fn told_windows(&self, plan: &Plan) -> Vec<ContextWindow> {
        let told = unknown_to_the_table(plan).filter_map(|model| match self.0.get(&server_of(model)) {
            Some(Ok(Some(tokens))) => Some((model.name.clone(), *tokens)),
            _ => None,
        });
        told.map(|(model, tokens)| ContextWindow { model, tokens, source: WindowSource::Server }).collect()
    }

    /// The models of the plans whose windows are unknown, without duplicates.
    pub fn unknown_windows<'p>(&self, plans: impl Iterator<Item = &'p Plan>) -> Vec<UnknownWindow> {
        let models = plans.flat_map(unknown_to_the_table);
        let unknown = models.filter_map(|model| match self.0.get(&server_of(model)) {
            Some(Ok(Some(_))) => None,
            Some(Ok(None)) | None => Some(UnknownWindow::for_model(model, None)),
            Some(Err(reason)) => Some(UnknownWindow::for_model(model, Some(reason.clone()))),
        });
        unknown.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// The models of a plan whose window neither the config nor the table gives.
pub fn unknown_to_the_table(plan: &Plan) -> impl Iterator<Item = &OpenAiModel> {
    plan.models_without_window().filter(|model| known_window(&model.model).is_none())
}

fn server_of(model: &OpenAiModel) -> (String, String) {
    (model.base_url.clone(), model.model.clone())
}
