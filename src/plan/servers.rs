//! Known facts about servers: addresses, accepted settings and prices; `servers.yaml` has their sources and dates.

use std::sync::LazyLock;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::domain::spelled;

/// The table; YAML.
pub const SERVERS: &str = include_str!("servers.yaml");
static FACTS: LazyLock<IndexMap<Server, ServerFacts>> =
    LazyLock::new(|| serde_yaml::from_str(SERVERS).expect("invariant: the table of servers can be read"));

/// A kind of server with OpenAI's interface.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize, JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
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
    /// `max_tokens`, which most servers accept.
    MaxTokens,
    /// `max_completion_tokens`, which OpenAI's reasoning models require.
    MaxCompletionTokens,
}

/// Whether a server enforces the schema of replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaUse {
    /// It enforces the schema.
    Enforced,
    /// It accepts the schema and ignores it.
    Ignored,
    /// It depends on model, version or provider.
    Varies,
}

/// Known facts about a kind of server.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerFacts {
    /// The key that limits the length of a reply.
    pub length_limit: LengthLimit,
    /// Whether the server enforces schemas of replies.
    pub schema: SchemaUse,
    /// The greatest temperature that the server uses unchanged.
    pub temperature_max: f64,
    /// Whether the server accepts a seed.
    pub seed: bool,
    /// The fields of a request for the reasoning effort; `None` if the server has none.
    pub reasoning_effort: Option<Map<String, Value>>,
    /// The fields that limit reasoning tokens; `None` if the server has none.
    pub thinking_budget: Option<Map<String, Value>>,
    /// The least limit on reasoning tokens.
    #[serde(default)]
    pub thinking_budget_min: u32,
    /// Settings that the server rejects for some models.
    #[serde(default)]
    refuses: Vec<SettingRefusal>,
    default: Defaults,
    #[serde(rename = "api_key_env")]
    _api_key_env: Option<String>,
    #[serde(rename = "prices")]
    _prices: Option<IgnoredAny>,
}

/// Settings that a server rejects for some models.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingRefusal {
    /// Names of models; `*` at the end matches any ending.
    models: Vec<String>,
    /// Names among them that are excepted.
    #[serde(default)]
    except: Vec<String>,
    /// The rejected settings.
    pub settings: Vec<String>,
    /// The setting that causes the rejection; `None` for always. The reasoning effort `none` does not count.
    pub beside: Option<String>,
}

/// The table's defaults for a model; only the address is read here.
#[derive(Debug, Clone, Deserialize)]
struct Defaults {
    base_url: Option<String>,
}

impl Server {
    /// The name in a config for a kind of server, ignoring case; `google` means `gemini`.
    pub fn find_config_name(name: &str) -> Option<&'static str> {
        let name = name.to_lowercase();
        let name = if name == "google" { "gemini" } else { &name };
        FACTS.keys().filter(|known| **known != Server::Other).map(|known| known.as_str()).find(|known| *known == name)
    }

    /// The known facts about this kind of server.
    pub fn facts(self) -> &'static ServerFacts {
        &FACTS[&self]
    }

    /// Whether the server at an address accepts a temperature for a model, unless another setting prevents it.
    pub fn takes_temperature(base_url: &str, model: &str) -> bool {
        let mut refusals = Server::Other.refusals(base_url, model).filter(|refusal| refusal.beside.is_none());
        !refusals.any(|refusal| refusal.settings.iter().any(|setting| setting == "temperature"))
    }

    /// The rejections for a model. A server of the kind `other` is identified by its address.
    pub fn refusals(self, base_url: &str, model: &str) -> impl Iterator<Item = &'static SettingRefusal> {
        let is_at = |facts: &&ServerFacts| facts.default.base_url.as_deref() == Some(base_url.trim_end_matches('/'));
        let known = FACTS.values().find(is_at).filter(|_| self == Server::Other);
        let is_in = |names: &[String]| names.iter().any(|name| is_named(model, name));
        known.unwrap_or(self.facts()).refuses.iter().filter(move |of| is_in(&of.models) && !is_in(&of.except))
    }
}

/// Whether a model's name matches a name of the table, which may end in `*`.
fn is_named(model: &str, name: &str) -> bool {
    name.strip_suffix('*').map_or(model == name, |beginning| model.starts_with(beginning))
}

/// Whether a name is a known model or one of its dated versions. A name with additional words is another model.
pub fn is_version_of(model: &str, known: &str) -> bool {
    let date = |rest: &str| rest.len() >= 8 && rest.chars().all(|c| c.is_ascii_digit() || c == '-');
    let rest = model.strip_prefix(known);
    rest.is_some_and(|rest| rest.is_empty() || rest == "-latest" || rest.strip_prefix('-').is_some_and(date))
}

spelled!(LengthLimit, Server);

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
