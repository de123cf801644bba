//! The arms that a figure compares: their names and colours, their sessions, and how many of them are shown.

use crate::analysis::statistics::Interval;
use crate::figure::{Colour, FigureMark};
use crate::report::counted;
use crate::report::page::course::SessionCourse;
use crate::report::page::gathered::Gathered;

/// The arms that a figure with a panel for each arm shows; the data tables have all.
const PANELS_MAX: usize = 8;

/// The findings of several arms in one sentence; of many arms the first two.
pub(super) fn join_findings(told: &[String]) -> String {
    match told {
        [first, second, rest @ ..] if rest.len() > 1 => {
            format!("{first}; {second}; and {} more", counted(rest.len() as u64, "arm"))
        }
        all => all.join("; "),
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
