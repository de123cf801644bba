//! How a model draws its words: the settings that a request holds beside the temperature, and which of them a server takes.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::openai::OpenAiConfig;
use super::tree::Node;
use super::{Problems, Server};

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

/// Fields of a request that the program writes itself, each with the way to change it.
const OWN_FIELDS: [(&str, &str); 18] = [
    ("model", "write it as the model's model"),
    ("messages", "change the scenario's prompts"),
    ("max_tokens", "write it as the model's max_tokens"),
    ("max_completion_tokens", "write it as the model's max_tokens"),
    ("temperature", "write it as the model's temperature"),
    ("top_p", "write it as the model's top_p"),
    ("seed", "write seed: true, which draws a seed for each question"),
    ("reasoning_effort", "write it as the model's reasoning_effort"),
    ("response_format", "write it as the model's answers"),
    ("stream", "delete it: replies are read when they are complete"),
    ("stream_options", "delete it: replies are read when they are complete"),
    ("n", "delete it: each question gets one reply"),
    ("best_of", "delete it: each question gets one reply"),
    ("tools", "delete it: seats call no tools"),
    ("tool_choice", "delete it: seats call no tools"),
    ("functions", "delete it: seats call no tools"),
    ("function_call", "delete it: seats call no tools"),
    ("logprobs", "delete it: only the words of a reply are kept"),
];

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
    /// The settings as an author wrote them.
    pub(super) fn of(openai: &OpenAiConfig) -> Self {
        let mut extra = Value::Object(openai.extra.clone().unwrap_or_default().into_iter().collect());
        // A request has the same bytes in whatever order its fields were written.
        extra.sort_all_objects();
        let Value::Object(extra) = extra else { unreachable!("invariant: sorting a mapping leaves a mapping") };
        Self {
            seed: openai.seed.unwrap_or_default(),
            top_p: openai.top_p,
            reasoning_effort: openai.reasoning_effort,
            thinking_budget: openai.thinking_budget,
            extra,
        }
    }

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

/// Checks that the server takes the settings of a model, so that no run begins that each call would end.
pub(super) fn check(openai: &OpenAiConfig, path: &str, tree: &Node, problems: &mut Problems) {
    let server = openai.server.unwrap_or_default();
    let facts = server.facts();
    let mut refuse = |key: &str, message: String, hint: String| {
        problems.push(tree.problem(&format!("{path}.{key}"), message).with_hint(Some(hint)));
    };
    if openai.seed == Some(true) && !facts.seed {
        refuse("seed", "this kind of server takes no seed".to_owned(), "delete seed".to_owned());
    }
    if openai.top_p == Some(0.0) {
        let hint = "write a share above 0, such as 0.9; for the most probable words write temperature: 0";
        refuse("top_p", "a top_p of 0 leaves no words to draw from".to_owned(), hint.to_owned());
    }
    if openai.reasoning_effort.is_some() && facts.reasoning_effort.is_none() {
        let hint = match facts.thinking_budget {
            Some(_) => "write thinking_budget, the most tokens that the model thinks with",
            None => "write the field that the server documents into extra",
        };
        refuse("reasoning_effort", "this kind of server takes no reasoning_effort".to_owned(), hint.to_owned());
    }
    if let Some(budget) = openai.thinking_budget {
        if facts.thinking_budget.is_none() {
            let hint = match facts.reasoning_effort {
                Some(_) => "write reasoning_effort, or the field that the server documents into extra",
                None => "write the field that the server documents into extra",
            };
            refuse("thinking_budget", "this kind of server takes no thinking_budget".to_owned(), hint.to_owned());
        } else if budget < facts.thinking_budget_min {
            let least = facts.thinking_budget_min;
            let message = format!("this kind of server takes no thinking_budget below {least}");
            refuse("thinking_budget", message, format!("write {least} or more, or delete thinking_budget"));
        } else if budget >= openai.max_tokens {
            let message = format!(
                "a thinking_budget of {budget} leaves no tokens for a reply: max_tokens is {} and counts both",
                openai.max_tokens
            );
            let hint = format!("write max_tokens: {} or another number above {budget}", budget.saturating_add(400));
            refuse("thinking_budget", message, hint);
        }
        if openai.reasoning_effort.is_some() {
            let hint = "delete one of the two".to_owned();
            refuse("thinking_budget", "reasoning_effort and thinking_budget exclude each other".to_owned(), hint);
        }
    }
    for (key, beside) in Server::refused_settings(openai) {
        let beside = beside.map_or(String::new(), |beside| format!(" beside {beside}"));
        let message = format!("the server refuses {key} for the model {}{beside}", openai.model);
        refuse(key, message, format!("delete {key}"));
    }
    let used = Sampling { extra: Map::new(), ..Sampling::of(openai) }.body_fields(server);
    for (key, value) in openai.extra.iter().flatten() {
        let at = format!("extra.{key}");
        if let Some((_, hint)) = OWN_FIELDS.iter().find(|(own, _)| own == key) {
            refuse(&at, format!("the program writes {key} itself"), (*hint).to_owned());
        } else if used.contains_key(key) {
            let message = format!("the program writes {key} itself, for reasoning_effort or thinking_budget");
            refuse(&at, message, format!("write all of {key} here, and delete the other setting"));
        } else if let Some(place) = secret_in(key, value) {
            let hint = "keys stay in the environment: write the variable's name as api_key_env".to_owned();
            refuse(&at, format!("{place} looks like a key or password, and configs are kept in results"), hint);
        }
    }
}

/// The place, in words, of what looks like a key or password in a field.
fn secret_in(key: &str, value: &Value) -> Option<String> {
    /// Parts of the names of fields that hold secrets.
    const NAMES: [&str; 8] =
        ["api_key", "apikey", "authorization", "password", "secret", "credential", "access_token", "bearer"];
    /// How keys of known services begin.
    const BEGINNINGS: [&str; 9] = ["sk-", "sk_", "gsk_", "hf_", "xai-", "pk-", "AIza", "Bearer ", "ghp_"];
    let plain = key.to_lowercase().replace('-', "_");
    if NAMES.iter().any(|name| plain.contains(name)) {
        return Some(format!("the field {key}"));
    }
    match value {
        Value::String(text) => {
            let has_beginning = BEGINNINGS.iter().any(|beginning| text.starts_with(beginning));
            let is_long_word = text.len() >= 32 && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
            let is_mixed =
                text.contains(|c: char| c.is_ascii_digit()) && text.contains(|c: char| c.is_ascii_alphabetic());
            (has_beginning || is_long_word && is_mixed).then(|| format!("the value of {key}"))
        }
        Value::Array(items) => items.iter().find_map(|item| secret_in(key, item)),
        Value::Object(fields) => fields.iter().find_map(|(key, value)| secret_in(key, value)),
        _ => None,
    }
}
