//! What calls may take, and what their tokens cost. Nothing is counted here.

use super::tree::Node;
use super::{Experiment, Problems};
use crate::domain::{Dollars, Tariff};

/// What the calls of an experiment may take at the most. No part of a session's identity.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Dollars; every model that is called needs a price.
    #[schemars(range(min = 0))]
    pub usd: Option<f64>,
    /// Tokens of prompts and replies.
    #[schemars(range(min = 1))]
    pub tokens: Option<u64>,
}

/// What a model's tokens cost.
#[derive(Debug, Clone, Copy, PartialEq, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Dollars for a million tokens of prompt; 0 or more.
    #[schemars(range(min = 0))]
    pub input_per_mtok: f64,
    /// Dollars for a million tokens of prompt that the server had kept from an earlier prompt, 0 or more; left out, these cost as
    /// the others.
    #[schemars(range(min = 0))]
    pub cached_input_per_mtok: Option<f64>,
    /// Dollars for a million tokens of reply; 0 or more.
    #[schemars(range(min = 0))]
    pub output_per_mtok: f64,
}

impl Price {
    /// The same in whole numbers; digits beyond the ninth are rounded.
    pub fn tariff(self) -> Tariff {
        // The conversion saturates at both ends.
        let nano = |per_mtok: f64| (per_mtok * 1e9).round() as u64;
        Tariff {
            input_nano_per_mtok: nano(self.input_per_mtok),
            cached_input_nano_per_mtok: self.cached_input_per_mtok.map(nano),
            output_nano_per_mtok: nano(self.output_per_mtok),
        }
    }
}

impl Dollars {
    /// One dollar.
    const ONE: f64 = 1e15;

    /// So many dollars; less than nothing is none. Digits beyond the fifteenth are rounded.
    pub fn new(amount: f64) -> Self {
        // The conversion saturates at both ends.
        Self::of_femto((amount * Self::ONE).round() as u128)
    }

    /// The nearest number of dollars.
    pub fn value(self) -> f64 {
        self.femto() as f64 / Self::ONE
    }
}

/// Checks that dollars are limited only where it is known what calls cost; `None` where it is not.
pub(super) fn check_priced(experiment: &Experiment, tree: &Node, problems: &mut Problems) -> Option<()> {
    if experiment.limits.usd.is_none() {
        return Some(());
    }
    let unpriced = experiment.unpriced();
    for name in &unpriced {
        let message = format!("a limit in dollars needs the price of every model that is called, and {name} has none");
        let hint = format!("add price: {{ input_per_mtok: …, output_per_mtok: … }} to models.{name}.openai");
        problems.push(tree.problem("limits.usd", message).with_hint(Some(hint)));
    }
    if !unpriced.is_empty() {
        return None;
    }
    let paid = experiment.paid();
    let Some(name) = paid.first().filter(|_| experiment.limits.usd == Some(0.0)) else { return Some(()) };
    let message = format!("0 dollars leaves nothing for calls, and each call of {name} costs something");
    let hint = "write what calls may cost, such as 5, or leave it out for no limit";
    problems.push(tree.problem("limits.usd", message).with_hint(Some(hint.to_owned())));
    None
}
