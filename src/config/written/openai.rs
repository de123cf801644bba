//! What an author may write of a language model behind a server, key by key. Constant ranges are declared here.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::config::written::limits::{CONCURRENCY_MAX, CONTEXT_WINDOW_MIN, RETRY_FOR_MAX};
use crate::config::written::shapes;
use crate::plan::{Answers, Price, ReasoningEffort, Server};
use crate::text::Tokenizer;

/// The keys whose values may be secrets, since authors write keys and passwords there: what stands under them is never shown.
pub const SECRET_KEYS: [&str; 3] = ["api_key_env", "api_key", "base_url"];
/// The greatest temperature that is taken.
const TEMPERATURE_MAX: f64 = 2.0;

/// A language model behind an OpenAI-compatible server.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = shapes::address_or_server)]
pub struct OpenAiConfig {
    /// What kind of server it is: what is known of these takes the place of keys that are left out.
    #[schemars(extend("default" = "other"))]
    pub server: Option<Server>,
    /// The server's base URL, as in `http://127.0.0.1:8091/v1`; without user, password, query or fragment. Left out, the
    /// address of the kind of server.
    pub base_url: Option<String>,
    /// The model's name at the server.
    pub model: String,
    /// The sampling temperature; left out, the server's own.
    #[schemars(range(min = 0, max = TEMPERATURE_MAX))]
    pub temperature: Option<f64>,
    /// The share of probability, above 0, that words are drawn from; left out, the server's own.
    #[schemars(range(min = 0, max = 1))]
    pub top_p: Option<f64>,
    /// Whether each request holds a seed, which is drawn from the question's own stream: arms that pair their draws send equal
    /// seeds with equal questions. Left out, none is sent.
    #[schemars(extend("default" = false))]
    pub seed: Option<bool>,
    /// How much a reasoning model thinks before it replies; left out, the server's own.
    pub reasoning_effort: Option<ReasoningEffort>,
    /// The most tokens that a reasoning model thinks with, less than `max_tokens`; left out, the server's own.
    #[schemars(range(min = 0))]
    pub thinking_budget: Option<u32>,
    /// Further fields of each request, sent as they are written: none that the program writes itself, and no keys or passwords.
    pub extra: Option<BTreeMap<String, serde_json::Value>>,
    /// The most tokens of a reply.
    #[schemars(range(min = 1))]
    pub max_tokens: u32,
    /// How replies are asked for.
    pub answers: Answers,
    /// The name of the environment variable that holds the key; the key itself never stands in a file.
    pub api_key_env: Option<String>,
    /// The most calls under way at once.
    #[schemars(range(min = 1, max = CONCURRENCY_MAX))]
    pub concurrency: u32,
    /// The seconds that a call may take.
    #[schemars(range(min = 1))]
    pub timeout_s: u32,
    /// The seconds for which a call is tried again while its server fails; 0 for not at all.
    #[schemars(range(max = RETRY_FOR_MAX))]
    pub retry_for_s: u32,
    /// The most calls begun in a minute, spread evenly; left out, as many as there are.
    #[schemars(range(min = 1))]
    pub requests_per_minute: Option<u32>,
    /// The most tokens of prompts and replies in a minute, estimated before a call and corrected after it; left out, as many
    /// as there are.
    #[schemars(range(min = 1))]
    pub tokens_per_minute: Option<u64>,
    /// The model's context window in tokens; left out, its server is asked when a session begins.
    #[schemars(range(min = CONTEXT_WINDOW_MIN))]
    pub context_window: Option<u32>,
    /// The model's own tokenizer, in a program that was built with tokenizers: its prompts are counted, and the whole window is
    /// used unless `memory.context_margin` is written; left out, prompts are estimated.
    pub tokenizer: Option<Tokenizer>,
    /// Whether what answers has a memory of its own beside the prompt, such as an agent that tells its sessions apart by the headers of
    /// requests. Its sessions are recorded and replayed like others, and cannot be forked.
    #[schemars(extend("default" = false))]
    pub stateful: Option<bool>,
    /// What its tokens cost, for the reckoning of costs; left out, what the table of known prices says of it.
    pub price: Option<Price>,
}

/// What is wrong with a server's base URL, and how else it is written; `None` when nothing is. Configs are kept with results and shown in
/// reports: whatever an address can hold of keys has no place in one.
pub fn mistake_of_address(base_url: &str) -> Option<(&'static str, Option<&'static str>)> {
    if base_url.contains(['@', '?', '#']) {
        let what = "a base URL holds no user, password, query or fragment: configs are kept in results";
        let how = "write the address alone; the key stays in the environment, and api_key_env names its variable";
        return Some((what, Some(how)));
    }
    let is_http = base_url.starts_with("http://") || base_url.starts_with("https://");
    (!is_http).then_some(("a base URL begins with http:// or https://", None))
}

/// Whether a text is an address without user, password or token: `http://host:port/path`.
pub fn is_plain_address(text: &str) -> bool {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    rest.is_some_and(|rest| rest.chars().all(|c| c.is_alphanumeric() || "/.:-_~%[]".contains(c)))
}

/// Whether a text can be the name of an environment variable that holds a key, and is no key itself: those of services are long and mix
/// small letters with digits.
///
/// ```
/// use ekklesia::config::is_variable;
///
/// assert!(is_variable("OPENAI_API_KEY") && is_variable("my_key_2"));
/// assert!(!is_variable("sk-proj-abc") && !is_variable("gsk_Zx81kQw0aPmN4LrT7uVb"));
/// ```
pub fn is_variable(text: &str) -> bool {
    /// Shorter ones are names, whatever they are written with.
    const KEY_CHARS_MIN: usize = 20;
    let is_name = !text.starts_with(|c: char| c.is_ascii_digit())
        && !text.is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let has = |kind: fn(&char) -> bool| text.chars().any(|c| kind(&c));
    let is_key = text.len() >= KEY_CHARS_MIN && has(char::is_ascii_lowercase) && has(char::is_ascii_digit);
    is_name && !is_key
}
