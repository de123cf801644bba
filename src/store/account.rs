//! What the recorded calls of an experiment took and cost: in all, and by arm, seat, phase, step and model. Each grouping sums to
//! the whole, and the whole is what the budget counts.
//!
//! It reads records of calls, not minutes: attempts that brought no answer stand nowhere else. It decides nothing.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::domain::{Dollars, Usage};
use crate::plan::Price;
use crate::store::calls::Spending;
use crate::store::calls::{CallRecord, Charge};

/// What some calls took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Sum {
    /// Calls that brought an answer.
    pub calls: u64,
    /// Tokens of prompts, as servers told.
    pub prompt_tokens: u64,
    /// Tokens of replies, as servers told.
    pub completion_tokens: u64,
    /// Those of them that models thought with, where that was told.
    pub thinking_tokens: u64,
    /// Tokens of prompts that servers had kept from earlier ones, where that was told.
    pub cached_prompt_tokens: u64,
    /// What these tokens cost; `None` where a price is not known.
    pub cost_usd: Option<Dollars>,
    /// Attempts of which nobody told what they used: most of them brought no answer.
    pub attempts_untold: u64,
    /// The most tokens that these may have used.
    pub tokens_untold_at_most: u64,
    /// What that would cost; `None` where a price is not known.
    pub cost_untold_usd_at_most: Option<Dollars>,
}

/// What the calls of an experiment took.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CallAccount {
    /// All of them.
    pub all: Sum,
    /// By arm.
    pub by_arm: BTreeMap<String, Sum>,
    /// By seat, over all arms.
    pub by_seat: BTreeMap<String, Sum>,
    /// By phase.
    pub by_phase: BTreeMap<String, Sum>,
    /// By step: what was asked for.
    pub by_step: BTreeMap<String, Sum>,
    /// By model, as the config names it.
    pub by_model: BTreeMap<String, Sum>,
}

impl Default for Sum {
    fn default() -> Self {
        Self {
            calls: 0,
            prompt_tokens: 0,
            completion_tokens: 0,
            thinking_tokens: 0,
            cached_prompt_tokens: 0,
            cost_usd: Some(Dollars::NONE),
            attempts_untold: 0,
            tokens_untold_at_most: 0,
            cost_untold_usd_at_most: Some(Dollars::NONE),
        }
    }
}

impl Sum {
    fn add_charge(&mut self, charge: &Charge<'_>, price: Option<Price>) {
        let cost = |usage: Usage| price.map(|price| price.to_tariff().of(usage));
        let plus = |sum: Option<Dollars>, usage| Some(sum?.plus(cost(usage)?));
        match *charge {
            Charge::Answer { usage, .. } => {
                self.calls += 1;
                let Some(usage) = usage else { return };
                self.prompt_tokens += usage.prompt_tokens;
                self.completion_tokens += usage.completion_tokens;
                self.thinking_tokens += usage.thinking_tokens.unwrap_or(0);
                self.cached_prompt_tokens += usage.cached_prompt_tokens.unwrap_or(0);
                self.cost_usd = plus(self.cost_usd, usage);
            }
            Charge::Untold { at_most, .. } => {
                self.attempts_untold += 1;
                self.tokens_untold_at_most += at_most.prompt_tokens + at_most.completion_tokens;
                self.cost_untold_usd_at_most = plus(self.cost_untold_usd_at_most, at_most);
            }
        }
    }

    /// The same as a budget counts it; dollars are nothing where a price is not known.
    pub fn to_spending(&self) -> Spending {
        let [told, untold] = [self.cost_usd, self.cost_untold_usd_at_most].map(Option::unwrap_or_default);
        Spending {
            tokens: self.prompt_tokens + self.completion_tokens + self.tokens_untold_at_most,
            dollars: told.plus(untold),
        }
    }
}

impl CallAccount {
    /// Adds the calls of a session of an arm, at the prices of the models that they were put to.
    pub fn add_session_calls(&mut self, arm: &str, record: &CallRecord, price: impl Fn(&str) -> Option<Price>) {
        for charge in record.charges() {
            let (question, asked) = charge.question_and_model();
            let price = asked.and_then(&price);
            // What was asked to learn the form of replies is of no seat, phase or step: their names are empty.
            let (seat, phase, step) = question.map_or(("", "", ""), |question| {
                (question.seat.as_str(), question.at.phase.as_str(), question.at.step.as_str())
            });
            let groups = [
                (&mut self.by_arm, arm),
                (&mut self.by_seat, seat),
                (&mut self.by_phase, phase),
                (&mut self.by_step, step),
                (&mut self.by_model, asked.unwrap_or_default()),
            ];
            self.all.add_charge(&charge, price);
            for (sums, name) in groups {
                sums.entry(name.to_owned()).or_default().add_charge(&charge, price);
            }
        }
    }
}
