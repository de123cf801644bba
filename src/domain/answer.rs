//! What comes back from a seat.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{AlternativeId, Ballot, Certainty, Choice, Fault, FieldValues, Inquiry, NoteTaken, Opinion};

/// The integers a simulated mind keeps from one question to its next. Empty for every other seat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MindState(pub Vec<i64>);

impl MindState {
    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What a service says a call used, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: u64,
    /// Tokens of the reply, with those of thinking.
    pub completion_tokens: u64,
    /// Those of them that a reasoning model thought with; `None` where the service does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_tokens: Option<u64>,
    /// Tokens of the prompt that the service had kept from an earlier one; `None` where it does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_prompt_tokens: Option<u64>,
}

/// An admissible answer, with alternatives by ids, or by names as the minutes have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply<A = AlternativeId> {
    /// A statement on the floor.
    Statement {
        /// The words.
        text: Arc<str>,
        /// What the speaker declares to favour, if anything.
        stance: Option<Choice<A>>,
        /// The opinion it declares, if any.
        opinion: Option<Opinion>,
    },
    /// The seat does not speak this time.
    Pass,
    /// A choice in a straw poll or a ballot.
    Choice(Choice<A>),
    /// A ballot that says more than one choice.
    Ballot(Ballot<A>),
    /// The seat votes for nothing, where it may.
    Abstention,
    /// A ballot or an abstention with its reasons.
    Reasoned {
        /// The ballot or the abstention.
        ballot: Box<Reply<A>>,
        /// Why, in words.
        reasoning: Arc<str>,
    },
    /// A choice in a straw poll, and the opinion told with it.
    Opined(Choice<A>, Opinion),
    /// The amount that belongs to the alternative voted for.
    Amount(u32),
    /// All alternatives, the best first, and one certainty for the whole.
    Ranking {
        /// Each alternative once.
        order: Vec<A>,
        /// How certain the seat is.
        certainty: Certainty,
    },
    /// A choice in a practice round.
    Application {
        /// What is applied.
        choice: Choice<A>,
        /// How certain the seat is.
        certainty: Certainty,
        /// Why, in words; may be empty.
        reasoning: Arc<str>,
    },
    /// Answers to a comprehension test: a table's number, from 1, for each question.
    Test(Vec<u32>),
    /// Yes or no: to calling a vote, or to voting now.
    Assent(bool),
    /// How urgently the seat wants to speak, 0 … [`URGENCY_MAX`](super::URGENCY_MAX); `None` when it does not.
    Urgency(Option<u32>),
    /// What the seat asks to see before it answers.
    Inquiry(Inquiry),
    /// Words for the seat itself: a thought before speaking, or a rewritten memory.
    Note(Arc<str>),
    /// A name for itself.
    Name(Arc<str>),
    /// What it does to its notes.
    Notes(NoteTaken),
    /// The values of a form.
    Form(FieldValues),
    /// Whether it recognises what it took part in.
    Recognition {
        /// Whether it does.
        recognised: bool,
        /// As what, in its words.
        recognised_as: Option<Arc<str>>,
    },
}

impl<A> Reply<A> {
    /// The same reply by other names; `None` where one is not found.
    pub fn find<B>(self, find: impl Fn(&A) -> Option<B>) -> Option<Reply<B>> {
        self.find_each(&find)
    }

    fn find_each<B>(self, find: &impl Fn(&A) -> Option<B>) -> Option<Reply<B>> {
        Some(match self {
            Reply::Statement { text, stance, opinion } => {
                let stance = match stance {
                    Some(choice) => Some(choice.find(find)?),
                    None => None,
                };
                Reply::Statement { text, stance, opinion }
            }
            Reply::Choice(choice) => Reply::Choice(choice.find(find)?),
            Reply::Opined(choice, opinion) => Reply::Opined(choice.find(find)?, opinion),
            Reply::Ballot(ballot) => Reply::Ballot(ballot.find(find)?),
            Reply::Ranking { order, certainty } => {
                Reply::Ranking { order: order.iter().map(find).collect::<Option<_>>()?, certainty }
            }
            Reply::Application { choice, certainty, reasoning } => {
                Reply::Application { choice: choice.find(find)?, certainty, reasoning }
            }
            Reply::Pass => Reply::Pass,
            Reply::Abstention => Reply::Abstention,
            Reply::Reasoned { ballot, reasoning } => {
                Reply::Reasoned { ballot: Box::new(ballot.find_each(find)?), reasoning }
            }
            Reply::Amount(amount) => Reply::Amount(amount),
            Reply::Test(answers) => Reply::Test(answers),
            Reply::Assent(yes) => Reply::Assent(yes),
            Reply::Urgency(urgency) => Reply::Urgency(urgency),
            Reply::Inquiry(inquiry) => Reply::Inquiry(inquiry),
            Reply::Note(text) => Reply::Note(text),
            Reply::Name(name) => Reply::Name(name),
            Reply::Notes(note) => Reply::Notes(note),
            Reply::Form(values) => Reply::Form(values),
            Reply::Recognition { recognised, recognised_as } => Reply::Recognition { recognised, recognised_as },
        })
    }

    /// The same reply with the reasons that a ballot is cast for; as it is if there are none.
    #[must_use]
    pub fn with_reasoning(self, reasoning: Option<Arc<str>>) -> Self {
        match reasoning {
            Some(reasoning) => Reply::Reasoned { ballot: Box::new(self), reasoning },
            None => self,
        }
    }

    /// The reply without the reasons of a ballot, and these.
    pub fn split_reasoning(self) -> (Self, Option<Arc<str>>) {
        match self {
            Reply::Reasoned { ballot, reasoning } => (*ballot, Some(reasoning)),
            reply => (reply, None),
        }
    }

    /// The choice of a straw poll or a ballot for one alternative, with the opinion told with it.
    pub fn choice(&self) -> Option<(&Choice<A>, Option<Opinion>)> {
        match self {
            Reply::Choice(choice) => Some((choice, None)),
            Reply::Opined(choice, opinion) => Some((choice, Some(*opinion))),
            _ => None,
        }
    }
}

/// What a backend returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The words as they came.
    pub raw: String,
    /// What they mean, or what is wrong with them.
    pub parsed: Result<Reply, Fault>,
    /// The field of the form that the fault is about; `None` without one.
    pub field: Option<String>,
    /// What the call used; `None` where no service was called or it did not say.
    pub usage: Option<Usage>,
    /// The model the service says it used; `None` where no service was called or it did not say.
    pub model_served: Option<String>,
    /// What the seat's mind keeps.
    pub state: MindState,
}

impl Answer {
    /// The answer to a question that is too long for the model and is not put.
    pub fn too_long(state: MindState) -> Self {
        let parsed = Err(Fault::ContextTooLong);
        Self { raw: String::new(), parsed, field: None, usage: None, model_served: None, state }
    }
}
