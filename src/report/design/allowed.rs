//! Whether limits may suffice for a design. Nothing is refused: a run that stops at a limit goes on with more.

use super::table::dollars;
use super::{Cost, Design};
use crate::plan::Limits;
use crate::report::{counted, grouped};

impl Design {
    /// What limits may not suffice for, each in a sentence.
    pub fn short_of(&self, limits: Limits) -> Vec<String> {
        let models = &self.forecast.models;
        let sum = |prompt: u64, reply: u64| prompt.saturating_add(reply) as f64;
        let tokens = Cost {
            low: sum(models.prompt_tokens.low, models.completion_tokens.low),
            high: sum(models.prompt_tokens.high, models.completion_tokens.high),
            at_most: sum(models.prompt_tokens_at_most, models.completion_tokens_at_most),
            full_statements: models.full_statement_tokens as f64,
        };
        let usd = limits.usd.zip(self.forecast.cost_usd);
        let usd =
            usd.and_then(|(limit, cost)| self.short("limits.usd", limit, cost, |usd| format!("${}", dollars(usd))));
        let in_words = |tokens: f64| format!("{} tokens", grouped(tokens as u64));
        let tokens = limits.tokens.and_then(|limit| self.short("limits.tokens", limit as f64, tokens, in_words));
        usd.into_iter().chain(tokens).collect()
    }

    /// What one limit may not suffice for.
    fn short(&self, key: &str, limit: f64, cost: Cost, words: impl Fn(f64) -> String) -> Option<String> {
        if cost.at_most <= limit {
            return None;
        }
        let [limited, high, at_most] = [limit, cost.high, cost.at_most].map(words);
        let rest = "a run stops there and goes on with more";
        if cost.high <= limit {
            return Some(format!(
                "{key}: {limited} suffice unless much is asked again: all sessions may take {high}, and {at_most} if every \
                 question is asked as often as it may be; {rest}"
            ));
        }
        let sessions = self.sessions as f64;
        let enough = |of: f64| ((sessions * limit / of).floor() as u64).min(self.sessions);
        let (least, most) = (enough(cost.high), enough(cost.low));
        let enough = if least == most { grouped(least) } else { format!("{} to {}", grouped(least), grouped(most)) };
        Some(format!(
            "{key}: {limited} suffice for about {enough} of {}: all may take {high}, and {at_most} if every question is asked \
             as often as it may be; {rest}",
            counted(self.sessions, "session")
        ))
    }

    /// What models may be asked and what that may cost, in a line; `None` where no model is asked anything.
    pub fn foreseen(&self) -> Option<String> {
        let models = &self.forecast.models;
        if models.calls_at_most == 0 {
            return None;
        }
        let tokens = super::table::span(models.prompt_tokens.plus(models.completion_tokens));
        let cost = match self.forecast.cost_usd {
            None => "cost not known, for a model has no price".to_owned(),
            Some(cost) => {
                format!("${} – ${}, ${} at most", dollars(cost.low), dollars(cost.high), dollars(cost.at_most))
            }
        };
        Some(format!(
            "forecast for all sessions: {} questions to models, {tokens} tokens, {cost}",
            super::table::span(models.questions)
        ))
    }
}
