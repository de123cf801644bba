//! The outcomes of an arm item by item, and the number of right ones.
//!
//! Options of different items share only their letters, so they are never added up.

use indexmap::IndexMap;
use serde::Serialize;

use crate::analysis::statistics::{Interval, mean, wilson_interval};
use crate::analysis::{ArmFacts, ItemFacts, SessionTotals};
use crate::domain::{AlternativeName, Truth, Verdict};
use crate::report::amounts::Amounts;
use crate::report::chance::Chance;
use crate::report::numbers::{counted, grouped, share_of_decisions};

/// The results of an arm by item, over its completed sessions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemsReport {
    /// Whether items have options of their own, so that a letter differs in meaning between items.
    pub own_options: bool,
    /// Completed sessions without a decision, over all items.
    pub no_decision: u64,
    /// The decisions for the key; `None` if no session has an item with a key.
    pub correct: Option<CorrectShare>,
    /// The distance of amounts from the right ones; absent if no amount is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<MeanError>,
    /// The decisions for a misleading option; absent if no item has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conformed: Option<ConformedShare>,
    /// The items with a completed session, in the order of the file.
    pub items: Vec<ItemReport>,
}

/// The decisions for the key of the item.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorrectShare {
    /// Sessions that decided for the key.
    pub correct: u64,
    /// Sessions with a key and a decision: the denominator.
    pub sessions: u64,
    /// `correct` / `sessions`; `None` without such a session.
    pub share: Option<f64>,
    /// Wilson's 95 % interval of the share, which takes sessions of one item as independent; `None` without such a session.
    pub interval: Option<Interval>,
    /// Sessions with a key but without a decision: neither right nor wrong.
    pub undecided: u64,
    /// Sessions whose item has no key.
    pub without_key: u64,
    /// The share that deciding by lot would give, for comparison.
    pub chance: Chance,
}

/// The decisions for misleading options in critical items (those with a misleading option): the rate of conformity or, in an arm
/// without scripted seats, its baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConformedShare {
    /// Sessions that decided for a misleading option.
    pub conformed: u64,
    /// Sessions of critical items with a decision: the denominator.
    pub sessions: u64,
    /// `conformed` / `sessions`; `None` without such a session.
    pub share: Option<f64>,
    /// Wilson's 95 % interval of the share, which takes sessions of one item as independent; `None` without such a session.
    pub interval: Option<Interval>,
    /// The number of critical items.
    pub items: u64,
    /// Decisions for the key and all decisions, in critical items and in the others.
    pub correct: [(u64, u64); 2],
}

/// The relative error of decided amounts. It has no unit, so it can be averaged over items.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeanError {
    /// The mean over decisions of |x − t| / t for the decided amount x and the right amount t.
    pub mean: f64,
    /// Decisions with a known right amount other than 0: the denominator.
    pub sessions: u64,
    /// The number of their items.
    pub items: u64,
}

/// The results of one item.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemReport {
    /// The item's id.
    pub item: String,
    /// The right alternative or amount; `None` without a key.
    pub key: Option<String>,
    /// The number of alternatives.
    pub alternatives: usize,
    /// Completed sessions.
    pub sessions: u64,
    /// The decisions by alternative, without alternatives that nobody decided for.
    pub decided: Vec<(String, u64)>,
    /// Completed sessions without a decision.
    pub no_decision: u64,
    /// Decisions for the key; `None` without a key or a vote on any item, or if an amount is right.
    pub correct: Option<u64>,
    /// Decisions for a misleading option; absent if the item has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conformed: Option<u64>,
    /// The decided amounts; absent without decisions, and if there are several alternatives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amounts: Option<Amounts>,
    /// The mean relative error of the decided amounts; absent if no amount is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

/// Collects the sessions of an arm by item.
#[derive(Debug, Default)]
pub(super) struct ItemCounts {
    own_options: bool,
    own_amounts: bool,
    items: IndexMap<String, ItemCount>,
}

#[derive(Debug, Default)]
struct ItemCount {
    key: Option<Truth>,
    misleading: Vec<AlternativeName>,
    amounts: Vec<u32>,
    errors: Vec<f64>,
    alternatives: usize,
    unit: Option<String>,
    sessions: u64,
    decided: IndexMap<AlternativeName, u64>,
    no_decision: u64,
}

impl ItemCounts {
    /// Adds a completed session. `facts` must have the alternatives of its item.
    pub fn add(&mut self, item: &ItemFacts, facts: &ArmFacts, totals: &SessionTotals) {
        let alternatives = &facts.alternatives;
        self.own_options |= item.has_options;
        self.own_amounts |= item.has_amounts;
        let count = self.items.entry(item.id.clone()).or_insert_with(|| ItemCount {
            key: item.key.clone(),
            misleading: item.misleading.clone(),
            alternatives: alternatives.len(),
            unit: facts.amount_unit().map(str::to_owned),
            decided: alternatives.iter().map(|name| (name.clone(), 0)).collect(),
            ..ItemCount::default()
        });
        count.sessions += 1;
        count.no_decision += u64::from(matches!(totals.verdict, Verdict::NoDecision | Verdict::NoQuorum));
        if let Some(result) = &totals.result {
            *count.decided.entry(result.alternative.clone()).or_default() += 1;
            count.amounts.extend(result.amount.filter(|_| alternatives.len() == 1));
        }
        count.errors.extend(totals.relative_error());
    }

    /// Whether decisions differ in meaning between items.
    pub fn differ(&self) -> bool {
        self.own_options || self.own_amounts
    }

    /// The results; `None` if no completed session has an item.
    pub fn report(&self) -> Option<ItemsReport> {
        let mut items: Vec<ItemReport> = self.items.iter().map(|(id, count)| count.report(id)).collect();
        if !are_voted_on(&items) {
            items.iter_mut().for_each(|item| (item.correct, item.conformed) = (None, None));
        }
        (!items.is_empty()).then(|| ItemsReport {
            own_options: self.own_options,
            no_decision: items.iter().map(|item| item.no_decision).sum(),
            correct: CorrectShare::from_items(&items),
            error: self.mean_error(),
            conformed: ConformedShare::from_items(&items),
            items,
        })
    }

    fn mean_error(&self) -> Option<MeanError> {
        let errors: Vec<f64> = self.items.values().flat_map(|count| count.errors.iter().copied()).collect();
        Some(MeanError {
            mean: mean(&errors)?,
            sessions: errors.len() as u64,
            items: self.items.values().filter(|count| !count.errors.is_empty()).count() as u64,
        })
    }
}

impl ItemCount {
    fn decided_for(&self, alternative: &AlternativeName) -> u64 {
        self.decided.get(alternative).copied().unwrap_or_default()
    }

    fn report(&self, id: &str) -> ItemReport {
        let right = self.key.as_ref().and_then(Truth::alternative);
        let chosen = self.decided.iter().filter(|(_, sessions)| **sessions > 0);
        ItemReport {
            item: id.to_owned(),
            key: self.key.as_ref().map(ToString::to_string),
            alternatives: self.alternatives,
            sessions: self.sessions,
            decided: chosen.map(|(name, sessions)| (name.to_string(), *sessions)).collect(),
            no_decision: self.no_decision,
            correct: right.map(|key| self.decided_for(key)),
            conformed: (!self.misleading.is_empty())
                .then(|| self.misleading.iter().map(|one| self.decided_for(one)).sum()),
            amounts: Amounts::from_values(self.amounts.clone(), self.unit.as_deref()),
            error: mean(&self.errors),
        }
    }
}

/// Whether groups decided on the items, or tried to.
pub(super) fn are_voted_on(items: &[ItemReport]) -> bool {
    items.iter().any(|item| item.with_decision() + item.no_decision > 0)
}

impl ItemReport {
    /// The number of sessions with a decision.
    pub fn with_decision(&self) -> u64 {
        self.decided.iter().map(|(_, sessions)| sessions).sum()
    }
}

impl CorrectShare {
    fn from_items(items: &[ItemReport]) -> Option<Self> {
        let keyed = || items.iter().filter(|item| item.correct.is_some());
        let chance = Chance::of(keyed().map(|item| item.alternatives))?;
        let correct = keyed().filter_map(|item| item.correct).sum();
        let sessions = keyed().map(ItemReport::with_decision).sum();
        let all: u64 = keyed().map(|item| item.sessions).sum();
        Some(Self {
            correct,
            sessions,
            share: (sessions > 0).then(|| correct as f64 / sessions as f64),
            interval: wilson_interval(correct, sessions),
            undecided: all - sessions,
            without_key: items.iter().filter(|item| item.correct.is_none()).map(|item| item.sessions).sum(),
            chance,
        })
    }
}

impl ConformedShare {
    fn from_items(items: &[ItemReport]) -> Option<Self> {
        let critical = || items.iter().filter(|item| item.conformed.is_some());
        let conformed = critical().filter_map(|item| item.conformed).sum();
        let sessions = critical().map(ItemReport::with_decision).sum();
        let correct = [true, false].map(|is_critical| {
            let those =
                || items.iter().filter(|item| item.correct.is_some() && item.conformed.is_some() == is_critical);
            (those().filter_map(|item| item.correct).sum(), those().map(ItemReport::with_decision).sum())
        });
        let items = critical().count() as u64;
        (items > 0).then(|| Self {
            conformed,
            sessions,
            share: (sessions > 0).then(|| conformed as f64 / sessions as f64),
            interval: wilson_interval(conformed, sessions),
            items,
            correct,
        })
    }

    /// The share in words.
    pub(super) fn words(&self) -> String {
        share_of_decisions(self.conformed, self.sessions)
    }

    /// The decisions for the key in critical items and in others, in words.
    pub(super) fn right_words(&self) -> String {
        let [(right, of), (right_elsewhere, of_others)] = self.correct;
        let others = match of_others {
            0 => String::new(),
            _ => format!(", {} of {} in others", grouped(right_elsewhere), grouped(of_others)),
        };
        format!("{} of {} in critical items{others}", grouped(right), counted(of, "decision"))
    }

    /// The number of critical items, in words.
    pub(super) fn critical(&self) -> String {
        counted(self.items, "critical item")
    }
}
