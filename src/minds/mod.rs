//! Simulated agents. A mind is pure: parameters, query, own state and draws in; reply and own state out.
//!
//! Minds are rules, not people and not language models. They read the counts of what was said and not the texts, and they hear
//! only what their brief holds.

mod random;
mod script;
mod voter;

pub use script::{Line, Script};

use crate::chance::SessionSeed;
use crate::domain::{AlternativeId, Answer, Fault, MindState, Motion, Outage, Query, QuestionId, Reply};

/// The rule by which a simulated agent answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Mind {
    /// Uniform choices and texts; `malformed` is the probability of a reply that cannot be read, in parts per million.
    Random {
        /// Parts per million, 0 … 1 000 000.
        malformed_ppm: u32,
    },
    /// Holds one alternative; before each statement copies a heard stance with probability `copy`.
    Voter {
        /// Parts per million, 0 … 1 000 000.
        copy_ppm: u32,
    },
    /// Says what a script says.
    Scripted(Script),
}

impl Mind {
    /// Answers a query.
    ///
    /// # Errors
    /// [`Outage::ScriptEnded`] when a script has no line for the question.
    pub fn answer(&self, motion: &Motion, seed: &SessionSeed, query: &Query<'_>) -> Result<Answer, Outage> {
        match self {
            Mind::Random { malformed_ppm } => Ok(random::answer(*malformed_ppm, motion, seed, query)),
            Mind::Voter { copy_ppm } => Ok(voter::answer(*copy_ppm, motion, seed, query)),
            Mind::Scripted(script) => script.answer(motion, query),
        }
    }
}

/// The coordinate of a mind's noise: the question without its turn, so that the order of speaking moves no noise.
fn noise_at(query: &Query<'_>) -> QuestionId {
    let mut id = query.id.clone();
    id.at.turn = 0;
    id
}

/// An answer for which no service was called.
fn simulated(raw: String, parsed: Result<Reply, Fault>, state: MindState) -> Answer {
    Answer { raw, parsed, usage: None, model_served: None, state }
}

/// A statement as an answer, which it is only if its stance was on offer.
fn statement(query: &Query<'_>, text: String, stance: Option<AlternativeId>, state: MindState) -> Answer {
    let parsed = if stance.is_some_and(|id| !query.ask.options().contains(&id)) {
        Err(Fault::UnknownAlternative)
    } else {
        Ok(Reply::Statement { text: text.clone(), stance: stance.map(Into::into) })
    };
    simulated(text, parsed, state)
}

/// A choice as an answer, which it is only if it was on offer.
fn choice(motion: &Motion, query: &Query<'_>, chosen: AlternativeId, state: MindState) -> Answer {
    let parsed = if query.ask.options().contains(&chosen) {
        Ok(Reply::Choice(chosen.into()))
    } else {
        Err(Fault::UnknownAlternative)
    };
    simulated(motion.name(chosen).to_string(), parsed, state)
}

#[cfg(test)]
mod tests;
