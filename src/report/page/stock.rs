//! A common stock in words: how long it lasted, and how much each seat took in each month.

use serde::Serialize;

use super::course::{Course, Month};
use crate::analysis::statistics::quantile;
use crate::report::{counted, grouped};

/// The largest table with a column for each seat. Larger tables have only totals.
const SEATS: usize = 10;

/// The months of a session as a table.
#[derive(Debug, Serialize)]
pub struct Months {
    /// The seats with a column.
    pub seats: Vec<String>,
    /// The months, in order.
    pub rows: Vec<MonthRow>,
    /// Whether a cell is above the seat's share.
    pub has_over: bool,
}

/// One month.
#[derive(Debug, Serialize)]
pub struct MonthRow {
    /// The number of the month.
    pub month: u64,
    /// The record.
    pub seq: u64,
    /// The stock, the take of each seat, the total taken, the remainder, and the stock after it grew back.
    pub cells: Vec<String>,
}

/// The fate of a session's stock, in one or two sentences; empty without a stock.
pub fn describe_stock(course: &Course) -> String {
    let (Some(first), Some(last)) = (course.months.first(), course.months.last()) else { return String::new() };
    let all = grouped(sum_taken(course));
    let [stock, took, left, grown, begun] =
        [last.stock, last.taken, last.left, last.grown, first.stock].map(|units| grouped(units).replace(' ', "\u{a0}"));
    if course.is_collapsed == Some(true) {
        return format!(
            "The common stock was gone in month {} of {}: the seats took {took} of {stock}, and the remaining {left} did not \
             grow back. In total they took {all}.",
            last.round, course.rounds_max
        );
    }
    let fate = match is_cut(course) {
        true => still_there(course, last, "The"),
        false => format!("The common stock lasted through all {}", counted(course.months.len() as u64, "month")),
    };
    format!(
        "{fate}: {begun} at the start of the first month, and {left} left after the last, which grew to {grown}. \
         In total the seats took {all}."
    )
}

/// A short form for a list of sessions.
pub fn line(course: &Course) -> Option<String> {
    let last = course.months.last()?;
    let fate = match course.is_collapsed {
        Some(true) => format!("the common stock was gone in month {} of {}", last.round, course.rounds_max),
        _ if is_cut(course) => format!("{}, {} left", still_there(course, last, "the"), grouped(last.left)),
        _ => format!(
            "the common stock lasted through all {}, {} left",
            counted(course.months.len() as u64, "month"),
            grouped(last.left)
        ),
    };
    Some(format!("{fate}, {} taken", grouped(sum_taken(course))))
}

/// Whether a session ended before its last month.
pub fn is_cut(course: &Course) -> bool {
    course.months.last().is_some_and(|last| last.round < course.rounds_max)
}

fn still_there(course: &Course, last: &Month, the: &str) -> String {
    let end = if course.is_complete() { ", when the session ended" } else { "" };
    format!("{the} common stock was still there after month {} of {}{end}", last.round, course.rounds_max)
}

/// The fate of an arm's stocks; `None` without a stock.
pub fn describe_stocks(courses: &[&Course]) -> Option<String> {
    let those = || courses.iter().filter(|course| !course.months.is_empty());
    let count = those().count() as u64;
    let sessions = counted(count, "session");
    let gone = those().filter(|course| course.is_collapsed == Some(true));
    let mut when: Vec<u64> = gone.filter_map(|course| Some(course.months.last()?.round)).collect();
    when.sort_unstable();
    let in_months = match when.as_slice() {
        [] if those().next().is_none() => return None,
        [] => {
            let cut = those().filter(|course| is_cut(course)).count() as u64;
            return Some(match cut {
                0 => format!("the common stock lasted to the end in {} of {sessions}", grouped(count)),
                _ => format!(
                    "the common stock was still there at the end of {} of {sessions}; {} ended before the last month",
                    grouped(count),
                    grouped(cut)
                ),
            });
        }
        [month] => format!("in month {month}"),
        [least, .., most] if least == most => format!("in month {least}"),
        [least, .., most] => {
            let months: Vec<f64> = when.iter().map(|month| *month as f64).collect();
            let median = quantile(&months, 0.5).map_or(String::new(), |median| format!(", median {median}"));
            format!("in months {least} to {most}{median}")
        }
    };
    Some(format!("the common stock was gone in {} of {sessions}, {in_months}", when.len()))
}

/// The table of months; `None` without a stock.
pub fn list_months(course: &Course) -> Option<Months> {
    let first = course.months.first()?;
    let is_small = first.took.len() <= SEATS;
    let seats = first.took.iter().filter(|_| is_small).map(|one| one.seat.clone()).collect();
    let rows = course.months.iter().map(|month| {
        let mut cells = vec![grouped(month.stock)];
        cells.extend(month.took.iter().filter(|_| is_small).map(|one| {
            let over = if one.is_over { "*" } else { "" };
            format!("{}{over}", grouped(one.got))
        }));
        cells.extend([month.taken, month.left, month.grown].map(grouped));
        MonthRow { month: month.round, seq: month.seq, cells }
    });
    let has_over = is_small && course.months.iter().any(|month| month.over > 0);
    Some(Months { seats, rows: rows.collect(), has_over })
}

/// The total taken by all seats.
fn sum_taken(course: &Course) -> u64 {
    course.months.iter().fold(0, |sum, month| sum.saturating_add(month.taken))
}
