//! The settings of `income_principles`: parameters with fixed names, and defaults for those that a scenario does not declare.

use crate::config::lower::mechanism::{ParameterValues, scale_weights};
use crate::config::problem::{Problem, Problems, did_you_mean};
use crate::config::scenario::Scenario;
use crate::config::tree::Node;
use crate::config::written::mechanism::IncomeConfig;
use crate::domain::{CLASS_NAMES, CLASSES};
use crate::mechanism::Multiplier;
use crate::plan::{Scalar, scale_decimal};

/// The parameter for the kind of mean.
pub const AVERAGE: &str = "average";
/// The parameter that overrides the weights of the sample situation.
const SAMPLE_WEIGHTS: &str = "sample_weights";
/// The word that keeps the scenario's weights.
const AS_IN_SCENARIO: &str = "scenario";
/// The parameter for the number of practice rounds.
pub const APPLICATIONS_COUNT: &str = "applications_count";
/// The bounds of a multiplier, in thousandths.
const THOUSANDTHS: std::ops::RangeInclusive<u64> = 1..=1_000_000;
/// The greatest pay rate, in cents per 10 000 dollars of income. A greater one is probably a mistake.
const CENTS_MAX: u64 = 100_000_000;

/// The settings of a mechanism.
pub struct Settings<'a> {
    pub knobs: &'a ParameterValues<'a>,
    pub scenario: &'a Scenario,
    pub tree: &'a Node,
    pub written: &'a IncomeConfig,
}

/// The parameters that the mechanism reads if the scenario declares them, with their defaults. No multiplier or override applies, all
/// of the scenario's questions and practice rounds are used, and pay is that of Frohlich and Oppenheimer 1992.
fn list_defaults(written: &IncomeConfig) -> [(&'static str, Scalar); 13] {
    let word = |word: &str| Scalar::Text(word.to_string());
    let asked = written.comprehension.len() as i64;
    [
        (AVERAGE, word("weighted")),
        (SAMPLE_WEIGHTS, word(AS_IN_SCENARIO)),
        ("class_weights", word("hidden")),
        ("comprehension", word(if asked > 0 { "recorded" } else { "none" })),
        ("comprehension_pass_mark", Scalar::Int((asked - 1).max(1))),
        ("applications", word("original")),
        (APPLICATIONS_COUNT, Scalar::Int(written.situations.len() as i64)),
        ("application_multiplier_min", Scalar::Int(1)),
        ("application_multiplier_max", Scalar::Int(1)),
        ("settlement_multiplier_min", Scalar::Int(1)),
        ("settlement_multiplier_max", Scalar::Int(1)),
        ("dollars_per_10000_applications", Scalar::Int(1)),
        ("dollars_per_10000_settlement", Scalar::Int(5)),
    ]
}

/// The settings that a scenario declares no parameter for, with their defaults.
pub fn undeclared_settings(scenario: &Scenario, written: &IncomeConfig) -> Vec<(&'static str, Scalar)> {
    let declared = &scenario.written.parameters;
    list_defaults(written).into_iter().filter(|(name, _)| !declared.contains_key(*name)).collect()
}

impl Settings<'_> {
    /// Checks that no parameter's name is close to the name of an undeclared setting, because it would have no effect.
    pub fn check_names(&self, problems: &mut Problems) {
        let declared = &self.scenario.written.parameters;
        let settings = list_defaults(self.written).map(|(name, _)| name);
        let undeclared = settings.into_iter().filter(|name| !declared.contains_key(*name));
        for name in declared.keys().filter(|name| !settings.contains(&name.as_str())) {
            if let Some(hint) = did_you_mean(name, undeclared.clone()) {
                let (path, tree) = (format!("parameters.{name}"), &self.scenario.tree);
                let message =
                    "this is nearly the name of a setting of the mechanism income_principles, which would not read it";
                problems.push(Problem::at_place(tree.key_place_of(&path), path, message).with_advice(hint));
            }
        }
    }

    /// The value of a setting; `None` if it has a reported error.
    fn value(&self, name: &str) -> Option<Scalar> {
        if self.knobs.broken.contains(name) {
            return None;
        }
        let default =
            || list_defaults(self.written).into_iter().find(|(known, _)| *known == name).map(|(_, value)| value);
        let value = self.knobs.values.get(name).cloned().or_else(default);
        Some(value.expect("invariant: only settings of income_principles are looked up"))
    }

    fn problem(&self, name: &str, message: impl Into<String>) -> Problem {
        self.tree.problem(&format!("parameters.{name}"), message)
    }

    /// The position of the parameter's word among the known words.
    pub fn word_position(&self, name: &str, known: &[&str], problems: &mut Problems) -> Option<usize> {
        let place = match self.value(name)? {
            Scalar::Text(word) => known.iter().position(|known| *known == word),
            _ => None,
        };
        problems.ok_or_report(place.ok_or_else(|| self.problem(name, format!("expected one of {}", known.join(", ")))))
    }

    pub fn whole_number(&self, name: &str, least: u64, greatest: u64, problems: &mut Problems) -> Option<u64> {
        let number = match self.value(name)? {
            Scalar::Int(number) => u64::try_from(number).ok().filter(|number| (least..=greatest).contains(number)),
            _ => None,
        };
        let message = || format!("expected a whole number from {least} to {greatest}");
        problems.ok_or_report(number.ok_or_else(|| self.problem(name, message())))
    }

    /// A number with at most `decimals` decimals, as a multiple of the last decimal.
    fn scaled_number(&self, name: &str, decimals: usize, problems: &mut Problems) -> Option<u64> {
        let number = match self.value(name)? {
            Scalar::Int(number) => Ok(number as f64),
            Scalar::Real(number) => Ok(number),
            Scalar::Bool(_) | Scalar::Text(_) => Err("expected a number".to_string()),
        };
        let scaled = number.and_then(|number| scale_decimal(number, decimals));
        problems.ok_or_report_at(self.tree, &format!("parameters.{name}"), scaled)
    }

    pub fn multiplier(&self, name: &str, problems: &mut Problems) -> Option<Multiplier> {
        let mut bound = |end: &str| {
            let name = format!("{name}_{end}");
            let thousandths = self.scaled_number(&name, 3, problems)?;
            match THOUSANDTHS.contains(&thousandths) {
                // The check above limits it to one million.
                true => Some(thousandths as u32),
                false => {
                    problems.push(self.problem(&name, "a multiplier is from 0.001 to 1000"));
                    None
                }
            }
        };
        let (least, greatest) = (bound("min"), bound("max"));
        let (least, greatest) = (least?, greatest?);
        if least > greatest {
            let path = |end: &str| format!("parameters.{name}_{end}");
            problems.push(self.tree.clash(&path("max"), &path("min"), format!("{name}_max is less than {name}_min")));
        }
        (least <= greatest).then_some(Multiplier { least, greatest })
    }

    pub fn cents(&self, name: &str, problems: &mut Problems) -> Option<u32> {
        let cents = self.scaled_number(name, 2, problems)?;
        match cents {
            // At most one hundred million.
            0..=CENTS_MAX => Some(cents as u32),
            _ => {
                problems.push(self.problem(name, "a pay rate is from 0 to 1000000 dollars"));
                None
            }
        }
    }

    /// The weights that the config gives to the sample situation; `Some(None)` keeps the scenario's, `None` is an error.
    pub fn sample_weights(&self, problems: &mut Problems) -> Option<Option<[u32; CLASSES]>> {
        let written = self.value(SAMPLE_WEIGHTS)?;
        problems.ok_or_report(self.read_weights(&written))
    }

    fn read_weights(&self, written: &Scalar) -> Result<Option<[u32; CLASSES]>, Problem> {
        let shape = || {
            let message = format!("expected \"{AS_IN_SCENARIO}\" or the probabilities of {}", CLASS_NAMES.join(", "));
            self.problem(SAMPLE_WEIGHTS, message).with_advice("as in \"0.05/0.10/0.50/0.25/0.10\"")
        };
        let Scalar::Text(text) = written else { return Err(shape()) };
        if text == AS_IN_SCENARIO {
            return Ok(None);
        }
        let numbers: Vec<f64> =
            text.split('/').map(|part| part.trim().parse().map_err(|_| shape())).collect::<Result<_, _>>()?;
        let numbers: [f64; CLASSES] = numbers.try_into().map_err(|_| shape())?;
        scale_weights(numbers).map(Some).map_err(|message| self.problem(SAMPLE_WEIGHTS, message))
    }
}
