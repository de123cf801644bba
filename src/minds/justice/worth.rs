//! The worth of income tables and principles to somebody who does not know their future class.
//!
//! Sources: Pratt 1964, "Risk aversion in the small and in the large", Econometrica 32 (constant relative risk aversion);
//! McFadden 1974, "Conditional logit analysis of qualitative choice behavior" (quantal response).

use crate::domain::{AlternativeId, CLASSES, Choice, Situation};
use crate::mechanism::{IncomePrinciples, Principle, income_ranges, low_income, low_incomes};

/// The sure income that is as good as a table's lottery over the classes, in dollars a year, for a constant relative risk
/// aversion: 0 is risk-neutral, 1 is logarithmic utility.
///
/// ```
/// use ekklesia::minds::certainty_equivalent;
///
/// let (table, alike) = ([400, 400, 100, 100, 100], [200_000; 5]);
/// assert_eq!(certainty_equivalent(&table, &alike, 0.0).round(), 220.0);
/// assert!((certainty_equivalent(&[4, 4, 1, 1, 1], &[250_000, 250_000, 500_000, 0, 0], 1.0) - 2.0).abs() < 1e-9);
/// ```
pub fn certainty_equivalent(table: &[u32; CLASSES], weights_ppm: &[u32; CLASSES], risk_aversion: f64) -> f64 {
    let classes = || table.iter().zip(weights_ppm).filter(|(_, ppm)| **ppm > 0);
    let weight: f64 = classes().map(|(_, ppm)| f64::from(*ppm)).sum();
    let is_destitute = classes().any(|(income, _)| *income == 0);
    let Some(least) = classes().map(|(income, _)| *income).filter(|income| *income > 0).min() else {
        return 0.0;
    };
    if risk_aversion >= 1.0 && is_destitute {
        // The utility of an income of 0 has no lower bound, so no other income makes up for it.
        return 0.0;
    }
    let least = f64::from(least);
    let mean = |of: &dyn Fn(f64) -> f64| {
        let terms = classes().map(|(income, ppm)| f64::from(*ppm) * of(f64::from(*income) / least));
        terms.sum::<f64>() / weight
    };
    // In multiples of the least income, so that no power leaves the range of a float.
    let share = 1.0 - risk_aversion;
    let multiple = if share == 0.0 {
        libm::exp(mean(&libm::log))
    } else if share == 1.0 {
        mean(&|income| income)
    } else {
        libm::pow(mean(&|income| libm::pow(income, share)), 1.0 / share)
    };
    least * multiple
}

/// Values rescaled so that the least is 0 and the greatest 1; all 0 if they are equal.
///
/// ```
/// assert_eq!(ekklesia::minds::rescale_values(&[30.0, 10.0, 20.0]), [1.0, 0.0, 0.5]);
/// assert_eq!(ekklesia::minds::rescale_values(&[7.0, 7.0]), [0.0, 0.0]);
/// ```
pub fn rescale_values(values: &[f64]) -> Vec<f64> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let width = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    values.iter().map(|value| if width > 0.0 { (value - least) / width } else { 0.0 }).collect()
}

/// The probability of each option, proportional to exp(precision × utility).
///
/// A precision of 0 chooses blindly. A very great one chooses among the best with equal probability, because the others underflow
/// to 0.
///
/// ```
/// assert_eq!(ekklesia::minds::quantal_shares(&[0.3, 1.0, 0.0, 1.0], 1e9), [0.0, 0.5, 0.0, 0.5]);
/// ```
pub fn quantal_shares(utilities: &[f64], precision: f64) -> Vec<f64> {
    let mut shares = utilities.to_vec();
    quantal_response(&mut shares, precision);
    shares
}

/// Replaces each option's utility by its probability; see [`quantal_shares`].
///
/// ```
/// let mut options = [0.3, 1.0, 0.0, 1.0];
/// ekklesia::minds::quantal_response(&mut options, 1e9);
/// assert_eq!(options, [0.0, 0.5, 0.0, 0.5]);
/// ```
pub fn quantal_response(options: &mut [f64], precision: f64) {
    let greatest = options.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // e^0 is 1 and needs no `exp`; values that are not finite go through the formula.
    let is_finite = precision.is_finite() && greatest.is_finite();
    let mut total = 0.0;
    for option in options.iter_mut() {
        let is_best = is_finite && *option == greatest;
        *option = if is_best { 1.0 } else { libm::exp(precision * (*option - greatest)) };
        total += *option;
    }
    options.iter_mut().for_each(|option| *option /= total);
}

/// The probability of each principle for a mind that has heard nobody: quantal response over the rescaled values.
pub fn principle_shares(practised: &IncomePrinciples, risk_aversion: f64, fairness: f64, precision: f64) -> Vec<f64> {
    let values = Taste { risk_aversion, fairness }.of_principles(practised, valued_situations(practised)).0;
    quantal_shares(&rescale_values(&values), precision)
}

/// Preferences over incomes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taste {
    /// Constant relative risk aversion, at least 0.
    pub risk_aversion: f64,
    /// The weight of the low class's income against the certainty equivalent, 0 … 1.
    pub fairness: f64,
}

impl Taste {
    /// The worth of each table, in dollars a year.
    fn of_tables(self, situation: &Situation) -> Vec<f64> {
        let worth = |table: &[u32; CLASSES]| {
            let equivalent = certainty_equivalent(table, &situation.weights_ppm, self.risk_aversion);
            (1.0 - self.fairness) * equivalent + self.fairness * f64::from(low_income(table))
        };
        situation.tables.iter().map(worth).collect()
    }

    /// For each principle, the mean worth of the tables that it picks, in dollars a year, with the best amount in each situation; and
    /// the amounts that are best over all situations, ascending, none if the principle takes no amount.
    pub fn of_principles<'a>(
        self,
        practised: &IncomePrinciples,
        situations: impl Iterator<Item = &'a Situation>,
    ) -> (Vec<f64>, Vec<Vec<u32>>) {
        let situations: Vec<(&Situation, Vec<f64>)> =
            situations.map(|situation| (situation, self.of_tables(situation))).collect();
        let count = situations.len() as f64;
        let mut found = (Vec::new(), Vec::new());
        for (place, principle) in practised.principles.iter().enumerate() {
            let worth = |amount, (situation, tables): &(&Situation, Vec<f64>)| {
                let choice = Choice { alternative: AlternativeId(place as u32), amount };
                tables[practised.pick_table(choice, situation).table]
            };
            if !principle.takes_amount() {
                found.0.push(situations.iter().map(|one| worth(None, one)).sum::<f64>() / count);
                found.1.push(Vec::new());
                continue;
            }
            let best_here = |one: &(&Situation, Vec<f64>)| {
                best_amounts(&decisive_amounts(*principle, [one.0].into_iter()), |amount| worth(Some(amount), one)).1
            };
            found.0.push(situations.iter().map(best_here).sum::<f64>() / count);
            let all = decisive_amounts(*principle, situations.iter().map(|(situation, _)| *situation));
            let over_all = |amount| situations.iter().map(|one| worth(Some(amount), one)).sum::<f64>();
            found.1.push(best_amounts(&all, over_all).0);
        }
        found
    }
}

/// The situations that give the principles their values: those of the practice rounds, else the sample.
pub(super) fn valued_situations(practised: &IncomePrinciples) -> impl Iterator<Item = &Situation> {
    let sample = practised.applications.is_empty().then_some(&practised.sample);
    practised.applications.iter().chain(sample).map(|situation| &**situation)
}

/// The amounts that make a difference in any of the situations, ascending; never empty.
fn decisive_amounts<'a>(principle: Principle, situations: impl Iterator<Item = &'a Situation>) -> Vec<u32> {
    let of = if principle == Principle::AverageRange { income_ranges } else { low_incomes };
    let mut amounts: Vec<u32> = situations.flat_map(of).collect();
    amounts.sort_unstable();
    amounts.dedup();
    if amounts.is_empty() {
        // All lows or ranges are 0, so the least amount is as good as any.
        amounts.push(1);
    }
    amounts
}

/// The amounts with the greatest worth, ascending, and that worth.
fn best_amounts(amounts: &[u32], worth: impl Fn(u32) -> f64) -> (Vec<u32>, f64) {
    let mut best = (vec![amounts[0]], worth(amounts[0]));
    for amount in &amounts[1..] {
        let worth = worth(*amount);
        if worth > best.1 {
            best = (vec![*amount], worth);
        } else if worth == best.1 {
            best.0.push(*amount);
        }
    }
    best
}
