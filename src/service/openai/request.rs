//! What is sent to a model: messages, limits and a schema. Nothing is sent here.

use bytes::{Bytes, BytesMut};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::body;
use crate::domain::{Digest, Moment, QuestionId, Usage};
use crate::plan::{LengthLimit, OpenAiModel, Price, Server};
use crate::prompt::Message;
use crate::store::calls::Spending;
use crate::text;

/// What stands percent-encoded in a header, besides characters beyond ASCII.
const UNSENT: &AsciiSet = &CONTROLS.add(b'%');

/// A question as a server is to get it, with what our own side must know of it.
///
/// Of its words only the bytes that are sent are kept: a thousand calls that are under way would hold each prompt twice.
#[derive(Debug, Clone)]
pub struct Request {
    /// What is said: these bytes are digested, and sent, as often as it takes.
    body: Bytes,
    /// The most tokens that its words have, by the estimate.
    prompt_tokens: u64,
    /// The model that is asked, as the server knows it.
    pub(super) model: String,
    /// The temperature that is asked for, if any is.
    pub(super) temperature: Option<f64>,
    /// The tokens of the reply at the most.
    reply_tokens_max: u32,
    /// Those that the model's config allows.
    planned: u32,
    /// Whether it is to show what the server makes of a schema.
    is_probe: bool,
    /// What its tokens cost, where that is known.
    pub(super) price: Option<Price>,
    /// What kind of server it goes to.
    pub(super) server: Server,
    /// Headers that say where the question stands; no part of the digest.
    pub(super) headers: HeaderMap,
}

/// What is sent.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct RequestBody {
    pub(super) model: String,
    #[cfg_attr(test, serde(serialize_with = "body::serialize_messages"))]
    pub(super) messages: Vec<Message>,
    /// The tokens of a reply at the most, under the name by which the server takes it: this, or the next.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub(super) max_tokens: Option<u32>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub(super) max_completion_tokens: Option<u32>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub(super) temperature: Option<f64>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub(super) response_format: Option<serde_json::Value>,
    /// What the model's other sampling settings add.
    #[cfg_attr(test, serde(skip))]
    pub(super) more: serde_json::Map<String, serde_json::Value>,
}

impl Request {
    /// The request for messages to a model, whose reply has so many tokens at the most. With a schema the server is asked to enforce
    /// it.
    pub fn new(
        model: &OpenAiModel,
        messages: Vec<Message>,
        schema: Option<serde_json::Value>,
        reply_tokens_max: u32,
    ) -> Self {
        let limit = model.server.facts().length_limit;
        let under = |name: LengthLimit| (limit == name).then_some(reply_tokens_max);
        let said = RequestBody {
            model: model.model.clone(),
            messages,
            max_tokens: under(LengthLimit::MaxTokens),
            max_completion_tokens: under(LengthLimit::MaxCompletionTokens),
            temperature: model.temperature,
            response_format: schema.map(|schema| {
                serde_json::json!({
                    "type": "json_schema",
                    "json_schema": { "name": "reply", "strict": true, "schema": schema },
                })
            }),
            more: model.sampling.body_fields(model.server),
        };
        Self {
            prompt_tokens: prompt_tokens(&said),
            body: body::encode_body(&said).into(),
            model: said.model,
            temperature: said.temperature,
            reply_tokens_max,
            planned: model.max_tokens,
            is_probe: false,
            price: model.price,
            server: model.server,
            headers: HeaderMap::new(),
        }
    }

    /// The same with headers that say who is asked what: `X-Ekklesia-Experiment`, `-Session`, `-Seat`, `-Question` and `-Attempt`. What a
    /// header cannot hold is percent-encoded.
    ///
    /// # Panics
    /// Never: what is encoded can be sent.
    #[must_use]
    pub fn with_origin(mut self, experiment: &str, session: &str, question: &QuestionId) -> Self {
        let Moment { phase, round, turn, step } = &question.at;
        let fields = [
            ("x-ekklesia-experiment", experiment.to_owned()),
            ("x-ekklesia-session", session.to_owned()),
            ("x-ekklesia-seat", question.seat.to_string()),
            ("x-ekklesia-question", format!("{phase}:{round}:{turn}:{}", step.as_str())),
            ("x-ekklesia-attempt", question.attempt.to_string()),
        ];
        for (name, value) in fields {
            let value = utf8_percent_encode(&value, UNSENT).to_string();
            let value = HeaderValue::from_str(&value).expect("invariant: encoded text is a header's value");
            self.headers.insert(HeaderName::from_static(name), value);
        }
        self
    }

    /// The same with a seed, by which the server draws the words of the reply.
    ///
    /// # Panics
    /// Never: what is sent is a JSON object with fields.
    #[must_use]
    pub fn with_seed(self, seed: u32) -> Self {
        // Nobody else holds these bytes yet, so that they are not copied.
        let mut body = BytesMut::from(self.body);
        let fields = body.strip_suffix(b"}").expect("invariant: a request is a JSON object").len();
        body.truncate(fields);
        body.extend_from_slice(format!(",\"seed\":{seed}}}").as_bytes());
        Self { body: body.freeze(), ..self }
    }

    /// The tokens of a reply at the most.
    pub(super) fn reply_tokens_max(&self) -> u32 {
        self.reply_tokens_max
    }

    /// The same as a question whether the server holds replies to its schema: that the server refuses schemas is an answer.
    #[must_use]
    pub(super) fn into_probe(self) -> Self {
        Self { is_probe: true, ..self }
    }

    /// Whether a refusal of its schema is an answer.
    pub(super) fn is_probe(&self) -> bool {
        self.is_probe
    }

    /// Whether the reply may be longer than the model's config allows.
    pub(super) fn has_more_room(&self) -> bool {
        self.reply_tokens_max > self.planned
    }

    /// The digest of the bytes that are sent: it changes with the prompt and the sampling, not with the server's address.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.body)
    }

    /// What is sent, as JSON, shared by all attempts.
    pub(super) fn body(&self) -> &Bytes {
        &self.body
    }

    /// What it may take at most, at the price of its model.
    pub fn spent_at_most(&self) -> Spending {
        Spending::from_usage(self.usage_at_most(), self.price)
    }

    /// The most tokens that it can use: those of its words and of the longest reply.
    pub(super) fn usage_at_most(&self) -> Usage {
        Usage {
            prompt_tokens: self.prompt_tokens,
            completion_tokens: self.reply_tokens_max.into(),
            thinking_tokens: None,
            cached_prompt_tokens: None,
        }
    }
}

/// The most tokens of what is said, by an estimate that errs high, with the frame of each message.
fn prompt_tokens(said: &RequestBody) -> u64 {
    /// Tokens that a server puts around a message.
    const FRAME: u64 = 8;
    let words = said.messages.iter().map(|message| FRAME + message.tokens_estimated());
    let schema = said.response_format.as_ref().map_or(0, |format| text::tokens_at_most(&format.to_string()));
    words.sum::<u64>() + schema
}
