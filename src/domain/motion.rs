//! What is deliberated, and who sits at the table.

use super::{AlternativeId, AlternativeName, Choice, NamedChoice};

/// What the group decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Motion {
    /// The question in words, as every seat reads it.
    pub text: String,
    /// The alternatives in the order of the scenario; at least two.
    pub alternatives: Vec<Alternative>,
    /// The greatest amount that may be named with an alternative that takes one; the least is 1. `None` where none does.
    pub amount_max: Option<u32>,
}

/// One thing the group may choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// The name used in ballots and tables.
    pub name: AlternativeName,
    /// The words that describe it to a seat.
    pub label: String,
    /// Whether choosing it leaves things as they are; at most one alternative has it.
    pub status_quo: bool,
    /// Whether choosing it means naming an amount, too.
    pub takes_amount: bool,
}

/// Who sits on a seat, as far as a prompt tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// How the seat itself is addressed.
    pub name: String,
    /// How others see the seat: its name, or `Participant 3` when the controls say `anonymous`.
    pub public_name: String,
    /// Who the agent is, in words for its own prompt only.
    pub persona: Option<String>,
}

impl Motion {
    /// The alternative of that name, if the motion has it.
    pub fn find(&self, name: &str) -> Option<AlternativeId> {
        let place = self.alternatives.iter().position(|a| a.name.as_str() == name)?;
        Some(AlternativeId(place as u32))
    }

    /// A choice as it is written in files.
    ///
    /// # Panics
    /// When its alternative is not of this motion.
    pub fn named(&self, choice: Choice) -> NamedChoice {
        NamedChoice { alternative: self.name(choice.alternative).clone(), amount: choice.amount }
    }

    /// The name of an alternative.
    ///
    /// # Panics
    /// When the id is not of this motion.
    pub fn name(&self, id: AlternativeId) -> &AlternativeName {
        &self.alternatives[id.index()].name
    }
}
