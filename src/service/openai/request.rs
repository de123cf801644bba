//! The request to a model: messages, limits and schema.

use bytes::{Bytes, BytesMut};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::body;
use crate::domain::{Digest, Moment, QuestionId, Usage};
use crate::plan::{LengthLimit, OpenAiModel, Price, Server};
use crate::prompt::Message;
use crate::store::calls::Spending;
use crate::text;

/// The characters that headers percent-encode, besides those beyond ASCII.
const UNSENT: &AsciiSet = &CONTROLS.add(b'%');

/// A request, with the facts that the client needs.
///
/// Only the encoded bytes are kept, so that a thousand simultaneous calls do not hold each prompt twice.
#[derive(Debug, Clone)]
pub struct Request {
    /// The JSON bytes that are digested and sent.
    body: Bytes,
    /// The maximum number of prompt tokens, estimated.
    prompt_tokens: u64,
    /// The server's name of the model.
    pub(super) model: String,
    pub(super) temperature: Option<f64>,
    reply_tokens_max: u32,
    /// The model's `max_tokens` in the config.
    planned: u32,
    /// Whether the request tests schema enforcement.
    is_probe: bool,
    /// The price of tokens, if known.
    pub(super) price: Option<Price>,
    pub(super) server: Server,
    /// Headers that identify the question; not part of the digest.
    pub(super) headers: HeaderMap,
}

/// The fields of the body.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(serde::Serialize))]
pub(super) struct RequestBody {
    pub(super) model: String,
    #[cfg_attr(test, serde(serialize_with = "body::serialize_messages"))]
    pub(super) messages: Vec<Message>,
    /// The maximum reply in tokens, under the name that the server accepts: this or the next.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub(super) max_tokens: Option<u32>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub(super) max_completion_tokens: Option<u32>,
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    pub(super) temperature: Option<f64>,
    /// Encoded as JSON.
    #[cfg_attr(test, serde(skip))]
    pub(super) response_format: Option<String>,
    /// The other sampling settings.
    #[cfg_attr(test, serde(skip))]
    pub(super) more: serde_json::Map<String, serde_json::Value>,
}

impl Request {
    /// Builds a request for a reply of at most `reply_tokens_max` tokens. With a schema, the server is asked to enforce it.
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
                let format = serde_json::json!({
                    "type": "json_schema",
                    "json_schema": { "name": "reply", "strict": true, "schema": schema },
                });
                format.to_string()
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

    /// Adds the headers `X-Ekklesia-Experiment`, `-Session`, `-Seat`, `-Question` and `-Attempt`, percent-encoded where
    /// necessary.
    ///
    /// # Panics
    /// Never: encoded text is a valid header value.
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

    /// Adds a seed for the server's sampling.
    ///
    /// # Panics
    /// Never: the body is a JSON object.
    #[must_use]
    pub fn with_seed(self, seed: u32) -> Self {
        // The bytes have one owner here, so this does not copy them.
        let mut body = BytesMut::from(self.body);
        let fields = body.strip_suffix(b"}").expect("invariant: a request is a JSON object").len();
        body.truncate(fields);
        body.extend_from_slice(format!(",\"seed\":{seed}}}").as_bytes());
        Self { body: body.freeze(), ..self }
    }

    pub(super) fn reply_tokens_max(&self) -> u32 {
        self.reply_tokens_max
    }

    /// Marks the request as a test of schema enforcement: a refusal of the schema is an answer.
    #[must_use]
    pub(super) fn into_probe(self) -> Self {
        Self { is_probe: true, ..self }
    }

    pub(super) fn is_probe(&self) -> bool {
        self.is_probe
    }

    /// Whether the reply may be longer than the config's `max_tokens`.
    pub(super) fn has_more_room(&self) -> bool {
        self.reply_tokens_max > self.planned
    }

    /// The digest of the bytes. It depends on prompt and sampling, not on the server's address.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.body)
    }

    /// The JSON bytes, shared by all attempts.
    pub(super) fn body(&self) -> &Bytes {
        &self.body
    }

    /// The maximum spending, at the model's price.
    pub fn spent_at_most(&self) -> Spending {
        Spending::from_usage(self.usage_at_most(), self.price)
    }

    /// The maximum usage: the prompt and the longest reply.
    pub(super) fn usage_at_most(&self) -> Usage {
        Usage {
            prompt_tokens: self.prompt_tokens,
            completion_tokens: self.reply_tokens_max.into(),
            thinking_tokens: None,
            cached_prompt_tokens: None,
        }
    }
}

/// An upper estimate of the prompt tokens, with the overhead of each message.
fn prompt_tokens(said: &RequestBody) -> u64 {
    const FRAME: u64 = 8;
    let words = said.messages.iter().map(|message| FRAME + message.tokens_estimated());
    let schema = said.response_format.as_ref().map_or(0, |format| text::tokens_at_most(format));
    words.sum::<u64>() + schema
}
