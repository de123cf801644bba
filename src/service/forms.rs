//! How models must phrase their replies if the config leaves it open: as recorded in the session's minutes, or as learnt now.

use std::sync::atomic::AtomicBool;

use crate::domain::{FormSource, LearntForm, Outage};
use crate::plan::{Experiment, OpenAiModel, PlannedSession};
use crate::service::openai::{Clients, FoundForm, Probe};
use crate::store::calls::CallRecord;
use crate::store::files::FileError;
use crate::store::minutes::read_beginning;
use crate::store::results::ResultsFolder;
use crate::store::session_file::SessionFile;

/// The forms in the first record of minutes; `None` without minutes.
///
/// # Errors
/// If the file cannot be read.
pub fn read_minuted_forms(minutes: impl Into<SessionFile>) -> Result<Option<Vec<LearntForm>>, FileError> {
    Ok(read_beginning(minutes)?.map(|convened| convened.forms))
}

/// The form for a model's kind of server, if all such servers agree.
pub fn of_server(model: &OpenAiModel) -> Option<LearntForm> {
    let form = model.form_of_server()?;
    Some(LearntForm { model: model.name.clone(), form, source: FormSource::ServerKind })
}

/// Learns a model's form by one question. Also returns the question if it was sent now.
///
/// # Errors
/// The errors of [`Client::reply_form`](crate::service::openai::Client::reply_form).
pub async fn learn_form(
    model: &OpenAiModel,
    clients: &Clients,
    stop: &AtomicBool,
) -> (Result<LearntForm, Outage>, Option<Probe>) {
    let (found, probe) = clients.client_for(model).reply_form(model, stop).await;
    (found.map(|FoundForm { form, source }| LearntForm { model: model.name.clone(), form, source }), probe)
}

/// Passes the forms in a folder's call records to the clients, so that later sessions use them. Unreadable records are skipped;
/// their sessions report the error.
pub fn load_recorded_forms(clients: &Clients, folder: &ResultsFolder, experiment: &Experiment) {
    for session in PlannedSession::for_experiment(experiment) {
        let open: Vec<&OpenAiModel> =
            session.arm.models_without_form().filter(|model| model.form_of_server().is_none()).collect();
        if open.is_empty() {
            continue;
        }
        let file = folder.calls(&session.name());
        if !file.exists() {
            continue;
        }
        let Ok((record, _)) = CallRecord::read(&file) else { continue };
        for (model, found) in open.into_iter().filter_map(|model| Some((model, record.learnt_form(&model.name)?))) {
            clients.client_for(model).knows_form(FoundForm { form: found.form, source: found.source });
        }
    }
}
