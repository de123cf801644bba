//! The mechanism `commons`: reads its numbers.

use crate::config::lower::mechanism::ParameterValues;
use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::scenario::Scenario;
use crate::config::written::mechanism::CommonsConfig;
use crate::config::written::scenario::AskConfig;
use crate::mechanism::{Commons, Feedback};
use crate::plan::{Scalar, scale_decimal};

/// The greatest stock; a greater one is probably a mistake.
const STOCK_MAX: u64 = 1_000_000;
/// The greatest growth, in thousandths.
const GROWTH_MAX: u64 = 100_000;

/// Reads the numbers; `None` if one is invalid.
pub fn lower_commons(
    written: &CommonsConfig,
    knobs: &ParameterValues<'_>,
    scenario: &Scenario,
    problems: &mut Problems,
) -> Option<Commons> {
    let reader = CommonsReader { knobs, scenario };
    reader.check_scenario(problems);
    let before = problems.len();
    let stock_max = problems.ok_or_report(reader.read_scaled(&written.stock_max, "stock_max", 0, 1..=STOCK_MAX));
    let growth = problems.ok_or_report(reader.read_scaled(&written.growth, "growth", 3, 1_000..=GROWTH_MAX));
    let most = stock_max.map_or(STOCK_MAX, u64::from);
    let collapse_below =
        problems.ok_or_report(reader.read_scaled(&written.collapse_below, "collapse_below", 0, 0..=most));
    let feedback = problems.ok_or_report(reader.read_feedback(&written.feedback));
    if written.unit.trim().is_empty() {
        problems.push(reader.problem("unit", "the unit is empty: nobody would know what is counted"));
    }
    let unit = scenario.printed_of(&written.unit, "mechanism.commons.unit", knobs.values);
    let unit = problems.ok_or_report(unit);
    (problems.len() == before).then_some(())?;
    Some(Commons {
        unit: unit?,
        stock_max: stock_max?,
        growth: growth?,
        collapse_below: collapse_below?,
        feedback: feedback?,
    })
}

struct CommonsReader<'a> {
    knobs: &'a ParameterValues<'a>,
    scenario: &'a Scenario,
}

impl CommonsReader<'_> {
    /// Checks that the scenario has one alternative, which takes an amount, a discussion, and no parts for income tables.
    fn check_scenario(&self, problems: &mut Problems) {
        let written = &self.scenario.written;
        if written.alternatives.len() != 1 || !written.alternatives.iter().all(|one| one.takes_amount) {
            let message =
                "a scenario with a common stock has one alternative, with `takes_amount: true`: what a seat takes";
            problems.push(self.scenario.tree.problem("alternatives", message));
        }
        if !written.agenda.iter().any(|phase| phase.discussion.is_some()) {
            let message = "the stock is harvested in the rounds of a discussion, and the agenda has none";
            problems.push(self.scenario.tree.problem("mechanism.commons", message));
        }
        for phase in &written.agenda {
            let practises = phase
                .ask
                .as_ref()
                .and_then(AskConfig::built_in)
                .is_some_and(|ask| ask.comprehension.is_some() || ask.application.is_some());
            if phase.pays_decision() || practises {
                let message = "this phase needs the mechanism income_principles";
                problems.push(self.scenario.tree.problem(&format!("agenda.{}", phase.name), message));
            }
        }
    }

    fn problem(&self, key: &str, message: impl Into<String>) -> Problem {
        self.scenario.tree.problem(&format!("mechanism.commons.{key}"), message)
    }

    /// Reads a number with at most `decimals` decimals, as a multiple of the last decimal.
    fn read_scaled(
        &self,
        written: &Scalar,
        key: &str,
        decimals: usize,
        range: std::ops::RangeInclusive<u64>,
    ) -> Result<u32, Problem> {
        let number = match written {
            Scalar::Int(number) => *number as f64,
            Scalar::Real(number) => *number,
            Scalar::Bool(_) => return Err(self.problem(key, "expected a number, or a template that prints one")),
            Scalar::Text(text) => {
                let words = self.scenario.fill_text(text, &format!("mechanism.commons.{key}"), self.knobs.values)?;
                words.trim().parse::<f64>().map_err(|_| {
                    self.problem(
                        key,
                        format!("expected a number, or a template that prints one, found \"{}\"", words.trim()),
                    )
                })?
            }
        };
        let unit = 10_u64.pow(decimals as u32) as f64;
        let (least, most) = (*range.start() as f64 / unit, *range.end() as f64 / unit);
        let outside = || self.problem(key, format!("{number} is outside {least} … {most}"));
        if number < 0.0 {
            return Err(outside());
        }
        let found = scale_decimal(number, decimals).map_err(|message| self.problem(key, message))?;
        if range.contains(&found) { Ok(found as u32) } else { Err(outside()) }
    }

    fn read_feedback(&self, written: &str) -> Result<Feedback, Problem> {
        let words = self.scenario.fill_text(written, "mechanism.commons.feedback", self.knobs.values)?;
        match words.trim() {
            "by_name" => Ok(Feedback::ByName),
            "total" => Ok(Feedback::Total),
            other => {
                let problem = self.problem("feedback", format!("\"{other}\" is none of by_name and total"));
                Err(problem.with_hint(suggest_word(other, ["by_name", "total"])))
            }
        }
    }
}
