//! What templates are told: names, numbers and the same numbers in figures. Words are the templates' affair.

use std::collections::BTreeMap;
use std::sync::Arc;

use minijinja::{Value, context};

use crate::domain::{
    Agent, Alternative, AlternativeId, Ask, BallotForm, CLASS_NAMES, Certainty, Choice, Fault, Motion, SeatId,
    Situation, Step, URGENCY_MAX,
};
use crate::mechanism::{income_range, low_income, mean_dollars_rounded};
use crate::prompt::amount::amount_max;
use crate::prompt::numbers::{percent, thousands};
use crate::prompt::setting::Known;
use crate::prompt::templates::question_template;

/// What a template is told on one occasion. Templates and clones share the values until one of them gets another fact.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    values: Arc<BTreeMap<&'static str, Value>>,
}

impl Facts {
    /// What no occasion changes.
    pub(super) fn of_setting(known: &Known) -> Self {
        let values = BTreeMap::from([
            ("parameters", known.parameters.clone()),
            ("pay", known.pay.clone()),
            ("rounds", Value::from(known.rounds)),
            ("vote", known.vote.clone()),
        ]);
        Self { values: Arc::new(values) }
    }

    /// The motion with all its alternatives in the scenario's order, outside a question.
    pub(super) fn of_motion(known: &Known, motion: &Motion) -> Self {
        Self::of_options(known, motion, motion.alternative_ids())
    }

    fn of_options(known: &Known, motion: &Motion, options: impl Iterator<Item = AlternativeId>) -> Self {
        Self::of_setting(known)
            .with("motion", motion.text.as_str())
            .with("amount_max", motion.amount_max)
            .with("amount_min", motion.amount_max.map(|_| motion.amount_min))
            .with("unit", motion.unit.as_deref())
            .with_options(motion, options)
    }

    /// The same facts with these options.
    pub(super) fn with_options(self, motion: &Motion, options: impl Iterator<Item = AlternativeId>) -> Self {
        self.with("options", options.map(|id| option_value(motion, id)).collect::<Vec<Value>>())
    }

    /// The first question that shows all options to a seat, in the scenario's order. `agents` has one entry a seat.
    pub(super) fn of_frame(known: &Known, motion: &Motion, agents: &[&Agent], seat: SeatId) -> Self {
        let options = motion.alternative_ids().collect();
        let ask = Ask::Statement { options, chars_min: 0, chars_max: None, marks: false, opinion: false };
        Self::of_question(known, motion, agents, seat, &ask, 1)
    }

    /// The first try of a question to a seat. `agents` has one entry a seat.
    ///
    /// Options are in the order in which the question shows them; a question without options has all, in the scenario's
    /// order.
    pub(super) fn of_question(
        known: &Known,
        motion: &Motion,
        agents: &[&Agent],
        seat: SeatId,
        ask: &Ask,
        round: u32,
    ) -> Self {
        let agent = agents[seat.index()];
        let facts = match ask.options() {
            [] if ask.step() == Step::Statement => Self::of_options(known, motion, std::iter::empty()),
            [] => Self::of_motion(known, motion),
            shown => Self::of_options(known, motion, shown.iter().copied()),
        };
        let (ties, truncated, score_max) = of_ballot(ask);
        let greatest = Some(amount_max(motion, ask)).filter(|greatest| *greatest > 0);
        facts
            .with("amount_max", greatest)
            .with("alternative", ask.only_alternative().map(|id| option_value(motion, id)))
            .with("ask", question_template(ask))
            .with("caller", caller(ask, motion, agents))
            .with("can_look_up", false)
            .with("can_page", false)
            .with("certainties", Certainty::ALL.map(|certainty| Value::from(certainty.said(motion.language))).to_vec())
            .with("chars_max", ask.chars_max().unwrap_or(0))
            .with("chars_min", ask.chars_min())
            .with("fault", ())
            .with("focus", focus(ask))
            .with("form", "json")
            .with("left_out", false)
            .with("marks", ask.reads_marks())
            .with("name", agent.name.as_str())
            .with("news", false)
            .with("notes", notes(ask))
            .with("own_proposals", Vec::<Value>::new())
            .with("persona", agent.persona.as_deref())
            .with("phase", "")
            .with("public_name", agent.public_name.as_str())
            .with("questions", questions_value(motion, ask))
            .with("round", round)
            .with("score_max", score_max)
            .with("taken", taken(ask))
            .with("talk", true)
            .with("ties", ties)
            .with("truncated", truncated)
            .with("urgency_max", URGENCY_MAX)
            .with("words_max", ask.words_max())
            .with("situation", ask.situation().map(|situation| situation_value(situation, known)))
    }

    /// The same facts and one more.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        Arc::make_mut(&mut self.values).insert(name, value.into());
        self
    }

    /// The same facts for a question that is put again.
    pub(super) fn after(self, fault: Fault) -> Self {
        self.with("fault", fault.as_str())
    }

    /// The value at a dotted path; undefined where there is none.
    pub(super) fn at(&self, path: &str) -> Value {
        let mut parts = path.split('.');
        let fact = parts.next().and_then(|name| self.values.get(name)).cloned().unwrap_or_default();
        parts.fold(fact, |value, part| value.get_attr(part).unwrap_or_default())
    }

    pub(super) fn value(&self) -> Value {
        Value::from_dyn_object(Arc::clone(&self.values))
    }
}

/// Who called the vote that is to be confirmed, as it may be told.
fn caller(ask: &Ask, motion: &Motion, agents: &[&Agent]) -> Option<String> {
    match ask {
        Ask::Confirmation { caller: Some(caller) } => Some(agents[caller.index()].public_name.clone()),
        Ask::Confirmation { caller: None } => Some(motion.language.somebody().to_owned()),
        _ => None,
    }
}

/// A seat's notes, where it is asked for changes to them.
fn notes(ask: &Ask) -> &str {
    match ask {
        Ask::Notes { notes } => notes,
        _ => "",
    }
}

/// Names that others go by, where a seat is asked for one.
fn taken(ask: &Ask) -> Vec<Value> {
    match ask {
        Ask::Naming { taken } => taken.iter().map(|name| Value::from(name.as_str())).collect(),
        _ => Vec::new(),
    }
}

/// Whether a ballot may put options on the same place, and leave some out; and the greatest score that it may give, where it gives any.
fn of_ballot(ask: &Ask) -> (bool, bool, Option<u32>) {
    match ask.ballot_form() {
        Some(BallotForm::Ranking { ties, truncated, .. }) => (ties, truncated, None),
        Some(BallotForm::Score { max } | BallotForm::Allocation { points: max }) => (false, false, Some(max)),
        _ => (false, false, None),
    }
}

/// What a shortened memory is to keep above all.
fn focus(ask: &Ask) -> Option<&str> {
    if let Ask::Compression { focus, .. } = ask { focus.as_deref() } else { None }
}

/// An alternative, numbered from 1 in the scenario's order.
pub(super) fn option_value(motion: &Motion, id: AlternativeId) -> Value {
    let Alternative { name, label, status_quo, takes_amount, .. } = &motion.alternatives[id.index()];
    context! {
        id => name.as_str(),
        name => motion.said(id).as_str(),
        label => label,
        number => id.index() + 1,
        status_quo => status_quo,
        takes_amount => takes_amount,
    }
}

/// A choice: the alternative's fields, and the amount or none.
pub(super) fn choice_value(motion: &Motion, choice: Choice) -> Value {
    context! {
        amount => choice.amount,
        amount_shown => choice.amount.map(|amount| thousands(amount, motion.language)),
        ..option_value(motion, choice.alternative)
    }
}

/// A situation: its tables and weights, and what is computed from them.
pub(super) fn situation_value(situation: &Situation, known: &Known) -> Value {
    let (average, language) = (known.average, known.language);
    let weights = CLASS_NAMES.iter().zip(situation.weights_ppm).map(|(class, ppm)| {
        context! { class => *class, percent => percent(ppm, language) }
    });
    let tables = situation.tables.iter().enumerate().map(|(place, incomes)| {
        let classes = CLASS_NAMES.iter().zip(incomes).map(|(class, dollars)| {
            context! { class => *class, dollars => dollars, shown => thousands(*dollars, language) }
        });
        let mean = u32::try_from(mean_dollars_rounded(incomes, &situation.weights_ppm, average));
        let mean = mean.expect("invariant: no mean is greater than the greatest income");
        context! {
            number => place + 1,
            incomes => classes.collect::<Vec<Value>>(),
            mean_shown => thousands(mean, language),
            low_shown => thousands(low_income(incomes), language),
            range_shown => thousands(income_range(incomes), language),
        }
    });
    context! {
        name => situation.name.as_str(),
        weights => weights.collect::<Vec<Value>>(),
        weights_shown => situation.weights_shown,
        tables => tables.collect::<Vec<Value>>(),
    }
}

fn questions_value(motion: &Motion, ask: &Ask) -> Vec<Value> {
    let Ask::Comprehension { questions, .. } = ask else {
        return Vec::new();
    };
    let values = questions.iter().enumerate().map(|(place, question)| {
        let choice = Choice { alternative: question.alternative, amount: question.amount };
        context! { number => place + 1, ..choice_value(motion, choice) }
    });
    values.collect()
}
