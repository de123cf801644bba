//! Messages of the facilitator or a human to seats.

use serde::{Deserialize, Serialize};

use super::{AlternativeName, Digest, FactId, NamedChoice, Needed, Opinion, SeatName, Voice};

/// Words that seats are told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Briefing {
    /// What they are, where they are more than words.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub what: Matter,
    /// The words; none of an exhibit, whose words are in the plan. Notes have a line each.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Who is told; empty when everyone is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to: Vec<SeatName>,
    /// In whose name.
    #[serde(default, skip_serializing_if = "super::spelled::is_default")]
    pub by: Voice,
}

/// What seats are told, beside the words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Matter {
    /// An instruction or an announcement; with `pushes` where a seat is told what to push, and with `group` for minds.
    Instruction {
        /// What the seats told are to push, where they are told so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pushes: Option<AlternativeName>,
        /// Where the group stands, where a poll is told; for minds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        group: Option<Opinion>,
    },
    /// An exhibit: its `name`, the `digest` of its text, and its `pages`, 0 where it is shown whole.
    Exhibit {
        /// Its name.
        name: String,
        /// The digest of its text.
        digest: Digest,
        /// How many pages it has; 0 where it is shown whole.
        pages: u32,
    },
    /// A seat's own part of the case: the alternative to which its `signal` points, and the `facts` that it holds.
    Case {
        /// The alternative that its evidence points to; absent where seats get no signals.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signal: Option<AlternativeName>,
        /// The facts that it holds, by their ids, in the scenario's order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        facts: Vec<FactId>,
    },
    /// The decision that is imposed on the group.
    Decision {
        /// The alternative.
        alternative: AlternativeName,
        /// The amount, where the alternative takes one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        amount: Option<u32>,
    },
    /// What a seat noted when the seats met before; `from` is the session of another experiment in which it did.
    Notes {
        /// The session of another experiment in which the notes were taken; absent where it is the one before in the panel.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Needed>,
    },
}

impl Default for Matter {
    fn default() -> Self {
        Self::Instruction { pushes: None, group: None }
    }
}

impl Briefing {
    /// Words of the facilitator to these seats, or to all.
    pub fn new(text: String, to: Vec<SeatName>) -> Self {
        Self { what: Matter::default(), text, to, by: Voice::Facilitator }
    }

    /// Whether a seat is told.
    pub fn is_for(&self, seat: &SeatName) -> bool {
        self.to.is_empty() || self.to.contains(seat)
    }

    /// The opinion of the group, if the message reports a poll.
    pub fn group(&self) -> Option<Opinion> {
        match self.what {
            Matter::Instruction { group, .. } => group,
            _ => None,
        }
    }

    /// The imposed decision; `None` if the message is another.
    pub fn decision(&self) -> Option<NamedChoice> {
        match &self.what {
            Matter::Decision { alternative, amount } => {
                Some(NamedChoice { alternative: alternative.clone(), amount: *amount })
            }
            _ => None,
        }
    }

    /// The lines of notes, with the seat that took them; `None` if the message is another.
    pub fn notes(&self) -> Option<(&SeatName, Vec<String>)> {
        let Matter::Notes { .. } = self.what else { return None };
        let lines = self.text.split('\n').filter(|_| !self.text.is_empty());
        Some((self.to.first()?, lines.map(str::to_owned).collect()))
    }
}
