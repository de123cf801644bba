//! Turns the sessions of an experiment into observations and draws the resamples.

use super::measured::MeasuredMetric;
use crate::analysis::statistics::{
    AnswerValidity, CompletionStatus, NullRange, Observation, Resampling, Study, StudyArm, Unit,
};
use crate::cli::pool;
use crate::plan::{CONFORMED, Experiment, PlannedSession};
use crate::store::session_table::SessionTable;

/// The study of a metric: arms in design order, and one observation for each session to which the metric applies.
pub fn build_study(
    (resamples, unit): (u32, Unit),
    experiment: &Experiment,
    table: &SessionTable,
    measured: &MeasuredMetric,
) -> Study {
    let arms = experiment.arms.iter().zip(&measured.limits).map(|(plan, limits)| StudyArm {
        name: plan.arm.clone(),
        levels: plan.levels.iter().map(|level| (level.factor.clone(), level.label.clone())).collect(),
        limits: *limits,
    });
    let arms: Vec<StudyArm> = arms.collect();
    let column = |name: &str| table.cells(name).collect::<Vec<_>>();
    let [items, status, invalid, refused] = ["item", "status", "n_invalid", "n_refused"].map(column);
    let is_none = |count: &str| count.is_empty() || count == "0";
    let mut arm = 0;
    let observation = |(row, session): (usize, &PlannedSession)| {
        // Sessions are sorted by arm, in design order.
        while arms[arm].name != session.arm.arm {
            arm += 1;
        }
        Observation {
            arm,
            replicate: session.replicate,
            item: items[row].to_owned(),
            wave: session.wave.unwrap_or(0),
            reached: match status[row] {
                "completed" => CompletionStatus::Completed,
                "failed" => CompletionStatus::Failed,
                _ => CompletionStatus::Incomplete,
            },
            answers: match is_none(invalid[row]) && is_none(refused[row]) {
                true => AnswerValidity::AllValid,
                false => AnswerValidity::SomeInvalid,
            },
            value: measured.values[row],
        }
    };
    // The metric does not apply to a session whose item lacks a key or misleading options: leave it out instead of counting it
    // as missing.
    let is_asked = |session: &PlannedSession| match measured.metric.name.split('=').next() {
        Some("correct") => session.item.as_ref().is_none_or(|item| item.key.is_some()),
        Some(CONFORMED) => session.item.as_ref().is_some_and(|item| !item.misleading_options().is_empty()),
        _ => true,
    };
    let observations = table.sessions.iter().enumerate().map(observation);
    let observations =
        observations.zip(&table.sessions).filter(|(_, session)| is_asked(session)).map(|(seen, _)| seen).collect();
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

/// The ranges of a resampling, computed in parallel.
pub fn draw_ranges(resampling: &Resampling, jobs: usize) -> Vec<NullRange> {
    let pieces: Vec<usize> = (0..resampling.piece_count()).collect();
    pool::map_items(&pieces, jobs, |piece| resampling.piece_ranges(*piece)).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_make_the_ranges_that_one_would_make() {
        use crate::analysis::statistics::{ResamplingScheme, SignedParts, StreamKey};
        let parts = (1..40).map(|value| (f64::from(value), 1.0)).collect();
        let scheme = ResamplingScheme::Signs(SignedParts { parts, tie: 0.0 });
        let resampling = Resampling { scheme, key: StreamKey::of_design(7), resamples: 2_000 };
        for jobs in [1, 2, 5] {
            assert_eq!(draw_ranges(&resampling, jobs), resampling.all_ranges());
        }
    }
}
