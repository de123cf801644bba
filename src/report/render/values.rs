//! The lines of the summary about answers and variables.

use indexmap::IndexSet;

use super::columns::{NAME, named};
use crate::analysis::describe_repeated_column;
use crate::analysis::statistics::Interval;
use crate::figure::ValueUnit;
use crate::report::lines::hanging;
use crate::report::plain::on_line;
use crate::report::sheet::Sheet;
use crate::report::summary::{ArmReport, Report};
use crate::report::values::ValueReport;
use crate::text::put_line;

/// The lines of numbers; the tables have all.
const LINES_MAX: usize = 20;

/// Appends the numbers of fields and variables, each arm by arm. Announced ones come first, and are never cut.
pub(super) fn put_values(out: &mut String, report: &Report) {
    let values = report.arms.iter().flat_map(|arm| &arm.values);
    let names = report.primary.iter().chain(values.map(|value| &value.name)).map(String::as_str);
    let has_several = report.arms.len() > 1;
    let is_primary = |name: &str| report.primary.iter().any(|primary| primary == name);
    let lines: Vec<(&str, &ArmReport, Option<&ValueReport>)> = names
        .collect::<IndexSet<&str>>()
        .into_iter()
        .flat_map(|name| {
            let lines = report.arms.iter().filter(|arm| arm.completed > 0);
            let lines = lines.map(move |arm| (name, arm, arm.values.iter().find(|value| value.name == name)));
            lines.filter(move |(_, _, value)| value.is_some() || is_primary(name))
        })
        .collect();
    if lines.is_empty() {
        return;
    }
    put_line!(out, "\n {:<NAME$}mean over sessions [95 % interval], least to greatest", "answers and variables");
    let shown = lines.iter().filter(|(name, ..)| is_primary(name)).count().max(LINES_MAX.min(lines.len()));
    let mut before = "";
    for (name, arm, value) in &lines[..shown] {
        let whose = if has_several { format!("{}: ", on_line(&arm.arm)) } else { String::new() };
        let lead = format!(" {}", named(if *name == before { "" } else { name }));
        let told = value.map_or("no session has a number".to_owned(), describe_value);
        hanging(out, &lead, &(whose + &told), Sheet::PAGE.columns);
        before = name;
    }
    if lines.len() > shown {
        put_line!(out, " and {} more in values.csv / variables.csv", lines.len() - shown);
    }
}

/// The mean, its interval and the range: `9.87 [9.10, 10.4], 8 to 10.9`.
fn describe_value(value: &ValueReport) -> String {
    let write = ValueUnit::write_plain;
    let interval =
        value.interval.map_or(String::new(), |Interval { low, high }| format!(" [{}, {}]", write(low), write(high)));
    let last = if value.repeated { format!(", {}", describe_repeated_column(&value.name)) } else { String::new() };
    format!("{}{interval}, {} to {}{last}", write(value.mean), write(value.least), write(value.greatest))
}
