//! What is deliberated, and who sits at the table.

use super::{AlternativeId, AlternativeName, Choice, Language, NamedChoice, Opinion, SeatName, TextId};

/// What the group decides.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Motion {
    /// The question in words, as every seat reads it.
    pub text: String,
    /// The alternatives in the order of the scenario: at least two, or one that takes an amount. Then nothing is chosen and the
    /// amount alone is decided.
    pub alternatives: Vec<Alternative>,
    /// The greatest amount that may be named with an alternative that takes one. `None` where none does.
    pub amount_max: Option<u32>,
    /// The least; 1 unless the scenario says otherwise.
    pub amount_min: u32,
    /// What amounts are counted in, in words; `None` where the scenario does not say.
    pub unit: Option<String>,
    /// The language of the session.
    pub language: Language,
}

/// One thing the group may choose.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Alternative {
    /// The name used in ballots and tables.
    pub name: AlternativeName,
    /// The name by which seats read and write it in the session's language; `None` where that is `name`.
    pub said: Option<AlternativeName>,
    /// The words that describe it to a seat.
    pub label: String,
    /// Whether choosing it leaves things as they are; at most one alternative has it.
    pub status_quo: bool,
    /// Whether choosing it means naming an amount, too.
    pub takes_amount: bool,
}

/// Who sits on a seat, as far as a prompt tells it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Agent {
    /// How the seat itself is addressed.
    pub name: String,
    /// How others see the seat: its name, or `Participant 3` when the controls say `anonymous`.
    pub public_name: String,
    /// Who the agent is, in words for its own prompt only.
    pub persona: Option<String>,
}

impl Motion {
    /// The one alternative of a motion of which the amount alone is decided.
    pub fn only(&self) -> Option<AlternativeId> {
        matches!(self.alternatives.as_slice(), [Alternative { takes_amount: true, .. }]).then_some(AlternativeId(0))
    }

    /// The ids of its alternatives, in their order.
    pub fn alternative_ids(&self) -> impl DoubleEndedIterator<Item = AlternativeId> + Clone + use<> {
        (0..self.alternatives.len() as u32).map(AlternativeId)
    }

    /// The amounts that may be named in the talk and in votes; empty where none may.
    pub fn amounts(&self) -> std::ops::RangeInclusive<u32> {
        self.amount_min..=self.amount_max.unwrap_or(0)
    }

    /// Where an amount lies between the least and the greatest, as an opinion; `None` where it is outside, or none may be named.
    pub fn opinion_of(&self, amount: u32) -> Option<Opinion> {
        let range = u64::from(self.amount_max?.checked_sub(self.amount_min)?);
        let above = u64::from(amount.checked_sub(self.amount_min)?);
        let billionths = (2 * above * u64::from(Opinion::ONE) + range).checked_div(2 * range)?;
        Opinion::new(u32::try_from(billionths).ok()?)
    }

    /// The alternative of that name, if the motion has it.
    pub fn find(&self, name: &str) -> Option<AlternativeId> {
        let place = self.alternatives.iter().position(|a| a.name.as_str() == name)?;
        Some(AlternativeId(place as u32))
    }

    /// The alternative that seats call so.
    pub fn find_said(&self, name: &str) -> Option<AlternativeId> {
        let place = self.alternatives.iter().position(|a| a.said().as_str() == name)?;
        Some(AlternativeId(place as u32))
    }

    /// A choice as it is written in files.
    ///
    /// # Panics
    /// When its alternative is not of this motion.
    pub fn named(&self, choice: Choice) -> NamedChoice {
        NamedChoice { alternative: self.name(choice.alternative).clone(), amount: choice.amount }
    }

    /// In which words seats are told of it.
    pub fn tongue(&self) -> Tongue<'_> {
        Tongue { language: self.language, alternatives: &self.alternatives }
    }

    /// A choice as seats read and write it.
    ///
    /// # Panics
    /// When its alternative is not of this motion.
    pub fn told(&self, choice: Choice) -> NamedChoice {
        NamedChoice { alternative: self.said(choice.alternative).clone(), amount: choice.amount }
    }

    /// The name of an alternative as seats read and write it.
    ///
    /// # Panics
    /// When the id is not of this motion.
    pub fn said(&self, id: AlternativeId) -> &AlternativeName {
        self.alternatives[id.index()].said()
    }

    /// The name of an alternative, as it is written in files.
    ///
    /// # Panics
    /// When the id is not of this motion.
    pub fn name(&self, id: AlternativeId) -> &AlternativeName {
        &self.alternatives[id.index()].name
    }
}

impl Alternative {
    /// A seat that may be voted for, which seats call by its public name.
    pub fn of_seat(seat: &SeatName, public_name: &str) -> Self {
        let name = AlternativeName::new(seat.as_str());
        let said = (seat.as_str() != public_name).then(|| AlternativeName::new(public_name));
        Self { name, said, label: public_name.to_owned(), status_quo: false, takes_amount: false }
    }

    /// A kept text that may be voted for, which seats call by its letter.
    pub fn of_text(id: TextId, label: String) -> Self {
        let name = AlternativeName::new(&id.letter());
        Self { name, said: None, label, status_quo: false, takes_amount: false }
    }

    /// Its name as seats read and write it.
    pub fn said(&self) -> &AlternativeName {
        self.said.as_ref().unwrap_or(&self.name)
    }
}

/// In which words a session is told: its language, and what its alternatives are called in it.
#[derive(Debug, Clone, Copy)]
pub struct Tongue<'m> {
    /// The language.
    pub language: Language,
    alternatives: &'m [Alternative],
}

impl<'m> Tongue<'m> {
    /// A choice as it is told, by how files have it.
    pub fn choice(self, choice: &NamedChoice) -> NamedChoice {
        NamedChoice { alternative: self.alternative(&choice.alternative).clone(), amount: choice.amount }
    }

    /// What an alternative is called, by its name in files.
    pub fn alternative<'a>(self, name: &'a AlternativeName) -> &'a AlternativeName
    where
        'm: 'a,
    {
        self.alternatives.iter().find(|other| other.name == *name).map_or(name, Alternative::said)
    }
}
