//! What groups made of the items of an experiment: over all, item by item, and of all items of a replicate.

use std::collections::BTreeMap;

use super::outcome::in_words;
use crate::analysis::statistics::{Interval, mean};
use crate::report::page::course::Course;
use crate::report::page::parts::{Cell, Part, Table};
use crate::report::{ItemReport, ItemsReport, counted};

/// The pieces; `courses` are the complete sessions of the arm.
pub fn parts(items: &ItemsReport, courses: &[&Course]) -> Vec<Part> {
    let mut parts: Vec<Part> = over_all(items).into_iter().map(Part::words).collect();
    let mut columns = vec!["item", "sessions#", "right", "decided for", "no decision#"];
    if items.conformed.is_some() {
        columns.insert(2, "conformed#");
    }
    if items.error.is_some() {
        columns.insert(2, "mean error#");
    }
    let mut table = Table::new("Item by item", &columns);
    items.items.iter().for_each(|item| table.row(row(items, item, courses)));
    parts.push(Part::table(table.shortened("sessions.csv")));
    parts.extend(replicates(items, courses).map(Part::table));
    parts
}

/// What the items come to, the main outcome first.
fn over_all(items: &ItemsReport) -> Vec<String> {
    let mut told = Vec::new();
    if let Some(of) = &items.conformed {
        let (words, critical) = (of.words(), of.critical());
        told.push(format!("Conformed: {words}, for a wrong option that the item names for scripts, in {critical}."));
        told.push(format!("Right: {}.", of.right_words()));
    } else if let Some(correct) = &items.correct {
        let share = correct.share.zip(correct.interval).map_or(String::new(), |(share, Interval { low, high })| {
            format!(": {:.0} % (95 % {:.0} to {:.0} %)", 100.0 * share, 100.0 * low, 100.0 * high)
        });
        let undecided = match correct.undecided {
            0 => String::new(),
            many => format!(" {} ended without a decision, neither right nor wrong.", counted(many, "session")),
        };
        told.push(format!(
            "Right: {} of {}{share}. By lot {:.0} % would be: the mean over {} of 1 / options.{undecided}",
            correct.correct,
            counted(correct.sessions, "decision"),
            100.0 * correct.chance.level,
            counted(correct.chance.items, "item"),
        ));
    }
    if let Some(error) = &items.error {
        told.push(format!(
            "Error: what was decided for is {:.1} % off what is right, the mean over {} of {}. It has no unit, so that items of different \
             units have a mean.",
            100.0 * error.mean,
            counted(error.sessions, "decision"),
            counted(error.items, "item"),
        ));
    }
    told
}

fn row(items: &ItemsReport, item: &ItemReport, courses: &[&Course]) -> Vec<Cell> {
    let decided = item.decided.iter().map(|(name, count)| format!("{name} {count}"));
    let decided = match &item.amounts {
        Some(of) => in_words(of),
        None => decided.collect::<Vec<_>>().join(", "),
    };
    let own = courses.iter().filter(|course| course.item == item.item);
    let mut cells = vec![
        Cell::text(&item.item),
        Cell::count(item.sessions).of(own.map(|course| course.name.as_str())),
        Cell::text(item.key.as_deref().unwrap_or("nobody knows")),
        Cell::text(decided),
        Cell::count(item.no_decision),
    ];
    if items.conformed.is_some() {
        let of = |many| format!("{many} of {}", item.with_decision());
        cells.insert(2, Cell::number(Some(item.conformed.map_or("no critical item".to_owned(), of))));
    }
    if items.error.is_some() {
        cells.insert(2, Cell::number(item.error.map(percent)));
    }
    cells
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// What the groups of a replicate made of all items; nothing where there is but one item or one replicate, or nobody knows what is right.
///
/// A replicate is one draw of all that is drawn: under common random numbers the same in every arm. Its sessions share no memory.
fn replicates(items: &ItemsReport, courses: &[&Course]) -> Option<Table> {
    let mut by_replicate: BTreeMap<u64, Vec<&Course>> = BTreeMap::new();
    for course in courses {
        by_replicate.entry(course.replicate?).or_default().push(course);
    }
    let is_known = items.conformed.is_some() || items.correct.is_some() || items.error.is_some();
    if items.items.len() < 2 || by_replicate.len() < 2 || !is_known {
        return None;
    }
    let mut columns = vec!["replicate#", "sessions#"];
    columns.extend(items.conformed.as_ref().map(|_| "conformed#"));
    columns.extend(items.correct.as_ref().map(|_| "right#"));
    columns.extend(items.error.as_ref().map(|_| "mean error#"));
    let caption = "Replicate by replicate, over its items: each session has one, and none remembers another";
    let mut table = Table::new(caption, &columns);
    for (replicate, own) in by_replicate {
        let share = |of: fn(&Course) -> Option<bool>| {
            let told: Vec<bool> = own.iter().filter_map(|course| of(course)).collect();
            let yes = told.iter().filter(|is| **is).count();
            Cell::number((!told.is_empty()).then(|| format!("{yes} of {}", told.len())))
        };
        let errors: Vec<f64> = own.iter().filter_map(|course| course.relative_error).collect();
        let mut cells = vec![
            Cell::count(replicate),
            Cell::count(own.len() as u64).of(own.iter().map(|course| course.name.as_str())),
        ];
        cells.extend(items.conformed.as_ref().map(|_| share(|course| course.conformed)));
        cells.extend(items.correct.as_ref().map(|_| share(|course| course.correct)));
        cells.extend(items.error.as_ref().map(|_| Cell::number(mean(&errors).map(percent))));
        table.row(cells);
    }
    Some(table.shortened("sessions.csv"))
}
