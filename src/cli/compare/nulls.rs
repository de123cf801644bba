//! Compares the convergence in each arm with that in its nulls.

use std::collections::BTreeSet;

use super::measured::MeasuredMetric;
use super::study::{build_study, draw_ranges};
use crate::analysis::statistics::{MetricScale, NullComparison, Resampling, Unit, compare_nulls};
use crate::cli::pool;
use crate::plan::Experiment;
use crate::report::{Metric, NullMeasure};
use crate::store::poll_table::{OpinionKind, Poll, PollTable, VARIANCE, agreement_column};
use crate::store::session_table::SessionTable;

/// A measure of convergence: its name, its column, its definition and its formula from the polls before and after.
type Measure = (&'static str, fn(&Experiment) -> &'static str, &'static str, fn(Poll, Poll) -> Option<f64>);

const MEASURES: [Measure; 2] = [
    (
        "agreement",
        agreement_column,
        "share of pairs of seats that answered alike in the private poll after the talk, less that before it",
        |before, after| Some(after.agreement? - before.agreement?),
    ),
    (
        "variance",
        |_| VARIANCE,
        "variance of the opinions in the private poll before the talk, less that after it",
        |before, after| Some(before.variance? - after.variance?),
    ),
];

/// Compares the nulls with their arms by each measure. Leaves out measures that no session has.
pub fn measure_nulls(
    (resamples, unit): (u32, Unit),
    experiment: &Experiment,
    table: &SessionTable,
    polls: &PollTable,
) -> Vec<NullMeasure> {
    let place = |name: &str| experiment.arms.iter().position(|plan| plan.arm == name);
    let nulls = experiment.arms.iter().enumerate();
    let pairs: Vec<(usize, usize)> =
        nulls.filter_map(|(null, plan)| Some((null, place(&plan.null.as_ref()?.of)?))).collect();
    let draw = |resampling: &Resampling| draw_ranges(resampling, pool::core_count());
    let measure = |(name, column, definition, number): Measure| {
        let column = column(experiment);
        let value = |(session, status): (&crate::plan::PlannedSession, &str)| {
            let (before, after) = polls.session_polls(&session.name()).filter(|_| status == "completed")?;
            number(before, after)
        };
        let values: Vec<Option<f64>> = table.sessions.iter().zip(table.cells("status")).map(value).collect();
        values.iter().any(Option::is_some).then_some(())?;
        let metric = Metric {
            name: name.to_owned(),
            label: definition.to_owned(),
            alternative: None,
            definition: definition.to_owned(),
            unit: String::new(),
            scale: MetricScale::Number,
        };
        let measured = MeasuredMetric { metric, values, limits: vec![None; experiment.arms.len()], notes: Vec::new() };
        let study = build_study((resamples, unit), experiment, table, &measured);
        let apart = |one: &NullComparison| {
            column == VARIANCE
                && are_apart(opinion_kinds(&one.arm, table, polls), opinion_kinds(&one.null, table, polls))
        };
        let nulls = compare_nulls(&study, &pairs, &draw).into_iter();
        let nulls = nulls.map(|one| if apart(&one) { one.on_other_scales() } else { one }).collect();
        Some(NullMeasure { name, column, definition, nulls })
    };
    MEASURES.into_iter().filter_map(measure).collect()
}

/// Whether the opinions of two arms are of different kinds; false if an arm has none.
fn are_apart(one: BTreeSet<OpinionKind>, other: BTreeSet<OpinionKind>) -> bool {
    !one.is_empty() && !other.is_empty() && one != other
}

/// The kinds of opinions in an arm's private polls. All polls count, because a poll lacks the kind of a seat without a valid
/// answer.
fn opinion_kinds(arm: &str, table: &SessionTable, polls: &PollTable) -> BTreeSet<OpinionKind> {
    let sessions = table.sessions.iter().filter(|session| session.arm.arm == arm);
    let polled = sessions.filter_map(|session| polls.session_polls(&session.name()));
    polled.flat_map(|(before, after)| [before.opinions, after.opinions]).flatten().collect()
}
