//! Reads a model's context window from its server. OpenAI does not report it; others add a field to the list of models, each
//! under its own name; llama.cpp reports it in its properties.

use std::sync::atomic::AtomicBool;

use serde::de::IgnoredAny;
use serde_json::Value;
use tokio::time::Instant;

use super::retries::CallFailures;
use super::{Client, Patience, SHORT_WAIT, lot_of};
use crate::domain::Outage;

/// Fields of an entry in the list of models: vLLM, OpenRouter and Together, Groq, Mistral.
const FIELDS: [&str; 4] = ["max_model_len", "context_length", "context_window", "max_context_length"];

impl Client {
    /// The model's context window in tokens, asked once; `None` if the server does not report it.
    ///
    /// # Errors
    /// [`Outage::Unreachable`] if the service failed for as long as `patience` allows; [`Outage::Interrupted`].
    pub async fn context_window(&self, stop: &AtomicBool, patience: Patience) -> Result<Option<u32>, Outage> {
        let ask = async || {
            let list = format!("{}/models", self.base_url.trim_end_matches('/'));
            let body = self.fetch_url(&list, patience, stop).await?;
            if let Some(told) = body.and_then(|body| parse_listed_window(&body, &self.model)) {
                return Ok(Some(told));
            }
            let Some(properties) = properties_url(&self.base_url) else { return Ok(None) };
            Ok(self.fetch_url(&properties, patience, stop).await?.and_then(|body| parse_properties_window(&body)))
        };
        let asking = self.window.get_or_try_init(ask);
        match patience {
            Patience::OfACall => asking.await.copied(),
            Patience::Short => match tokio::time::timeout(SHORT_WAIT, asking).await {
                Ok(told) => told.copied(),
                Err(_) => Err(self.unreachable_outage(format!("no answer in {} s", SHORT_WAIT.as_secs()))),
            },
        }
    }

    /// The JSON at a URL of the server; `None` if there is none.
    pub(super) async fn fetch_url(
        &self,
        url: &str,
        patience: Patience,
        stop: &AtomicBool,
    ) -> Result<Option<String>, Outage> {
        let transport = self.transport.as_ref().map_err(|reason| self.unreachable_outage(reason.clone()))?;
        let _lane = self.lanes.enter().await;
        let (begun, mut failures, mut pages) = (Instant::now(), CallFailures::default(), 0);
        loop {
            self.wait_until_allowed(0, stop).await?;
            let lot = lot_of(url.as_bytes(), failures.count + pages);
            let failure = match transport.fetch_url(url).await {
                Ok(body) if body.as_deref().is_none_or(is_json) => return Ok(body),
                // Cut JSON or an HTML page: an intermediary damaged the response, or this URL has no JSON.
                Ok(_) => {
                    pages += 1;
                    if pages == self.retries.tries_unproven {
                        return Ok(None);
                    }
                    if patience == Patience::OfACall {
                        self.wait_unless_stopped(self.retries.wait_after(1, lot, None), stop).await;
                    }
                    continue;
                }
                Err(failure) => failure,
            };
            failures.add(&failure);
            let wait = match patience {
                Patience::OfACall => self.wait_after_failure(&failure, &failures, lot, begun.elapsed()),
                Patience::Short => None,
            };
            match (wait, patience) {
                (Some(wait), _) => self.wait_unless_stopped(wait, stop).await,
                (None, Patience::OfACall) => return Err(self.give_up(&failure, failures.count, begun)),
                (None, Patience::Short) => {
                    let words = format!("{}{}", failure.in_words(1), self.access_advice(&failure));
                    return Err(self.unreachable_outage(words));
                }
            }
        }
    }
}

/// The tokens for a model in a list of models: the entry with this id or alias, or the only entry.
fn parse_listed_window(body: &str, model: &str) -> Option<u32> {
    let body: Value = serde_json::from_str(body).ok()?;
    let entries = body.get("data").unwrap_or(&body).as_array()?;
    let is_named = |entry: &&Value| {
        let alias = |aliases: &Value| aliases.as_array().is_some_and(|all| all.iter().any(|name| name == model));
        entry.get("id").is_some_and(|id| id == model) || entry.get("aliases").is_some_and(alias)
    };
    let only = if entries.len() == 1 { entries.first() } else { None };
    let entry = entries.iter().find(is_named).or(only)?;
    let told = FIELDS.iter().find_map(|field| entry.get(field)).or_else(|| entry.get("meta")?.get("n_ctx"));
    parse_tokens(told?)
}

/// The tokens per parallel request in llama.cpp's properties.
fn parse_properties_window(body: &str) -> Option<u32> {
    let body: Value = serde_json::from_str(body).ok()?;
    parse_tokens(body.get("default_generation_settings")?.get("n_ctx")?)
}

fn is_json(body: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(body).is_ok()
}

/// The URL of llama.cpp's properties, outside the protocol's root.
fn properties_url(base: &str) -> Option<String> {
    let root = base.trim_end_matches('/').strip_suffix("/v1")?;
    Some(format!("{root}/props"))
}

fn parse_tokens(told: &Value) -> Option<u32> {
    told.as_u64().and_then(|tokens| u32::try_from(tokens).ok()).filter(|tokens| *tokens > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_servers_list_of_models_is_read_and_what_tells_nothing_tells_nothing() {
        for (body, tokens) in [
            (r#"{"data":[{"id":"m","max_model_len":4096}]}"#, Some(4096)),
            (r#"{"data":[{"id":"other","context_length":1},{"id":"m","context_length":8192}]}"#, Some(8192)),
            (r#"[{"id":"m","context_length":32768},{"id":"n","context_length":1}]"#, Some(32768)),
            (r#"{"data":[{"id":"m","context_window":131072}]}"#, Some(131_072)),
            (r#"{"data":[{"id":"m","max_context_length":32000}]}"#, Some(32_000)),
            (
                r#"{"data":[{"id":"file.gguf","aliases":["m"],"meta":{"n_ctx":512,"n_ctx_train":8192}},{"id":"x"}]}"#,
                Some(512),
            ),
            (r#"{"data":[{"id":"the only one","meta":{"n_ctx":2048}}]}"#, Some(2048)),
            (r#"{"data":[{"id":"m"}]}"#, None),
            (r#"{"data":[{"id":"m","context_length":0}]}"#, None),
            (r#"{"data":[{"id":"m","context_length":-1}]}"#, None),
            (r#"{"data":[{"id":"m","context_length":"8192"}]}"#, None),
            (r#"{"data":[{"id":"a","context_length":1},{"id":"b","context_length":2}]}"#, None),
            (r#"{"data":[]}"#, None),
            ("<html>", None),
        ] {
            assert_eq!(parse_listed_window(body, "m"), tokens, "{body}");
        }
    }

    #[test]
    fn llama_cpp_tells_the_window_of_one_answer_beside_the_root_of_the_protocol() {
        let body = r#"{"default_generation_settings":{"n_ctx":512,"params":{}},"total_slots":4}"#;
        assert_eq!(parse_properties_window(body), Some(512));
        assert_eq!(parse_properties_window("{}"), None);
        assert_eq!(properties_url("http://127.0.0.1:8080/v1/").as_deref(), Some("http://127.0.0.1:8080/props"));
        assert_eq!(properties_url("https://api.openai.com/v2"), None);
    }
}
