//! The budget of a run, less the cost of earlier calls.

use std::path::Path;

use super::exit::Refusal;
use crate::plan::{Experiment, Limits, PlannedSession};
use crate::service::openai::Budget;
use crate::store::account::CallAccount;
use crate::store::calls::CallRecord;
use crate::store::failed_attempts;
use crate::store::results::ResultsFolder;

/// The remaining budget of a run or fork. Limits of the command line override those of the config.
///
/// # Errors
/// A [`Refusal`] when a call record is unreadable, or when dollars are limited and a called model has no price.
pub fn build_budget(given: Limits, experiment: &Experiment, root: &Path) -> Result<Budget, Refusal> {
    let limits = effective_limits(given, experiment);
    if limits == Limits::default() {
        return Ok(Budget::default());
    }
    if let Some(name) = experiment.unpriced_models().first().filter(|_| limits.usd.is_some()) {
        let message = format!(
            "--budget-usd needs the price of every model that is called; add price: {{ input_per_mtok: …, output_per_mtok: … }} to models.{name}.openai"
        );
        return Err(Refusal::wrong_input(message));
    }
    Ok(Budget::new(
        limits,
        read_account(experiment, root, PlannedSession::for_experiment(experiment))?.all.to_spending(),
    ))
}

/// The limits of the command line, or of the config where the command line sets none.
pub fn effective_limits(given: Limits, experiment: &Experiment) -> Limits {
    Limits { usd: given.usd.or(experiment.limits.usd), tokens: given.tokens.or(experiment.limits.tokens) }
}

/// Adds up the recorded calls of sessions, including those of failed attempts.
pub fn read_account(
    experiment: &Experiment,
    root: &Path,
    sessions: impl Iterator<Item = PlannedSession>,
) -> Result<CallAccount, Refusal> {
    let folder = ResultsFolder::open_unchecked(root);
    let mut account = CallAccount::default();
    for session in sessions.filter(|session| !session.arm.is_simulated()) {
        let name = session.name();
        let aside = failed_attempts::attempt_folders(&folder, &name)?
            .into_iter()
            .map(|attempt| attempt.join("calls.jsonl").into());
        for file in aside.chain([folder.calls(&name)]).filter(|file| file.exists()) {
            let (record, _) = CallRecord::read(file)?;
            account.add_session_calls(&session.arm.arm, &record, |model| experiment.model_price(model));
        }
    }
    Ok(account)
}
