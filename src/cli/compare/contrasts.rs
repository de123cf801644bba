//! Chooses the pairs of arms to compare. `statistics` computes the contrasts.

use super::comparison_request::{ARMS, ComparisonRequest};
use crate::analysis::statistics::{Contrast, StudyArm, contrast_arms, contrast_factor, contrast_interaction};
use crate::cli::exit::Refusal;
use crate::plan::{Experiment, NULL_FACTOR};

/// The level shown for the arm that nulls are compared with.
const NO_NULL: &str = "the arm itself";

fn two_of(factors: &str) -> [&str; 2] {
    factors.split_once(':').expect("invariant: an interaction is asked for with a colon").into()
}

/// The contrasts of a comparison.
pub fn build_contrasts(
    arms: &[StudyArm],
    asked: &ComparisonRequest,
    experiment: &Experiment,
) -> Result<Vec<Contrast>, Refusal> {
    let mut contrasts = match &asked.by {
        Some(factors) if factors.contains(':') => contrast_interaction(arms, asked.baseline, two_of(factors)),
        Some(factor) => contrast_factor(arms, asked.baseline, factor),
        None => contrast_arms(arms, asked.baseline),
    };
    // Nulls compare with their own arm only, never as levels of other factors.
    if asked.by.as_deref() == Some(NULL_FACTOR) {
        let sides = contrasts.iter_mut().flat_map(|contrast| [&mut contrast.first, &mut contrast.second]);
        sides.filter(|side| side.is_empty()).for_each(|side| *side = NO_NULL.to_owned());
    } else {
        let is_null = |arm: usize| experiment.arms[arm].null.is_some();
        for contrast in &mut contrasts {
            let keeps: Vec<bool> = contrast.pairs.iter().map(|(one, _)| !is_null(*one)).collect();
            let mut of_pairs = keeps.iter();
            contrast.pairs.retain(|_| of_pairs.next() == Some(&true));
            let mut of_minus = keeps.iter();
            contrast.minus.retain(|_| of_minus.next() == Some(&true));
        }
        contrasts.retain(|contrast| !contrast.pairs.is_empty());
    }
    match (contrasts.is_empty(), &asked.by) {
        (true, Some(factors)) if factors.contains(':') => Err(Refusal::wrong_input(format!(
            "{factors}: no other levels of both factors have all four arms with the baseline's and the other factors alike; try --by {ARMS}"
        ))),
        (true, Some(factor)) => Err(Refusal::wrong_input(format!(
            "{factor}: no level stands beside the baseline's with the other factors alike; try --by {ARMS}"
        ))),
        _ => Ok(contrasts),
    }
}
