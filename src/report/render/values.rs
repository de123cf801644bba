//! The lines of the summary about answers and variables.

use indexmap::IndexSet;

use super::columns::{NAME, named};
use crate::analysis::describe_repeated_column;
use crate::analysis::statistics::Interval;
use crate::figure::ValueUnit;
use crate::report::lines::hanging;
use crate::report::numbers::grouped;
use crate::report::plain::on_line;
use crate::report::sheet::Sheet;
use crate::report::summary::{ArmReport, Report};
use crate::report::values::ValueReport;
use crate::text::put_line;

/// The lines of numbers, unless the announced columns need more.
const LINES_MAX: usize = 20;

/// A field or variable with its numbers by arm.
struct ValueLines<'r> {
    name: &'r str,
    is_announced: bool,
    arms: Vec<(&'r ArmReport, Option<&'r ValueReport>)>,
}

/// The fields and variables that an arm has a number of, and the announced ones.
fn collect_lines(report: &Report) -> Vec<ValueLines<'_>> {
    let values = report.arms.iter().flat_map(|arm| &arm.values);
    let names = report.primary.iter().chain(values.map(|value| &value.name)).map(String::as_str);
    let lines = names.collect::<IndexSet<&str>>().into_iter().map(|name| {
        let is_announced = report.primary.iter().any(|primary| primary == name);
        let arms = report.arms.iter().filter(|arm| arm.completed > 0);
        let arms = arms.map(|arm| (arm, arm.values.iter().find(|value| value.name == name)));
        ValueLines { name, is_announced, arms: arms.filter(|(_, value)| value.is_some() || is_announced).collect() }
    });
    lines.filter(|lines| !lines.arms.is_empty()).collect()
}

/// How many fields and variables are listed: the announced ones, and of the others as many as there is room for, each with all its arms.
fn count_listed(all: &[ValueLines<'_>]) -> usize {
    let mut lines = 0;
    let fits = |(place, of): &(usize, &ValueLines<'_>)| {
        lines += of.arms.len();
        *place == 0 || of.is_announced || lines <= LINES_MAX
    };
    all.iter().enumerate().take_while(fits).count()
}

/// Appends the numbers of fields and variables, each arm by arm. Announced ones come first, and are never cut.
pub(super) fn put_values(out: &mut String, report: &Report) {
    let all = collect_lines(report);
    if all.is_empty() {
        return;
    }
    put_line!(out, "\n {:<NAME$}mean over sessions [95 % interval], least to greatest", "answers and variables");
    let has_several = report.arms.len() > 1;
    let (listed, others) = all.split_at(count_listed(&all));
    for of in listed {
        for (place, (arm, value)) in of.arms.iter().enumerate() {
            let whose = if has_several { format!("{}: ", on_line(&arm.arm)) } else { String::new() };
            let lead = format!(" {}", named(if place == 0 { of.name } else { "" }));
            let told = value.map_or("no session has a number".to_owned(), describe_value);
            hanging(out, &lead, &(whose + &told), Sheet::PAGE.columns);
        }
    }
    if !others.is_empty() {
        let names: Vec<&str> = others.iter().map(|of| of.name).collect();
        let told = format!("{}, in sessions.csv: {}", grouped(others.len() as u64), names.join(", "));
        hanging(out, " not listed: ", &told, Sheet::PAGE.columns);
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
