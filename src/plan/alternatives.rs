//! What may be chosen, and which amounts may be named with it, as a scenario's author writes it. What a mechanism says of amounts is
//! its own affair.

use schemars::JsonSchema;
use serde::Deserialize;

use super::scenario::Scenario;
use super::{Problem, Problems};

/// The greatest amount that a scenario may name.
pub const AMOUNT_MAX: u32 = 1_000_000_000;

/// Which amounts may be named: whole numbers of a unit.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AmountConfig {
    /// What is counted, in words for prompts and tables; a template over `parameters`.
    pub unit: String,
    /// The least amount.
    #[serde(default)]
    #[schemars(range(max = AMOUNT_MAX))]
    pub min: u32,
    /// The greatest amount.
    #[schemars(range(min = 1, max = AMOUNT_MAX))]
    pub max: u32,
}

impl Scenario {
    /// Checks alternatives and amounts as far as they can be without a config.
    pub(super) fn check_alternatives(&self, problems: &mut Problems) {
        let alternatives = &self.written.alternatives;
        if alternatives.len() < 2 && !alternatives.iter().any(|alternative| alternative.takes_amount) {
            let problem = self.tree.problem("alternatives", "a motion has at least two alternatives");
            let hint = "or one with `takes_amount: true`, of which the amount alone is decided";
            problems.push(problem.with_hint(Some(hint.to_string())));
        }
        if alternatives.iter().filter(|alternative| alternative.status_quo).count() > 1 {
            problems.push(self.tree.problem("alternatives", "at most one alternative is the status quo"));
        }
        self.check_names("alternatives", alternatives.iter().map(|alternative| alternative.name.as_str()), problems);
        for (i, alternative) in alternatives.iter().enumerate() {
            if alternative.label.trim().is_empty() {
                let place = self.item("alternatives", i).and_then(|item| item.get("label"));
                let place = place.map_or(&self.tree.place, |label| &label.place);
                let path = format!("alternatives.{}.label", alternative.name);
                problems.push(Problem::at(place, path, "the label is empty: seats would read nothing"));
            }
        }
        self.check_amount(problems);
    }

    fn check_amount(&self, problems: &mut Problems) {
        let written = &self.written;
        let alone = written.alternatives.len() == 1;
        for phase in written.agenda.iter().filter(|_| alone) {
            if phase.ask.as_ref().is_some_and(|ask| ask.ranking.is_some()) {
                let path = format!("agenda.{}.ask.ranking", phase.name);
                problems.push(self.tree.problem(&path, "there is nothing to rank: the scenario has one alternative"));
            }
        }
        let Some(amount) = &written.amount else { return };
        if written.mechanism.is_some() {
            problems.push(self.tree.problem("amount", "the mechanism says which amounts may be named"));
        } else if !written.alternatives.iter().any(|alternative| alternative.takes_amount) {
            let problem = self.tree.problem("amount", "no alternative takes an amount");
            problems.push(problem.with_hint(Some("write `takes_amount: true` at one, or leave this out".to_string())));
        }
        if amount.min >= amount.max {
            let message = format!("the least amount {} is not below the greatest {}", amount.min, amount.max);
            problems.push(self.tree.problem("amount.min", message));
        }
        if amount.unit.trim().is_empty() {
            problems.push(self.tree.problem("amount.unit", "the unit is empty: nobody would know what is counted"));
        }
    }
}
