//! A question as a model gets it: the messages, the schema of its reply, and how long both may be in tokens.
//!
//! One function words every question, whether it is asked, recalled from a record, or rehearsed, so that what is shown
//! beforehand is what is sent.

use serde_json::Value;

use crate::domain::{Agent, Offer, Query, Room};
use crate::plan::{OpenAiModel, Plan};
use crate::prompt::{AnswerForm, LineCache, Message, PromptError, offered, schema};
use crate::text::Tokenizer;

/// Tokens that a chat template may put around each message.
pub(super) const FRAME: u64 = 8;

/// A question in words.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionWording {
    /// The messages, the frame first.
    pub messages: Vec<Message>,
    /// The schema under which the server makes the model reply; `None` where replies are anchored lines.
    pub schema: Option<Value>,
    /// How many tokens the reply may have: the model's `max_tokens`, or twice as many, as far as its window has room for them
    /// beside the messages. The messages and the schema ask for no longer a reply for that.
    pub reply_tokens_max: u32,
    /// By what its tokens are counted.
    tokenizer: Option<Tokenizer>,
}

impl QuestionWording {
    /// Words a query for a model. `agents` has one entry a seat.
    ///
    /// # Errors
    /// When a template fails on this very question.
    pub fn for_model(
        plan: &Plan,
        agents: &[Agent],
        query: &Query<'_>,
        model: &OpenAiModel,
    ) -> Result<Self, PromptError> {
        Self::with_lines(&LineCache::default(), (plan, agents), query, model)
    }

    /// Like [`QuestionWording::for_model`], with the lines that earlier questions of the session showed: these are neither written nor counted again.
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
        let motion = plan.motion_for(query.seat);
        let form = (model.answer_form(), model.max_tokens);
        let messages = plan.prompts_for(query.seat).write_messages(lines, motion, &agents, query, form)?;
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

    /// Twice the model's `max_tokens`, or what its window has room for, but no less than them.
    fn doubled_reply_tokens(&self, model: &OpenAiModel) -> u32 {
        let room = model.usable_window().map_or(u64::MAX, |usable| usable.saturating_sub(self.tokens_at_most()));
        let room = u32::try_from(room).unwrap_or(u32::MAX);
        model.max_tokens.saturating_mul(2).min(room).max(model.max_tokens)
    }

    /// Words a query for a person: the messages that a model would get, without the form of a model's reply.
    ///
    /// # Errors
    /// As of [`QuestionWording::for_model`].
    pub fn for_person(plan: &Plan, agents: &[Agent], query: &Query<'_>) -> Result<Self, PromptError> {
        /// Nothing that is typed has a most, and no message tells one.
        const ANY_LENGTH: u32 = u32::MAX;
        let agents: Vec<&Agent> = agents.iter().collect();
        let form = (AnswerForm::Typed, ANY_LENGTH);
        let motion = plan.motion_for(query.seat);
        let messages = plan.prompts_for(query.seat).messages(motion, &agents, query, form)?;
        Ok(Self { messages, schema: None, reply_tokens_max: ANY_LENGTH, tokenizer: None })
    }

    /// How many tokens the messages have at the most, with what a chat template puts around each: counted by the model's own
    /// tokenizer where that is known, else by an estimate that errs high.
    pub fn tokens_at_most(&self) -> u64 {
        self.sum_tokens(|message| message.tokens_at_most(self.tokenizer))
    }

    /// The same by the estimate, whatever tokenizer is known: for what other words of this length may come to.
    pub fn tokens_estimated(&self) -> u64 {
        self.sum_tokens(Message::tokens_estimated)
    }

    fn sum_tokens(&self, tokens: impl Fn(&Message) -> u64) -> u64 {
        self.messages.iter().map(|message| FRAME + tokens(message)).sum()
    }

    /// How many tokens the messages have at the least: one for each word. Tokenizers of languages written with spaces end a
    /// token where a word ends; for others this is no bound.
    pub fn tokens_at_least(&self) -> u64 {
        self.messages.iter().map(Message::words).sum()
    }

    /// Whether messages and reply cannot fit the model's window, as far as that is known. What is estimated errs high, and
    /// only a share of the window is used; what is counted may fill it.
    pub fn is_too_long(&self, model: &OpenAiModel) -> bool {
        let Some(usable) = model.usable_window() else { return false };
        let room = usable.saturating_sub(model.max_tokens.into());
        // No token has less than a byte: most prompts are known to fit without being counted.
        let fits = usable >= u64::from(model.max_tokens) && self.sum_tokens(|message| message.bytes() as u64) <= room;
        !fits && self.tokens_at_most() + u64::from(model.max_tokens) > usable
    }
}
