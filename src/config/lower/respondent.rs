//! The respondents of seats, and the model that writes summaries.

use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::tree::Node;
use crate::config::written::config::{Config, ModelConfig};
use crate::plan::{OpenAiModel, SummaryModel};

/// The word for each seat's own model.
const OWN: &str = "seat";

/// The writer of summaries; `None` if the model is unknown, has an error, or is a person.
pub fn summary_model(
    config: &Config,
    models: &[OpenAiModel],
    tree: &Node,
    problems: &mut Problems,
) -> Option<SummaryModel> {
    let Some(name) = config.memory.summary_model.as_deref().filter(|name| *name != OWN) else {
        return Some(SummaryModel::Seat);
    };
    let named = find_model(name, "memory.summary_model", config, tree).map_err(|problem| {
        problem.with_hint(suggest_word(name, config.models.keys().map(String::as_str).chain([OWN])))
    });
    match problems.ok_or_report(named)? {
        ModelConfig::Simulated(_) => Some(SummaryModel::Rule),
        ModelConfig::Openai(_) => models.iter().position(|model| model.name == name).map(SummaryModel::Model),
        ModelConfig::Human(_) => {
            let message = format!("\"{name}\" is a person, who answers for seats and writes no texts for others");
            let hint = "name a model, or write summary_model: seat, by which each seat writes its own".to_string();
            problems.push(tree.problem("memory.summary_model", message).with_advice(hint));
            None
        }
    }
}

/// Checks that a person's id is a pseudonym: a short word that is unlikely to be a name or an address.
pub fn check_pseudonym(id: Option<&str>, path: &str, tree: &Node, problems: &mut Problems) {
    /// The greatest length in characters.
    const LONGEST: usize = 40;
    let is_word = |id: &str| {
        (1..=LONGEST).contains(&id.len()) && id.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
    };
    if let Some(id) = id.filter(|id| !is_word(id)) {
        let message = format!("\"{id}\" is no pseudonym: letters A-Z a-z, digits, `_` and `-`, at most {LONGEST}");
        let hint = "ids are kept in results: write one that names nobody, such as P01".to_string();
        problems.push(tree.problem(&format!("{path}.human.id"), message).with_advice(hint));
    }
}

/// The model with a name.
///
/// # Errors
/// If there is none.
pub fn find_model<'c>(name: &str, path: &str, config: &'c Config, tree: &Node) -> Result<&'c ModelConfig, Problem> {
    let known = config.models.keys().map(String::as_str);
    config.models.get(name).ok_or_else(|| tree.unknown_name(path, ("model", name), known))
}
