//! The sampling settings of a model besides the temperature, and which of them a server accepts.

use serde_json::{Map, Value};

use crate::config::problem::Problems;
use crate::config::tree::Node;
use crate::config::written::openai::OpenAiConfig;
use crate::plan::{Sampling, Server};

/// Request fields that the program sets itself, each with advice on changing it.
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

impl Sampling {
    /// Converts the settings as written.
    pub fn from_config(openai: &OpenAiConfig) -> Self {
        let mut extra = Value::Object(openai.extra.clone().unwrap_or_default().into_iter().collect());
        // The bytes of a request must not depend on the order in which its fields were written.
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
}

/// Checks that the server accepts the settings of a model, so that no run fails at each call.
pub fn check_sampling(openai: &OpenAiConfig, path: &str, tree: &Node, problems: &mut Problems) {
    let server = openai.server.unwrap_or_default();
    let facts = server.facts();
    let mut refuse = |key: &str, message: &str, hint: &str| {
        problems.push(tree.problem(&format!("{path}.{key}"), message).with_advice(hint));
    };
    if openai.seed == Some(true) && !facts.seed {
        refuse("seed", "this kind of server takes no seed", "delete seed");
    }
    if openai.top_p == Some(0.0) {
        let hint = "write a share above 0, such as 0.9; for the most probable words write temperature: 0";
        refuse("top_p", "a top_p of 0 leaves no words to draw from", hint);
    }
    if openai.reasoning_effort.is_some() && facts.reasoning_effort.is_none() {
        let hint = match facts.thinking_budget {
            Some(_) => "write thinking_budget, the most tokens that the model thinks with",
            None => "write the field that the server documents into extra",
        };
        refuse("reasoning_effort", "this kind of server takes no reasoning_effort", hint);
    }
    if let Some(budget) = openai.thinking_budget {
        let least = facts.thinking_budget_min;
        if facts.thinking_budget.is_none() {
            let hint = match facts.reasoning_effort {
                Some(_) => "write reasoning_effort, or the field that the server documents into extra",
                None => "write the field that the server documents into extra",
            };
            refuse("thinking_budget", "this kind of server takes no thinking_budget", hint);
        } else if budget < least {
            let message = format!("this kind of server takes no thinking_budget below {least}");
            refuse("thinking_budget", &message, &format!("write {least} or more, or delete thinking_budget"));
        } else if budget >= openai.max_tokens {
            let message = format!(
                "a thinking_budget of {budget} leaves no tokens for a reply: max_tokens is {} and counts both",
                openai.max_tokens
            );
            let hint = format!("write max_tokens: {} or another number above {budget}", budget.saturating_add(400));
            refuse("thinking_budget", &message, &hint);
        }
        if openai.reasoning_effort.is_some() {
            let message = "reasoning_effort and thinking_budget exclude each other";
            refuse("thinking_budget", message, "delete one of the two");
        }
    }
    for (key, beside) in Server::refused_settings(openai) {
        let beside = beside.map_or(String::new(), |beside| format!(" beside {beside}"));
        let message = format!("the server refuses {key} for the model {}{beside}", openai.model);
        refuse(key, &message, &format!("delete {key}"));
    }
    let used = Sampling { extra: Map::new(), ..Sampling::from_config(openai) }.body_fields(server);
    for (key, value) in openai.extra.iter().flatten() {
        let at = format!("extra.{key}");
        if let Some((_, hint)) = OWN_FIELDS.iter().find(|(own, _)| own == key) {
            refuse(&at, &format!("the program writes {key} itself"), hint);
        } else if used.contains_key(key) {
            let message = format!("the program writes {key} itself, for reasoning_effort or thinking_budget");
            refuse(&at, &message, &format!("write all of {key} here, and delete the other setting"));
        } else if let Some(place) = secret_in(key, value) {
            let hint = "keys stay in the environment: write the variable's name as api_key_env";
            refuse(&at, &format!("{place} looks like a key or password, and configs are kept in results"), hint);
        }
    }
}

/// Describes the location of a probable secret in a field.
fn secret_in(key: &str, value: &Value) -> Option<String> {
    /// Parts of the names of fields that contain secrets.
    const NAMES: [&str; 8] =
        ["api_key", "apikey", "authorization", "password", "secret", "credential", "access_token", "bearer"];
    /// Prefixes of the keys of known services.
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
