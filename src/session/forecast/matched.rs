//! Bounds for a session that repeats its vote until it has used as much as another session: one sample and the other session are
//! rehearsed, and the number of samples is bounded.

use super::bounds::{CountBounds, Forecast, Load};
use super::forecast_session;
use crate::domain::{MatchUnit, Step};
use crate::plan::Plan;
use crate::prompt::PromptError;

/// The forecast for the largest number of samples; unchanged if votes are held once.
///
/// # Errors
/// When a template fails on one of the other session's questions.
pub(super) fn forecast_samples(plan: &Plan, once: Forecast) -> Result<Forecast, PromptError> {
    let Some(matched) = &plan.matched else { return Ok(once) };
    let of_item = plan.item.as_ref().map(|item| matched.plan.of_item(item));
    let other = forecast_session(of_item.as_ref().unwrap_or(&matched.plan))?;
    let tries = u64::from(plan.tries_max);
    let is_ballot = |step: Step| matches!(step, Step::Ballot | Step::Amount);
    let asked = once.steps.iter().filter(|spans| is_ballot(spans.step)).map(|spans| spans.questions);
    let ballots = asked.fold(CountBounds::from_number(0), CountBounds::plus);
    let load = |forecast: &Forecast| forecast.models.iter().fold(Load::default(), |sum, load| sum.plus(*load));
    let (mine, theirs) = (load(&once), load(&other));
    // If a session asks for more than ballots, the tokens of the ballots alone are unknown.
    let is_all = once.questions.low == ballots.low;
    let each = |tokens: u64| if is_all { tokens } else { ballots.low };
    let (most, least) = match matched.unit {
        MatchUnit::Calls => {
            (other.questions.high.saturating_mul(tries).saturating_add(theirs.calls_at_most), ballots.low)
        }
        MatchUnit::CompletionTokens => (theirs.completion_tokens_at_most, each(mine.completion_tokens.low)),
        MatchUnit::TotalTokens => (
            theirs.prompt_tokens_at_most.saturating_add(theirs.completion_tokens_at_most),
            each(mine.prompt_tokens.low + mine.completion_tokens.low),
        ),
    };
    let samples = CountBounds { low: 1, high: most.div_ceil(least.max(1)).max(1) };
    let more = |asked: CountBounds| CountBounds { low: asked.low, high: asked.high.saturating_mul(samples.high) };
    let mut all = once;
    all.questions.high = all.questions.high.saturating_add(ballots.high.saturating_mul(samples.high - 1));
    for spans in all.steps.iter().filter(|spans| is_ballot(spans.step)) {
        let further = more(spans.questions).high - spans.questions.high;
        let phase = all.phases.entry(spans.phase.written().to_owned()).or_default();
        phase.high = phase.high.saturating_add(further);
    }
    all.steps
        .iter_mut()
        .filter(|spans| is_ballot(spans.step))
        .for_each(|spans| spans.questions = more(spans.questions));
    for load in &mut all.models {
        let low = *load;
        *load = Load { questions: more(low.questions), ..low.times(samples.high) };
        load.prompt_tokens.low = low.prompt_tokens.low;
        load.completion_tokens.low = low.completion_tokens.low;
    }
    all.is_cut |= other.is_cut;
    Ok(all)
}
