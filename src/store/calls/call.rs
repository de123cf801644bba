//! The outcome of a call: the reply, every attempt, the model that answered, and tokens and cost.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::domain::{Dollars, Fault, Usage};
use crate::plan::Price;

/// The reply to a call and its attempts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Call {
    /// The reply word for word: its content, a refusal, or the server's message about a question that is too long.
    pub raw: String,
    /// A reasoning model's thinking, if the server reported it. It is private to the seat and no part of the reply.
    pub thinking: Option<String>,
    /// A fault found before the words are read.
    pub fault: Option<Fault>,
    /// Why the model stopped, in the server's spelling.
    pub finish_reason: Option<String>,
    /// The tokens used.
    pub usage: Option<Usage>,
    /// The model that the server says it used.
    pub model: Option<String>,
    /// The server's fingerprint of model and settings.
    pub fingerprint: Option<String>,
    /// Every attempt; the last one succeeded.
    pub attempts: Vec<Attempt>,
}

impl Call {
    /// A reply that stays cut, because the server refused the longer limit. The refusal is free.
    pub fn cut_again(reason: String) -> Self {
        Self { fault: Some(Fault::CutByLength), ..Self::no_schemas(reason) }
    }

    /// The outcome if the server refuses schemas. The refusal is free.
    pub fn no_schemas(reason: String) -> Self {
        Self { raw: reason, usage: Some(Usage::default()), ..Self::default() }
    }

    /// The outcome if the question does not fit the model: a fault of the seat, whatever the HTTP status.
    pub fn too_long(reason: String) -> Self {
        Self { raw: reason, fault: Some(Fault::ContextTooLong), ..Self::default() }
    }
}

/// One attempt at a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// When it began, in milliseconds since 1970 (UTC).
    pub started_unix_ms: u64,
    /// Its duration in milliseconds.
    pub wall_ms: u64,
    /// The HTTP status; absent if no response came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The failure; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The most that it may have used, if the server may have answered without reporting usage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<Usage>,
}

/// The model that answered, according to the server.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ServedModel {
    /// Its name; `None` if the server did not say.
    pub model: Option<String>,
    /// The server's fingerprint of model and settings; `None` if it sent none.
    pub fingerprint: Option<String>,
}

impl ServedModel {
    /// Whether model or fingerprint differ. A missing value differs from none.
    pub fn differs_from(&self, other: &Self) -> bool {
        let differ = |one: &Option<String>, two: &Option<String>| one.is_some() && two.is_some() && one != two;
        differ(&self.model, &other.model) || differ(&self.fingerprint, &other.fingerprint)
    }
}

impl fmt::Display for ServedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.model, &self.fingerprint) {
            (Some(model), Some(fingerprint)) => write!(f, "{model} (fingerprint {fingerprint})"),
            (Some(model), None) => f.write_str(model),
            (None, Some(fingerprint)) => write!(f, "a model with the fingerprint {fingerprint}"),
            (None, None) => f.write_str("a model without a name"),
        }
    }
}

/// The tokens and cost of calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spending {
    /// Prompt and reply tokens.
    pub tokens: u64,
    /// The cost; zero if the price is unknown.
    pub dollars: Dollars,
}

impl Spending {
    /// The spending for a usage.
    pub fn from_usage(usage: Usage, price: Option<Price>) -> Self {
        let dollars = price.map_or(Dollars::NONE, |price| price.to_tariff().of(usage));
        Self { tokens: usage.prompt_tokens.saturating_add(usage.completion_tokens), dollars }
    }

    /// The sum.
    #[must_use]
    pub fn saturating_add(self, other: Self) -> Self {
        Self { tokens: self.tokens.saturating_add(other.tokens), dollars: self.dollars.plus(other.dollars) }
    }

    /// The difference, at least zero.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        let dollars = self.dollars.less(other.dollars);
        Self { tokens: self.tokens.saturating_sub(other.tokens), dollars }
    }
}
