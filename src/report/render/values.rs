//! The lines of the summary about answers and variables, where the agenda holds no vote.

use super::columns::{NAME, named, on_line};
use crate::analysis::statistics::Interval;
use crate::figure::Unit;
use crate::report::lines::hanging;
use crate::report::sheet::Sheet;
use crate::report::summary::{ArmReport, Report};
use crate::report::values::ValueReport;
use crate::text::put_line;

/// The lines of numbers; the tables have all.
const LINES_MAX: usize = 20;

/// Appends the numbers of fields and session variables, each arm by arm.
pub(super) fn put_values(out: &mut String, report: &Report) {
    let mut names: Vec<&str> = Vec::new();
    for value in report.arms.iter().flat_map(|arm| &arm.values) {
        if !names.contains(&value.name.as_str()) {
            names.push(&value.name);
        }
    }
    let has_several = report.arms.len() > 1;
    let lines: Vec<(&str, &ArmReport, &ValueReport)> = names
        .into_iter()
        .flat_map(|name| {
            let own = move |arm: &'_ ArmReport| arm.values.iter().position(|value| value.name == name);
            report.arms.iter().filter_map(move |arm| Some((name, arm, &arm.values[own(arm)?])))
        })
        .collect();
    if lines.is_empty() {
        return;
    }
    put_line!(out, "\n {:<NAME$}mean over sessions [95 % interval], least to greatest", "answers and variables");
    let mut before = "";
    for (name, arm, value) in lines.iter().take(LINES_MAX) {
        let whose = if has_several { format!("{}: ", on_line(&arm.arm)) } else { String::new() };
        let lead = format!(" {}", named(if *name == before { "" } else { name }));
        hanging(out, &lead, &(whose + &describe_value(value)), Sheet::PAGE.columns);
        before = name;
    }
    if lines.len() > LINES_MAX {
        put_line!(out, " and {} more in values.csv / variables.csv", lines.len() - LINES_MAX);
    }
}

/// The mean, its interval and the range: `9.87 [9.10, 10.4], 8 to 10.9`.
fn describe_value(value: &ValueReport) -> String {
    let write = Unit::write_plain;
    let interval =
        value.interval.map_or(String::new(), |Interval { low, high }| format!(" [{}, {}]", write(low), write(high)));
    format!("{}{interval}, {} to {}", write(value.mean), write(value.least), write(value.greatest))
}
