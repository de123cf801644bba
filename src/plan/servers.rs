//! What is known of the servers that a config may name: addresses, what they take and do, and what their models cost. It asks
//! none of them; the table beside it says when and where each fact was looked up.

use std::sync::LazyLock;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::tree::{Entry, Node};

/// The table; YAML.
pub const SERVERS: &str = include_str!("servers.yaml");

static FACTS: LazyLock<IndexMap<Server, Facts>> =
    LazyLock::new(|| serde_yaml::from_str(SERVERS).expect("invariant: the table of servers can be read"));

static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let table: IndexMap<String, IgnoredAny> =
        serde_yaml::from_str(SERVERS).expect("invariant: the table of servers can be read");
    table.into_keys().filter(|name| name != "other").collect()
});

/// A kind of server with OpenAI's interface.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Server {
    /// OpenAI's own.
    Openai,
    /// Anthropic's, for models called Claude.
    Anthropic,
    /// Google's, for models called Gemini.
    Gemini,
    /// OpenRouter, which passes calls on to others.
    Openrouter,
    /// Ollama.
    Ollama,
    /// vLLM.
    Vllm,
    /// The server of llama.cpp.
    LlamaCpp,
    /// Any other.
    #[default]
    Other,
}

/// The key of a request that limits the length of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LengthLimit {
    /// `max_tokens`, which most servers take.
    MaxTokens,
    /// `max_completion_tokens`, which OpenAI's reasoning models ask for.
    MaxCompletionTokens,
}

/// Whether a server holds replies to a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaUse {
    /// It does.
    Enforced,
    /// It takes the schema and does not look at it.
    Ignored,
    /// That depends on model, version or provider.
    Varies,
}

/// What is known of a kind of server.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    /// Which key limits the length of a reply.
    pub length_limit: LengthLimit,
    /// Whether replies are held to schemas.
    pub schema: SchemaUse,
    /// The greatest temperature that counts as it is written.
    pub temperature_max: f64,
    #[serde(rename = "default")]
    _default: IgnoredAny,
    #[serde(rename = "api_key_env")]
    _api_key_env: Option<String>,
    #[serde(rename = "prices")]
    _prices: Option<IgnoredAny>,
}

impl Server {
    /// The name in a config of the kind of server with this name, in any case; `google` is Gemini's.
    pub fn named(name: &str) -> Option<&'static str> {
        let name = name.to_lowercase();
        let name = if name == "google" { "gemini" } else { &name };
        let known = NAMES.iter().find(|known| known.as_str() == name);
        known.map(String::as_str)
    }

    /// What is known of it.
    pub fn facts(self) -> &'static Facts {
        &FACTS[&self]
    }
}

impl LengthLimit {
    /// The key itself.
    pub fn as_str(self) -> &'static str {
        match self {
            LengthLimit::MaxTokens => "max_tokens",
            LengthLimit::MaxCompletionTokens => "max_completion_tokens",
        }
    }
}

/// Lays what the table knows under the settings of a model: of the server that they name, and of the price of a model at its
/// maker's own address. What is written stands.
pub(super) fn fill(settings: &mut Node, table: &Node) {
    let named = settings.get("server").and_then(Node::as_text).and_then(|name| table.get(name));
    if let Some(server) = named {
        let is_at_home = settings.get("base_url").is_none_or(|written| is_address_of(server, written));
        if let Some(defaults) = server.get("default") {
            settings.underlay(defaults);
        }
        let key = server.entries().iter().find(|entry| entry.key == "api_key_env").filter(|_| is_at_home);
        if let Some(key) = key.filter(|_| settings.get("api_key_env").is_none()) {
            settings.put(key.clone());
        }
    }
    if let Some(price) = price_of(settings, table).filter(|_| settings.get("price").is_none()) {
        settings.put(price);
    }
}

/// The price of the model that settings name, where they name its maker's address.
fn price_of(settings: &Node, table: &Node) -> Option<Entry> {
    let (address, model) = (settings.get("base_url")?, settings.get("model")?.as_text()?);
    let server = table.entries().iter().find(|server| is_address_of(&server.node, address))?;
    let known = server.node.get("prices")?.entries().iter().find(|known| is_version_of(model, &known.key))?;
    Some(Entry { key: "price".to_string(), ..known.clone() })
}

/// Whether a name is that of a known model, or of one of its dated versions: a name with more words is another model.
fn is_version_of(model: &str, known: &str) -> bool {
    let date = |rest: &str| rest.len() >= 8 && rest.chars().all(|c| c.is_ascii_digit() || c == '-');
    let rest = model.strip_prefix(known);
    rest.is_some_and(|rest| rest.is_empty() || rest == "-latest" || rest.strip_prefix('-').is_some_and(date))
}

fn is_address_of(server: &Node, written: &Node) -> bool {
    let own = server.find("default.base_url").and_then(Node::as_text);
    own.is_some_and(|own| written.as_text().is_some_and(|written| written.trim_end_matches('/') == own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dated_version_costs_as_its_model_and_no_other_that_only_begins_alike() {
        for (model, is_it) in [
            ("gpt-4o", true),
            ("gpt-4o-2024-08-06", true),
            ("gpt-4o-latest", true),
            ("gpt-4o-mini", false),
            ("gpt-4o-20240806", true),
            ("gpt-4o-1", false),
            ("gpt-4o2", false),
            ("gpt-4", false),
        ] {
            assert_eq!(is_version_of(model, "gpt-4o"), is_it, "{model}");
        }
    }

    #[test]
    fn every_server_has_its_facts() {
        for server in [
            Server::Openai,
            Server::Anthropic,
            Server::Gemini,
            Server::Openrouter,
            Server::Ollama,
            Server::Vllm,
            Server::LlamaCpp,
            Server::Other,
        ] {
            assert!(server.facts().temperature_max >= 1.0);
        }
        assert_eq!(FACTS.len(), 8);
        assert_eq!(
            Server::default().facts().length_limit,
            LengthLimit::MaxTokens,
            "as it was before there were presets"
        );
    }
}
