//! A question as a model gets it: the messages, the schema of the reply, and the length of both in tokens.
//!
//! One function words every question, whether put, reconstructed from a record or rehearsed. A preview therefore equals what is
//! sent.

use serde_json::Value;

use crate::domain::{Agent, Fault, Offer, Query, Room};
use crate::plan::{OpenAiModel, Plan};
use crate::prompt::{AnswerForm, LineCache, Message, PromptError, offered, schema};
use crate::text::Tokenizer;

/// Tokens that a chat template may add to each message.
pub(super) const FRAME: u64 = 8;

/// A question in words.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionWording {
    /// The messages, the frame first.
    pub messages: Vec<Message>,
    /// The schema that the server enforces; `None` if it enforces none.
    pub schema: Option<Value>,
    /// The limit of the reply in tokens: the model's `max_tokens`, or up to twice that after a cut reply if the window has room.
    /// The messages and the schema do not ask for a longer reply then.
    pub reply_tokens_max: u32,
    /// The tokenizer that counts its tokens; `None` for the estimate.
    tokenizer: Option<Tokenizer>,
}

impl QuestionWording {
    /// Words a query for a model. `agents` has one entry per seat.
    ///
    /// # Errors
    /// When a template fails on this question.
    pub fn for_model(
        plan: &Plan,
        agents: &[Agent],
        query: &Query<'_>,
        model: &OpenAiModel,
    ) -> Result<Self, PromptError> {
        Self::with_lines(&LineCache::default(), (plan, agents), query, model)
    }

    /// Like [`QuestionWording::for_model`], but reuses the lines of the session's earlier questions.
    ///
    /// # Errors
    /// As of [`QuestionWording::for_model`].
    pub fn with_lines(
        lines: &LineCache,
        (plan, agents): (&Plan, &[Agent]),
        query: &Query<'_>,
        model: &OpenAiModel,
    ) -> Result<Self, PromptError> {
        let agents: Vec<&Agent> = agents.iter().collect();
        let motion = plan.motion_asked(query);
        let form = (model.answer_form(), model.max_tokens);
        let heard = plan.motion_for(query.seat);
        let messages = plan.prompts_for(query.seat).write_messages(lines, (motion, heard), &agents, query, form)?;
        let schema = match model.answer_form() {
            AnswerForm::JsonSchema => {
                let schema = schema(&query.ask, motion, model.max_tokens);
                Some(if query.offer == Offer::NONE { schema } else { offered(schema, query.offer) })
            }
            AnswerForm::Anchored | AnswerForm::Typed => None,
        };
        let wording = Self { messages, schema, reply_tokens_max: model.max_tokens, tokenizer: model.tokenizer };
        match query.room {
            Room::Planned => Ok(wording),
            Room::Doubled => Ok(Self { reply_tokens_max: wording.doubled_reply_tokens(model), ..wording }),
        }
    }

    /// By how many tokens, estimated, a first question grows at the most if it is put again for one of these faults.
    ///
    /// # Errors
    /// As of [`QuestionWording::for_model`].
    pub fn reason_tokens(
        faults: &[Fault],
        lines: &LineCache,
        (plan, agents): (&Plan, &[Agent]),
        query: &Query<'_>,
        model: &OpenAiModel,
    ) -> Result<u64, PromptError> {
        let form = (model.answer_form(), model.max_tokens);
        let all: Vec<&Agent> = agents.iter().collect();
        let alone = plan.prompts_for(query.seat).reason_tokens(faults, plan.motion_asked(query), &all, query, form)?;
        if let Some(most) = alone {
            return Ok(most);
        }
        let estimate = |query: &Query<'_>| {
            Self::with_lines(lines, (plan, agents), query, model).map(|wording| wording.tokens_estimated())
        };
        let (first, mut most) = (estimate(query)?, 0);
        for fault in faults {
            let longer = estimate(&Query { retry: Some(*fault), ..query.clone() })?;
            most = most.max(longer.saturating_sub(first));
        }
        Ok(most)
    }

    /// Twice the model's `max_tokens`, or less if its window has no room, but at least `max_tokens`.
    fn doubled_reply_tokens(&self, model: &OpenAiModel) -> u32 {
        let room = model.usable_window().map_or(u64::MAX, |usable| usable.saturating_sub(self.tokens_at_most()));
        let room = u32::try_from(room).unwrap_or(u32::MAX);
        model.max_tokens.saturating_mul(2).min(room).max(model.max_tokens)
    }

    /// Words a query for a person: the messages for a model, without the form of the reply.
    ///
    /// # Errors
    /// As of [`QuestionWording::for_model`].
    pub fn for_person(plan: &Plan, agents: &[Agent], query: &Query<'_>) -> Result<Self, PromptError> {
        /// Typed replies have no limit, and no message states one.
        const ANY_LENGTH: u32 = u32::MAX;
        let agents: Vec<&Agent> = agents.iter().collect();
        let form = (AnswerForm::Typed, ANY_LENGTH);
        let motion = plan.motion_asked(query);
        let (lines, motions) = (LineCache::default(), (&**motion, &**plan.motion_for(query.seat)));
        let messages = plan.prompts_for(query.seat).write_messages(&lines, motions, &agents, query, form)?;
        Ok(Self { messages, schema: None, reply_tokens_max: ANY_LENGTH, tokenizer: None })
    }

    /// The most tokens of the messages, with the chat template: counted by the model's tokenizer if known, otherwise by an
    /// estimate that errs high.
    pub fn tokens_at_most(&self) -> u64 {
        self.sum_tokens(|message| message.tokens_at_most(self.tokenizer))
    }

    /// The estimated tokens of the messages, even if the tokenizer is known: a bound for other words of this length.
    pub fn tokens_estimated(&self) -> u64 {
        self.sum_tokens(Message::tokens_estimated)
    }

    fn sum_tokens(&self, tokens: impl Fn(&Message) -> u64) -> u64 {
        self.messages.iter().map(|message| FRAME + tokens(message)).sum()
    }

    /// The fewest tokens of the messages: one per word. This is a bound only for languages written with spaces, whose tokenizers
    /// end a token where a word ends.
    pub fn tokens_at_least(&self) -> u64 {
        self.messages.iter().map(Message::words).sum()
    }

    /// Whether messages and reply exceed the model's window; false if the window is unknown. Estimates may fill only a share of
    /// the window, because they are rough; counts may fill it completely.
    pub fn is_too_long(&self, model: &OpenAiModel) -> bool {
        let Some(usable) = model.usable_window() else { return false };
        let room = usable.saturating_sub(model.max_tokens.into());
        // A token has at least one byte, so most prompts are known to fit without a count.
        let fits = usable >= u64::from(model.max_tokens) && self.sum_tokens(|message| message.bytes() as u64) <= room;
        !fits && self.tokens_at_most() + u64::from(model.max_tokens) > usable
    }
}
