//! How often a constraint would bind: whether an amount, named in view of what seats see in practice, removes a table from
//! those that are paid in the end.

use crate::domain::{AlternativeId, Choice, Situation};
use crate::mechanism::{IncomePrinciples, Principle, income_ranges, low_incomes, multiply_incomes};
use crate::plan::{PhaseKind, Plan};

/// Multipliers tried, evenly from the least to the greatest: each is equally likely to be drawn.
const DRAWS: u32 = 300;

/// Every alternative with an amount, as a position in the motion, with the share of draws in which the amount excludes a table,
/// 0 to 1. Empty where nothing is settled.
///
/// The amounts are all those that make a difference in the sample and the practice rounds, each as likely; where a decision
/// is imposed, its own.
pub(super) fn binding_shares(plan: &Plan) -> Vec<(usize, f64)> {
    let Some(mechanism) = plan.income_principles() else { return Vec::new() };
    if !plan.agenda.iter().any(|phase| matches!(phase.kind, PhaseKind::Settle)) {
        return Vec::new();
    }
    let settled = settlements(mechanism);
    let constrained = mechanism.principles.iter().enumerate().filter(|(_, principle)| principle.takes_amount());
    let shares = constrained.filter_map(|(place, principle)| {
        let alternative = AlternativeId(place as u32);
        let amounts = match plan.imposed {
            Some(imposed) if imposed.alternative == alternative => imposed.amount.into_iter().collect(),
            Some(_) => return None,
            None => named(mechanism, *principle),
        };
        let pairs = settled.len() * amounts.len();
        let binds = |amount: &u32| {
            let choice = Choice { alternative, amount: Some(*amount) };
            settled.iter().filter(|paid| mechanism.pick_table(choice, paid).binding == Some(true)).count()
        };
        (pairs > 0).then(|| (place, amounts.iter().map(binds).sum::<usize>() as f64 / pairs as f64))
    });
    shares.collect()
}

fn settlements(mechanism: &IncomePrinciples) -> Vec<Situation> {
    let bounds = mechanism.settlement;
    let above = u64::from(bounds.greatest - bounds.least);
    let multiplier = |draw: u32| {
        let step = above * u64::from(draw) / u64::from(DRAWS - 1);
        bounds.least + u32::try_from(step).expect("invariant: a step is within the bounds, which are u32")
    };
    (0..DRAWS).map(|draw| multiply_incomes(&mechanism.sample, multiplier(draw), "settlement")).collect()
}

fn named(mechanism: &IncomePrinciples, principle: Principle) -> Vec<u32> {
    let seen = std::iter::once(&mechanism.sample).chain(&mechanism.applications);
    let mut amounts: Vec<u32> = seen
        .flat_map(|situation| match principle {
            Principle::AverageRange => income_ranges(situation),
            Principle::Floor | Principle::Average | Principle::AverageFloor => low_incomes(situation),
        })
        .collect();
    amounts.sort_unstable();
    amounts.dedup();
    amounts
}
