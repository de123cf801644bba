//! The mechanism `income_principles`: its numbers from the scenario, its settings from the scenario's parameters.

use std::sync::Arc;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::config::Config;
use super::decimal::{parts_per_million, scaled};
use super::decision::check_amount;
use super::names::check_word;
use super::parameters::Scalar;
use super::scenario::Scenario;
use super::tree::Node;
use super::{Comprehension, Failing, Problem, suggest};
use crate::domain::{CLASS_NAMES, CLASSES, Choice, Motion, Situation, TestQuestion};
use crate::mechanism::{Average, IncomePrinciples, Multiplier, Principle};

/// The parameter that says how means are taken.
const AVERAGE: &str = "average";
/// The parameter that overrules the weights of the sample situation.
const SAMPLE_WEIGHTS: &str = "sample_weights";
/// The word in it that leaves them as they are.
const AS_IN_SCENARIO: &str = "scenario";
/// The parameter that says how many practice rounds there are.
const APPLICATIONS_COUNT: &str = "applications_count";
/// A greater income is taken for a slip; times the greatest multiplier it still fits 32 bits.
pub const INCOME_MAX: u32 = 4_000_000;
/// The bounds of a multiplier, in thousandths.
const THOUSANDTHS: std::ops::RangeInclusive<u64> = 1..=1_000_000;
/// A greater pay rate is taken for a slip, in cents for 10 000 dollars of income.
const CENTS_MAX: u64 = 100_000_000;
/// One million.
const MILLION: u32 = 1_000_000;

/// What turns decisions into pay.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MechanismConfig {
    /// Each alternative is a principle that picks one of some income tables.
    IncomePrinciples(IncomeConfig),
}

/// The numbers of `income_principles`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IncomeConfig {
    /// The principle of each alternative, by the alternative's name.
    pub principles: IndexMap<String, Word>,
    /// The income classes: high, medium_high, medium, medium_low, low.
    pub classes: Vec<String>,
    /// The situation that is explained, and that the settlement multiplies.
    pub sample: SituationConfig,
    /// The situations of the practice rounds, in order.
    pub situations: IndexMap<String, SituationConfig>,
    /// The questions of a comprehension test.
    #[serde(default)]
    pub comprehension: Vec<QuestionConfig>,
}

/// By which principle an alternative picks an income table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// The highest income of the low class.
    Floor,
    /// The highest mean.
    Average,
    /// The highest mean with a floor.
    AverageFloor,
    /// The highest mean with a range.
    AverageRange,
}

/// Income tables over the same classes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SituationConfig {
    /// How probable each class is.
    pub weights: WeightsConfig,
    /// The income tables, at least two: each a list of five incomes, from the high class to the low.
    #[schemars(length(min = 2), inner(length(min = 5, max = 5), inner(range(min = 0, max = INCOME_MAX))))]
    pub tables: Vec<Vec<u32>>,
}

/// How probable each income class is; the five sum to 1.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WeightsConfig {
    /// The probability of the high class.
    #[schemars(range(min = 0, max = 1))]
    high: f64,
    /// The probability of the medium high class.
    #[schemars(range(min = 0, max = 1))]
    medium_high: f64,
    /// The probability of the medium class.
    #[schemars(range(min = 0, max = 1))]
    medium: f64,
    /// The probability of the medium low class.
    #[schemars(range(min = 0, max = 1))]
    medium_low: f64,
    /// The probability of the low class.
    #[schemars(range(min = 0, max = 1))]
    low: f64,
}

/// One question of a comprehension test.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionConfig {
    /// The name of the alternative.
    pub alternative: String,
    /// Its amount, where it takes one.
    #[schemars(range(min = 1))]
    pub amount: Option<u32>,
}

/// A mechanism, and the test of whether seats understood it.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The mechanism.
    pub income: Arc<IncomePrinciples>,
    /// The test; `None` when there is none.
    pub comprehension: Option<Comprehension>,
}

/// Makes the mechanism of a scenario; `None` when it has none.
///
/// # Errors
/// The first number or setting that is wrong or missing.
pub fn lower(config: &Config, motion: &Motion, scenario: &Scenario, tree: &Node) -> Result<Option<Lowered>, Problem> {
    let takes_amount = motion.alternatives.iter().find(|alternative| alternative.takes_amount);
    let Some(MechanismConfig::IncomePrinciples(written)) = &scenario.written.mechanism else {
        return match takes_amount {
            Some(alternative) => {
                let path = format!("alternatives.{}.takes_amount", alternative.name);
                Err(scenario.tree.problem(&path, "only a mechanism says how great an amount may be"))
            }
            None => Ok(None),
        };
    };
    let settings = Settings { config, scenario, tree };
    let principles = principles(written, motion, scenario)?;
    let mut sample = situation("sample", &written.sample, "sample", scenario)?;
    if let Some(weights) = settings.sample_weights()? {
        sample.weights_ppm = weights;
    }
    let is_drawn = settings.word("applications", &["original", "drawn"])? == 1;
    let mut practice = practice(written, &settings, scenario)?;
    if is_drawn {
        // Drawn practice rounds are the sample's tables, each round times a number of its own.
        let weights_shown = settings.word("class_weights", &["hidden", "shown"])? == 1;
        practice.fill(Arc::new(Situation { weights_shown, ..sample.clone() }));
    }
    let drawn = settings.multiplier("application_multiplier")?;
    let income = IncomePrinciples {
        principles,
        average: match settings.word(AVERAGE, &["weighted", "unweighted"])? {
            0 => Average::Weighted,
            _ => Average::Unweighted,
        },
        sample: Arc::new(sample),
        applications: practice,
        drawn: is_drawn.then_some(drawn),
        settlement: settings.multiplier("settlement_multiplier")?,
        application_cents: settings.cents("dollars_per_10000_applications")?,
        settlement_cents: settings.cents("dollars_per_10000_settlement")?,
    };
    let comprehension = comprehension(written, &income, motion, &settings, scenario)?;
    Ok(Some(Lowered { income: Arc::new(income), comprehension }))
}

/// The greatest amount that may be named: no income of the settlement can be greater.
pub fn amount_max(income: &IncomePrinciples) -> u32 {
    let product = u64::from(income.sample.income_max()) * u64::from(income.settlement.greatest) / 1_000;
    u32::try_from(product).expect("invariant: incomes and multipliers were bounded a moment ago")
}

fn principles(written: &IncomeConfig, motion: &Motion, scenario: &Scenario) -> Result<Vec<Principle>, Problem> {
    let base = "mechanism.income_principles.principles";
    let known = || motion.alternatives.iter().map(|alternative| alternative.name.as_str());
    if let Some(name) = written.principles.keys().find(|name| !known().any(|known| known == *name)) {
        let problem = scenario.tree.problem(&format!("{base}.{name}"), "no alternative has this name");
        return Err(problem.with_hint(suggest(name, known())));
    }
    let principle = |alternative: &crate::domain::Alternative| {
        let Some(word) = written.principles.get(alternative.name.as_str()) else {
            return Err(scenario.tree.problem(base, format!("\"{}\" has no principle", alternative.name)));
        };
        let principle = match word {
            Word::Floor => Principle::Floor,
            Word::Average => Principle::Average,
            Word::AverageFloor => Principle::AverageFloor,
            Word::AverageRange => Principle::AverageRange,
        };
        if principle.takes_amount() != alternative.takes_amount {
            let message = match principle.takes_amount() {
                true => "this principle needs an amount: give the alternative `takes_amount: true`",
                false => "this principle takes no amount, but the alternative says `takes_amount: true`",
            };
            return Err(scenario.tree.problem(&format!("{base}.{}", alternative.name), message));
        }
        Ok(principle)
    };
    if written.classes != CLASS_NAMES {
        let message = format!("the classes are {}, in this order", CLASS_NAMES.join(", "));
        return Err(scenario.tree.problem("mechanism.income_principles.classes", message));
    }
    motion.alternatives.iter().map(principle).collect()
}

fn practice(
    written: &IncomeConfig,
    settings: &Settings<'_>,
    scenario: &Scenario,
) -> Result<Vec<Arc<Situation>>, Problem> {
    let weights_shown = settings.word("class_weights", &["hidden", "shown"])? == 1;
    let mut situations = Vec::new();
    for (name, one) in &written.situations {
        let path = format!("situations.{name}");
        check_word(name)
            .map_err(|message| scenario.tree.problem(&format!("mechanism.income_principles.{path}"), message))?;
        situations.push(Arc::new(Situation { weights_shown, ..situation(name, one, &path, scenario)? }));
    }
    let count = settings.whole(APPLICATIONS_COUNT, 0, situations.len() as u64)?;
    situations.truncate(count as usize);
    Ok(situations)
}

/// A situation whose weights are shown.
fn situation(name: &str, written: &SituationConfig, path: &str, scenario: &Scenario) -> Result<Situation, Problem> {
    let path = format!("mechanism.income_principles.{path}");
    let problem = |key: &str, message: String| scenario.tree.problem(&format!("{path}.{key}"), message);
    let WeightsConfig { high, medium_high, medium, medium_low, low } = written.weights;
    let weights_ppm =
        weights([high, medium_high, medium, medium_low, low]).map_err(|message| problem("weights", message))?;
    if written.tables.len() < 2 {
        return Err(problem("tables", "a situation has at least two tables".to_string()));
    }
    let table = |(i, incomes): (usize, &Vec<u32>)| {
        let key = format!("tables.{i}");
        let table: [u32; CLASSES] = incomes.as_slice().try_into().map_err(|_| {
            let message = format!("{} incomes; a table has five: {}", incomes.len(), CLASS_NAMES.join(", "));
            problem(&key, message)
        })?;
        match table.iter().find(|income| **income > INCOME_MAX) {
            Some(income) => Err(problem(&key, format!("{income} is outside 0 … {INCOME_MAX}"))),
            None => Ok(table),
        }
    };
    let tables = written.tables.iter().enumerate().map(table).collect::<Result<_, _>>()?;
    Ok(Situation { name: name.to_string(), weights_ppm, tables, weights_shown: true })
}

/// Probabilities as parts per million that sum to one million.
fn weights(probabilities: [f64; CLASSES]) -> Result<[u32; CLASSES], String> {
    let mut ppm = [0; CLASSES];
    for (slot, probability) in ppm.iter_mut().zip(probabilities) {
        *slot = parts_per_million(probability)?;
    }
    let sum: u32 = ppm.iter().sum();
    match sum {
        MILLION => Ok(ppm),
        _ => Err(format!("the weights sum to {}.{:06}, not to 1", sum / MILLION, sum % MILLION)),
    }
}

fn comprehension(
    written: &IncomeConfig,
    income: &IncomePrinciples,
    motion: &Motion,
    settings: &Settings<'_>,
    scenario: &Scenario,
) -> Result<Option<Comprehension>, Problem> {
    let mut questions = Vec::new();
    for (i, question) in written.comprehension.iter().enumerate() {
        let path = format!("mechanism.income_principles.comprehension.{i}");
        let alternative = motion.find(&question.alternative).ok_or_else(|| {
            let known = motion.alternatives.iter().map(|alternative| alternative.name.as_str());
            let message = format!("no alternative is named \"{}\"", question.alternative);
            scenario
                .tree
                .problem(&format!("{path}.alternative"), message)
                .with_hint(suggest(&question.alternative, known))
        })?;
        let choice = Choice { alternative, amount: question.amount };
        check_amount(choice, motion, Some(income.sample.income_max()))
            .map_err(|(key, message)| scenario.tree.problem(&format!("{path}.{key}"), message))?;
        // A situation of the config has some tables, not billions.
        let answer = income.pick(choice, &income.sample).table as u32 + 1;
        questions.push(TestQuestion { alternative, amount: question.amount, answer });
    }
    let failing = match settings.word("comprehension", &["none", "recorded", "excludes"])? {
        0 => return Ok(None),
        1 => Failing::Recorded,
        _ => Failing::Excludes,
    };
    if questions.is_empty() {
        return Err(scenario.tree.problem("mechanism.income_principles", "the comprehension test has no questions"));
    }
    let pass_mark = settings.whole("comprehension_pass_mark", 1, questions.len() as u64)? as u32;
    Ok(Some(Comprehension { questions: questions.into(), pass_mark, failing }))
}

/// The settings of a mechanism: parameters of fixed names.
struct Settings<'a> {
    config: &'a Config,
    scenario: &'a Scenario,
    tree: &'a Node,
}

impl<'a> Settings<'a> {
    fn value(&self, name: &str) -> Result<&'a Scalar, Problem> {
        self.config.parameters.get(name).ok_or_else(|| {
            let message = format!("the mechanism income_principles needs the parameter \"{name}\"");
            self.scenario.tree.problem("parameters", message)
        })
    }

    fn problem(&self, name: &str, message: impl Into<String>) -> Problem {
        self.tree.problem(&format!("parameters.{name}"), message)
    }

    /// The position of the parameter's word among those that the mechanism knows.
    fn word(&self, name: &str, known: &[&str]) -> Result<usize, Problem> {
        let place = match self.value(name)? {
            Scalar::Text(word) => known.iter().position(|known| known == word),
            _ => None,
        };
        place.ok_or_else(|| self.problem(name, format!("expected one of {}", known.join(", "))))
    }

    fn whole(&self, name: &str, least: u64, greatest: u64) -> Result<u64, Problem> {
        let number = match self.value(name)? {
            Scalar::Int(number) => u64::try_from(*number).ok().filter(|number| (least..=greatest).contains(number)),
            _ => None,
        };
        number.ok_or_else(|| self.problem(name, format!("expected a whole number from {least} to {greatest}")))
    }

    /// A number of at most `decimals` decimals, as a whole number of its smallest unit.
    fn number(&self, name: &str, decimals: usize) -> Result<u64, Problem> {
        let number = match self.value(name)? {
            Scalar::Int(number) => *number as f64,
            Scalar::Real(number) => *number,
            _ => return Err(self.problem(name, "expected a number")),
        };
        scaled(number, decimals).map_err(|message| self.problem(name, message))
    }

    fn multiplier(&self, name: &str) -> Result<Multiplier, Problem> {
        let bound = |end: &str| {
            let name = format!("{name}_{end}");
            let thousandths = self.number(&name, 3)?;
            match THOUSANDTHS.contains(&thousandths) {
                // At most one million, as was just checked.
                true => Ok(thousandths as u32),
                false => Err(self.problem(&name, "a multiplier is from 0.001 to 1000")),
            }
        };
        let (least, greatest) = (bound("min")?, bound("max")?);
        if least > greatest {
            return Err(self.problem(&format!("{name}_max"), format!("less than {name}_min")));
        }
        Ok(Multiplier { least, greatest })
    }

    fn cents(&self, name: &str) -> Result<u32, Problem> {
        let cents = self.number(name, 2)?;
        match cents {
            // It fits: at most a hundred million.
            0..=CENTS_MAX => Ok(cents as u32),
            _ => Err(self.problem(name, "a pay rate is from 0 to 1000000 dollars")),
        }
    }

    /// The weights that the config gives to the sample situation; `None` when it leaves those of the scenario.
    fn sample_weights(&self) -> Result<Option<[u32; CLASSES]>, Problem> {
        let shape = || {
            let message = format!("expected \"{AS_IN_SCENARIO}\" or the probabilities of {}", CLASS_NAMES.join(", "));
            self.problem(SAMPLE_WEIGHTS, message).with_hint(Some("as in \"0.05/0.10/0.50/0.25/0.10\"".to_string()))
        };
        let Scalar::Text(text) = self.value(SAMPLE_WEIGHTS)? else { return Err(shape()) };
        if text == AS_IN_SCENARIO {
            return Ok(None);
        }
        let numbers: Vec<f64> =
            text.split('/').map(|part| part.trim().parse().map_err(|_| shape())).collect::<Result<_, _>>()?;
        let numbers: [f64; CLASSES] = numbers.try_into().map_err(|_| shape())?;
        weights(numbers).map(Some).map_err(|message| self.problem(SAMPLE_WEIGHTS, message))
    }
}
