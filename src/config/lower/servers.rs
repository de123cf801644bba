//! The defaults of each kind of server, and the settings that it rejects.

use crate::config::tree::{MapEntry, Node};
use crate::config::written::openai::OpenAiConfig;
use crate::plan::{ReasoningEffort, Server, is_version_of};

impl Server {
    /// The written settings that the server rejects for a model, each with the other setting that causes it, if any.
    pub fn refused_settings(openai: &OpenAiConfig) -> Vec<(&'static str, Option<&'static str>)> {
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
}

/// Fills in the defaults of the named server, and the known price of a model at its maker's own address.
pub fn fill_server_defaults(settings: &mut Node, table: &Node) {
    let named = settings.text_at("server").and_then(|name| table.get(name));
    if let Some(server) = named {
        let is_at_home = settings.get("base_url").is_none_or(|written| is_address_of(server, written));
        if let Some(defaults) = server.get("default") {
            settings.underlay(defaults);
        }
        let key = server.entries().iter().find(|entry| entry.key == "api_key_env").filter(|_| is_at_home);
        if let Some(key) = key.filter(|_| settings.get("api_key_env").is_none()) {
            settings.insert_entry(key.clone());
        }
    }
    if let Some(price) = price_of(settings, table).filter(|_| settings.get("price").is_none()) {
        settings.insert_entry(price);
    }
}

/// The price of a model at its maker's address.
fn price_of(settings: &Node, table: &Node) -> Option<MapEntry> {
    let (address, model) = (settings.get("base_url")?, settings.get("model")?.as_text()?);
    let server = table.entries().iter().find(|server| is_address_of(&server.node, address))?;
    let known = server.node.get("prices")?.entries().iter().find(|known| is_version_of(model, &known.key))?;
    Some(MapEntry { key: "price".to_string(), ..known.clone() })
}

fn is_address_of(server: &Node, written: &Node) -> bool {
    let own = server.text_at("default.base_url");
    own.is_some_and(|own| written.as_text().is_some_and(|written| written.trim_end_matches('/') == own))
}
