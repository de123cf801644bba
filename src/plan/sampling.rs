//! How a model draws its answers.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::Server;

/// How much a reasoning model thinks before it replies. Which of these a model takes differs from model to model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReasoningEffort {
    /// Not at all.
    #[serde(rename = "none")]
    Off,
    /// Hardly.
    Minimal,
    /// Little.
    Low,
    /// The middle.
    Medium,
    /// Much.
    High,
    /// Very much.
    Xhigh,
    /// As much as the model can.
    Max,
}

/// The sampling settings of a model beside its temperature; what is left out is not sent.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Sampling {
    /// Whether each request holds a seed, drawn from the stream of its question.
    pub seed: bool,
    /// The share of probability that words are drawn from.
    pub top_p: Option<f64>,
    /// How much the model thinks.
    pub reasoning_effort: Option<ReasoningEffort>,
    /// The most tokens that the model thinks with.
    pub thinking_budget: Option<u32>,
    /// Further fields of each request, in the order of their keys.
    pub extra: Map<String, Value>,
}

/// The word in the table of servers that stands for a value.
const VALUE: &str = "VALUE";

impl ReasoningEffort {
    /// The spelling in configs and requests.
    pub fn as_str(self) -> &'static str {
        match self {
            ReasoningEffort::Off => "none",
            ReasoningEffort::Minimal => "minimal",
            ReasoningEffort::Low => "low",
            ReasoningEffort::Medium => "medium",
            ReasoningEffort::High => "high",
            ReasoningEffort::Xhigh => "xhigh",
            ReasoningEffort::Max => "max",
        }
    }
}

impl Sampling {
    /// The fields that these settings add to each request to a kind of server; the seed, which differs by question, is not among
    /// them.
    pub fn body_fields(&self, server: Server) -> Map<String, Value> {
        let facts = server.facts();
        let mut fields = Map::new();
        fields.extend(self.top_p.map(|top_p| ("top_p".to_owned(), top_p.into())));
        let effort = self.reasoning_effort.map(|effort| effort.as_str().into());
        let budget = self.thinking_budget.map(Value::from);
        for (shape, value) in [(&facts.reasoning_effort, effort), (&facts.thinking_budget, budget)] {
            if let (Some(shape), Some(value)) = (shape, value) {
                fields.extend(shape.iter().map(|(key, part)| (key.clone(), fill_in(part, &value))));
            }
        }
        fields.extend(self.extra.clone());
        fields
    }
}

/// The shape of a field with a value in its place.
fn fill_in(shape: &Value, value: &Value) -> Value {
    match shape {
        Value::String(word) if word == VALUE => value.clone(),
        Value::Object(fields) => fields.iter().map(|(key, part)| (key.clone(), fill_in(part, value))).collect(),
        other => other.clone(),
    }
}
