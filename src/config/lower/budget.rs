//! How many options of a vote win: one, so many, or as many as a budget pays for.

use indexmap::IndexMap;

use crate::choice::DecisionRule;
use crate::config::lower::formula::{lower_formula, write_scalar};
use crate::config::lower::scope::evaluate_fixed;
use crate::config::written::vote::VoteConfig;
use crate::domain::{BallotForm, Motion, RuleKind, TieBreak};
use crate::expression::{Value, parse_expression};
use crate::plan::{BudgetMethod, Scalar, SeveralWinners, VoteOver};

/// The most money of a budget, and the most that an option may cost.
const MONEY_MAX: u64 = 1_000_000_000_000;

/// How many options win together; `None` if one does, or something is wrong, which `tell` gets with its key.
pub fn lower_winners(
    written: &VoteConfig,
    (motion, over): (&Motion, &VoteOver),
    (decision, form): (&DecisionRule, BallotForm),
    values: &IndexMap<String, Scalar>,
    tell: &mut dyn FnMut(&str, &str),
) -> Option<SeveralWinners> {
    let key = match (&written.budget, written.winners) {
        (Some(_), Some(_)) => {
            tell("budget", "write winners or budget: either a number of options wins, or what the budget pays for");
            return None;
        }
        (Some(_), None) => "budget",
        (None, Some(2..)) => "winners",
        (None, _) => {
            for (key, is_written) in [("costs", written.costs.is_some()), ("method", written.method.is_some())] {
                if is_written {
                    tell(key, "this belongs to a vote with a budget");
                }
            }
            return None;
        }
    };
    if ![RuleKind::Approval, RuleKind::Score, RuleKind::Borda, RuleKind::Plurality].contains(&decision.rule) {
        tell(key, "several win by points or ballots: write rule: borda, approval, score or plurality");
    }
    if !matches!(decision.tie_break, TieBreak::Lot | TieBreak::AgendaOrder | TieBreak::NoDecision) {
        tell(key, "write tie_break: lot, agenda_order or no_decision where several win");
    }
    let Some(budget) = &written.budget else { return written.winners.map(SeveralWinners::Number) };
    let method = written.method.unwrap_or_default();
    let has_scores = matches!(form, BallotForm::Approval | BallotForm::Score { .. } | BallotForm::Allocation { .. });
    if method == BudgetMethod::EqualShares && !has_scores {
        tell("method", "equal shares are spent by approvals or scores: write rule: approval or score");
    }
    if over.is_found_at_opening() || motion.alternatives.iter().any(|option| option.takes_amount) {
        tell(
            "budget",
            "a budget pays for options with costs: write over: alternatives, none of which takes an amount, or a list",
        );
        return None;
    }
    let budget = read_money(budget, values).map_err(|message| tell("budget", &message)).ok()?;
    let costs = lower_costs(written, motion, values, tell)?;
    Some(SeveralWinners::Budget { budget, costs, method })
}

/// The cost of each option, in their order.
fn lower_costs(
    written: &VoteConfig,
    motion: &Motion,
    values: &IndexMap<String, Scalar>,
    tell: &mut dyn FnMut(&str, &str),
) -> Option<Vec<u64>> {
    let Some(costs) = &written.costs else {
        tell(
            "budget",
            "the key \"costs\" is missing: what each option costs, as in costs: { park: 300, library: 500 }",
        );
        return None;
    };
    let names: Vec<&str> = motion.alternatives.iter().map(|option| option.name.as_str()).collect();
    for name in costs.keys().filter(|name| !names.contains(&name.as_str())) {
        tell(&format!("costs.{name}"), &format!("no option is called \"{name}\"; options are {}", names.join(", ")));
    }
    let cost = |name: &&str| match costs.get(*name) {
        None => {
            tell("costs", &format!("the cost of \"{name}\" is missing"));
            None
        }
        Some(cost) => read_money(cost, values).map_err(|message| tell(&format!("costs.{name}"), &message)).ok(),
    };
    let all: Vec<Option<u64>> = names.iter().map(cost).collect();
    all.into_iter().collect()
}

/// An amount of money: a whole number, or an expression that reads parameters.
fn read_money(written: &Scalar, values: &IndexMap<String, Scalar>) -> Result<u64, String> {
    let expected = || format!("expected a whole number, 1 … {MONEY_MAX}, or an expression that reads parameters");
    let text = write_scalar(written);
    parse_expression(&text).map_err(|_| expected())?;
    match evaluate_fixed(&lower_formula(written), values) {
        Some(Value::Number(number)) => {
            let whole = number.to_integer().and_then(|number| u64::try_from(number).ok());
            whole.filter(|number| (1..=MONEY_MAX).contains(number)).ok_or_else(expected)
        }
        _ => Err(expected()),
    }
}
