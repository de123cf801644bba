//! The outcomes of an arm question by question, and how many were right.
//!
//! Options of different questions share their letters and nothing else: they are never added up.

use indexmap::IndexMap;
use serde::Serialize;

use crate::analysis::statistics::{Interval, mean, wilson_interval};
use crate::analysis::{ArmFacts, ItemFacts, SessionTotals};
use crate::domain::{AlternativeName, Truth, Verdict};
use crate::report::chance::Chance;
use crate::report::render::{counted, grouped};
use crate::report::summary::Amounts;

/// What groups of an arm made of the items, over its completed sessions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemsReport {
    /// Whether each item has options of its own, so that the same letter means another thing in another item.
    pub own_options: bool,
    /// Completed sessions that ended without a decision, of all items.
    pub no_decision: u64,
    /// How many decided for the key; `None` where no session has an item with a key.
    pub correct: Option<CorrectShare>,
    /// How far amounts were from the right ones; absent where no amount is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<MeanError>,
    /// How many decided for a wrong option that the item names for scripts; absent where no item names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conformed: Option<ConformedShare>,
    /// The items, in the file's order; those without a completed session are left out.
    pub items: Vec<ItemReport>,
}

/// How many sessions decided for the key of their item.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorrectShare {
    /// Sessions that decided for the key.
    pub correct: u64,
    /// Sessions with a key and a decision: the denominator.
    pub sessions: u64,
    /// The first over the second; `None` without such a session.
    pub share: Option<f64>,
    /// Wilson's 95 % interval of the share, sessions of the same item taken as independent; `None` without such a session.
    pub interval: Option<Interval>,
    /// Sessions with a key that decided for nothing: neither right nor wrong.
    pub undecided: u64,
    /// Sessions whose item has no key.
    pub without_key: u64,
    /// What deciding by lot would give; a level to read the share against, not tested.
    pub chance: Chance,
}

/// How many sessions of the critical trials decided for a wrong option that the item names for scripts: the rate of conformity,
/// and, in an arm in which no script speaks, its baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConformedShare {
    /// Sessions that decided for such an option.
    pub conformed: u64,
    /// Sessions of these items with a decision: the denominator.
    pub sessions: u64,
    /// The first over the second; `None` without such a session.
    pub share: Option<f64>,
    /// Wilson's 95 % interval of the share, sessions of the same item taken as independent; `None` without such a session.
    pub interval: Option<Interval>,
    /// The items that name a wrong option for scripts.
    pub items: u64,
    /// Decisions for the key in these items and in the others, each of how many.
    pub correct: [(u64, u64); 2],
}

/// How far the amounts decided for were from the right ones, in parts of these: without a unit, so that a mean over items is one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeanError {
    /// The mean over decisions of |x − t| / t, x the amount decided for, t the right one.
    pub mean: f64,
    /// Decisions whose right amount is known and not 0: the denominator.
    pub sessions: u64,
    /// Their items.
    pub items: u64,
}

/// One item in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemReport {
    /// Its id.
    pub item: String,
    /// The right alternative, or the right amount; `None` where nobody knows.
    pub key: Option<String>,
    /// How many alternatives it has.
    pub alternatives: usize,
    /// Completed sessions.
    pub sessions: u64,
    /// What they decided for, how often; what nobody decided for is left out.
    pub decided: Vec<(String, u64)>,
    /// Those that ended without a decision.
    pub no_decision: u64,
    /// Those that decided for the key; `None` where the item has none, or an amount is right.
    pub correct: Option<u64>,
    /// Those that decided for a wrong option that it names for scripts; absent where it names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conformed: Option<u64>,
    /// The amounts decided for, where an amount alone is; absent elsewhere, and where nothing was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amounts: Option<Amounts>,
    /// The mean over its decisions of their distance from the right amount, in parts of that; absent where no amount is right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

/// The items of an arm while sessions are added.
#[derive(Debug, Default)]
pub(super) struct ItemCounts {
    own_options: bool,
    own_amounts: bool,
    items: IndexMap<String, Count>,
}

#[derive(Debug, Default)]
struct Count {
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
    /// Adds a completed session; the alternatives of `facts` are those of its item.
    pub fn add(&mut self, item: &ItemFacts, facts: &ArmFacts, totals: &SessionTotals) {
        let alternatives = &facts.alternatives;
        self.own_options |= item.has_options;
        self.own_amounts |= item.has_amounts;
        let count = self.items.entry(item.id.clone()).or_insert_with(|| Count {
            key: item.key.clone(),
            misleading: item.misleading.clone(),
            alternatives: alternatives.len(),
            unit: facts.amount_unit().map(str::to_owned),
            decided: alternatives.iter().map(|name| (name.clone(), 0)).collect(),
            ..Count::default()
        });
        count.sessions += 1;
        count.no_decision += u64::from(matches!(totals.verdict, Verdict::NoDecision | Verdict::NoQuorum));
        if let Some(result) = &totals.result {
            *count.decided.entry(result.alternative.clone()).or_default() += 1;
            count.amounts.extend(result.amount.filter(|_| alternatives.len() == 1));
        }
        count.errors.extend(totals.relative_error());
    }

    /// Whether what is decided for is another thing in another item.
    pub fn differ(&self) -> bool {
        self.own_options || self.own_amounts
    }

    /// The numbers; `None` where no completed session has an item.
    pub fn report(&self) -> Option<ItemsReport> {
        let items: Vec<ItemReport> = self.items.iter().map(|(id, count)| count.report(id)).collect();
        (!items.is_empty()).then(|| ItemsReport {
            own_options: self.own_options,
            no_decision: items.iter().map(|item| item.no_decision).sum(),
            correct: CorrectShare::of(&items),
            error: self.error(),
            conformed: ConformedShare::of(&items),
            items,
        })
    }

    fn error(&self) -> Option<MeanError> {
        let errors: Vec<f64> = self.items.values().flat_map(|count| count.errors.iter().copied()).collect();
        Some(MeanError {
            mean: mean(&errors)?,
            sessions: errors.len() as u64,
            items: self.items.values().filter(|count| !count.errors.is_empty()).count() as u64,
        })
    }
}

impl Count {
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
            amounts: Amounts::of(self.amounts.clone(), self.unit.as_deref()),
            error: mean(&self.errors),
        }
    }
}

impl ItemReport {
    /// Sessions that decided for something.
    pub fn with_decision(&self) -> u64 {
        self.decided.iter().map(|(_, sessions)| sessions).sum()
    }
}

impl CorrectShare {
    fn of(items: &[ItemReport]) -> Option<Self> {
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
    fn of(items: &[ItemReport]) -> Option<Self> {
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

    /// How many of how many.
    pub(super) fn words(&self) -> String {
        let share = self.share.zip(self.interval).map_or(String::new(), |(share, Interval { low, high })| {
            format!(": {:.0} % (95 % {:.0} – {:.0})", 100.0 * share, 100.0 * low, 100.0 * high)
        });
        format!("{} of {}{share}", grouped(self.conformed), counted(self.sessions, "decision"))
    }

    /// How many decided for the key, in these items and in the others.
    pub(super) fn right_words(&self) -> String {
        let [(right, of), (right_elsewhere, of_others)] = self.correct;
        let others = match of_others {
            0 => String::new(),
            _ => format!(", {} of {} in others", grouped(right_elsewhere), grouped(of_others)),
        };
        format!("{} of {} in critical items{others}", grouped(right), counted(of, "decision"))
    }

    /// How many items these are.
    pub(super) fn critical(&self) -> String {
        counted(self.items, "critical item")
    }
}
