//! Lines of batch files: requests and replies. The format is OpenAI's (2026-11), which `vllm run-batch` also supports.

use serde::Deserialize;
use serde_json::Value;

use super::failure::RequestFailure;
use super::{Request, reply};
use crate::service::stopwatch::Stopwatch;
use crate::store::calls::{Attempt, Call};

const URL: &str = "/v1/chat/completions";

/// A reply in a batch file. Other fields are ignored.
#[derive(Debug, Clone, Deserialize)]
pub struct BatchReply {
    /// The id of the question.
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
    /// Never: strings always serialise.
    pub fn batch_line(&self, custom_id: &str) -> Vec<u8> {
        let id = serde_json::to_string(custom_id).expect("invariant: a text serialises");
        let before = format!("{{\"custom_id\":{id},\"method\":\"POST\",\"url\":\"{URL}\",\"body\":");
        [before.as_bytes(), self.body(), b"}"].concat()
    }
}

impl BatchReply {
    /// Parses a reply.
    ///
    /// # Errors
    /// Why the line is not a reply.
    pub fn parse_line(line: &str) -> Result<Self, String> {
        let is_question = |value: &Value| value.get("method").is_some() && value.get("response").is_none();
        match serde_json::from_str::<Value>(line) {
            Err(_) => Err("this is not JSON".to_owned()),
            Ok(value) if is_question(&value) => Err("this is a question, not a reply".to_owned()),
            Ok(value) => serde_json::from_value(value).map_err(|error| format!("this is no reply of a batch: {error}")),
        }
    }

    /// Whether the reply holds a completion.
    pub fn is_answer(&self) -> bool {
        let is_error = self.error.as_ref().is_some_and(|error| !error.is_null());
        let body = self.response.as_ref().filter(|response| response.is_success()).and_then(|told| told.body.clone());
        !is_error && body.is_some_and(|body| reply::call_of(body).is_ok())
    }

    /// The call with this reply to `request`. A question that is too long and a refused longer reply count as answers, as in a
    /// call.
    ///
    /// # Errors
    /// Why the reply is not an answer.
    pub fn into_call(self, request: &Request) -> Result<Call, String> {
        let response = self.response.unwrap_or(Response { status_code: None, body: None });
        let error = self.error.filter(|error| !error.is_null());
        let (is_success, status) = (response.is_success(), response.status_code);
        let now = Stopwatch::start().started_unix_ms;
        let made = response.body.as_ref().and_then(|body| body.get("created")).and_then(Value::as_u64);
        let read = match (response.body, error) {
            (None, None) => return Err("it holds neither a response nor an error".to_owned()),
            (Some(body), None) if is_success => reply::call_of(body),
            (None, Some(error)) if status.is_none() => return Err(lone_error_text(&error)),
            (_, Some(error)) if is_success => Err(RequestFailure::within_success(&error)),
            (body, error) => Err(RequestFailure::of_status(status.unwrap_or(500), &failed_body_text(body, error))),
        };
        let failure = read.as_ref().err().map(|failure| (failure.reason.clone(), failure.may_have_cost()));
        let call = read.or_else(|failure| failure.into_answer(request)).map_err(|failure| failure.in_words(1))?;
        let may_have_cost = failure.as_ref().is_none_or(|(_, may_have_cost)| *may_have_cost);
        let attempt = Attempt {
            // The file may contain any number.
            started_unix_ms: made.map_or(now, |seconds| seconds.saturating_mul(1000).min(now)),
            wall_ms: 0,
            status: Some(status.unwrap_or(200)),
            failure: failure.map(|(reason, _)| reason),
            at_most: (call.usage.is_none() && may_have_cost).then(|| request.usage_at_most()),
        };
        Ok(Call { attempts: vec![attempt], ..call })
    }
}

impl Response {
    fn is_success(&self) -> bool {
        matches!(self.status_code.unwrap_or(200), 200..=299)
    }
}

/// The code and message of an error without a response, such as an expired batch.
fn lone_error_text(error: &Value) -> String {
    let text = |key: &str| error.get(key).and_then(Value::as_str);
    let words =
        text("message").map_or_else(|| error.as_str().map_or_else(|| error.to_string(), str::to_owned), str::to_owned);
    text("code").map_or_else(|| words.clone(), |code| format!("{code}: {words}"))
}

/// The body of a failed response; if there is none, the error, which `vllm run-batch` writes as a body of its own.
fn failed_body_text(body: Option<Value>, error: Option<Value>) -> String {
    match (body.filter(|body| !body.is_null()), error) {
        (Some(body), _) => body.to_string(),
        (None, Some(error)) if error.get("error").is_some() => error.to_string(),
        (None, error) => serde_json::json!({ "error": error }).to_string(),
    }
}
