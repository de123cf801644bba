//! The mechanism `income_principles`: its numbers come from the scenario, its settings from the scenario's parameters.

pub mod settings;

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;
use settings::{APPLICATIONS_COUNT, AVERAGE, Settings};

use crate::config::lower::decision::{check_amount, find_alternative};
use crate::config::problem::{Problems, suggest_word};
use crate::config::scenario::{Scenario, Soundness};
use crate::config::tree::Node;
use crate::config::written::mechanism::{IncomeConfig, MechanismConfig, SituationConfig, WeightsConfig, Word};
use crate::domain::{CLASS_NAMES, CLASSES, Choice, Motion, Situation, TestQuestion};
use crate::mechanism::{Average, IncomePrinciples, Principle};
use crate::plan::{Comprehension, Scalar, TestFailurePolicy, check_word, parts_per_million};

const MILLION: u32 = 1_000_000;

/// A mechanism and its comprehension test.
#[derive(Debug, Clone)]
pub struct IncomeMechanism {
    /// The income mechanism.
    pub income: Arc<IncomePrinciples>,
    /// The comprehension test, if there is one.
    pub comprehension: Option<Comprehension>,
}

/// Lowers a scenario's mechanism, if it has one, and sets in the motion how great an amount it allows. It is `Broken` if it has
/// a reported error. Skips settings among the broken parameters.
pub fn lower_mechanism(
    knobs: &ParameterValues<'_>,
    motion: &mut Motion,
    (scenario, tree): (&Scenario, &Node),
    problems: &mut Problems,
) -> (Option<IncomeMechanism>, Soundness) {
    let before = problems.len();
    let is_named = motion.alternatives.iter().any(|alternative| alternative.takes_amount);
    let Some(MechanismConfig::IncomePrinciples(written)) = &scenario.written.mechanism else {
        let is_said = scenario.written.amount.is_some();
        for alternative in motion.alternatives.iter().filter(|alternative| alternative.takes_amount && !is_said) {
            let path = format!("alternatives.{}.takes_amount", alternative.name);
            let message = "only `amount` or a mechanism says how great an amount may be";
            problems.push(scenario.tree.problem(&path, message));
        }
        return (None, if problems.len() == before { Soundness::Sound } else { Soundness::Broken });
    };
    let lowered = lower_income(written, motion, (knobs, scenario, tree), problems);
    let Some(lowered) = lowered.filter(|_| problems.len() == before) else { return (None, Soundness::Broken) };
    motion.amount_max = is_named.then(|| amount_max(&lowered.income));
    (Some(lowered), Soundness::Sound)
}

fn lower_income(
    written: &IncomeConfig,
    motion: &Motion,
    (knobs, scenario, tree): (&ParameterValues<'_>, &Scenario, &Node),
    problems: &mut Problems,
) -> Option<IncomeMechanism> {
    let settings = &Settings { knobs, scenario, tree, written };
    settings.check_names(problems);
    let principles = lower_principles(written, motion, scenario, problems);
    let mut sample = lower_situation("sample", &written.sample, "sample", scenario, problems);
    let sample_weights = settings.sample_weights(problems);
    if let (Some(sample), Some(Some(weights))) = (&mut sample, sample_weights) {
        sample.weights_ppm = weights;
    }
    let is_drawn = settings.word_position("applications", &["original", "drawn"], problems).map(|word| word == 1);
    let weights_shown = settings.word_position("class_weights", &["hidden", "shown"], problems).map(|word| word == 1);
    let practice = lower_practice(written, weights_shown, settings, problems);
    let drawn = settings.multiplier("application_multiplier", problems);
    let average = settings.word_position(AVERAGE, &["weighted", "unweighted"], problems);
    let settlement = settings.multiplier("settlement_multiplier", problems);
    let application_cents = settings.cents("dollars_per_10000_applications", problems);
    let settlement_cents = settings.cents("dollars_per_10000_settlement", problems);
    let make_income = || {
        let (sample, mut practice, is_drawn, drawn) = (sample?, practice?, is_drawn?, drawn?);
        if is_drawn {
            // Drawn practice rounds use the sample's tables; each round multiplies them by its own factor.
            practice.fill(Arc::new(Situation { weights_shown: weights_shown?, ..sample.clone() }));
        }
        Some(IncomePrinciples {
            principles: principles?,
            average: if average? == 0 { Average::Weighted } else { Average::Unweighted },
            sample: Arc::new(sample),
            applications: practice,
            drawn: is_drawn.then_some(drawn),
            settlement: settlement?,
            application_cents: application_cents?,
            settlement_cents: settlement_cents?,
        })
    };
    let income = make_income();
    let comprehension = lower_comprehension(income.as_ref(), motion, settings, problems)?;
    Some(IncomeMechanism { income: Arc::new(income?), comprehension })
}

/// The greatest amount that may be named: the greatest possible income of the settlement.
fn amount_max(income: &IncomePrinciples) -> u32 {
    let product = u64::from(income.sample.income_max()) * u64::from(income.settlement.greatest) / 1_000;
    u32::try_from(product).expect("invariant: incomes and multipliers were bounded a moment ago")
}

fn lower_principles(
    written: &IncomeConfig,
    motion: &Motion,
    scenario: &Scenario,
    problems: &mut Problems,
) -> Option<Vec<Principle>> {
    let base = "mechanism.income_principles.principles";
    let known = || motion.alternatives.iter().map(|alternative| alternative.name.as_str());
    for name in written.principles.keys().filter(|name| !known().any(|known| known == *name)) {
        let problem = scenario.tree.problem(&format!("{base}.{name}"), "no alternative has this name");
        problems.push(problem.with_hint(suggest_word(name, known())));
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

fn lower_practice(
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
        problems.ok_or_report_at(&scenario.tree, &full, check_word(name));
        situations.push(lower_situation(name, one, &path, scenario, problems));
    }
    let count = settings.whole_number(APPLICATIONS_COUNT, 0, situations.len() as u64, problems)?;
    let weights_shown = weights_shown?;
    let mut shown = Vec::new();
    for situation in situations {
        shown.push(Arc::new(Situation { weights_shown, ..situation? }));
    }
    shown.truncate(count as usize);
    Some(shown)
}

/// A situation with visible weights.
fn lower_situation(
    name: &str,
    written: &SituationConfig,
    path: &str,
    scenario: &Scenario,
    problems: &mut Problems,
) -> Option<Situation> {
    let path = format!("mechanism.income_principles.{path}");
    let problem = |key: &str, message: String| scenario.tree.problem(&format!("{path}.{key}"), message);
    let WeightsConfig { high, medium_high, medium, medium_low, low } = written.weights;
    let weights = scale_weights([high, medium_high, medium, medium_low, low]);
    let weights_ppm = problems.ok_or_report(weights.map_err(|message| problem("weights", message)));
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
        tables.push(table);
    }
    let is_whole = tables.len() == written.tables.len() && tables.len() >= 2;
    is_whole.then_some(Situation { name: name.to_string(), weights_ppm: weights_ppm?, tables, weights_shown: true })
}

/// Converts probabilities to parts per million, which must sum to one million.
pub fn scale_weights(probabilities: [f64; CLASSES]) -> Result<[u32; CLASSES], String> {
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

/// The comprehension test, whose answers follow from the mechanism; `Some(None)` if there is none, `None` after an error.
fn lower_comprehension(
    income: Option<&IncomePrinciples>,
    motion: &Motion,
    settings: &Settings<'_>,
    problems: &mut Problems,
) -> Option<Option<Comprehension>> {
    let (tree, written) = (&settings.scenario.tree, settings.written);
    let mut chosen = Vec::new();
    for (i, question) in written.comprehension.iter().enumerate() {
        let path = format!("mechanism.income_principles.comprehension.{i}");
        let found = find_alternative(motion, &question.alternative, &format!("{path}.alternative"), tree);
        let found = problems.ok_or_report(found);
        chosen.extend(found.map(|alternative| (path, Choice { alternative, amount: question.amount })));
    }
    let failing = match settings.word_position("comprehension", &["none", "recorded", "excludes"], problems)? {
        0 => None,
        1 => Some(TestFailurePolicy::Recorded),
        _ => Some(TestFailurePolicy::Excludes),
    };
    let asked = written.comprehension.len();
    if failing.is_some() && asked == 0 {
        problems.push(tree.problem("mechanism.income_principles", "the comprehension test has no questions"));
        return None;
    }
    let pass_mark = match failing {
        // At most the number of questions.
        Some(_) => settings.whole_number("comprehension_pass_mark", 1, asked as u64, problems)? as u32,
        None => 0,
    };
    let income = income.filter(|_| chosen.len() == asked)?;
    let mut questions = Vec::new();
    let is_sound = |place: usize| income.principles[place].takes_amount() == motion.alternatives[place].takes_amount;
    for (path, choice) in chosen.into_iter().filter(|(_, choice)| is_sound(choice.alternative.index())) {
        if let Err((key, message)) = check_amount(choice, motion, Some(income.sample.income_max())) {
            problems.push(tree.problem(&format!("{path}.{key}"), message));
            continue;
        }
        // The number of tables is small.
        let answer = income.pick_table(choice, &income.sample).table as u32 + 1;
        questions.push(TestQuestion { alternative: choice.alternative, amount: choice.amount, answer });
    }
    Some(failing.map(|failing| Comprehension { questions: questions.into(), pass_mark, failing }))
}

/// The values of the parameters, and the names of the invalid ones.
pub struct ParameterValues<'a> {
    /// By name; an invalid value is replaced by the scenario's default.
    pub values: &'a IndexMap<String, Scalar>,
    /// Parameters whose value or declaration has a reported error.
    pub broken: &'a BTreeSet<String>,
}
