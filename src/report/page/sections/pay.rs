//! What seats were paid, and what other choices would have paid the same seats.

use super::{Absent, Gathered, outcome};
use crate::analysis::statistics::mean;
use crate::plot;
use crate::report::page::course::{Course, Forgone};
use crate::report::page::parts::{Cell, Part, Table};

/// The pieces.
pub fn parts(gathered: &Gathered<'_>) -> Result<Vec<Part>, Absent> {
    let is_paid = |course: &&Course| course.seats.iter().any(|seat| seat.paid.total.is_some());
    if !gathered.complete().any(|course| is_paid(&course)) {
        return Err(Absent("nobody was paid in a complete session"));
    }
    let mut parts = vec![Part::words(
        "Amounts are per seat; means of them are rounded to cents, each by itself. What other choices would have paid is worked out from the same tables and the same income classes that \
         were drawn, so only the choice differs; what else a group would have done under another choice is not known.",
    )];
    let mut table = Table::new(
        "What seats were paid, mean over seats",
        &["arm", "sessions#", "practice rounds#", "settlement#", "in all#"],
    );
    for arm in gathered.arms() {
        let own: Vec<&Course> = gathered.complete().filter(|course| course.arm == arm).filter(is_paid).collect();
        let seats = || own.iter().flat_map(|course| &course.seats);
        let cents = |of: Vec<u64>| dollars(mean(&of.into_iter().map(|cents| cents as f64).collect::<Vec<_>>()));
        table.row(vec![
            Cell::text(outcome::named(gathered, arm)),
            Cell::count(own.len() as u64),
            cents(seats().filter_map(|seat| seat.paid.applications).collect()),
            cents(seats().filter_map(|seat| seat.paid.settlement).collect()),
            cents(seats().filter_map(|seat| seat.paid.total).collect()),
        ]);
    }
    parts.push(Part::table(table));
    for arm in gathered.arms() {
        let own: Vec<&Course> = gathered.complete().filter(|course| course.arm == arm).collect();
        let all = joined(own.iter().copied());
        if !all.is_empty() {
            parts.push(Part::table(forgone(&outcome::named(gathered, arm), &all, &own)));
        }
    }
    Ok(parts)
}

fn forgone(arm: &str, all: &[Forgone], courses: &[&Course]) -> Table {
    let caption = format!("{arm}: what each choice would have paid a seat, mean over all that was paid");
    let columns = ["stage and choice", "would have paid#", "beside the others", "was applied#", "payments#"];
    let mut table = Table::new(caption, &columns);
    for stage in ["application", "settlement"] {
        let own = || all.iter().filter(|one| one.stage == stage && one.n > 0);
        let mean_of = |one: &Forgone| one.cents as f64 / one.n as f64;
        let most = own().map(mean_of).fold(0.0, f64::max);
        for (place, one) in own().enumerate() {
            let share = if most > 0.0 { mean_of(one) / most } else { 0.0 };
            table.row(vec![
                Cell::text(format!("{stage}: {}", one.principle)),
                dollars(Some(mean_of(one))),
                Cell::picture(plot::share(share, None, place)),
                Cell::count(one.chosen).of(those(one, courses, |own| own.chosen > 0)),
                Cell::count(one.n).of(those(one, courses, |own| own.n > 0)),
            ]);
        }
    }
    table
}

/// The sessions in which a choice has what is looked for.
fn those<'c>(choice: &Forgone, courses: &[&'c Course], has: fn(&Forgone) -> bool) -> Vec<&'c str> {
    let is_it = |one: &Forgone| one.stage == choice.stage && one.principle == choice.principle && has(one);
    let those = courses.iter().filter(|course| course.forgone.iter().any(is_it));
    those.map(|course| course.name.as_str()).collect()
}

/// The same over several sessions.
fn joined<'c>(courses: impl Iterator<Item = &'c Course>) -> Vec<Forgone> {
    let mut all: Vec<Forgone> = Vec::new();
    for one in courses.flat_map(|course| &course.forgone) {
        match all.iter_mut().find(|known| known.stage == one.stage && known.principle == one.principle) {
            Some(known) => {
                known.n += one.n;
                known.cents = known.cents.saturating_add(one.cents);
                known.chosen += one.chosen;
            }
            None => all.push(one.clone()),
        }
    }
    all
}

fn dollars(cents: Option<f64>) -> Cell {
    Cell::number(cents.map(|cents| format!("${:.2}", cents / 100.0)))
}
