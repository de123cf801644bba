//! Who spoke how much, and when in the order.

use super::{Absent, Gathered, outcome};
use crate::analysis::statistics::mean;
use crate::plot;
use crate::report::counted;
use crate::report::page::course::{Course, SeatShown};
use crate::report::page::parts::{Cell, Part, Table};

/// Seats of an arm that have a row.
const SEATS: usize = 40;

/// The pieces.
pub fn parts(gathered: &Gathered<'_>) -> Result<Vec<Part>, Absent> {
    let mut parts = Vec::new();
    for arm in gathered.arms() {
        let courses: Vec<&Course> =
            gathered.complete().filter(|course| course.arm == arm && course.statements > 0).collect();
        if !courses.is_empty() {
            parts.push(of_arm(&outcome::named(gathered, arm), &courses));
        }
    }
    match parts.is_empty() {
        true => Err(Absent("nobody spoke in a complete session")),
        false => {
            let words = "Shares are of the words of a session, and their mean over sessions, each rounded by itself. A place of 1 is the first in the speaking order \
                 of a round. Speaking much is not being followed: the moves of each session tell after whom seats changed.";
            parts.insert(0, Part::words(words));
            Ok(parts)
        }
    }
}

fn of_arm(arm: &str, courses: &[&Course]) -> Part {
    let mut names: Vec<&str> = Vec::new();
    for seat in courses.iter().flat_map(|course| &course.seats) {
        if !names.contains(&seat.seat.as_str()) && names.len() < SEATS {
            names.push(&seat.seat);
        }
    }
    let gini = mean(&courses.iter().filter_map(|course| course.speaking_gini).collect::<Vec<_>>());
    let gini = gini.map_or(String::new(), |gini| format!("; Gini coefficient of words, mean over sessions {gini:.2}"));
    let most = courses.iter().map(|course| course.seats.len()).max().unwrap_or(0);
    let cut =
        if most > SEATS { format!("; the first {SEATS} of {most} seats, seats.csv has all") } else { String::new() };
    let caption = format!("{arm}, {}{gini}{cut}", counted(courses.len() as u64, "session"));
    let columns =
        ["seat", "statements, mean#", "share of words, mean#", "0 to 100 %", "least#", "greatest#", "place, mean#"];
    let mut table = Table::new(caption, &columns);
    for name in names {
        let own: Vec<&SeatShown> =
            courses.iter().flat_map(|course| &course.seats).filter(|seat| seat.seat == name).collect();
        let shares: Vec<f64> = own.iter().filter_map(|seat| seat.share).collect();
        let statements: Vec<f64> = own.iter().map(|seat| seat.statements as f64).collect();
        let places: Vec<f64> = own.iter().filter_map(|seat| seat.position).collect();
        let share = mean(&shares);
        let extreme = |pick: fn(f64, f64) -> f64| Cell::percent(shares.iter().copied().reduce(pick));
        let by_share = |pick: fn(&f64, &f64) -> std::cmp::Ordering| {
            let of = |course: &&&Course| course.seats.iter().find(|seat| seat.seat == name).and_then(|seat| seat.share);
            let session = courses
                .iter()
                .filter(|course| of(course).is_some())
                .max_by(|one, other| pick(&of(one).unwrap_or_default(), &of(other).unwrap_or_default()));
            session.map(|course| course.name.as_str())
        };
        table.row(vec![
            Cell::text(name),
            Cell::number(mean(&statements).map(|mean| format!("{mean:.1}"))),
            Cell::percent(share),
            Cell::picture(share.map_or(String::new(), |share| plot::share(share, None, 0))),
            extreme(f64::min).of(by_share(|one, other| other.total_cmp(one))),
            extreme(f64::max).of(by_share(f64::total_cmp)),
            Cell::number(mean(&places).map(|mean| format!("{mean:.1}"))),
        ]);
    }
    Part::table(table)
}
