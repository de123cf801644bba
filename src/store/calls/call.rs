//! What came of a call, every attempt that it took, who answered, and what it cost. Nothing is called here.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::domain::{Dollars, Fault, Usage};
use crate::plan::Price;

/// What a call brought, and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The words as they came: the content, the words of a refusal, or what the server said of a question too long for it.
    pub raw: String,
    /// What a reasoning model thought before it replied, where the server told: nobody else's, and no part of the reply.
    pub thinking: Option<String>,
    /// What is wrong with the reply before its words are read; `None` leaves that to the words.
    pub fault: Option<Fault>,
    /// Why the model stopped, in the server's spelling.
    pub finish_reason: Option<String>,
    /// What the call used.
    pub usage: Option<Usage>,
    /// The model the server says it used.
    pub model: Option<String>,
    /// The server's fingerprint of model and settings.
    pub fingerprint: Option<String>,
    /// Every attempt, the last of which succeeded.
    pub attempts: Vec<Attempt>,
}

impl Call {
    /// A reply that was to have more room than the server gives any stays cut. It was not charged for.
    pub fn cut_again(reason: String) -> Self {
        Self { fault: Some(Fault::CutByLength), usage: Some(Usage::default()), ..Self::too_long(reason) }
    }

    /// A server that refuses schemas has said what it was asked. It did not charge for it.
    pub fn no_schemas(reason: String) -> Self {
        Self { fault: None, usage: Some(Usage::default()), ..Self::too_long(reason) }
    }

    /// A question that did not fit the model is the seat's affair, whatever status it came with.
    pub fn too_long(reason: String) -> Self {
        Self {
            raw: reason,
            thinking: None,
            fault: Some(Fault::ContextTooLong),
            finish_reason: None,
            usage: None,
            model: None,
            fingerprint: None,
            attempts: Vec::new(),
        }
    }
}

/// One attempt at a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// When it began, in milliseconds since 1970 (UTC).
    pub started_unix_ms: u64,
    /// How long it took, in milliseconds.
    pub wall_ms: u64,
    /// The HTTP status; absent when no response came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// What failed; absent when it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What it may have used at the most, where the server may have answered and did not say what that took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<Usage>,
}

/// What a server says of the model that answered.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ServedModel {
    /// Its name; `None` where the server did not say.
    pub model: Option<String>,
    /// The server's fingerprint of model and settings; `None` where it sent none.
    pub fingerprint: Option<String>,
}

impl ServedModel {
    /// Whether another model or another setting answered, as far as both say so.
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

/// What calls took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spending {
    /// Tokens of prompts and replies.
    pub tokens: u64,
    /// What they cost, where the price is known; else nothing.
    pub dollars: Dollars,
}

impl Spending {
    /// What a usage comes to.
    pub fn from_usage(usage: Usage, price: Option<Price>) -> Self {
        let dollars = price.map_or(Dollars::NONE, |price| price.to_tariff().of(usage));
        Self { tokens: usage.prompt_tokens.saturating_add(usage.completion_tokens), dollars }
    }

    /// Both together.
    #[must_use]
    pub fn saturating_add(self, other: Self) -> Self {
        Self { tokens: self.tokens.saturating_add(other.tokens), dollars: self.dollars.plus(other.dollars) }
    }

    /// The one without the other; nothing where that is more.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        let dollars = self.dollars.less(other.dollars);
        Self { tokens: self.tokens.saturating_sub(other.tokens), dollars }
    }
}
