//! The planned settings of a model behind a server.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Origin, Price, Sampling, SchemaUse, Server};
use crate::domain::ReplyForm;
use crate::prompt::AnswerForm;
use crate::text::Tokenizer;

/// A model behind an OpenAI-compatible server.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct OpenAiModel {
    /// Its name in the config.
    pub name: String,
    /// The kind of server. Only its effect on requests is part of a session's identity.
    #[serde(skip)]
    pub server: Server,
    /// The server's base URL; not part of a session's identity.
    #[serde(skip)]
    pub base_url: String,
    /// The model's name at the server.
    pub model: String,
    /// Sampling temperature; `None` leaves it to the server.
    pub temperature: Option<f64>,
    /// The other sampling settings.
    pub sampling: Sampling,
    /// The maximum length of a reply in tokens; always sent.
    pub max_tokens: u32,
    /// The requested form of replies.
    pub answers: Answers,
    /// The environment variable that contains the key; `None` sends no key. Not part of a session's identity.
    #[serde(skip)]
    pub api_key_env: Option<String>,
    /// The time limit of a call in seconds. Not part of a session's identity.
    pub timeout_s: u64,
    /// How long to retry a call while the server fails, in seconds. Not part of a session's identity.
    pub retry_for_s: u64,
    /// The maximum number of calls started per minute; `None` for no limit. Not part of a session's identity.
    pub requests_per_minute: Option<u32>,
    /// The maximum number of prompt and reply tokens per minute; `None` for no limit. Not part of a session's identity.
    pub tokens_per_minute: Option<u64>,
    /// The maximum number of concurrent calls. Not part of a session's identity.
    pub concurrency: usize,
    /// The model's context window in tokens; if `None`, the server rejects prompts that are too long.
    pub context_window: Option<u32>,
    /// The share of the window that prompt and reply may fill, in parts per million.
    pub context_margin_ppm: u32,
    /// The tokenizer that counts its prompts; `None` uses an estimate that errs high.
    pub tokenizer: Option<Tokenizer>,
    /// Whether the respondent has its own memory besides the prompt.
    pub is_stateful: bool,
    /// The price of its tokens; `None` if unknown. Not part of a session's identity.
    #[serde(skip)]
    pub price: Option<Price>,
    /// The source of the price: the author or the table of known prices.
    #[serde(skip)]
    pub price_from: Origin,
}

impl OpenAiModel {
    /// The requested form of replies. Under `auto` it is JSON unless the kind of server is known to ignore schemas.
    pub fn answer_form(&self) -> AnswerForm {
        match self.answers {
            Answers::JsonSchema => AnswerForm::JsonSchema,
            Answers::Anchored => AnswerForm::Anchored,
            Answers::Auto => match self.form_of_server() {
                Some(ReplyForm::Anchored) => AnswerForm::Anchored,
                Some(ReplyForm::JsonSchema) | None => AnswerForm::JsonSchema,
            },
        }
    }

    /// The reply form for this kind of server; `None` if it differs between servers.
    pub fn form_of_server(&self) -> Option<ReplyForm> {
        match self.server.facts().schema {
            SchemaUse::Enforced => Some(ReplyForm::JsonSchema),
            SchemaUse::Ignored => Some(ReplyForm::Anchored),
            SchemaUse::Varies => None,
        }
    }

    /// Counts the tokens of a text with the model's tokenizer, or estimates them.
    pub fn count_tokens(&self, text: &str) -> u64 {
        Tokenizer::tokens_of(self.tokenizer, text)
    }

    /// The tokens available for prompt and reply together; `None` if the window is unknown.
    pub fn usable_window(&self) -> Option<u64> {
        self.context_window.map(|window| u64::from(window) * u64::from(self.context_margin_ppm) / 1_000_000)
    }
}

/// How a model is asked to phrase its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Answers {
    /// As JSON under a schema that the server enforces.
    JsonSchema,
    /// As text with lines such as `CHOICE: …`, for servers that enforce no schema.
    Anchored,
    /// As JSON where the server enforces schemas and with such lines where it does not; found out when a session begins.
    Auto,
}
