//! A model behind a server, as it is planned. Nothing is sent here.

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
    /// What kind of server it is. What is sent for that is part of a session's identity, and nothing else of it.
    #[serde(skip)]
    pub server: Server,
    /// The server's base URL; not part of a session's identity.
    #[serde(skip)]
    pub base_url: String,
    /// The model's name at the server.
    pub model: String,
    /// Sampling temperature; `None` leaves it to the server.
    pub temperature: Option<f64>,
    /// The other settings by which it draws words.
    pub sampling: Sampling,
    /// The reply's length at the most, in tokens; always sent.
    pub max_tokens: u32,
    /// How replies are asked for.
    pub answers: Answers,
    /// The environment variable that holds the key; `None` sends no key. Not part of a session's identity.
    #[serde(skip)]
    pub api_key_env: Option<String>,
    /// How long a call may take, in seconds. Not part of a session's identity.
    pub timeout_s: u64,
    /// How long a call is tried again while the server fails, in seconds. Not part of a session's identity.
    pub retry_for_s: u64,
    /// Calls begun in a minute at the most; `None` for as many as there are. Not part of a session's identity.
    pub requests_per_minute: Option<u32>,
    /// Tokens of prompts and replies in a minute at the most, likewise.
    pub tokens_per_minute: Option<u64>,
    /// Calls under way at once at the most. Not part of a session's identity.
    pub concurrency: usize,
    /// The model's context window, in tokens; `None` leaves it to the server to say what is too long.
    pub context_window: Option<u32>,
    /// The share of that window that prompt and reply may fill, in parts per million.
    pub context_margin_ppm: u32,
    /// The vocabulary by which its prompts are counted; `None` has them estimated, on the high side.
    pub tokenizer: Option<Tokenizer>,
    /// Whether what answers has a memory of its own beside the prompt.
    pub is_stateful: bool,
    /// What its tokens cost; `None` where nobody knows. Not part of a session's identity.
    #[serde(skip)]
    pub price: Option<Price>,
    /// Who says so: the author, or the table of known prices.
    #[serde(skip)]
    pub price_from: Origin,
}

impl OpenAiModel {
    /// How replies are asked for. Where that is to be found out and the kind of server does not tell, it is JSON until it is learnt.
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

    /// The form that goes with what is known of its kind of server; `None` where that differs from server to server.
    pub fn form_of_server(&self) -> Option<ReplyForm> {
        match self.server.facts().schema {
            SchemaUse::Enforced => Some(ReplyForm::JsonSchema),
            SchemaUse::Ignored => Some(ReplyForm::Anchored),
            SchemaUse::Varies => None,
        }
    }

    /// Tokens of a text: by its own tokenizer where that is known, and else by the fixed estimate.
    pub fn count_tokens(&self, text: &str) -> u64 {
        Tokenizer::tokens_of(self.tokenizer, text)
    }

    /// The tokens that prompt and reply together may have; `None` where the window is not known.
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
