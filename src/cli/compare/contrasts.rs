//! Which arms stand against which.
//!
//! How large a contrast is, and how sure, is worked out by `statistics`; nothing is measured here.

use super::asked::{ARMS, Asked};
use crate::cli::exit::Refusal;
use crate::plan::{Experiment, NULL_FACTOR};
use crate::statistics::{Arm, Contrast, by_arm, by_factor};

/// How an arm that is no null stands beside its nulls.
const NO_NULL: &str = "the arm itself";

/// The contrasts that are asked for.
pub fn contrasts(arms: &[Arm], asked: &Asked, experiment: &Experiment) -> Result<Vec<Contrast>, Refusal> {
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
