//! Finds out with one question whether a server enforces schemas.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use tokio::sync::OnceCell;

use super::{Client, Request, UnansweredCall};
use crate::domain::{Digest, Fault, FormSource, Outage, ReplyForm};
use crate::plan::OpenAiModel;
use crate::prompt::{Message, Role};
use crate::store::calls::{Attempt, Call, ProbeLine};

/// The only word that the schema allows. No model writes it unprompted.
const WORD: &str = "quoll-7319";

/// A question whose answer the schema forbids.
const QUESTION: &str = "Name one fruit in a short English sentence. Write plain words and no JSON.";

/// The maximum reply in tokens. A reply in the schema needs a dozen; the rest is for models that think first.
const REPLY_TOKENS_MAX: u32 = 256;

/// The reply form of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundForm {
    /// The form.
    pub form: ReplyForm,
    /// How it was found.
    pub source: FormSource,
}

/// The question and its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// The digest of the request.
    pub request: Digest,
    /// The call; `None` if there was no answer.
    pub call: Option<Call>,
    /// Every attempt.
    pub attempts: Vec<Attempt>,
}

impl From<Probe> for ProbeLine {
    fn from(probe: Probe) -> Self {
        let Probe { request, call, attempts } = probe;
        let raw = call.as_ref().map(|call| call.raw.clone());
        let Call { thinking, usage, model, finish_reason, .. } = call.unwrap_or_default();
        Self { request, raw, thinking, usage, model, finish_reason, attempts }
    }
}

/// A client's knowledge of the form.
#[derive(Debug, Default)]
pub(super) struct KnownForm {
    found: OnceCell<FoundForm>,
    is_told: AtomicBool,
}

impl KnownForm {
    /// The message that the answer was unclear, once.
    pub(super) fn take_news(&self, model: &str) -> Option<String> {
        let is_unclear = self.found.get().is_some_and(|found| found.source == FormSource::UnclearProbe);
        (is_unclear && !self.is_told.swap(true, Ordering::Relaxed)).then(|| {
            format!(
                "{model}: the reply that was to show whether its server enforces schemas was cut off or refused; replies are \
                 asked for as anchored lines, which any server can give"
            )
        })
    }
}

impl Client {
    /// Sets the form, unless it is known.
    pub fn knows_form(&self, found: FoundForm) {
        // The known form has priority.
        drop(self.form.found.set(found));
    }

    /// Whether the model's server enforces schemas. The server is asked once; only the caller that asked gets the probe.
    ///
    /// # Errors
    /// The errors of [`Client::call`]. If the question was sent, the probe is returned as well.
    pub async fn reply_form(
        &self,
        model: &OpenAiModel,
        stop: &AtomicBool,
    ) -> (Result<FoundForm, Outage>, Option<Probe>) {
        let mut probe = None;
        let found = self.form.found.get_or_try_init(async || {
            let request = probe_request(model);
            let (found, sent) = self.send_probe(&request, stop).await;
            probe = sent;
            found
        });
        let found = found.await.copied();
        (found, probe)
    }

    async fn send_probe(&self, request: &Request, stop: &AtomicBool) -> (Result<FoundForm, Outage>, Option<Probe>) {
        let digest = request.digest();
        match self.call(request, stop, |_| Ok(())).await {
            Ok(call) => {
                let (found, attempts) = (found_in(&call), call.attempts.clone());
                (Ok(found), Some(Probe { request: digest, call: Some(call), attempts }))
            }
            Err(UnansweredCall { outage, attempts }) => {
                let probe = (!attempts.is_empty()).then_some(Probe { request: digest, call: None, attempts });
                (Err(outage), probe)
            }
        }
    }
}

fn probe_request(model: &OpenAiModel) -> Request {
    let messages = vec![Message::new(Role::User, QUESTION.to_owned())];
    let schema = json!({
        "type": "object",
        "properties": { "word": { "type": "string", "enum": [WORD] } },
        "required": ["word"],
        "additionalProperties": false,
    });
    // Some servers refuse a reply limit that is not greater than the thinking budget.
    let reply_tokens_max = REPLY_TOKENS_MAX.saturating_add(model.sampling.thinking_budget.unwrap_or(0));
    Request::new(model, messages, Some(schema), reply_tokens_max).into_probe()
}

/// The form that an answer shows. The schema's word proves enforcement, even in a reply that was cut.
fn found_in(call: &Call) -> FoundForm {
    let is_held = serde_json::from_str::<Value>(&call.raw).is_ok_and(|said| said == json!({ "word": WORD }));
    match call.fault {
        _ if is_held => FoundForm { form: ReplyForm::JsonSchema, source: FormSource::Probe },
        Some(Fault::CutByLength | Fault::ContextTooLong | Fault::Refused) => {
            FoundForm { form: ReplyForm::Anchored, source: FormSource::UnclearProbe }
        }
        _ => FoundForm { form: ReplyForm::Anchored, source: FormSource::Probe },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_very_json_of_the_schema_shows_that_it_is_enforced() {
        let of = |raw: &str, fault| {
            let FoundForm { form, source } = found_in(&Call { raw: raw.to_owned(), fault, ..Call::default() });
            (form, source)
        };
        let (json, anchored) = (ReplyForm::JsonSchema, ReplyForm::Anchored);
        let (probe, unclear) = (FormSource::Probe, FormSource::UnclearProbe);
        for (raw, fault, found) in [
            (r#"{"word":"quoll-7319"}"#, None, (json, probe)),
            (" { \"word\" : \"quoll-7319\" }\n", None, (json, probe)),
            ("{\"word\":\"quoll-7319\"}\n\n\n", Some(Fault::CutByLength), (json, probe)),
            (r#"{"word":"apple"}"#, None, (anchored, probe)),
            (r#"{"word":"quoll-7319","why":"x"}"#, None, (anchored, probe)),
            (r#"{"$serde_json::private::RawValue":"{\"word\":\"quoll-7319\"}"}"#, None, (anchored, probe)),
            ("```json\n{\"word\":\"quoll-7319\"}\n```", None, (anchored, probe)),
            ("I like apples.", None, (anchored, probe)),
            ("", None, (anchored, probe)),
            ("", Some(Fault::CutByLength), (anchored, unclear)),
            ("I cannot help with that.", Some(Fault::Refused), (anchored, unclear)),
        ] {
            assert_eq!(of(raw, fault), found, "{raw:?} {fault:?}");
        }
    }
}
