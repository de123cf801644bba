//! The case of a session from its plan: the question, the right answer and the facts.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::domain::{Record, Truth};
use crate::plan::Plan;
use crate::report::{grouped, quoted};

/// The case of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Case {
    /// The question of the session's item; empty without items.
    pub question: String,
    /// The names and labels of the item's options; empty without items, or if there is only one alternative.
    pub options: Vec<(String, String)>,
    /// The right answer in words; empty if unknown.
    pub right: String,
    /// The record that holds the right answer; `None` if the item holds it.
    pub right_seq: Option<u64>,
    /// The right amount; `None` if it is unknown or an alternative is right.
    pub right_amount: Option<u64>,
    /// The unit of amounts, after a space; empty without one.
    pub unit: String,
    /// The texts of the facts, by id.
    pub facts: BTreeMap<String, String>,
    /// The alternatives in the scenario's order, each with its supporting facts; empty if no fact supports an alternative.
    pub sides: Vec<Side>,
}

/// An alternative and the facts that support it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Side {
    /// The name of the alternative.
    pub alternative: String,
    /// The ids of the supporting facts.
    pub facts: BTreeSet<String>,
}

impl Case {
    /// Counts facts by the alternative they support: `adler 2, brandt 4, clausen 0`; empty if no fact supports an alternative.
    pub fn count_by_side<'f>(&self, facts: impl Iterator<Item = &'f str> + Clone) -> String {
        let count = |side: &Side| facts.clone().filter(|fact| side.facts.contains(*fact)).count();
        let counts = self.sides.iter().map(|side| format!("{} {}", side.alternative, count(side)));
        counts.collect::<Vec<_>>().join(", ")
    }

    /// The case of the session with this plan and these records.
    pub fn of(plan: &Plan, records: &[Record]) -> Self {
        let dealt = records.iter().find_map(|record| Some((record.seq.0, record.event.convened()?.truth.as_ref()?)));
        let truth = plan.item.as_ref().and_then(|item| item.key.as_ref()).or(dealt.map(|(_, truth)| truth));
        let right = truth.and_then(Truth::alternative).and_then(|name| plan.motion.find(name.as_str()));
        let label = |name: &str| {
            let found = plan.motion.find(name).map(|id| plan.motion.alternatives[id.index()].label.as_str());
            found.filter(|label| *label != name).map_or(String::new(), |label| format!(" ({label})"))
        };
        let unit = plan.motion.unit.as_ref().map_or(String::new(), |unit| format!(" {unit}"));
        let facts = || {
            plan.evidence
                .iter()
                .flat_map(|evidence| &evidence.facts)
                .map(|fact| (&fact.id, fact.version_for_truth(right)))
        };
        let sides = plan.motion.alternatives.iter().enumerate().map(|(place, alternative)| Side {
            alternative: alternative.name.to_string(),
            facts: facts()
                .filter(|(_, version)| version.favours.is_some_and(|id| id.index() == place))
                .map(|(id, _)| id.to_string())
                .collect(),
        });
        let is_any = facts().any(|(_, version)| version.favours.is_some());
        let is_own = plan.item.is_some();
        let options = plan.motion.alternatives.iter().filter(|_| is_own && plan.motion.only().is_none());
        let right_amount = match truth {
            Some(Truth::Amount(amount)) => Some(u64::from(*amount)),
            Some(Truth::Alternative(_)) | None => None,
        };
        Self {
            right_seq: dealt.map(|(seq, _)| seq),
            right_amount,
            question: plan.item.as_ref().map_or(String::new(), |item| item.text.clone()),
            options: options.map(|one| (one.name.to_string(), one.label.clone())).collect(),
            right: truth.map_or(String::new(), |truth| match truth {
                Truth::Alternative(name) => format!("{}{}", quoted(name.as_str()), label(name.as_str())),
                Truth::Amount(amount) => format!("{}{unit}", grouped(u64::from(*amount))),
            }),
            facts: facts().map(|(id, version)| (id.to_string(), version.text.clone())).collect(),
            sides: sides.filter(|_| is_any).collect(),
            unit,
        }
    }
}
