//! Sums tokens and costs of an experiment's recorded calls: in all, and by arm, seat, phase, step and model.
//!
//! Each grouping adds up to the total that the budget counts. The sums come from call records, because minutes do not contain
//! attempts without an answer.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::domain::{Dollars, Usage};
use crate::plan::Price;
use crate::store::calls::{CallRecord, ChargedUsage, Spending};

/// The tokens and costs of a set of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Sum {
    /// Calls that brought an answer.
    pub calls: u64,
    /// Prompt tokens, as reported by servers.
    pub prompt_tokens: u64,
    /// Reply tokens, as reported by servers.
    pub completion_tokens: u64,
    /// The reply tokens spent on thinking, where servers reported them.
    pub thinking_tokens: u64,
    /// The prompt tokens that servers had cached, where they reported them.
    pub cached_prompt_tokens: u64,
    /// The cost of the reported tokens; `None` if a price is unknown.
    pub cost_usd: Option<Dollars>,
    /// Attempts without reported usage; most of them brought no answer.
    pub attempts_untold: u64,
    /// The most tokens that these attempts may have used.
    pub tokens_untold_at_most: u64,
    /// The most that these attempts may have cost; `None` if a price is unknown.
    pub cost_untold_usd_at_most: Option<Dollars>,
}

/// The sums over all calls of an experiment, and over groups of calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CallAccount {
    /// All calls.
    pub all: Sum,
    /// By arm.
    pub by_arm: BTreeMap<String, Sum>,
    /// By seat, over all arms.
    pub by_seat: BTreeMap<String, Sum>,
    /// By phase.
    pub by_phase: BTreeMap<String, Sum>,
    /// By step.
    pub by_step: BTreeMap<String, Sum>,
    /// By model, under its name in the config.
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
    fn add_charge(&mut self, charged: ChargedUsage, price: Option<Price>) {
        let cost = |usage: Usage| price.map(|price| price.to_tariff().of(usage));
        let plus = |sum: Option<Dollars>, usage| Some(sum?.plus(cost(usage)?));
        match charged {
            ChargedUsage::Answer(usage) => {
                self.calls += 1;
                let Some(usage) = usage else { return };
                self.prompt_tokens += usage.prompt_tokens;
                self.completion_tokens += usage.completion_tokens;
                self.thinking_tokens += usage.thinking_tokens.unwrap_or(0);
                self.cached_prompt_tokens += usage.cached_prompt_tokens.unwrap_or(0);
                self.cost_usd = plus(self.cost_usd, usage);
            }
            ChargedUsage::Untold(at_most) => {
                self.attempts_untold += 1;
                self.tokens_untold_at_most += at_most.prompt_tokens + at_most.completion_tokens;
                self.cost_untold_usd_at_most = plus(self.cost_untold_usd_at_most, at_most);
            }
        }
    }

    /// Converts the sum to the budget's count: unreported usage counts at its maximum, unknown prices as zero.
    pub fn to_spending(&self) -> Spending {
        let [told, untold] = [self.cost_usd, self.cost_untold_usd_at_most].map(Option::unwrap_or_default);
        Spending {
            tokens: self.prompt_tokens + self.completion_tokens + self.tokens_untold_at_most,
            dollars: told.plus(untold),
        }
    }
}

impl CallAccount {
    /// Adds the calls of one session. `price` returns the price of a model.
    pub fn add_session_calls(&mut self, arm: &str, record: &CallRecord, price: impl Fn(&str) -> Option<Price>) {
        for charge in record.charges() {
            let price = charge.asked.and_then(&price);
            // The question that probes the form of replies has no seat, phase or step: their names are empty.
            let (seat, phase, step) = charge.question.map_or(("", "", ""), |question| {
                (question.seat.as_str(), question.at.phase.as_str(), question.at.step.as_str())
            });
            let groups = [
                (&mut self.by_arm, arm),
                (&mut self.by_seat, seat),
                (&mut self.by_phase, phase),
                (&mut self.by_step, step),
                (&mut self.by_model, charge.asked.unwrap_or_default()),
            ];
            self.all.add_charge(charge.usage, price);
            for (sums, name) in groups {
                sums.entry(name.to_owned()).or_default().add_charge(charge.usage, price);
            }
        }
    }
}
