//! Lines of the files that batch services take and give: a request, and a reply to it.
//!
//! The format is OpenAI's (2026-11). Azure OpenAI, Groq, Mistral and Together use it, too, and `vllm run-batch` for servers of one's own.
//! Nothing is read from a file here.

use serde::Deserialize;
use serde_json::Value;

use super::failure::Failure;
use super::{Attempt, Call, Request, reply};
use crate::adapters::stopwatch::Stopwatch;

/// Where a batch service sends each request.
const URL: &str = "/v1/chat/completions";

/// A reply as a batch service gives it. What else the line holds says nothing.
#[derive(Debug, Clone, Deserialize)]
pub struct BatchReply {
    /// What it replies to.
    pub custom_id: String,
    response: Option<Response>,
    error: Option<Value>,
}

#[derive(Debug, Clone, Deserialize)]
struct Response {
    status_code: Option<u16>,
    body: Option<Value>,
}

impl Request {
    /// The request as a line of a batch, without a line end.
    ///
    /// # Panics
    /// Never: a text is a value of JSON.
    pub fn batch_line(&self, custom_id: &str) -> Vec<u8> {
        let id = serde_json::to_string(custom_id).expect("invariant: a text serialises");
        let before = format!("{{\"custom_id\":{id},\"method\":\"POST\",\"url\":\"{URL}\",\"body\":");
        [before.as_bytes(), self.body(), b"}"].concat()
    }
}

impl BatchReply {
    /// The reply that a line holds.
    ///
    /// # Errors
    /// When it holds none; in words.
    pub fn read(line: &str) -> Result<Self, String> {
        serde_json::from_str(line).map_err(|error| format!("this is no reply of a batch: {error}"))
    }

    /// Whether it holds a response that is no error.
    pub fn is_answer(&self) -> bool {
        let is_error = self.error.as_ref().is_some_and(|error| !error.is_null());
        let is_success = |response: &Response| matches!(response.status_code.unwrap_or(200), 200..=299);
        !is_error && self.response.as_ref().is_some_and(is_success)
    }

    /// The call that brought this reply to a request. A question that was too long for the model, and a longer reply that the server
    /// refused, are answers, as in a call.
    ///
    /// # Errors
    /// When it holds no answer; in words.
    pub fn into_call(self, request: &Request) -> Result<Call, String> {
        let Response { status_code, body } = self.response.unwrap_or(Response { status_code: None, body: None });
        let error = self.error.filter(|error| !error.is_null());
        let made = body.as_ref().and_then(|body| body.get("created")).and_then(Value::as_u64);
        let read = match (body, error, status_code.unwrap_or(200)) {
            (Some(body), None, 200..=299) => reply::call_of(body),
            (None, None, _) => return Err("it holds neither a response nor an error".to_owned()),
            (_, Some(error), 200..=299) => Err(Failure::within_success(&error)),
            (body, error, status) => Err(Failure::of_status(status, &worded(body, error))),
        };
        let call = read.or_else(|failure| failure.as_answer(request)).map_err(|failure| failure.in_words(1))?;
        let attempt = Attempt {
            started_unix_ms: made.map_or_else(|| Stopwatch::start().started_unix_ms, |seconds| seconds * 1000),
            wall_ms: 0,
            status: Some(200),
            failure: None,
            at_most: call.usage.is_none().then(|| request.usage_at_most()),
        };
        Ok(Call { attempts: vec![attempt], ..call })
    }
}

/// What a failed response says: its body where that holds an error, else the error beside it.
fn worded(body: Option<Value>, error: Option<Value>) -> String {
    match (body.filter(|body| !body.is_null()), error) {
        (Some(body), _) => body.to_string(),
        (None, error) => serde_json::json!({ "error": error }).to_string(),
    }
}
