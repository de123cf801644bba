//! Checks the limits on calls and dollars. The runner counts calls.

use crate::config::problem::Problems;
use crate::config::tree::Node;
use crate::plan::Experiment;

/// Checks that a dollar limit has prices for all models; `None` if one has none.
pub fn check_priced(experiment: &Experiment, tree: &Node, problems: &mut Problems) -> Option<()> {
    if experiment.limits.usd.is_none() {
        return Some(());
    }
    let unpriced = experiment.unpriced_models();
    for name in &unpriced {
        let message = format!("a limit in dollars needs the price of every model that is called, and {name} has none");
        let hint = format!("add price: {{ input_per_mtok: …, output_per_mtok: … }} to models.{name}.openai");
        problems.push(tree.problem("limits.usd", message).with_hint(Some(hint)));
    }
    if !unpriced.is_empty() {
        return None;
    }
    let paid = experiment.paid_models();
    let Some(name) = paid.first().filter(|_| experiment.limits.usd == Some(0.0)) else { return Some(()) };
    let message = format!("0 dollars leaves nothing for calls, and each call of {name} costs something");
    let hint = "write what calls may cost, such as 5, or leave it out for no limit";
    problems.push(tree.problem("limits.usd", message).with_hint(Some(hint.to_owned())));
    None
}
