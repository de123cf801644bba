//! A design in numbers, before anything is run: arms, sessions, agenda, and what they may ask and cost.
//!
//! Text and JSON are made from the same [`Design`]. Nothing here rehearses or reads a price list: forecasts come in, and
//! prices are the config's, or those of a dated table.

mod agenda;
mod allowed;
mod binding;
mod lints;
mod table;
mod treatments;
mod voted;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Add;
use std::sync::Arc;

use indexmap::IndexMap;
use serde::Serialize;

pub use agenda::{AgendaLine, ValueLine};
pub use lints::{Caution, LINTS, LintContext, LintRule};
pub use voted::{AlternativeShown, way_to_decide};

use agenda::{describe_agenda, describe_values};

use crate::config::ResolvedExperiment;
use crate::domain::Digest;
use crate::minds::Mind;
use crate::plan::{
    DeclaredRole, Experiment, FactorSettings, Origin, PhaseDisclosure, Plan, Price, Respondent, RespondentMix, Sitter,
    TABLE_OF, UnreachablePart,
};
use crate::report::arm::plan_in_words;
use crate::session::{CountBounds, Forecast, Load};

/// A design in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Design {
    /// The experiment's name.
    pub experiment: String,
    /// The scenario's name.
    pub scenario: String,
    /// What sessions are about, as it was read: the first items, or the motions of the first arms that differ in them.
    pub questions: Vec<QuestionShown>,
    /// How many different questions there are.
    pub questions_in_all: u64,
    /// The experiment's seed.
    pub seed: u64,
    /// The factors, in the author's order.
    pub factors: Vec<String>,
    /// What the levels of each factor set.
    pub factor_settings: Vec<FactorSettings>,
    /// The arm that the others are compared with; `None` where the config names none.
    pub baseline: Option<String>,
    /// Sessions an arm, and an item where there are items.
    pub replicates: u32,
    /// Questions, of which each session has one; 0 in an experiment without items.
    pub items: u64,
    /// Sessions in all.
    pub sessions: u64,
    /// How many different plans were rehearsed; the others are taken to lie between these.
    pub plans_rehearsed: u64,
    /// How many different plans there are.
    pub plans: u64,
    /// The arms, in the order of the design.
    pub arms: Vec<ArmDesign>,
    /// What all sessions may ask and cost.
    pub forecast: Bill,
    /// The prices that costs were computed with, by model.
    pub prices: BTreeMap<String, PriceShown>,
    /// Whether a rehearsal was cut off, so that every upper bound is too low.
    pub is_cut: bool,
    /// What the author may want to know; nothing of it is a mistake.
    pub warnings: Vec<Caution>,
}

/// Questions that are told one by one.
const QUESTIONS_SHOWN: usize = 6;

/// What some sessions are about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QuestionShown {
    /// The item, or without items the first arm that has it.
    pub of: String,
    /// The motion's words.
    pub text: String,
    /// What may be chosen, in the order of the scenario or of the item's options.
    pub alternatives: Vec<AlternativeShown>,
}

impl QuestionShown {
    fn new(of: &str, plan: &Plan) -> Self {
        Self { of: of.to_owned(), text: plan.motion.text.clone(), alternatives: voted::alternatives(plan) }
    }
}

/// An arm of a design.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmDesign {
    /// Its name.
    pub arm: String,
    /// Its level of each factor.
    pub levels: BTreeMap<String, String>,
    /// Its levels in words.
    #[serde(skip)]
    pub in_words: String,
    /// Whether the others are compared with it.
    pub is_baseline: bool,
    /// The digest of its sessions' plan.
    pub plan_digest: String,
    /// Its sessions.
    pub sessions: u64,
    /// The seats at its table.
    pub seats: u64,
    /// What answers for how many seats: models by name, minds by kind.
    pub answered_by: Vec<(String, u64)>,
    /// The roles that the scenario declares, with their seats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// The blocks and phases of its agenda, in their order.
    pub agenda: Vec<AgendaLine>,
    /// The values that its phases set, in the order in which they are first set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<ValueLine>,
    /// What its agenda tells seats beyond what they say and hear.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disclosures: Vec<PhaseDisclosure>,
    /// The phases that never take place in this arm, and the loops and talks that end at once, as far as this is certain.
    pub unreachable: Vec<UnreachablePart>,
    /// The rule by which ballots become a decision, and how many it needs.
    pub decision: String,
    /// What its sessions may ask and cost.
    pub forecast: Bill,
}

/// What some sessions may ask and cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Bill {
    /// Questions to all seats, simulated ones too; each counted once however often it is asked again.
    pub questions: CountBounds,
    /// Those of them that are put to people.
    #[serde(skip_serializing_if = "is_none_asked")]
    pub people: CountBounds,
    /// Those of them that simulated seats answer.
    pub simulated: CountBounds,
    /// What models are asked.
    pub models: Load,
    /// Batches of questions to models that a session needs if they are put by file and nothing is asked again. Those of other sessions
    /// come in the same batches.
    #[serde(skip_serializing_if = "is_none_asked")]
    pub batches: CountBounds,
    /// What that costs, in dollars; `None` where a price is not known.
    pub cost_usd: Option<Cost>,
    /// The models whose price would be needed and is not known.
    pub unpriced: BTreeSet<String>,
}

/// Bounds of a cost, in dollars.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Cost {
    /// The least.
    pub low: f64,
    /// The most, if nothing is asked again.
    pub high: f64,
    /// The most, if every question is asked as often as it may be.
    pub at_most: f64,
    /// Of `high`, what it costs that the public history shows statements in full and not as memories keep them.
    pub full_statements: f64,
}

/// A price as it is told.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PriceShown {
    /// Dollars for a million tokens of prompt.
    pub input_per_mtok: f64,
    /// Dollars for a million tokens of reply.
    pub output_per_mtok: f64,
    /// The month of the table that it is from; absent where the config says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<&'static str>,
}

impl Bill {
    fn nothing() -> Self {
        Self { cost_usd: Some(Cost::default()), ..Self::default() }
    }

    /// The bill of one session.
    fn of(plan: &Plan, forecast: &Forecast) -> Self {
        let steps = forecast.steps.iter();
        let people = steps.filter(|asked| matches!(plan.respondent(asked.seat, asked.step), Respondent::Person(_)));
        let people = people.map(|asked| asked.questions).fold(CountBounds::default(), CountBounds::plus);
        let (questions, batches) = (forecast.questions, forecast.batches);
        let mut bill = Self { questions, people, batches, ..Self::default() };
        let mut cost = Cost::default();
        for (model, load) in plan.models.iter().zip(&forecast.models).filter(|(_, load)| load.calls_at_most > 0) {
            bill.models = bill.models.plus(*load);
            match model.price {
                None => drop(bill.unpriced.insert(model.name.clone())),
                Some(price) => cost.add(price, load),
            }
        }
        bill.cost_usd = Some(cost).filter(|_| bill.unpriced.is_empty());
        // A longer course may ask models more and minds no more, so that what is left of the most may be less than of the least.
        let left = |all: u64, models: u64, people: u64| all.saturating_sub(models + people);
        let least = left(forecast.questions.low, bill.models.questions.low, people.low);
        let most = left(forecast.questions.high, bill.models.questions.high, people.high);
        bill.simulated = CountBounds { low: least.min(most), high: least.max(most) };
        bill
    }

    fn times(&self, sessions: u64) -> Self {
        Self {
            questions: self.questions.times(sessions),
            people: self.people.times(sessions),
            simulated: self.simulated.times(sessions),
            models: self.models.times(sessions),
            batches: self.batches,
            cost_usd: self.cost_usd.map(|cost| cost.times(sessions as f64)),
            unpriced: self.unpriced.clone(),
        }
    }

    fn merged(
        &self,
        other: &Self,
        spans: fn(CountBounds, CountBounds) -> CountBounds,
        loads: fn(Load, Load) -> Load,
        costs: fn(Cost, Cost) -> Cost,
    ) -> Self {
        let mut unpriced = self.unpriced.clone();
        unpriced.extend(other.unpriced.iter().cloned());
        Self {
            questions: spans(self.questions, other.questions),
            people: spans(self.people, other.people),
            simulated: spans(self.simulated, other.simulated),
            models: loads(self.models, other.models),
            // Nothing asked is no batch: what there is lies around the others.
            batches: match (is_none_asked(&self.batches), is_none_asked(&other.batches)) {
                (true, _) => other.batches,
                (_, true) => self.batches,
                _ => self.batches.merge_bounds(other.batches),
            },
            cost_usd: self.cost_usd.zip(other.cost_usd).map(|(one, other)| costs(one, other)),
            unpriced,
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let costs = |one: Cost, other| one.merged(other, Add::add, Add::add);
        self.merged(other, CountBounds::plus, Load::plus, costs)
    }

    fn around(&self, other: &Self) -> Self {
        let costs = |one: Cost, other| one.merged(other, f64::min, f64::max);
        self.merged(other, CountBounds::merge_bounds, Load::merge_bounds, costs)
    }
}

fn is_none_asked(span: &CountBounds) -> bool {
    span.high == 0
}

impl Cost {
    /// Merges the least by one rule and the rest by another.
    fn merged(self, other: Self, least: fn(f64, f64) -> f64, most: fn(f64, f64) -> f64) -> Self {
        Self {
            low: least(self.low, other.low),
            high: most(self.high, other.high),
            at_most: most(self.at_most, other.at_most),
            full_statements: most(self.full_statements, other.full_statements),
        }
    }

    fn times(self, count: f64) -> Self {
        Self {
            low: self.low * count,
            high: self.high * count,
            at_most: self.at_most * count,
            full_statements: self.full_statements * count,
        }
    }

    fn add(&mut self, price: Price, load: &Load) {
        let dollars = |prompt: u64, completion: u64| {
            (prompt as f64 * price.input_per_mtok + completion as f64 * price.output_per_mtok) / 1e6
        };
        self.low += dollars(load.prompt_tokens.low, load.completion_tokens.low);
        self.high += dollars(load.prompt_tokens.high, load.completion_tokens.high);
        self.at_most += dollars(load.prompt_tokens_at_most, load.completion_tokens_at_most);
        self.full_statements += dollars(load.full_statement_tokens, 0);
    }
}

impl Design {
    /// The design of an experiment. `forecasts` holds what was rehearsed, by the digest of the plan; at least one.
    ///
    /// # Panics
    /// When nothing was rehearsed.
    pub fn of(resolved: &ResolvedExperiment, forecasts: &BTreeMap<Digest, Forecast>) -> Self {
        let experiment = &resolved.experiment;
        let first = experiment.arms.first().expect("invariant: a design has an arm");
        let mut bills: BTreeMap<&Digest, (RespondentMix, Bill)> = BTreeMap::new();
        for plan in &experiment.arms {
            if let Some(forecast) = forecasts.get(&plan.digest) {
                bills.entry(&plan.digest).or_insert_with(|| (plan.respondent_mix(), Bill::of(plan, forecast)));
            }
        }
        let around = |company: Option<&RespondentMix>| {
            let alike = bills.values().filter(|(of, _)| company.is_none_or(|company| company == of));
            alike.map(|(_, bill)| bill.clone()).reduce(|one, other| one.around(&other))
        };
        // What was not rehearsed lies between what was, of the same company if there is any.
        let between = |plan: &Plan| {
            let bill = around(Some(&plan.respondent_mix())).or_else(|| around(None));
            bill.expect("invariant: at least one plan was rehearsed")
        };
        // Sessions are counted, not listed, however many there are.
        let sessions = experiment.sessions_an_arm();
        let arms: Vec<ArmDesign> = experiment
            .arms
            .iter()
            .map(|plan| {
                let bill = bills.get(&plan.digest).map_or_else(|| between(plan), |(_, bill)| bill.clone());
                arm(plan, experiment.baseline.as_deref(), sessions, (bill.times(sessions), forecasts.get(&plan.digest)))
            })
            .collect();
        let mut prices = BTreeMap::new();
        let loads = experiment.arms.iter().filter_map(|plan| {
            let forecast = forecasts.get(&plan.digest)?;
            Some(plan.models.iter().zip(&forecast.models))
        });
        for (model, _) in loads.flatten().filter(|(_, load)| load.calls_at_most > 0) {
            if let Some(Price { input_per_mtok, output_per_mtok, .. }) = model.price {
                let as_of = (model.price_from == Origin::Table).then_some(TABLE_OF);
                prices.insert(model.name.clone(), PriceShown { input_per_mtok, output_per_mtok, as_of });
            }
        }
        let questions = questions(experiment, first);
        let plans: BTreeSet<&Digest> = experiment.arms.iter().map(|plan| &plan.digest).collect();
        Self {
            experiment: experiment.name.clone(),
            scenario: resolved.identities.first().and_then(|(_, of)| of.get("scenario").cloned()).unwrap_or_default(),
            questions: questions.iter().take(QUESTIONS_SHOWN).cloned().collect(),
            questions_in_all: experiment.items.len().max(questions.len()) as u64,
            seed: first.seed,
            factors: experiment.factors.clone(),
            factor_settings: resolved.factor_settings.clone(),
            baseline: experiment.baseline.clone(),
            replicates: experiment.replicates,
            items: experiment.items.len() as u64,
            sessions: sessions * experiment.arms.len() as u64,
            plans_rehearsed: bills.len() as u64,
            plans: plans.len() as u64,
            forecast: arms.iter().fold(Bill::nothing(), |sum, arm| sum.plus(&arm.forecast)),
            arms,
            prices,
            is_cut: forecasts.values().any(|forecast| forecast.is_cut),
            warnings: Vec::new(),
        }
    }
}

/// The first items, or without items every motion that an arm has: an author reads here what a `#` or a `: ` made of it.
fn questions(experiment: &Experiment, first: &Plan) -> Vec<QuestionShown> {
    if !experiment.items.is_empty() {
        let items = experiment.items.values().take(QUESTIONS_SHOWN);
        return items.map(|item| QuestionShown::new(&item.id, &first.of_item(item))).collect();
    }
    let mut questions: Vec<QuestionShown> = Vec::new();
    let mut seen = BTreeSet::new();
    for plan in &experiment.arms {
        let question = QuestionShown::new(&plan.arm, plan);
        if seen.insert((plan.motion.text.as_str(), question.alternatives.clone())) {
            questions.push(question);
        }
    }
    questions
}

fn arm(plan: &Plan, baseline: Option<&str>, sessions: u64, (bill, forecast): (Bill, Option<&Forecast>)) -> ArmDesign {
    let agenda = describe_agenda(plan, forecast);
    let mut answered_by: IndexMap<String, u64> = IndexMap::new();
    for seat in &plan.seats {
        let name = match &seat.sitter {
            Sitter::Model(_) => seat.model.clone(),
            Sitter::Person(_) => format!("{} (a person)", seat.model),
            Sitter::Mind(Mind::Random { .. }) => "random mind".to_owned(),
            Sitter::Mind(Mind::Voter { .. }) => "voter mind".to_owned(),
            Sitter::Mind(Mind::Justice(mind)) => format!("{} mind", mind.name()),
            Sitter::Mind(Mind::Opinionated(mind)) => format!("{} mind", mind.rule.name()),
            Sitter::Mind(Mind::Scripted(_)) => "script".to_owned(),
            Sitter::Mind(Mind::Tallying { .. }) => "tallying mind".to_owned(),
            Sitter::Mind(Mind::Rule(_)) => "rule".to_owned(),
            Sitter::Mind(Mind::Silent) => "silent mind".to_owned(),
        };
        *answered_by.entry(name).or_default() += 1;
    }
    ArmDesign {
        arm: plan.arm.clone(),
        levels: plan.levels.iter().map(|level| (level.factor.clone(), level.label.clone())).collect(),
        in_words: plan_in_words(plan),
        is_baseline: baseline == Some(plan.arm.as_str()),
        plan_digest: plan.digest.to_string(),
        sessions,
        seats: plan.seats.len() as u64,
        answered_by: answered_by.into_iter().collect(),
        roles: describe_roles(plan),
        values: describe_values(plan, &agenda),
        disclosures: plan.list_disclosures(),
        unreachable: plan.find_unreachable(),
        agenda,
        decision: voted::decision(plan),
        forecast: bill,
    }
}

/// The roles of a plan with their seats.
fn describe_roles(plan: &Plan) -> Vec<String> {
    let describe = |role: &Arc<DeclaredRole>| {
        let own = plan.seats.iter().filter(|seat| seat.part.as_ref().is_some_and(|part| part.name == role.name));
        let names: Vec<&str> = own.map(|seat| seat.name.as_str()).collect();
        let silent = (!role.speaks).then_some("does not speak");
        let limits: Vec<&str> = silent.into_iter().chain((!role.votes).then_some("does not vote")).collect();
        let limits = if limits.is_empty() { String::new() } else { format!(" ({})", limits.join(", ")) };
        format!("{}: {}{limits}", role.name, names.join(", "))
    };
    plan.roles.iter().map(describe).collect()
}
