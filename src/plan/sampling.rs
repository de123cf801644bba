//! The sampling settings of a model.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::Server;
use crate::domain::spelled;

/// How much a reasoning model thinks before it replies. Which of these a model takes differs from model to model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, Deserialize, JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ReasoningEffort {
    /// Not at all.
    #[serde(rename = "none")]
    #[strum(serialize = "none")]
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

/// The sampling settings of a model besides its temperature; unset ones are not sent.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Sampling {
    /// Whether each request contains a seed, drawn from the stream of its question.
    pub seed: bool,
    /// The probability mass from which tokens are drawn.
    pub top_p: Option<f64>,
    /// The amount of reasoning.
    pub reasoning_effort: Option<ReasoningEffort>,
    /// The maximum number of reasoning tokens.
    pub thinking_budget: Option<u32>,
    /// Additional fields of each request, sorted by key.
    pub extra: Map<String, Value>,
}

/// The placeholder for a value in the table of servers.
const VALUE: &str = "VALUE";

spelled!(ReasoningEffort);

impl Sampling {
    /// The fields that these settings add to each request to a kind of server, without the seed, which differs by question.
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

/// Replaces the placeholder in the shape of a field.
fn fill_in(shape: &Value, value: &Value) -> Value {
    match shape {
        Value::String(word) if word == VALUE => value.clone(),
        Value::Object(fields) => fields.iter().map(|(key, part)| (key.clone(), fill_in(part, value))).collect(),
        other => other.clone(),
    }
}
