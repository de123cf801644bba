//! What is known of the servers that a config may name: addresses, what they take and do, and what their models cost. It asks
//! none of them; the table beside it says when and where each fact was looked up.

use std::sync::LazyLock;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::ReasoningEffort;
use super::openai::OpenAiConfig;
use super::tree::{Entry, Node};
use crate::domain::spelled;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
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
    /// Whether it takes a seed.
    pub seed: bool,
    /// The fields of a request that say how much a model thinks; `None` where it takes none.
    pub reasoning_effort: Option<Map<String, Value>>,
    /// The fields that limit the tokens that a model thinks with, likewise.
    pub thinking_budget: Option<Map<String, Value>>,
    /// The least such limit.
    #[serde(default)]
    pub thinking_budget_min: u32,
    /// Settings that it refuses for some models.
    #[serde(default)]
    refuses: Vec<Refusal>,
    default: Defaults,
    #[serde(rename = "api_key_env")]
    _api_key_env: Option<String>,
    #[serde(rename = "prices")]
    _prices: Option<IgnoredAny>,
}

/// Settings that a server refuses for some models.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Refusal {
    /// Names of models; `*` at the end stands for any ending.
    models: Vec<String>,
    /// Names among them that it does not refuse.
    #[serde(default)]
    except: Vec<String>,
    settings: Vec<String>,
    /// The setting beside which it refuses them; left out, always. The reasoning effort `none` does not count.
    beside: Option<String>,
}

/// What the table lays under the settings of a model; only the address is read here.
#[derive(Debug, Clone, Deserialize)]
struct Defaults {
    base_url: Option<String>,
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

    /// The written settings that the server of a model refuses for it, each with the setting beside which it does.
    pub(super) fn refused_settings(openai: &OpenAiConfig) -> Vec<(&'static str, Option<&'static str>)> {
        let is_written = |setting: &str| match setting {
            "temperature" => openai.temperature.is_some(),
            "top_p" => openai.top_p.is_some(),
            "reasoning_effort" => openai.reasoning_effort.is_some_and(|effort| effort != ReasoningEffort::Off),
            "thinking_budget" => openai.thinking_budget.is_some(),
            other => unreachable!("invariant: the table of servers refuses settings that it knows, not {other}"),
        };
        let named = openai.server.unwrap_or_default();
        let refusals = named.refusals(openai.base_url.as_deref().unwrap_or_default(), &openai.model);
        let refusals = refusals.filter(|refusal| refusal.beside.as_deref().is_none_or(is_written));
        let all = refusals
            .flat_map(|refusal| refusal.settings.iter().map(|setting| (setting.as_str(), refusal.beside.as_deref())));
        all.filter(|(setting, _)| is_written(setting)).collect()
    }

    /// Whether no setting beside it makes the server at an address refuse a temperature for a model.
    pub fn takes_temperature(base_url: &str, model: &str) -> bool {
        let mut refusals = Server::Other.refusals(base_url, model).filter(|refusal| refusal.beside.is_none());
        !refusals.any(|refusal| refusal.settings.iter().any(|setting| setting == "temperature"))
    }

    /// What it refuses for a model. A server that has no name in the config is known by its address.
    fn refusals(self, base_url: &str, model: &str) -> impl Iterator<Item = &'static Refusal> {
        let is_at = |facts: &&Facts| facts.default.base_url.as_deref() == Some(base_url.trim_end_matches('/'));
        let known = FACTS.values().find(is_at).filter(|_| self == Server::Other);
        let is_in = |names: &[String]| names.iter().any(|name| is_named(model, name));
        known.unwrap_or(self.facts()).refuses.iter().filter(move |of| is_in(&of.models) && !is_in(&of.except))
    }
}

/// Whether a model's name is one of the table, which may end in `*`.
fn is_named(model: &str, name: &str) -> bool {
    name.strip_suffix('*').map_or(model == name, |beginning| model.starts_with(beginning))
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

spelled!(LengthLimit);

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
