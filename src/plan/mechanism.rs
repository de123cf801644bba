//! The mechanism `income_principles`: its numbers from the scenario, its settings from the scenario's parameters.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use super::decimal::{parts_per_million, scaled};
use super::decision::check_amount;
use super::names::check_word;
use super::parameters::Scalar;
use super::scenario::Scenario;
use super::tree::Node;
use super::{Comprehension, Failing, Problem, Problems, did_you_mean, suggest};
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
/// The parameters that the mechanism reads, where the scenario declares them.
const SETTINGS: [&str; 13] = [
    AVERAGE,
    SAMPLE_WEIGHTS,
    "class_weights",
    "comprehension",
    "comprehension_pass_mark",
    "applications",
    APPLICATIONS_COUNT,
    "application_multiplier_min",
    "application_multiplier_max",
    "settlement_multiplier_min",
    "settlement_multiplier_max",
    "dollars_per_10000_applications",
    "dollars_per_10000_settlement",
];
/// A greater income is taken for a slip; times the greatest multiplier it still fits 32 bits.
pub const INCOME_MAX: u32 = 4_000_000;
/// The bounds of a multiplier, in thousandths.
const THOUSANDTHS: std::ops::RangeInclusive<u64> = 1..=1_000_000;
/// A greater pay rate is taken for a slip, in cents for 10 000 dollars of income.
const CENTS_MAX: u64 = 100_000_000;
/// One million.
const MILLION: u32 = 1_000_000;

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
    /// The situations of the practice rounds, in order; left out, there are none.
    #[serde(default)]
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

/// Makes the mechanism, from its knobs, its scenario and where the config stands; `None` when something is wrong, which is told.
pub fn income(
    written: &IncomeConfig,
    motion: &Motion,
    (knobs, scenario, tree): (&Knobs<'_>, &Scenario, &Node),
    problems: &mut Problems,
) -> Option<Lowered> {
    let settings = &Settings { knobs, scenario, tree, written };
    settings.check_names(problems);
    let principles = principles(written, motion, scenario, problems);
    let mut sample = situation("sample", &written.sample, "sample", scenario, problems);
    let sample_weights = settings.sample_weights(problems);
    if let (Some(sample), Some(Some(weights))) = (&mut sample, sample_weights) {
        sample.weights_ppm = weights;
    }
    let is_drawn = settings.word("applications", &["original", "drawn"], problems).map(|word| word == 1);
    let weights_shown = settings.word("class_weights", &["hidden", "shown"], problems).map(|word| word == 1);
    let practice = practice(written, weights_shown, settings, problems);
    let drawn = settings.multiplier("application_multiplier", problems);
    let average = settings.word(AVERAGE, &["weighted", "unweighted"], problems);
    let settlement = settings.multiplier("settlement_multiplier", problems);
    let application_cents = settings.cents("dollars_per_10000_applications", problems);
    let settlement_cents = settings.cents("dollars_per_10000_settlement", problems);
    let test = Test::read(written, motion, settings, problems);
    let (sample, mut practice, is_drawn) = (sample?, practice?, is_drawn?);
    if is_drawn {
        // Drawn practice rounds are the sample's tables, each round times a number of its own.
        practice.fill(Arc::new(Situation { weights_shown: weights_shown?, ..sample.clone() }));
    }
    let drawn = drawn?;
    let income = IncomePrinciples {
        principles: principles?,
        average: if average? == 0 { Average::Weighted } else { Average::Unweighted },
        sample: Arc::new(sample),
        applications: practice,
        drawn: is_drawn.then_some(drawn),
        settlement: settlement?,
        application_cents: application_cents?,
        settlement_cents: settlement_cents?,
    };
    let comprehension = test?.comprehension(&income, motion, scenario, problems);
    Some(Lowered { income: Arc::new(income), comprehension })
}

/// The greatest amount that may be named: no income of the settlement can be greater.
pub fn amount_max(income: &IncomePrinciples) -> u32 {
    let product = u64::from(income.sample.income_max()) * u64::from(income.settlement.greatest) / 1_000;
    u32::try_from(product).expect("invariant: incomes and multipliers were bounded a moment ago")
}

fn principles(
    written: &IncomeConfig,
    motion: &Motion,
    scenario: &Scenario,
    problems: &mut Problems,
) -> Option<Vec<Principle>> {
    let base = "mechanism.income_principles.principles";
    let known = || motion.alternatives.iter().map(|alternative| alternative.name.as_str());
    for name in written.principles.keys().filter(|name| !known().any(|known| known == *name)) {
        let problem = scenario.tree.problem(&format!("{base}.{name}"), "no alternative has this name");
        problems.push(problem.with_hint(suggest(name, known())));
    }
    if written.classes != CLASS_NAMES {
        let message = format!("the classes are {}, in this order", CLASS_NAMES.join(", "));
        problems.push(scenario.tree.problem("mechanism.income_principles.classes", message));
    }
    let mut principles = Vec::new();
    for alternative in &motion.alternatives {
        let Some(word) = written.principles.get(alternative.name.as_str()) else {
            problems.push(scenario.tree.problem(base, format!("\"{}\" has no principle", alternative.name)));
            continue;
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
            problems.push(scenario.tree.problem(&format!("{base}.{}", alternative.name), message));
        }
        principles.push(principle);
    }
    (principles.len() == motion.alternatives.len()).then_some(principles)
}

fn practice(
    written: &IncomeConfig,
    weights_shown: Option<bool>,
    settings: &Settings<'_>,
    problems: &mut Problems,
) -> Option<Vec<Arc<Situation>>> {
    let scenario = settings.scenario;
    let mut situations = Vec::new();
    for (name, one) in &written.situations {
        let path = format!("situations.{name}");
        let full = format!("mechanism.income_principles.{path}");
        problems.note(&scenario.tree, &full, check_word(name));
        situations.push(situation(name, one, &path, scenario, problems));
    }
    let count = settings.whole(APPLICATIONS_COUNT, 0, situations.len() as u64, problems)?;
    let weights_shown = weights_shown?;
    let mut shown = Vec::new();
    for situation in situations {
        shown.push(Arc::new(Situation { weights_shown, ..situation? }));
    }
    shown.truncate(count as usize);
    Some(shown)
}

/// A situation whose weights are shown.
fn situation(
    name: &str,
    written: &SituationConfig,
    path: &str,
    scenario: &Scenario,
    problems: &mut Problems,
) -> Option<Situation> {
    let path = format!("mechanism.income_principles.{path}");
    let problem = |key: &str, message: String| scenario.tree.problem(&format!("{path}.{key}"), message);
    let WeightsConfig { high, medium_high, medium, medium_low, low } = written.weights;
    let weights = weights([high, medium_high, medium, medium_low, low]);
    let weights_ppm = problems.keep(weights.map_err(|message| problem("weights", message)));
    if written.tables.len() < 2 {
        problems.push(problem("tables", "a situation has at least two tables".to_string()));
    }
    let mut tables = Vec::new();
    for (i, incomes) in written.tables.iter().enumerate() {
        let key = format!("tables.{i}");
        let table: Result<[u32; CLASSES], _> = incomes.as_slice().try_into();
        let Ok(table) = table else {
            let message = format!("{} incomes; a table has five: {}", incomes.len(), CLASS_NAMES.join(", "));
            problems.push(problem(&key, message));
            continue;
        };
        if let Some(income) = table.iter().find(|income| **income > INCOME_MAX) {
            problems.push(problem(&key, format!("{income} is outside 0 … {INCOME_MAX}")));
        }
        tables.push(table);
    }
    let is_whole = tables.len() == written.tables.len() && tables.len() >= 2;
    is_whole.then_some(Situation { name: name.to_string(), weights_ppm: weights_ppm?, tables, weights_shown: true })
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

/// The comprehension test as it was written.
struct Test {
    failing: Option<Failing>,
    pass_mark: u32,
    /// Each question's path, alternative and amount.
    questions: Vec<(String, Choice)>,
}

impl Test {
    fn read(written: &IncomeConfig, motion: &Motion, settings: &Settings<'_>, problems: &mut Problems) -> Option<Self> {
        let tree = &settings.scenario.tree;
        let mut questions = Vec::new();
        for (i, question) in written.comprehension.iter().enumerate() {
            let path = format!("mechanism.income_principles.comprehension.{i}");
            let Some(alternative) = motion.find(&question.alternative) else {
                let known = motion.alternatives.iter().map(|alternative| alternative.name.as_str());
                let message = format!("no alternative is named \"{}\"", question.alternative);
                let problem = tree.problem(&format!("{path}.alternative"), message);
                problems.push(problem.with_hint(suggest(&question.alternative, known)));
                continue;
            };
            questions.push((path, Choice { alternative, amount: question.amount }));
        }
        let failing = match settings.word("comprehension", &["none", "recorded", "excludes"], problems)? {
            0 => None,
            1 => Some(Failing::Recorded),
            _ => Some(Failing::Excludes),
        };
        let asked = written.comprehension.len();
        if failing.is_some() && asked == 0 {
            let message = "the comprehension test has no questions";
            problems.push(tree.problem("mechanism.income_principles", message));
            return None;
        }
        let pass_mark = match failing {
            // At most as many as there are questions.
            Some(_) => settings.whole("comprehension_pass_mark", 1, asked as u64, problems)? as u32,
            None => 0,
        };
        (questions.len() == asked).then_some(Self { failing, pass_mark, questions })
    }

    fn comprehension(
        self,
        income: &IncomePrinciples,
        motion: &Motion,
        scenario: &Scenario,
        problems: &mut Problems,
    ) -> Option<Comprehension> {
        let mut questions = Vec::new();
        let (principles, alternatives) = (&income.principles, &motion.alternatives);
        let is_sound = |place: usize| principles[place].takes_amount() == alternatives[place].takes_amount;
        for (path, choice) in self.questions.into_iter().filter(|(_, choice)| is_sound(choice.alternative.index())) {
            if let Err((key, message)) = check_amount(choice, motion, Some(income.sample.income_max())) {
                problems.push(scenario.tree.problem(&format!("{path}.{key}"), message));
                continue;
            }
            // A situation of the config has some tables, not billions.
            let answer = income.pick(choice, &income.sample).table as u32 + 1;
            questions.push(TestQuestion { alternative: choice.alternative, amount: choice.amount, answer });
        }
        let failing = self.failing?;
        Some(Comprehension { questions: questions.into(), pass_mark: self.pass_mark, failing })
    }
}

/// The values of the parameters, and the names of those whose value or declaration is wrong.
pub struct Knobs<'a> {
    /// By name; what is wrong has the scenario's value.
    pub values: &'a IndexMap<String, Scalar>,
    /// Told already.
    pub broken: &'a BTreeSet<String>,
}

/// The settings of a mechanism: parameters of fixed names.
struct Settings<'a> {
    knobs: &'a Knobs<'a>,
    scenario: &'a Scenario,
    tree: &'a Node,
    written: &'a IncomeConfig,
}

impl Settings<'_> {
    /// Checks that no parameter has nearly the name of a setting that is left out: it would be taken for that and do nothing.
    fn check_names(&self, problems: &mut Problems) {
        let declared = &self.scenario.written.parameters;
        let left_out = || SETTINGS.into_iter().filter(|name| !declared.contains_key(*name));
        for name in declared.keys().filter(|name| !SETTINGS.contains(&name.as_str())) {
            if let Some(hint) = did_you_mean(name, left_out()) {
                let (path, tree) = (format!("parameters.{name}"), &self.scenario.tree);
                let message =
                    "this is nearly the name of a setting of the mechanism income_principles, which would not read it";
                problems.push(Problem::at(tree.key_place_of(&path), path, message).with_hint(Some(hint)));
            }
        }
    }

    /// The value of a setting; `None` when it is broken, which was told.
    fn value(&self, name: &str) -> Option<Scalar> {
        if self.knobs.broken.contains(name) {
            return None;
        }
        Some(self.knobs.values.get(name).cloned().unwrap_or_else(|| self.left_out(name)))
    }

    /// What holds of a setting that the scenario declares no parameter for: nothing is multiplied or overruled, all that the scenario
    /// asks and practises is, and pay is what Frohlich and Oppenheimer 1992 paid.
    ///
    /// # Panics
    /// When there is no such setting.
    fn left_out(&self, name: &str) -> Scalar {
        let word = |word: &str| Scalar::Text(word.to_string());
        let asked = self.written.comprehension.len() as i64;
        match name {
            AVERAGE => word("weighted"),
            SAMPLE_WEIGHTS => word(AS_IN_SCENARIO),
            "class_weights" => word("hidden"),
            "comprehension" => word(if asked > 0 { "recorded" } else { "none" }),
            "comprehension_pass_mark" => Scalar::Int((asked - 1).max(1)),
            "applications" => word("original"),
            APPLICATIONS_COUNT => Scalar::Int(self.written.situations.len() as i64),
            "dollars_per_10000_applications" => Scalar::Int(1),
            "dollars_per_10000_settlement" => Scalar::Int(5),
            name if name.contains("_multiplier_") => Scalar::Int(1),
            name => unreachable!("invariant: {name} is a setting of income_principles"),
        }
    }

    fn problem(&self, name: &str, message: impl Into<String>) -> Problem {
        self.tree.problem(&format!("parameters.{name}"), message)
    }

    /// The position of the parameter's word among those that the mechanism knows.
    fn word(&self, name: &str, known: &[&str], problems: &mut Problems) -> Option<usize> {
        let place = match self.value(name)? {
            Scalar::Text(word) => known.iter().position(|known| *known == word),
            _ => None,
        };
        problems.keep(place.ok_or_else(|| self.problem(name, format!("expected one of {}", known.join(", ")))))
    }

    fn whole(&self, name: &str, least: u64, greatest: u64, problems: &mut Problems) -> Option<u64> {
        let number = match self.value(name)? {
            Scalar::Int(number) => u64::try_from(number).ok().filter(|number| (least..=greatest).contains(number)),
            _ => None,
        };
        let message = || format!("expected a whole number from {least} to {greatest}");
        problems.keep(number.ok_or_else(|| self.problem(name, message())))
    }

    /// A number of at most `decimals` decimals, as a whole number of its smallest unit.
    fn number(&self, name: &str, decimals: usize, problems: &mut Problems) -> Option<u64> {
        let number = match self.value(name)? {
            Scalar::Int(number) => Ok(number as f64),
            Scalar::Real(number) => Ok(number),
            Scalar::Bool(_) | Scalar::Text(_) => Err("expected a number".to_string()),
        };
        let scaled = number.and_then(|number| scaled(number, decimals));
        problems.keep(scaled.map_err(|message| self.problem(name, message)))
    }

    fn multiplier(&self, name: &str, problems: &mut Problems) -> Option<Multiplier> {
        let mut bound = |end: &str| {
            let name = format!("{name}_{end}");
            let thousandths = self.number(&name, 3, problems)?;
            match THOUSANDTHS.contains(&thousandths) {
                // At most one million, as was just checked.
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

    fn cents(&self, name: &str, problems: &mut Problems) -> Option<u32> {
        let cents = self.number(name, 2, problems)?;
        match cents {
            // It fits: at most a hundred million.
            0..=CENTS_MAX => Some(cents as u32),
            _ => {
                problems.push(self.problem(name, "a pay rate is from 0 to 1000000 dollars"));
                None
            }
        }
    }

    /// The weights that the config gives to the sample situation, where it does not leave those of the scenario; `None`
    /// when they are wrong.
    fn sample_weights(&self, problems: &mut Problems) -> Option<Option<[u32; CLASSES]>> {
        let written = self.value(SAMPLE_WEIGHTS)?;
        problems.keep(self.read_weights(&written))
    }

    fn read_weights(&self, written: &Scalar) -> Result<Option<[u32; CLASSES]>, Problem> {
        let shape = || {
            let message = format!("expected \"{AS_IN_SCENARIO}\" or the probabilities of {}", CLASS_NAMES.join(", "));
            self.problem(SAMPLE_WEIGHTS, message).with_hint(Some("as in \"0.05/0.10/0.50/0.25/0.10\"".to_string()))
        };
        let Scalar::Text(text) = written else { return Err(shape()) };
        if text == AS_IN_SCENARIO {
            return Ok(None);
        }
        let numbers: Vec<f64> =
            text.split('/').map(|part| part.trim().parse().map_err(|_| shape())).collect::<Result<_, _>>()?;
        let numbers: [f64; CLASSES] = numbers.try_into().map_err(|_| shape())?;
        weights(numbers).map(Some).map_err(|message| self.problem(SAMPLE_WEIGHTS, message))
    }
}
