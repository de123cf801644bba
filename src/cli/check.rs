//! `check`: reports the errors in a config, or else the size and cost of the design. It runs no session and puts no question to
//! a model. If neither the config nor the built-in table has a model's context window, it asks the server.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::arguments::CheckArguments;
use super::exit::{Ending, Refusal};
use super::output::print_result;
use super::prompt_preview;
use super::runtime::build_runtime;
use crate::config::ResolvedExperiment;
use crate::domain::{ContextWindow, Digest};
use crate::plan::UnknownWindow;
use crate::plan::{Experiment, Limits, Plan, RespondentMix};
use crate::report::{Design, LintContext, grouped};
use crate::service::openai::Clients;
use crate::service::windows;
use crate::session::{Forecast, forecast_session};
use crate::store::inputs::{Inputs, Overrides};

/// The number of plans to rehearse in a larger design, evenly spaced.
const REHEARSED_MAX: usize = 16;
/// A design with more plans than the first number rehearses only the second, to keep `check` fast.
const LARGE: (usize, usize) = (100, 2);

/// Checks a config and prints its design, or one prompt with `--show`.
pub fn run_check(arguments: &CheckArguments) -> Result<Ending, Refusal> {
    let with_show = [("--arm", &arguments.arm), ("--item", &arguments.item)];
    if let (None, Some((flag, Some(value)))) = (&arguments.show, with_show.iter().find(|(_, value)| value.is_some())) {
        let message = format!("{flag} {value} goes with --show, such as --show Alice:ballot {flag} {value}");
        return Err(Refusal::wrong_input(message));
    }
    let overrides = Overrides {
        set: arguments.set.clone(),
        seed: arguments.seed,
        replicates: arguments.replicates.map(u64::from),
        ..Overrides::default()
    };
    let inputs = Inputs::read_config(&arguments.config, overrides)?;
    let resolved = inputs.resolve()?;
    if let Some(shown) = &arguments.show {
        return prompt_preview::show_prompt(&resolved.experiment, shown, arguments);
    }
    let (resolved, learnt) = within_windows(&inputs, resolved)?;
    let forecasts = forecast_plans(&resolved.experiment)?;
    inputs.too_full(forecasts.values().flat_map(|forecast| &forecast.too_full)).into_result()?;
    let design = design_with_warnings(&resolved, &forecasts, &learnt);
    print_result(arguments.json.then_some(&design), || design.render())?;
    Ok(Ending::Done)
}

/// Adds the context windows that servers report. Returns warnings that list these windows and the servers that did not answer.
///
/// # Errors
/// A problem for each model whose server answered without a window.
fn within_windows(
    inputs: &Inputs,
    mut resolved: ResolvedExperiment,
) -> Result<(ResolvedExperiment, Vec<String>), Refusal> {
    let arms = &resolved.experiment.arms;
    if arms.iter().all(|plan| windows::unknown_to_the_table(plan).next().is_none()) {
        return Ok((resolved, Vec::new()));
    }
    let Some(runtime) = build_runtime(&resolved.experiment)? else { return Ok((resolved, Vec::new())) };
    let plans = || arms.iter().map(|plan| &**plan);
    let answers = runtime.block_on(windows::ask_windows(plans(), &Clients::new(), &AtomicBool::new(false)));
    let (unasked, unknown): (Vec<UnknownWindow>, Vec<UnknownWindow>) =
        answers.unknown_windows(plans()).into_iter().partition(|model| model.unreached.is_some());
    inputs.unknown_windows(&unknown).into_result()?;
    let unasked = unasked.iter().map(|model| {
        format!(
            "models.{}: {model}; prompts are not checked against a window until the server reports it, {}",
            model.name,
            model.way_out()
        )
    });
    let told = arms.iter().flat_map(|plan| answers.told_windows(plan)).map(|ContextWindow { model, tokens, .. }| {
        format!(
            "models.{model}: no context_window is given; the server reports {} tokens and is asked again when a session begins",
            grouped(tokens.into())
        )
    });
    let told: BTreeSet<String> = told.chain(unasked).collect();
    resolved.experiment.arms = arms.iter().map(|plan| plan.with_learnt_windows(&answers.told_windows(plan))).collect();
    Ok((resolved, told.into_iter().collect()))
}

/// The forecast of a run and warnings about limits that may not be enough, one line each.
pub fn describe_forecasts(
    resolved: &ResolvedExperiment,
    forecasts: &BTreeMap<Digest, Forecast>,
    limits: Limits,
) -> Vec<String> {
    let design = Design::of(resolved, forecasts);
    design.foreseen().into_iter().chain(design.short_of(limits)).collect()
}

/// The design with its forecast and warnings.
///
/// # Errors
/// When a template fails on a question.
pub fn build_design(resolved: &ResolvedExperiment) -> Result<Design, Refusal> {
    Ok(design_with_warnings(resolved, &forecast_plans(&resolved.experiment)?, &[]))
}

/// The design with its forecast and warnings. `windows` holds the warnings about context windows.
fn design_with_warnings(
    resolved: &ResolvedExperiment,
    forecasts: &BTreeMap<Digest, Forecast>,
    windows: &[String],
) -> Design {
    let unset = unset_keys(&resolved.experiment);
    Design::of(resolved, forecasts).warned(&LintContext { resolved, forecasts, unset: &unset, windows })
}

/// Forecasts one session of each rehearsed plan, by plan digest.
///
/// # Errors
/// When a template fails on a question.
pub fn forecast_plans(experiment: &Experiment) -> Result<BTreeMap<Digest, Forecast>, Refusal> {
    let mut different: Vec<&Arc<Plan>> = Vec::new();
    let mut seen = BTreeSet::new();
    for plan in &experiment.arms {
        if seen.insert(&plan.digest) {
            different.push(plan);
        }
    }
    let most = if different.len() > LARGE.0 { LARGE.1 } else { REHEARSED_MAX };
    let last = different.len() - 1;
    let places: BTreeSet<usize> = match different.len() {
        few if few <= most => (0..few).collect(),
        _ => (0..most)
            .map(|place| place * last / (most - 1))
            .chain(first_and_last_of_each_company(&different))
            .take(2 * REHEARSED_MAX)
            .collect(),
    };
    let mut forecasts = BTreeMap::new();
    for place in places {
        let plan = different[place];
        let mut around: Option<Forecast> = None;
        for extreme in experiment.extremes_of(plan) {
            let one = forecast_session(&extreme)
                .map_err(|error| Refusal::wrong_input(format!("in the arm {}, {error}", plan.arm)))?;
            around = Some(match around {
                Some(other) => other.merge_bounds(one),
                None => one,
            });
        }
        forecasts.extend(around.map(|forecast| (plan.digest.clone(), forecast)));
    }
    Ok(forecasts)
}

/// The first and last plan of each mix of respondents. They are rehearsed because the respondents affect the forecast most.
fn first_and_last_of_each_company(plans: &[&Arc<Plan>]) -> Vec<usize> {
    let mut found: Vec<(RespondentMix, usize, usize)> = Vec::new();
    for (place, company) in plans.iter().map(|plan| plan.respondent_mix()).enumerate() {
        match found.iter_mut().find(|(of, ..)| *of == company) {
            Some((_, _, last)) => *last = place,
            None => found.push((company, place, place)),
        }
    }
    found.iter().flat_map(|(_, first, last)| [*first, *last]).collect()
}

/// The variables for API keys that are unset or empty.
fn unset_keys(experiment: &Experiment) -> BTreeSet<String> {
    let named = experiment.arms.iter().flat_map(|plan| &plan.models).filter_map(|model| model.api_key_env.clone());
    let named: BTreeSet<String> = named.collect();
    named.into_iter().filter(|name| std::env::var_os(name).is_none_or(|key| key.is_empty())).collect()
}
