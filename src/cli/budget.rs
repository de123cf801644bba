//! What a run may spend, and what earlier runs of its folder have spent.

use std::path::Path;

use super::arguments::RunArguments;
use super::exit::Refusal;
use crate::adapters::calls::CallRecord;
use crate::adapters::openai::{Budget, Spent};
use crate::adapters::results::ResultsFolder;
use crate::adapters::retried;
use crate::plan::{Experiment, Limits, Planned};

/// The budget of a run: the limits of the command line, else those of the config, less what the recorded calls of the folder took.
///
/// # Errors
/// A [`Refusal`] when a record of calls cannot be read, or dollars are limited and a model that is called has no price.
pub fn of(arguments: &RunArguments, experiment: &Experiment, root: &Path) -> Result<Budget, Refusal> {
    let limits = Limits {
        usd: arguments.budget_usd.or(experiment.limits.usd),
        tokens: arguments.budget_tokens.or(experiment.limits.tokens),
    };
    if limits == Limits::default() {
        return Ok(Budget::default());
    }
    if let Some(name) = experiment.unpriced().first().filter(|_| limits.usd.is_some()) {
        let message = format!(
            "--budget-usd needs the price of every model that is called; add price: {{ input_per_mtok: …, output_per_mtok: … }} to models.{name}.openai"
        );
        return Err(Refusal::wrong(message));
    }
    Ok(Budget::new(limits, spent(experiment, root)?))
}

/// What the recorded calls of an experiment's folder took, those of attempts that were set aside counted.
fn spent(experiment: &Experiment, root: &Path) -> Result<Spent, Refusal> {
    let folder = ResultsFolder::read_only(root);
    let mut spent = Spent::default();
    for session in Planned::all(experiment) {
        let name = session.name();
        let aside = retried::attempts(&folder, &name)?.into_iter().map(|attempt| attempt.join("calls.jsonl"));
        for file in aside.chain([folder.calls(&name)]).filter(|file| file.exists()) {
            let (record, _) = CallRecord::read(&file).map_err(|error| Refusal::failed(error.to_string()))?;
            spent = spent.plus(record.spent(|model| experiment.price(model)));
        }
    }
    Ok(spent)
}
