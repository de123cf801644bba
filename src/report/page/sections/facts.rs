//! The facts of a case over the sessions of an arm: how often each was said, and how often a seat moved after it had heard it anew.
//!
//! What came before a move is counted, not what caused it: several facts may come before one move. A move of an amount alone is none.

use std::collections::BTreeSet;

use crate::analysis::statistics::mean;
use crate::report::page::course::{Course, Move};
use crate::report::page::parts::{Cell, Table};

/// The facts of these sessions; `None` where there are none, or none was said.
pub fn table(arm: &str, courses: &[&Course]) -> Option<Table> {
    let facts: BTreeSet<&str> =
        courses.iter().flat_map(|course| course.case.facts.keys().map(String::as_str)).collect();
    let mut facts = Vec::from_iter(facts);
    facts.sort_by_key(|fact| by_number(fact));
    if courses.iter().all(|course| course.said.is_empty()) {
        return None;
    }
    let mut table = Table::new(
        format!(
            "{arm}: the facts, over its sessions. A move comes after a fact where it was new to the seat since that spoke last; several facts \
             may come before one move, and none is shown to be its reason"
        ),
        &[
            "fact",
            "speaks for",
            "said in sessions#",
            "mean round of that#",
            "moves after it#",
            "of these to what it speaks for#",
        ],
    );
    for fact in facts {
        table.row(row(fact, courses));
    }
    Some(table.shortened("statements.csv"))
}

fn row(fact: &str, courses: &[&Course]) -> Vec<Cell> {
    let side = |course: &Course| -> Option<String> {
        let side = course.case.sides.iter().find(|side| side.facts.contains(fact));
        side.map(|side| side.alternative.clone())
    };
    let sides: BTreeSet<String> = courses.iter().filter_map(|course| side(course)).collect();
    let speaks_for = match sides.len() {
        0 => "none".to_owned(),
        1 => sides.into_iter().collect(),
        _ => "differs between sessions".to_owned(),
    };
    let said = || courses.iter().filter(|course| course.said.contains(fact));
    let first = |course: &&Course| {
        let news = course.news.iter().find(|news| news.facts.iter().any(|new| new.fact == fact))?;
        Some(news.round as f64)
    };
    let rounds: Vec<f64> = courses.iter().filter_map(first).collect();
    // To whom a fact was new cannot be told where not all is known of who heard it.
    let said_first = || courses.iter().flat_map(|course| &course.news).flat_map(|news| &news.facts);
    let is_told = said_first().filter(|new| new.fact == fact).all(|new| new.is_told);
    let (mut moves, mut towards) = (0, 0);
    for course in courses {
        let side = side(course);
        let after = |one: &&Move| !one.is_of_amount && one.news.iter().any(|new| new.fact == fact);
        for one in course.moves.iter().filter(after) {
            moves += 1;
            towards += u64::from(side.as_deref() == one.to.split(' ').next());
        }
    }
    let told = |count: u64| if is_told { Cell::count(count) } else { Cell::number(None) };
    vec![
        Cell::text(fact),
        Cell::text(speaks_for),
        Cell::count(said().count() as u64).of(said().map(|course| course.name.as_str())),
        // A fact that everybody was told is news to nobody.
        Cell::number(mean(&rounds).map(|round| format!("{round:.1}"))),
        told(moves),
        told(towards),
    ]
}

/// Ids in the order in which they are counted: F2 before F10.
fn by_number(id: &str) -> (&str, u64) {
    let letters = id.trim_end_matches(|c: char| c.is_ascii_digit());
    (letters, id[letters.len()..].parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stand_in_the_order_of_their_numbers() {
        let mut ids = ["F10", "F2", "B1", "F1", "A"];
        ids.sort_by_key(|id| by_number(id));
        assert_eq!(ids, ["A", "B1", "F1", "F2", "F10"]);
    }
}
