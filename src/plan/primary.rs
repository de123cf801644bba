//! The comparison that was announced: its metric, its contrast, checked against columns, alternatives and factors.

use super::config::{Config, PrimaryConfig};
use super::design::Arm;
use super::tree::Node;
use super::{Primary, Problem, Problems, suggest};
use crate::metrics::{Kind, Row, SessionRow};

/// How far a session got is no outcome of the group.
pub const NO_METRICS: [&str; 2] = ["status", "fault"];
/// Columns of text whose cells are names of alternatives.
const OF_ALTERNATIVES: [&str; 2] = ["result", "first_ballot_majority"];

/// The comparison that was announced; `None` where none is.
///
/// # Errors
/// Every mistake in `primary`.
pub fn lower(config: &Config, arms: &[Arm], alternatives: &[String], tree: &Node) -> Result<Option<Primary>, Problems> {
    let Some(written) = &config.primary else { return Ok(None) };
    let mut problems = Problems::default();
    problems.keep(check_metric(&written.metric, alternatives, tree));
    problems.keep(check_contrast(written, arms, tree));
    problems.none()?;
    let PrimaryConfig { metric, contrast, correction } = written.clone();
    Ok(Some(Primary { metric, contrast, correction }))
}

fn check_metric(metric: &str, alternatives: &[String], tree: &Node) -> Result<(), Problem> {
    let problem = |message: String| tree.problem("primary.metric", message);
    let (name, value) = match metric.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (metric, None),
    };
    if NO_METRICS.contains(&name) {
        return Err(problem(format!("{name} is no metric: every comparison tells how many sessions failed")));
    }
    let columns = || SessionRow::COLUMNS.iter().copied().flatten().filter(|column| !NO_METRICS.contains(&column.name));
    let Some(column) = columns().find(|column| column.name == name) else {
        let problem = problem(format!("sessions.csv has no column \"{name}\" that could be compared"));
        return Err(problem.with_hint(suggest(name, columns().map(|column| column.name))));
    };
    match (column.kind(), value) {
        (Kind::Text, None) => {
            let hint = format!("compare the share of sessions with one value: {name}=…");
            Err(problem(format!("{name} is a column of text")).with_hint(Some(hint)))
        }
        (Kind::Text, Some("")) => Err(problem(format!("the value of {name} is missing after `=`"))),
        (Kind::Text, Some(value)) if OF_ALTERNATIVES.contains(&name) => check_alternative(value, alternatives)
            .map_err(|hint| problem(format!("no alternative is named \"{value}\"")).with_hint(hint)),
        (Kind::Count | Kind::Real | Kind::Flag, Some(_)) => {
            Err(problem(format!("{name} is a column of numbers, which are compared as they are"))
                .with_hint(Some(format!("write metric: {name}"))))
        }
        (Kind::Text, Some(_)) | (Kind::Count | Kind::Real | Kind::Flag, None) => Ok(()),
    }
}

fn check_alternative(value: &str, alternatives: &[String]) -> Result<(), Option<String>> {
    let known = || alternatives.iter().map(String::as_str);
    if known().any(|name| name == value) { Ok(()) } else { Err(suggest(value, known())) }
}

fn check_contrast(written: &PrimaryConfig, arms: &[Arm], tree: &Node) -> Result<(), Problem> {
    let Some(contrast) = &written.contrast else {
        let alone = "the design has one arm, so there is nothing to compare";
        return if arms.len() > 1 { Ok(()) } else { Err(tree.problem("primary", alone)) };
    };
    let levels = arms.iter().flat_map(|arm| arm.levels.iter().filter(|level| &level.factor == contrast));
    let mut labels: Vec<&str> = levels.map(|level| level.label.as_str()).collect();
    labels.dedup();
    let Some(first) = labels.first() else {
        let problem = tree.problem("primary.contrast", format!("no factor is named \"{contrast}\""));
        let known = arms.first().map(|arm| arm.levels.as_slice()).unwrap_or_default();
        return Err(problem.with_hint(suggest(contrast, known.iter().map(|level| level.factor.as_str()))));
    };
    if labels.iter().all(|label| label == first) {
        let message = format!("every arm has the level {first} of {contrast}, so there is nothing to compare");
        return Err(tree.problem("primary.contrast", message));
    }
    Ok(())
}
