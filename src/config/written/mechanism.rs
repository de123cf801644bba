//! What is at stake in a scenario, as it is written.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

/// A greater income is taken for a slip; times the greatest multiplier it still fits 32 bits.
pub const INCOME_MAX: u32 = 4_000_000;

/// The numbers of `income_principles`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IncomeConfig {
    /// The principle of each alternative, by the alternative's name.
    pub principles: IndexMap<String, Word>,
    /// The income classes: high, medium_high, medium, medium_low, low.
    pub classes: Vec<String>,
    /// The situation that is explained, and that the settlement multiplies.
    pub sample: SituationConfig,
    /// The situations of the practice rounds, in order; left out, there are none.
    #[serde(default)]
    pub situations: IndexMap<String, SituationConfig>,
    /// The questions of a comprehension test.
    #[serde(default)]
    pub comprehension: Vec<QuestionConfig>,
}

/// By which principle an alternative picks an income table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// The highest income of the low class.
    Floor,
    /// The highest mean.
    Average,
    /// The highest mean with a floor.
    AverageFloor,
    /// The highest mean with a range.
    AverageRange,
}

/// Income tables over the same classes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SituationConfig {
    /// How probable each class is.
    pub weights: WeightsConfig,
    /// The income tables, at least two: each a list of five incomes, from the high class to the low.
    #[schemars(length(min = 2), inner(length(min = 5, max = 5), inner(range(min = 0, max = INCOME_MAX))))]
    pub tables: Vec<Vec<u32>>,
}

/// How probable each income class is; the five sum to 1.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WeightsConfig {
    /// The probability of the high class.
    #[schemars(range(min = 0, max = 1))]
    pub high: f64,
    /// The probability of the medium high class.
    #[schemars(range(min = 0, max = 1))]
    pub medium_high: f64,
    /// The probability of the medium class.
    #[schemars(range(min = 0, max = 1))]
    pub medium: f64,
    /// The probability of the medium low class.
    #[schemars(range(min = 0, max = 1))]
    pub medium_low: f64,
    /// The probability of the low class.
    #[schemars(range(min = 0, max = 1))]
    pub low: f64,
}

/// One question of a comprehension test.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionConfig {
    /// The name of the alternative.
    pub alternative: String,
    /// Its amount, where it takes one.
    #[schemars(range(min = 1))]
    pub amount: Option<u32>,
}

/// What turns decisions into pay.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MechanismConfig {
    /// Each alternative is a principle that picks one of some income tables.
    IncomePrinciples(IncomeConfig),
}
