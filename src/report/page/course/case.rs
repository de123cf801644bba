//! What a session was about, as its plan has it: its own question, what is right, and what facts say.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::domain::{Event, Record, Truth};
use crate::plan::Plan;
use crate::report::{grouped, quoted};

/// What a session was about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Case {
    /// Its question, where sessions have questions of their own; else empty.
    pub question: String,
    /// What may be chosen there, by name, in words; empty where there is one alternative alone, and without questions of their own.
    pub options: Vec<(String, String)>,
    /// Which answer is right, in words; empty where nobody knows.
    pub right: String,
    /// The record that says so; `None` where the item does.
    pub right_seq: Option<u64>,
    /// The right amount; `None` where an alternative is right, and where nobody knows.
    pub right_amount: Option<u64>,
    /// What amounts are counted in, behind a blank; empty where that has no name.
    pub unit: String,
    /// What the facts of the case say, by their ids; empty where there are none.
    pub facts: BTreeMap<String, String>,
    /// The alternatives that facts speak for, in the scenario's order, each with the ids of those that do; empty where none speaks for
    /// any.
    pub sides: Vec<Side>,
}

/// An alternative that facts speak for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Side {
    /// Its name.
    pub alternative: String,
    /// The ids of these facts.
    pub facts: BTreeSet<String>,
}

impl Case {
    /// How many of some facts speak for each alternative: `adler 2, brandt 4, clausen 0`; empty where facts speak for none.
    pub fn weighed<'f>(&self, facts: impl Iterator<Item = &'f str> + Clone) -> String {
        let count = |side: &Side| facts.clone().filter(|fact| side.facts.contains(*fact)).count();
        let told = self.sides.iter().map(|side| format!("{} {}", side.alternative, count(side)));
        told.collect::<Vec<_>>().join(", ")
    }

    /// What the session of this plan and these records was about.
    pub fn of(plan: &Plan, records: &[Record]) -> Self {
        let dealt = records.iter().find_map(|record| match &record.event {
            Event::Dealt { truth, .. } => Some((record.seq.0, truth.as_ref()?)),
            _ => None,
        });
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
