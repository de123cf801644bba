//! The context windows within which a session's prompts are held, where the config does not say: as its own first record has
//! them, or, before there is one, as they are learnt.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::adapters::minutes::convened;
use crate::adapters::openai::Clients;
use crate::adapters::results::FileError;
use crate::domain::{ContextWindow, Event, Outage, WindowSource};
use crate::plan::{Plan, known_window};

/// The windows that minutes tell of in their first record; `None` where there are no minutes yet.
///
/// # Errors
/// When the file cannot be read.
pub fn told(minutes: &Path) -> Result<Option<Vec<ContextWindow>>, FileError> {
    Ok(match convened(minutes)? {
        Some(Event::SessionConvened { windows, .. }) => Some(windows),
        _ => None,
    })
}

/// The windows of the models that a plan asks, as their servers tell them, and else as the table of known models has them;
/// without clients no server is asked. Of some nothing is known.
///
/// # Errors
/// An [`Outage`] when a server cannot be asked.
pub async fn learn(plan: &Plan, clients: Option<&Clients>, stop: &AtomicBool) -> Result<Vec<ContextWindow>, Outage> {
    let mut learnt = Vec::new();
    for model in plan.windowless() {
        let told = match clients {
            Some(clients) => clients.client(model).window(stop).await?,
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
