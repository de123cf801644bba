//! `compare`: compares the arms of an experiment, by what was announced or by what is asked.

pub mod arguments;
mod changed;
mod measured;
mod nulls;
mod usual;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use arguments::{CompareArguments, CompareUnit};
use measured::Measured;
use usual::Usual;

use super::exit::{Ending, Refusal};
use super::say::{say, say_json};
use super::{locate, pool};
use crate::adapters::inputs::Inputs;
use crate::adapters::poll_table::PollTable;
use crate::adapters::results::ResultsFolder;
use crate::adapters::session_table::SessionTable;
use crate::chance::Pairing;
use crate::plan::{
    Correction, Experiment, NULL_FACTOR, Planned, Sitter, UNITLESS, few, letter_of_many, suggest, units_of_many,
};
use crate::report::{Analysis, BaselineFrom, Chance, Comparison, listed};
use crate::statistics::{
    Account, Adjustment, Answers, Arm, Contrast, Observation, Reached, Resampling, Study, Unit, by_arm, by_factor,
    compare_arms,
};

/// The columns that every comparison reads beside its metric's.
const OF_EVERY_COMPARISON: [&str; 7] =
    ["item", "status", "outcome", "n_invalid", "n_refused", "censored", "rounds_max"];
/// The word for comparing whole arms.
const ARMS: &str = "arm";
/// How an arm that is no null stands beside its nulls.
const NO_NULL: &str = "the arm itself";

/// Compares the arms of an experiment.
///
/// # Errors
/// A [`Refusal`] with the reason.
pub fn compare(arguments: &CompareArguments) -> Result<Ending, Refusal> {
    let (root, session) = locate::experiment(&arguments.path)?;
    if session.is_some() {
        return Err(Refusal::wrong(format!(
            "{}: one session has nothing to be compared with",
            arguments.path.display()
        )));
    }
    ResultsFolder::read(&root, None)?;
    let inputs = Inputs::read_results(&root)?;
    if inputs.change().is_some() {
        return Err(Refusal::wrong(format!("{}: a fork is one session, not an experiment", root.display())));
    }
    let experiment = inputs.resolve()?.experiment;
    let comparison = compared(arguments, &root, &experiment)?;
    if arguments.json {
        say_json(&comparison)?
    } else {
        say(&comparison.text())?
    }
    Ok(Ending::Done)
}

/// The comparison of a results folder's arms, from its tables; where nobody says by what, by the first usual outcome that has numbers.
///
/// # Errors
/// A [`Refusal`] with the reason.
pub(super) fn compared(
    arguments: &CompareArguments,
    root: &Path,
    experiment: &Experiment,
) -> Result<Comparison, Refusal> {
    let [_, _, ..] = experiment.arms.as_slice() else {
        return Err(Refusal::wrong(format!("{}: only one arm, nothing to compare", root.display())));
    };
    if unit_of(arguments, experiment) == Unit::Item && experiment.items.is_empty() {
        return Err(Refusal::wrong(format!("{}: the experiment has no items; leave --unit out", root.display())));
    }
    if arguments.unit == Some(CompareUnit::Panel) && experiment.waves.is_none() {
        return Err(Refusal::wrong(format!("{}: the experiment has no panels; leave --unit out", root.display())));
    }
    let announced = || experiment.primary.as_ref().map(|primary| primary.metric.clone());
    let (metric, unannounced) = match arguments.metric.clone().or_else(announced) {
        Some(metric) => (metric, None),
        None => {
            // Who names an arm that there is not is told of that, and not that it has no numbers.
            baseline_of(arguments, experiment)?;
            let usual = Usual::of(root, experiment, arguments.baseline.as_deref())?;
            (usual.first()?.to_owned(), Some(usual.taken()))
        }
    };
    let mut asked = Asked::new(arguments, experiment, metric)?;
    asked.exploratory_because.extend(unannounced);
    let column = asked.metric.split('=').next().unwrap_or_default();
    let table = SessionTable::read(root, experiment, &[&OF_EVERY_COMPARISON[..], &[column]].concat())
        .map_err(|error| Refusal::wrong(error.to_string()))?;
    let changed = changed::since(root, &asked.metric);
    asked.exploratory_because.extend(changed);
    let measured = Measured::read(&asked.metric, &table, experiment)?;
    let unit = asked.unit;
    let mut comparison = comparison(arguments, experiment, &table, asked, measured)?;
    if experiment.arms.iter().any(|plan| plan.null.is_some()) {
        let polls = PollTable::read(root, experiment).map_err(|error| Refusal::wrong(error.to_string()))?;
        comparison.nulls = Some(nulls::of((arguments.resamples, unit), experiment, &table, &polls));
    }
    Ok(comparison)
}

/// What is to be compared.
struct Asked {
    metric: String,
    by: Option<String>,
    baseline: usize,
    baseline_from: BaselineFrom,
    unit: Unit,
    correction: Adjustment,
    exploratory_because: Vec<String>,
}

/// What is independent: what the command line says, else what was announced, else the session.
fn unit_of(arguments: &CompareArguments, experiment: &Experiment) -> Unit {
    let announced = experiment.primary.as_ref().map(|primary| primary.unit).unwrap_or_default();
    let unit = arguments.unit.map_or(announced, |unit| match unit {
        CompareUnit::Session => Unit::Session,
        CompareUnit::Replicate => Unit::Replicate,
        CompareUnit::Item => Unit::Item,
        CompareUnit::Panel => Unit::Panel,
    });
    of_panels(unit, experiment)
}

/// The same agents meet in all sessions of a panel: these are never independent.
fn of_panels(unit: Unit, experiment: &Experiment) -> Unit {
    if unit == Unit::Session && experiment.waves.is_some() { Unit::Panel } else { unit }
}

impl Asked {
    fn new(arguments: &CompareArguments, experiment: &Experiment, metric: String) -> Result<Self, Refusal> {
        let primary = experiment.primary.as_ref();
        let factors = || experiment.factors.iter().map(String::as_str);
        let by = match arguments.by.as_deref() {
            Some(by) if factors().any(|factor| factor == by) => Some(by.to_owned()),
            Some(ARMS) => None,
            Some(by) => return Err(unknown("factor", by, factors().chain([ARMS]))),
            None => primary.and_then(|primary| primary.contrast.clone()).or_else(|| alone_with_nulls(experiment)),
        };
        let (baseline, baseline_from) = baseline_of(arguments, experiment)?;
        let correction = match primary.map(|primary| primary.correction).unwrap_or_default() {
            Correction::Holm => Adjustment::Holm,
            Correction::None => Adjustment::None,
        };
        let unit = unit_of(arguments, experiment);
        let mut because = Vec::new();
        match primary {
            None => because.push("the config announces no primary comparison".to_owned()),
            Some(primary) => {
                if primary.metric != metric {
                    because.push(format!("the primary metric is {}", primary.metric));
                }
                if primary.contrast != by {
                    because.push(format!("the primary contrast is {}", primary.contrast.as_deref().unwrap_or(ARMS)));
                }
                let declared = experiment.baseline.as_deref().map_or(Ok(0), |name| arm_named(name, experiment))?;
                if declared != baseline {
                    because.push(format!("the baseline is {}", experiment.arms[declared].arm));
                }
                if of_panels(primary.unit, experiment) != unit {
                    because.push(format!("the primary unit is the {}", primary.unit.as_str()));
                }
            }
        }
        Ok(Self { metric, by, baseline, baseline_from, unit, correction, exploratory_because: because })
    }
}

/// The arm that others are compared with, and who says so.
fn baseline_of(arguments: &CompareArguments, experiment: &Experiment) -> Result<(usize, BaselineFrom), Refusal> {
    match (&arguments.baseline, &experiment.baseline) {
        (Some(name), _) => Ok((arm_named(name, experiment)?, BaselineFrom::CommandLine)),
        (None, Some(name)) => Ok((arm_named(name, experiment)?, BaselineFrom::Config)),
        (None, None) => Ok((0, BaselineFrom::FirstArm)),
    }
}

fn arm_named(name: &str, experiment: &Experiment) -> Result<usize, Refusal> {
    let names = || experiment.arms.iter().map(|plan| plan.arm.as_str());
    names().position(|arm| arm == name).ok_or_else(|| unknown("arm", name, names()))
}

/// The factor of the nulls, where they are all that one arm could be compared with.
fn alone_with_nulls(experiment: &Experiment) -> Option<String> {
    let is_one = experiment.arms.iter().filter(|plan| plan.null.is_none()).count() == 1;
    is_one.then(|| NULL_FACTOR.to_owned())
}

/// Why no contrast has a number.
fn nothing_to_compare(study: &Study, contrasts: &[Contrast], sessions: &Account, usual: &Usual) -> Refusal {
    let (planned, incomplete, name) = (sessions.planned, sessions.incomplete, &study.metric);
    let nowhere = match study.pairing {
        Pairing::CommonRandomNumbers => "has a number on both sides in no block",
        Pairing::Independent => "has no number on some side",
    };
    if incomplete > 0 {
        return Refusal::ends(
            Ending::Resumable,
            format!(
                "{incomplete} of {planned} sessions are not complete, and {name} {nowhere}; `ekklesia run` completes them"
            ),
        );
    }
    let has_number = |arm: usize| study.observations.iter().any(|seen| seen.arm == arm && seen.value.is_some());
    let arms = study.arms.iter().enumerate().filter(|(place, _)| !has_number(*place));
    let empty: Vec<&str> = arms.map(|(_, arm)| arm.name.as_str()).collect();
    let by_factor = contrasts.iter().any(|contrast| contrast.factor.is_some());
    let baseline_is_empty = contrasts.iter().flat_map(|contrast| &contrast.pairs).all(|(_, other)| !has_number(*other));
    let hint = match (by_factor, baseline_is_empty) {
        (true, false) => "; --by arm compares whole arms",
        (true, true) => "; --by arm --baseline ARM compares whole arms with another baseline",
        (false, true) => "; --baseline ARM compares with another arm",
        (false, false) => "",
    };
    let why = match empty.as_slice() {
        [] => format!("a block needs a number in every arm of both sides{hint}"),
        empty if empty.len() == study.arms.len() => format!("no session has one{}", usual.instead()),
        empty => format!("no session of {} has one{hint}", empty.join(", ")),
    };
    Refusal::wrong(format!("{name} {nowhere}, so there is nothing to compare: {why}"))
}

fn comparison(
    arguments: &CompareArguments,
    experiment: &Experiment,
    table: &SessionTable,
    asked: Asked,
    measured: Measured,
) -> Result<Comparison, Refusal> {
    let chance = (measured.metric.name == "correct").then(|| chance(experiment)).flatten();
    let study = study((arguments.resamples, asked.unit), experiment, table, &measured);
    let contrasts = contrasts(&study.arms, &asked, experiment)?;
    let draw = |resampling: &Resampling| drawn(resampling, pool::cores());
    let compared = compare_arms(&study, &contrasts, asked.correction, &draw);
    let sessions = Account::of(study.observations.iter());
    if compared.contrasts.iter().all(|contrast| contrast.main.difference.is_none()) {
        let root = table.path().parent().unwrap_or_else(|| Path::new(""));
        let usual = Usual::of(root, experiment, arguments.baseline.as_deref())?;
        return Err(nothing_to_compare(&study, &contrasts, &sessions, &usual));
    }
    let items: BTreeSet<&str> =
        study.observations.iter().map(|seen| seen.item.as_str()).filter(|id| !id.is_empty()).collect();
    let notes = notes(&measured, &study, experiment);
    let pairing = match study.pairing {
        Pairing::CommonRandomNumbers => "common_random_numbers",
        Pairing::Independent => "independent",
    };
    let sitters = || experiment.arms.iter().flat_map(|plan| &plan.seats).map(|seat| &seat.sitter);
    let comparison = Comparison {
        experiment: experiment.name.clone(),
        seed: study.seed,
        metric: measured.metric,
        by: asked.by,
        baseline: study.arms[asked.baseline].name.clone(),
        baseline_from: asked.baseline_from,
        pairing,
        unit: study.unit,
        analysis: if asked.exploratory_because.is_empty() { Analysis::Primary } else { Analysis::Exploratory },
        exploratory_because: asked.exploratory_because,
        correction: asked.correction,
        resamples: study.resamples,
        simulated_minds: sitters().any(|sitter| matches!(sitter, Sitter::Mind(_))),
        minds_alone: sitters().all(|sitter| matches!(sitter, Sitter::Mind(_))),
        sessions,
        chance,
        items: items.len() as u64,
        compared,
        nulls: None,
        notes,
        methods: Vec::new(),
        sentences: Vec::new(),
    };
    Ok(comparison.explained())
}

/// What a reader must know besides the numbers.
fn notes(measured: &Measured, study: &Study, experiment: &Experiment) -> Vec<String> {
    let has_items = study.observations.iter().any(|seen| !seen.item.is_empty());
    let mut notes = measured.notes.clone();
    if has_items && study.unit != Unit::Item {
        notes.push(
            "sessions of the same item are counted as independent; the result is about these items, not about others"
                .to_owned(),
        );
    }
    if let Some(letter) = letter_of_many(&measured.metric.name, &experiment.items) {
        notes.push(format!(
            "{letter} is another option in another item, so this counts a letter and no choice; {}",
            instead_of_letters(experiment)
        ));
    }
    if let Some(units) = units_of_many(&measured.metric.name, &experiment.items) {
        notes.push(format!(
            "items are counted in {}: a mean over them is in no unit, and the items of the widest range decide it; {UNITLESS} has no unit",
            few(&units)
        ));
    }
    let is_live = experiment.arms.iter().any(|plan| !plan.is_simulated());
    if is_live && study.pairing == Pairing::CommonRandomNumbers {
        notes.push(
            "language models draw for themselves: arms share lots and seats, and r tells what that brought".to_owned(),
        );
    }
    notes
}

/// What to compare where letters of items mean nothing together.
fn instead_of_letters(experiment: &Experiment) -> &'static str {
    match experiment.items.values().any(|item| item.right().is_some()) {
        true => "correct compares choices with the right ones",
        false => "compare what does not depend on which option it is, such as carried",
    }
}

/// What a lot among the options would get right; `None` where no item has a key.
fn chance(experiment: &Experiment) -> Option<Chance> {
    let offered = experiment.arms.first()?.motion.alternatives.len();
    let keyed = experiment.items.values().filter(|item| item.right().is_some());
    Chance::of(keyed.map(|item| if item.options.is_empty() { offered } else { item.options.len() }))
}

/// The contrasts that are asked for.
fn contrasts(arms: &[Arm], asked: &Asked, experiment: &Experiment) -> Result<Vec<Contrast>, Refusal> {
    let mut contrasts = match &asked.by {
        Some(factor) => by_factor(arms, asked.baseline, factor),
        None => by_arm(arms, asked.baseline),
    };
    // Nulls stand beside an arm of the author's: they are no levels of other factors.
    if asked.by.as_deref() == Some(NULL_FACTOR) {
        let sides = contrasts.iter_mut().flat_map(|contrast| [&mut contrast.first, &mut contrast.second]);
        sides.filter(|side| side.is_empty()).for_each(|side| *side = NO_NULL.to_owned());
    } else {
        let is_null = |arm: usize| experiment.arms[arm].null.is_some();
        contrasts.iter_mut().for_each(|contrast| contrast.pairs.retain(|(one, _)| !is_null(*one)));
        contrasts.retain(|contrast| !contrast.pairs.is_empty());
    }
    match (contrasts.is_empty(), &asked.by) {
        (true, Some(factor)) => Err(Refusal::wrong(format!(
            "{factor}: no level stands beside the baseline's with the other factors alike; try --by {ARMS}"
        ))),
        _ => Ok(contrasts),
    }
}

fn study((resamples, unit): (u32, Unit), experiment: &Experiment, table: &SessionTable, measured: &Measured) -> Study {
    let arms = experiment.arms.iter().zip(&measured.most).map(|(plan, most)| Arm {
        name: plan.arm.clone(),
        levels: plan.levels.iter().map(|level| (level.factor.clone(), level.label.clone())).collect(),
        most: *most,
    });
    let arms: Vec<Arm> = arms.collect();
    let column = |name: &str| table.cells(name).collect::<Vec<_>>();
    let [items, status, invalid, refused] = ["item", "status", "n_invalid", "n_refused"].map(column);
    let is_none = |count: &str| count.is_empty() || count == "0";
    let mut arm = 0;
    let observation = |(row, session): (usize, &Planned)| {
        // Sessions stand arm by arm, in the design's order.
        while arms[arm].name != session.arm.arm {
            arm += 1;
        }
        Observation {
            arm,
            replicate: session.replicate,
            item: items[row].to_owned(),
            wave: session.wave.unwrap_or(0),
            reached: match status[row] {
                "completed" => Reached::Completed,
                "failed" => Reached::Failed,
                _ => Reached::Incomplete,
            },
            answers: match is_none(invalid[row]) && is_none(refused[row]) {
                true => Answers::AllValid,
                false => Answers::SomeInvalid,
            },
            value: measured.values[row],
        }
    };
    // A session whose item has no key can be neither right nor wrong: it is not asked, and missing in no sense.
    let is_asked = |session: &Planned| match measured.metric.name.split('=').next() {
        Some("correct") => session.item.as_ref().is_none_or(|item| item.right().is_some()),
        _ => true,
    };
    let observations = table.sessions().iter().enumerate().map(observation);
    let observations =
        observations.zip(table.sessions()).filter(|(_, session)| is_asked(session)).map(|(seen, _)| seen).collect();
    let first = &experiment.arms[0];
    Study {
        seed: first.seed,
        metric: measured.metric.name.clone(),
        scale: measured.metric.scale,
        pairing: first.pairing,
        unit,
        observations,
        resamples,
        arms,
    }
}

/// The numbers of a resampling, its pieces made by several workers.
fn drawn(resampling: &Resampling, jobs: usize) -> Vec<f64> {
    let pieces: Vec<usize> = (0..resampling.pieces()).collect();
    let mut made: Vec<Vec<f64>> = vec![Vec::new(); pieces.len()];
    let never = AtomicBool::new(false);
    pool::each(&pieces, jobs, &never, |piece| resampling.piece(*piece), |place, numbers| made[place] = numbers, || ());
    made.concat()
}

fn unknown<'a>(what: &str, word: &str, known: impl IntoIterator<Item = &'a str>) -> Refusal {
    let known: Vec<&str> = known.into_iter().collect();
    let hint =
        suggest(word, known.iter().copied()).unwrap_or_else(|| format!("there are:{}", listed(known.iter().copied())));
    Refusal::wrong(format!("no {what} {word:?}; {hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::inputs::Overrides;
    use crate::plan::Primary;
    use std::path::Path;

    /// The shipped two-by-two experiment with a baseline and a primary comparison.
    fn announced() -> Experiment {
        let inputs = Inputs::read(Path::new("configs/justice-memory-by-rule.yaml"), Overrides::default()).unwrap();
        let mut experiment = inputs.resolve().unwrap().experiment;
        experiment.baseline = Some("selective-majority".to_owned());
        let (metric, contrast) = ("carried".to_owned(), Some("memory".to_owned()));
        let unit = Unit::Session;
        experiment.primary = Some(Primary { metric, contrast, correction: Correction::None, unit });
        experiment
    }

    fn asked(experiment: &Experiment, words: &[&str]) -> Result<Asked, Refusal> {
        use crate::cli::arguments::{Arguments, Verb};
        use clap::Parser;
        let words = ["ekklesia", "compare", "results/x"].iter().chain(words);
        let Verb::Compare(arguments) = Arguments::try_parse_from(words).unwrap().verb else { panic!("compare") };
        let announced = experiment.primary.as_ref().map(|primary| primary.metric.clone());
        let metric = arguments.metric.clone().or(announced).expect("a metric");
        Asked::new(&arguments, experiment, metric)
    }

    #[test]
    fn only_what_was_announced_is_primary() {
        let experiment = announced();
        for (words, because) in [
            (&[][..], ""),
            (&["--metric", "carried", "--by", "memory", "--baseline", "selective-majority"], ""),
            (&["--resamples", "500", "--unit", "session"], ""),
            (&["--metric", "words"], "the primary metric is carried"),
            (&["--by", "rule"], "the primary contrast is memory"),
            (&["--by", "arm"], "the primary contrast is memory"),
            (&["--baseline", "none-majority"], "the baseline is selective-majority"),
            (&["--unit", "replicate"], "the primary unit is the session"),
            (&["--metric", "words", "--by", "rule"], "the primary metric is carried; the primary contrast is memory"),
        ] {
            let found = asked(&experiment, words).unwrap();
            assert_eq!(found.exploratory_because.join("; "), because, "{words:?}");
            assert_eq!(found.correction, Adjustment::None);
        }
    }

    #[test]
    fn without_an_announcement_everything_is_exploratory_and_the_first_arm_the_baseline() {
        let experiment = Experiment { primary: None, baseline: None, ..announced() };
        let found = asked(&experiment, &["--metric", "carried"]).unwrap();
        assert_eq!(found.exploratory_because, ["the config announces no primary comparison"]);
        assert_eq!((found.baseline, found.by, found.correction), (0, None, Adjustment::Holm));
    }

    #[test]
    fn workers_make_the_numbers_that_one_would_make() {
        use crate::statistics::{Scheme, StreamKey};
        let scheme = Scheme::Signs((1..40).map(f64::from).collect());
        let resampling = Resampling { scheme, key: StreamKey::new(7, &["m"]), resamples: 2_000 };
        for jobs in [1, 2, 5] {
            assert_eq!(drawn(&resampling, jobs), resampling.all());
        }
    }
}
