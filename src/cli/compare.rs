//! `compare`: compares the arms of an experiment.

pub mod arguments;
mod changed;
mod comparison_request;
mod contrasts;
mod default_metric;
mod measured;
mod notes;
mod nulls;
mod study;
mod table_check;

use std::collections::BTreeSet;
use std::path::Path;

use arguments::{CompareArguments, CompareUnit};
use changed::DesignChanges;
use comparison_request::{ARMS, ComparisonRequest, baseline_of, unit_of};
use contrasts::build_contrasts;
use default_metric::UsualOutcomes;
use measured::MeasuredMetric;
use notes::comparison_notes;
use study::{build_study, draw_ranges};
pub use table_check::{READ, remake_hint};

use super::exit::{Ending, Refusal};
use super::missing_sessions::note_sessions;
use super::output::{print_result, print_warning};
use super::{locate, pool};
use crate::analysis::statistics::{
    Adjustment, ArmComparison, CompletionCounts, Contrast, Resampling, Study, Unit, adjust_p_values, compare_arms,
};
use crate::chance::Pairing;
use crate::config::Problems;
use crate::plan::{Experiment, Sitter};
use crate::report::page::Labels;
use crate::report::{AnalysisKind, Chance, Comparison, counted, plan_in_words};
use crate::store::fold::unverified_tables;
use crate::store::inputs::Inputs;
use crate::store::poll_table::PollTable;
use crate::store::results::ResultsFolder;
use crate::store::session_table::SessionTable;

/// The columns that every comparison reads besides the metric's.
const OF_EVERY_COMPARISON: [&str; 7] =
    ["item", "status", "outcome", "n_invalid", "n_refused", "censored", "rounds_max"];

/// Compares the arms and prints the comparison.
///
/// # Errors
/// A [`Refusal`] when the arms cannot be compared or the tables do not match the records.
pub fn run_compare(arguments: &CompareArguments) -> Result<Ending, Refusal> {
    let (root, session) = locate::find_experiment(&arguments.path)?;
    if session.is_some() {
        return Err(Refusal::wrong_input(format!(
            "{}: one session has nothing to be compared with",
            arguments.path.display()
        )));
    }
    let folder = ResultsFolder::open_for_reading(&root, None)?;
    let inputs = Inputs::read_results(&root)?;
    if inputs.change_bytes().is_some() {
        return Err(Refusal::wrong_input(format!(
            "{}: a fork has sessions of one arm, and nothing to compare them with",
            root.display()
        )));
    }
    let experiment = inputs.resolve().map_err(|problems| with_version(&root, problems))?.experiment;
    note_sessions(&folder, &inputs, &experiment)?;
    let comparison = compare_folder_arms(arguments, &root, &experiment)?;
    let unverified = unverified_tables(&root);
    if let Some(why) = &unverified {
        print_warning(why);
    } else if !arguments.tables_alone {
        table_check::check_tables(&folder, &inputs, &experiment)?;
    }
    print_result(arguments.json.then_some(&comparison), || comparison.text())?;
    Ok(Ending::Done)
}

/// Says also which version reads the inputs of a folder, if its minutes have another format.
fn with_version(root: &Path, problems: Problems) -> Refusal {
    let refusal = Refusal::from(problems);
    match unverified_tables(root) {
        Some(why) => Refusal { message: format!("{}\n{why}: compare with that one", refusal.message), ..refusal },
        None => refusal,
    }
}

/// The sessions up to which the end of a run prints the first contrast; `compare` takes any number.
const SESSIONS_MAX: usize = 5_000;

/// The first contrast of the default comparison in a short sentence, with what it is; `None` if there is none or it would take long. An
/// announced comparison without a result says why.
pub(super) fn first_contrast(root: &Path, experiment: &Experiment, sessions: usize) -> Option<String> {
    if experiment.arms.len() < 2 || sessions > SESSIONS_MAX {
        return None;
    }
    let comparison = match compare_folder_arms(&CompareArguments::defaults(root), root, experiment) {
        Ok(comparison) => comparison,
        Err(refusal) => {
            let why = format!("The comparison announced before the run has no result: {}.", refusal.message);
            return experiment.primary.as_ref().map(|_| why);
        }
    };
    let labels = Labels::new(Some(experiment));
    let first = comparison.compared.contrasts.first()?;
    let found = comparison
        .describe_contrast(first, &|arm| labels.arm(arm).to_owned())
        .unwrap_or_else(|| comparison.sentences[0].clone());
    let kind = match comparison.analysis {
        AnalysisKind::Primary => "Announced before the run.",
        AnalysisKind::Exploratory => "Exploratory.",
    };
    let more = match comparison.compared.contrasts.len() - 1 {
        0 => String::new(),
        more => format!(" compare prints {} more.", counted(more as u64, "contrast")),
    };
    let is_left_out = |name: &String| !comparison.metrics.iter().any(|metric| metric.name == *name);
    let left_out = experiment.announced_metrics().into_iter().filter(is_left_out);
    let left_out: String = left_out.map(|name| format!(" {}.", note_without_numbers(&name))).collect();
    Some(format!("{found}{} {kind}{more}{left_out}", comparison.describe_doubts(first)))
}

/// Says that a metric of a family is left out.
fn note_without_numbers(metric: &str) -> String {
    format!("{metric} has no numbers to compare and is left out")
}

/// Compares the arms from the tables of a results folder. Without a metric from the user or the config, takes the first usual
/// outcome that has numbers.
pub(super) fn compare_folder_arms(
    arguments: &CompareArguments,
    root: &Path,
    experiment: &Experiment,
) -> Result<Comparison, Refusal> {
    let [_, _, ..] = experiment.arms.as_slice() else {
        return Err(Refusal::wrong_input(format!("{}: only one arm, nothing to compare", root.display())));
    };
    if unit_of(arguments, experiment) == Unit::Item && experiment.items.is_empty() {
        return Err(Refusal::wrong_input(format!(
            "{}: no session is about one item, so nothing is independent by item; write --unit session",
            root.display()
        )));
    }
    if arguments.unit == Some(CompareUnit::Panel) && experiment.waves.is_none() {
        return Err(Refusal::wrong_input(format!(
            "{}: the experiment has no panels; leave --unit out",
            root.display()
        )));
    }
    let mut metrics =
        if arguments.metric.is_empty() { experiment.announced_metrics() } else { arguments.metric.clone() };
    let mut unannounced = None;
    if metrics.is_empty() {
        // Report an unknown baseline before reporting missing numbers.
        baseline_of(arguments, experiment)?;
        let usual = UsualOutcomes::from_table(root, experiment, arguments.baseline.as_deref())?;
        metrics.push(usual.default_metric()?.to_owned());
        unannounced = Some(usual.explain_default());
    }
    // A repeated metric is one test.
    let mut seen = BTreeSet::new();
    metrics.retain(|metric| seen.insert(metric.clone()));
    let mut asked = ComparisonRequest::new(arguments, experiment, metrics)?;
    asked.exploratory_because.extend(unannounced);
    let columns = asked.metrics.iter().map(|metric| metric.split('=').next().unwrap_or_default());
    let columns: Vec<&str> = OF_EVERY_COMPARISON.into_iter().chain(columns).collect();
    let table = SessionTable::read(root, experiment, &columns).map_err(Refusal::wrong_input)?;
    let changed = changed::read_design_changes(root, &asked.metrics, experiment);
    asked.exploratory_because.extend(changed.unfinished.iter().chain(&changed.because).cloned());
    asked.exploratory_because.extend(table.unverified.clone());
    asked
        .exploratory_because
        .extend(arguments.tables_alone.then(|| "the tables were not held against the records".to_owned()));
    let unit = asked.unit;
    let mut comparison = build_comparison(arguments, experiment, &table, asked, changed)?;
    if experiment.arms.iter().any(|plan| plan.null.is_some()) {
        let polls = PollTable::read(root, experiment).map_err(Refusal::wrong_input)?;
        comparison.nulls = Some(nulls::measure_nulls((arguments.resamples, unit), experiment, &table, &polls));
    }
    Ok(comparison)
}

/// Explains why no contrast has a number.
fn nothing_to_compare(
    study: &Study,
    asked: &ComparisonRequest,
    experiment: &Experiment,
    sessions: &CompletionCounts,
    usual: &UsualOutcomes,
) -> Refusal {
    let (planned, incomplete, name) = (sessions.planned, sessions.incomplete, &study.metric);
    let nowhere = match study.pairing {
        Pairing::CommonRandomNumbers => "has a number on both sides in no block",
        Pairing::Independent => "has no number on some side",
    };
    if incomplete > 0 {
        return Refusal::with_ending(
            Ending::Resumable,
            format!(
                "{incomplete} of {planned} sessions are not complete, and {name} {nowhere}; `ekklesia run` completes them"
            ),
        );
    }
    let has_number = |arm: usize| study.observations.iter().any(|seen| seen.arm == arm && seen.value.is_some());
    let arms = study.arms.iter().enumerate().filter(|(place, _)| !has_number(*place));
    let empty: Vec<&str> = arms.map(|(_, arm)| arm.name.as_str()).collect();
    let hint = find_other_comparison(study, asked, experiment)
        .map_or(String::new(), |options| format!("; {options} compares arms that have numbers"));
    let why = match empty.as_slice() {
        [] => format!("a block needs a number in every arm of both sides{hint}"),
        empty if empty.len() == study.arms.len() => {
            format!("no session has a number of it{}", usual.other_metrics_hint())
        }
        empty => format!("no session of {} has a number of it{hint}", empty.join(", ")),
    };
    Refusal::wrong_input(format!("{name} {nowhere}, so there is nothing to compare: {why}"))
}

/// The options that compare arms of which each has a number: whole arms, or with another baseline; `None` if there are none.
fn find_other_comparison(study: &Study, asked: &ComparisonRequest, experiment: &Experiment) -> Option<String> {
    let has_number = |arm: usize| study.observations.iter().any(|seen| seen.arm == arm && seen.value.is_some());
    let is_other = |arm: &usize| *arm != asked.baseline && experiment.arms[*arm].null.is_none() && has_number(*arm);
    let other = (0..study.arms.len()).find(is_other);
    let whole_arms = asked.by.as_ref().map(|_| asked.baseline);
    let candidates = [(None, whole_arms), (asked.by.clone(), other), (None, other)];
    candidates.into_iter().find_map(|(by, baseline)| {
        let baseline = baseline?;
        let is_by_arm = by.is_none() && asked.by.is_some();
        let request = ComparisonRequest { by, baseline, ..asked.clone() };
        let contrasts = build_contrasts(&study.arms, &request, experiment).ok()?;
        let is_complete = |contrast: &Contrast| {
            let mut pairs = contrast.pairs.iter().chain(&contrast.minus);
            pairs.all(|(one, other)| has_number(*one) && has_number(*other))
        };
        contrasts.iter().any(is_complete).then_some(())?;
        let named = (baseline != asked.baseline).then(|| format!("--baseline {}", study.arms[baseline].name));
        let by_arm = is_by_arm.then(|| format!("--by {ARMS}"));
        Some(by_arm.into_iter().chain(named).collect::<Vec<String>>().join(" "))
    })
}

/// The measurements and comparisons of a family of metrics.
struct MeasuredFamily {
    studies: Vec<(MeasuredMetric, Study)>,
    compared: Vec<ArmComparison>,
    without_numbers: Vec<String>,
}

/// Compares the arms by each metric. In a family of several, leaves out metrics without numbers.
fn measure_family(
    arguments: &CompareArguments,
    experiment: &Experiment,
    table: &SessionTable,
    asked: &ComparisonRequest,
) -> Result<MeasuredFamily, Refusal> {
    let draw = |resampling: &Resampling| draw_ranges(resampling, pool::core_count());
    let (mut studies, mut compared, mut without_numbers) = (Vec::new(), Vec::new(), Vec::new());
    for metric in &asked.metrics {
        let measured = MeasuredMetric::read(metric, table, experiment)?;
        let study = build_study((arguments.resamples, asked.unit), experiment, table, &measured);
        let contrasts = build_contrasts(&study.arms, asked, experiment)?;
        let one = compare_arms(&study, &contrasts, &draw);
        if one.contrasts.iter().any(|contrast| contrast.main.difference.is_some()) {
            studies.push((measured, study));
            compared.push(one);
        } else if asked.metrics.len() > 1 {
            without_numbers.push(metric.clone());
        } else {
            let root = table.path.parent().unwrap_or_else(|| Path::new(""));
            let usual = UsualOutcomes::from_table(root, experiment, arguments.baseline.as_deref())?;
            let sessions = CompletionCounts::from_observations(study.observations.iter());
            return Err(nothing_to_compare(&study, asked, experiment, &sessions, &usual));
        }
    }
    if compared.is_empty() {
        let message = format!("no metric can be compared: {} have no numbers", without_numbers.join(", "));
        return Err(Refusal::wrong_input(message));
    }
    if asked.correction == Adjustment::Holm {
        adjust_p_values(&mut compared);
    }
    Ok(MeasuredFamily { studies, compared, without_numbers })
}

fn build_comparison(
    arguments: &CompareArguments,
    experiment: &Experiment,
    table: &SessionTable,
    asked: ComparisonRequest,
    changed: DesignChanges,
) -> Result<Comparison, Refusal> {
    let MeasuredFamily { studies, compared: family, without_numbers } =
        measure_family(arguments, experiment, table, &asked)?;
    let tests = family.iter().flat_map(|one| &one.contrasts).filter(|contrast| contrast.main.test.is_some()).count();
    let sitters = || experiment.arms.iter().flat_map(|plan| &plan.seats).map(|seat| &seat.sitter);
    let part = |((measured, study), compared): ((MeasuredMetric, Study), ArmComparison)| Comparison {
        experiment: experiment.name.clone(),
        seed: study.seed,
        metrics: vec![measured.metric.clone()],
        chance: (measured.metric.name == "correct").then(|| chance_accuracy(experiment)).flatten(),
        by: asked.by.clone(),
        baseline: study.arms[asked.baseline].name.clone(),
        baseline_from: asked.baseline_from,
        pairing: match study.pairing {
            Pairing::CommonRandomNumbers => "common_random_numbers",
            Pairing::Independent => "independent",
        },
        unit: study.unit,
        analysis: if asked.exploratory_because.is_empty() { AnalysisKind::Primary } else { AnalysisKind::Exploratory },
        exploratory_because: asked.exploratory_because.clone(),
        deviations: changed.deviations.clone(),
        deviated: changed.because.clone(),
        correction: asked.correction,
        tests: tests as u64,
        resamples: study.resamples,
        simulated_minds: sitters().any(|sitter| matches!(sitter, Sitter::Mind(_))),
        minds_alone: sitters().all(|sitter| matches!(sitter, Sitter::Mind(_))),
        sessions: CompletionCounts::from_observations(study.observations.iter()),
        items: study
            .observations
            .iter()
            .map(|seen| &seen.item)
            .filter(|id| !id.is_empty())
            .collect::<BTreeSet<_>>()
            .len() as u64,
        notes: comparison_notes(&measured, &study, experiment)
            .into_iter()
            .chain(without_numbers.iter().map(|name| note_without_numbers(name)))
            .collect(),
        metric: measured.metric,
        levels: experiment.arms.iter().map(|plan| (plan.arm.clone(), plan_in_words(plan))).collect(),
        compared,
        nulls: None,
        methods: Vec::new(),
        sentences: Vec::new(),
        parts: Vec::new(),
    };
    Ok(Comparison::of_family(studies.into_iter().zip(family).map(part).collect()))
}

/// The accuracy of a random choice among the options; `None` if no item has a key.
fn chance_accuracy(experiment: &Experiment) -> Option<Chance> {
    let offered = experiment.arms.first()?.motion.alternatives.len();
    let keyed = experiment.items.values().filter(|item| item.right_alternative().is_some());
    Chance::of(keyed.map(|item| if item.options.is_empty() { offered } else { item.options.len() }))
}
