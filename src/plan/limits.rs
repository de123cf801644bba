//! Prices of models and limits of an experiment.

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
    /// Converts prices to integers; rounds to nine decimals.
    pub fn to_tariff(self) -> Tariff {
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
    /// One dollar, in femtodollars.
    const ONE: f64 = 1e15;

    /// Converts dollars, rounded to 15 decimals; negative amounts become zero.
    pub fn new(amount: f64) -> Self {
        // The conversion saturates at both ends.
        Self::of_femto((amount * Self::ONE).round() as u128)
    }

    /// The amount in dollars, rounded to the nearest float.
    pub fn to_f64(self) -> f64 {
        self.femto() as f64 / Self::ONE
    }
}
