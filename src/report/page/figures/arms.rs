//! The arms that a figure compares: their names and colours, their sessions, and how many of them are shown.

use crate::analysis::statistics::Interval;
use crate::figure::{Colour, FigureMark};
use crate::report::counted;
use crate::report::page::course::SessionCourse;
use crate::report::page::gathered::Gathered;

/// The arms that a figure with a panel for each arm shows; the data tables have all.
const PANELS_MAX: usize = 8;
/// The equal names that a sentence lists.
const NAMES_MAX: usize = 8;
/// The share of a value by which the order of a sum can change it.
const ROUNDING: f64 = 1e-9;

/// The findings of several arms in one sentence; of many arms the first two.
pub(super) fn join_findings(told: &[String]) -> String {
    match told {
        [first, second, rest @ ..] if rest.len() > 1 => {
            format!("{first}; {second}; and {} more", counted(rest.len() as u64, "arm"))
        }
        all => all.join("; "),
    }
}

/// The greatest of some named values, with the names of all that have it; `None` without a value.
pub(super) fn name_greatest(values: &[(String, f64)], write: &dyn Fn(f64) -> String) -> Option<String> {
    let greatest = values.iter().map(|(_, value)| *value).max_by(f64::total_cmp)?;
    let names = names_with_value(values, greatest);
    let each = if names.len() > 1 { " each" } else { "" };
    Some(format!("{} {}{each}", join_names(&names), write(greatest)))
}

/// The names of the values that equal a value, but for the rounding of their sums.
pub(super) fn names_with_value(values: &[(String, f64)], value: f64) -> Vec<&str> {
    let is_equal = |other: f64| (other - value).abs() <= ROUNDING * value.abs().max(1.0);
    values.iter().filter(|(_, other)| is_equal(*other)).map(|(name, _)| name.as_str()).collect()
}

/// Names in a sentence; of many the first.
pub(super) fn join_names(names: &[&str]) -> String {
    match names.split_first() {
        Some((first, others)) if names.len() > NAMES_MAX => format!("{first} and {} more", others.len()),
        _ => names.join(" and "),
    }
}

/// What a line or row is called and coloured if a figure compares arms. With one arm the name would say nothing.
pub(super) fn series_of_arm(gathered: &Gathered<'_>, arm: &str) -> (String, Colour) {
    let has_others = gathered.arms().len() > 1;
    let name = if has_others { gathered.labels.arm(arm).to_owned() } else { String::new() };
    (name, gathered.labels.arm_colour(arm))
}

/// What precedes words about a series; nothing before those of the only one.
pub(super) fn name_prefix(series: &str) -> String {
    if series.is_empty() { String::new() } else { format!("{series}: ") }
}

/// A mark with an interval, to be filled in.
pub(super) fn mark_with_interval(interval: Option<Interval>) -> FigureMark {
    FigureMark {
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
        ..FigureMark::default()
    }
}

/// What a row of an arm is called; with one arm it stands for all sessions.
pub(super) fn name_row(gathered: &Gathered<'_>, arm: &str) -> String {
    let (name, _) = series_of_arm(gathered, arm);
    if name.is_empty() { "all sessions".to_owned() } else { name }
}

/// The complete sessions of an arm.
pub(super) fn sessions_of<'g>(gathered: &Gathered<'g>, arm: &str) -> Vec<&'g SessionCourse> {
    gathered.complete().filter(|course| course.arm == arm).collect()
}

/// The arms of a figure with a panel for each, and a note about those left out.
pub(super) fn shown_arms<'g>(gathered: &Gathered<'g>) -> (Vec<&'g str>, String) {
    let mut arms = gathered.arms();
    let all = arms.len();
    arms.truncate(PANELS_MAX);
    let note = match all > PANELS_MAX {
        true => format!(" The first {PANELS_MAX} of {} are shown; the tables have all.", counted(all as u64, "arm")),
        false => String::new(),
    };
    (arms, note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_of_equal_values_are_all_named() {
        let named = |values: &[(&str, f64)]| {
            let values: Vec<(String, f64)> = values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
            name_greatest(&values, &|value| format!("{value:.2}"))
        };
        // Sums in another order differ in their last digit.
        let (one, other) = ((0.1 + 0.2) + 0.3, 0.1 + (0.2 + 0.3));
        assert!(one > other);
        for (values, told) in [
            (vec![], None),
            (vec![("red", 0.25)], Some("red 0.25")),
            (vec![("red", 0.25), ("blue", 0.75), ("green", 0.0)], Some("blue 0.75")),
            (vec![("red", one), ("blue", 0.5), ("green", other)], Some("red and green 0.60 each")),
            (vec![("red", 0.601), ("blue", 0.6)], Some("red 0.60")),
        ] {
            assert_eq!(named(&values).as_deref(), told);
        }
        let many: Vec<(String, f64)> = (1..=12).map(|place| (format!("item{place}"), 1.0)).collect();
        assert_eq!(name_greatest(&many, &|value| value.to_string()).as_deref(), Some("item1 and 11 more 1 each"));
    }
}
