//! Parses a completion: text, finish reason, usage and model.
//!
//! Servers differ, so only one choice is required. A field of an unexpected type is ignored, and an unknown finish reason is
//! kept.

use serde_json::Value;

use super::failure::RequestFailure;
use super::thinking;
use crate::domain::{Fault, Usage};
use crate::store::calls::Call;

/// Finish reasons of filtered replies: Gemini uses its own (2026-11).
const FILTERED: [&str; 5] = ["safety", "recitation", "blocklist", "prohibited_content", "spii"];

/// Finish reasons of cut replies: the protocol's; Gemini's and Anthropic's; Mistral's.
const CUT: [&str; 3] = ["length", "max_tokens", "model_length"];

/// Parses the first choice. A refused or filtered reply is the seat's refusal; a cut reply is a fault whatever its text. An empty
/// reply is valid: it was generated and costs money.
///
/// # Errors
/// If the body is not a completion, or holds an error despite its status.
pub(super) fn call_of(mut body: Value) -> Result<Call, RequestFailure> {
    if let Some(error) = error_in(&body) {
        return Err(RequestFailure::within_success(error));
    }
    let choice = body.get_mut("choices").and_then(|choices| choices.get_mut(0)).map(Value::take);
    let Some(mut choice) = choice else {
        let is_list = body.get("choices").is_some_and(Value::is_array);
        return Err(RequestFailure::no_completion(if is_list { "it holds no choice" } else { "it has no choices" }));
    };
    if let Some(error) = error_in(&choice) {
        return Err(RequestFailure::within_success(error));
    }
    let finish_reason = choice.get("finish_reason").filter(|reason| !reason.is_null()).map(text_or_json);
    let reason = finish_reason.as_deref().unwrap_or_default().to_lowercase();
    if reason == "error" {
        return Err(RequestFailure::no_completion("the model stopped with an error"));
    }
    let mut message = choice.get_mut("message").map(Value::take).unwrap_or_default();
    let refusal = take_text(&mut message, "refusal").filter(|words| !words.trim().is_empty());
    let fault = match reason.as_str() {
        _ if refusal.is_some() => Some(Fault::Refused),
        reason if reason.starts_with("content_filter") || FILTERED.contains(&reason) => Some(Fault::Refused),
        reason if CUT.contains(&reason) => Some(Fault::CutByLength),
        _ => None,
    };
    let content = message.get_mut("content").map(Value::take).unwrap_or_default();
    let (in_line, content) = thinking::split_thinking(words_of(content));
    // The names of llama.cpp and DeepSeek, and of vLLM and OpenRouter; some servers send both.
    let told = ["reasoning_content", "reasoning"].into_iter().filter_map(|key| take_text(&mut message, key));
    let told = told.filter(|words| !words.trim().is_empty()).collect::<Vec<_>>();
    Ok(Call {
        raw: refusal.unwrap_or(content),
        thinking: told.into_iter().next().or(in_line),
        fault,
        finish_reason,
        usage: usage_of(&body),
        model: take_text(&mut body, "model"),
        fingerprint: take_text(&mut body, "system_fingerprint"),
        attempts: Vec::new(),
    })
}

/// The error in a part of a body; `null`, `false` and empty values do not count.
fn error_in(part: &Value) -> Option<&Value> {
    part.get("error").filter(|error| match error {
        Value::Null | Value::Bool(false) => false,
        Value::String(words) => !words.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    })
}

fn text_or_json(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn take_text(object: &mut Value, key: &str) -> Option<String> {
    match object.get_mut(key)?.take() {
        Value::String(words) => Some(words),
        _ => None,
    }
}

/// The text of a content: a string, or the texts of its parts.
fn words_of(content: Value) -> String {
    match content {
        Value::String(words) => words,
        Value::Array(parts) => parts.into_iter().filter_map(|mut part| take_text(&mut part, "text")).collect(),
        _ => String::new(),
    }
}

/// The usage; `None` if the server reports neither prompt nor completion tokens.
fn usage_of(body: &Value) -> Option<Usage> {
    let usage = body.get("usage")?;
    let tokens = |key: &str| usage.get(key).and_then(Value::as_u64);
    let (prompt, completion) = (tokens("prompt_tokens"), tokens("completion_tokens"));
    prompt.or(completion)?;
    let thinking = usage.get("completion_tokens_details").and_then(|details| details.get("reasoning_tokens"));
    Some(Usage {
        prompt_tokens: prompt.unwrap_or(0),
        completion_tokens: completion.unwrap_or(0),
        thinking_tokens: thinking.and_then(Value::as_u64),
        cached_prompt_tokens: cached_tokens(usage).map(|cached| cached.min(prompt.unwrap_or(0))),
    })
}

/// Prompt tokens from the server's cache, in the field of OpenAI, DeepSeek, Moonshot or Anthropic.
fn cached_tokens(usage: &Value) -> Option<u64> {
    let details = usage.get("prompt_tokens_details").and_then(|details| details.get("cached_tokens"));
    let others = ["prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens"];
    let mut places = details.into_iter().chain(others.into_iter().filter_map(|key| usage.get(key)));
    places.find_map(Value::as_u64)
}
