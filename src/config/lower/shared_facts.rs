//! Reads the facts that every seat gets from `deal.shared`: `all`, ids, or a number.
//!
//! A scenario's defaults must name existing facts even if configs override them.

use indexmap::IndexMap;

use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::scenario::Scenario;
use crate::config::tree::Node;
use crate::config::written::case::{FactConfig, Shared};
use crate::plan::{Scalar, SharedFacts, parse_truth_value};

/// The dotted path of the setting.
pub const PATH: &str = "deal.shared";

/// A word that names neither a fact nor a possible number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    word: String,
    message: String,
    hint: Option<String>,
}

/// The facts that a text names.
///
/// # Errors
/// The first word that names none.
pub fn read_shared_facts(words: &str, facts: &[FactConfig]) -> Result<SharedFacts, Mistake> {
    let words = words.trim();
    if words == "all" {
        return Ok(SharedFacts::Named((0..facts.len()).collect()));
    }
    let Ok(number) = words.parse::<u32>() else { return find_facts(words.split_whitespace(), facts) };
    match number as usize <= facts.len() {
        true => Ok(SharedFacts::Count(number)),
        false => {
            let message = format!("{number} is no whole number from 0 to {}", facts.len());
            Err(Mistake { word: words.to_string(), message, hint: None })
        }
    }
}

/// The facts with these ids, without duplicates, in the scenario's order.
///
/// # Errors
/// The first unknown id.
pub fn find_facts<'a>(ids: impl IntoIterator<Item = &'a str>, facts: &[FactConfig]) -> Result<SharedFacts, Mistake> {
    let place = |id: &str| facts.iter().position(|fact| fact.id == id).ok_or_else(|| Mistake::unknown_id(id, facts));
    let mut places = ids.into_iter().map(place).collect::<Result<Vec<_>, Mistake>>()?;
    places.sort_unstable();
    places.dedup();
    Ok(SharedFacts::Named(places))
}

/// Checks the facts that the scenario's defaults name, if they deal facts. Does not cache: texts may depend on an item later.
pub fn check_defaults(scenario: &Scenario, problems: &mut Problems) {
    let Some(deal) = &scenario.written.deal else { return };
    let Some(Shared::Scalar(Scalar::Text(text))) = &deal.shared else { return };
    let defaults: IndexMap<String, Scalar> =
        scenario.written.parameters.iter().map(|(name, knob)| (name.clone(), knob.default.clone())).collect();
    let is_set_off = match &deal.when {
        Some(Scalar::Bool(is_dealt)) => !is_dealt,
        // A template that fails is reported for each arm.
        Some(Scalar::Text(when)) => !scenario
            .fill_template((when, "deal.when"), &defaults, &[])
            .is_ok_and(|said| parse_truth_value(&said) == Some(true)),
        Some(Scalar::Int(_) | Scalar::Real(_)) => true,
        None => false,
    };
    if is_set_off || !scenario.broken_parameters.is_empty() {
        return;
    }
    let Ok(words) = scenario.fill_template((text, PATH), &defaults, &[]) else { return };
    if let Err(mistake) = read_shared_facts(&words, &scenario.written.facts) {
        let said_by = mistake.source_parameter(text, &defaults).map(|name| format!("parameters.{name}.default"));
        problems.push(mistake.into_problem(&scenario.tree, said_by.as_deref().unwrap_or(PATH)));
    }
}

impl Mistake {
    /// The mistake of an unknown id.
    pub fn unknown_id(id: &str, facts: &[FactConfig]) -> Self {
        let hint = suggest_word(id, facts.iter().map(|fact| fact.id.as_str()));
        Self { word: id.to_string(), message: format!("no fact has the id \"{id}\""), hint }
    }

    /// The parameter that provides the word; `None` if the text itself contains it.
    pub fn source_parameter<'v>(&self, text: &str, values: &'v IndexMap<String, Scalar>) -> Option<&'v str> {
        let says = |value: &Scalar| match value {
            Scalar::Text(words) => words.split_whitespace().any(|word| word == self.word),
            Scalar::Int(number) => number.to_string() == self.word,
            Scalar::Real(_) | Scalar::Bool(_) => false,
        };
        let printed = values.iter().filter(|(name, _)| text.contains(&format!("parameters.{name}")));
        printed.filter(|(_, value)| says(value)).map(|(name, _)| name.as_str()).next()
    }

    /// Converts to a problem at a path of a tree.
    pub fn into_problem(self, tree: &Node, path: &str) -> Problem {
        tree.problem(path, self.message).with_hint(self.hint)
    }
}
