//! The facts of a case: how often groups said them, and how many moves came after.

use std::collections::BTreeSet;

use super::arms::{mark_with_interval, series_of_arm, sessions_of, shown_arms};
use crate::analysis::statistics::wilson_interval;
use crate::figure::{Axis, Figure, FigureForm, FigureMark};
use crate::report::counted;
use crate::report::page::course::{Move, SessionCourse};
use crate::report::page::gathered::Gathered;

/// The share of sessions in which each fact was said, in a panel for each arm.
pub fn draw_facts(gathered: &Gathered<'_>) -> Vec<Figure> {
    let (arms, note) = shown_arms(gathered);
    let mut marks = Vec::new();
    for arm in arms {
        let courses = sessions_of(gathered, arm);
        let is_silent = courses.iter().all(|course| course.statements == 0);
        if is_silent || gathered.complete().all(|course| course.said.is_empty()) {
            continue;
        }
        let (panel, colour) = series_of_arm(gathered, arm);
        let facts: BTreeSet<&str> =
            courses.iter().flat_map(|course| course.case.facts.keys().map(String::as_str)).collect();
        let mut facts = Vec::from_iter(facts);
        facts.sort_by_key(|fact| by_number(fact));
        for fact in facts {
            let said = courses.iter().filter(|course| course.said.contains(fact)).count() as u64;
            let all = courses.iter().filter(|course| course.case.facts.contains_key(fact)).count() as u64;
            let interval = wilson_interval(said, all);
            marks.push(FigureMark {
                panel: panel.clone(),
                series: describe_fact(gathered, fact, &courses),
                value: Some(said as f64 / all as f64),
                n: Some(all),
                text: count_moves(fact, &courses),
                colour,
                ..mark_with_interval(interval)
            });
        }
    }
    let facts: BTreeSet<&str> = marks.iter().map(|mark| mark.series.as_str()).collect();
    let is_said = |fact: &&str| marks.iter().any(|mark| mark.series == **fact && mark.value > Some(0.0));
    let never = facts.iter().filter(|fact| !is_said(fact)).count();
    vec![Figure {
        name: "facts".to_owned(),
        title: "Which facts were said".to_owned(),
        finding: format!("{never} of {} were said in no session.", counted(facts.len() as u64, "fact")),
        reading: format!(
            "Points are the share of sessions in which a statement cites the fact, bars Wilson's 95 % intervals, n the number of sessions. Moves \
             after a fact are those of seats to whom it was new since they last spoke. Several facts can come before one move, and none is \
             shown to be its reason.{note}"
        ),
        form: FigureForm::Dots {
            axis: Axis::of_shares("share of sessions in which the fact was said"),
            reference: None,
        },
        marks,
    }]
}

/// A fact with the option that it speaks for.
fn describe_fact(gathered: &Gathered<'_>, fact: &str, courses: &[&SessionCourse]) -> String {
    let sides: BTreeSet<&str> = courses.iter().filter_map(|course| side_of(course, fact)).collect();
    match Vec::from_iter(sides).as_slice() {
        [] => fact.to_owned(),
        [one] => format!("{fact}, for {}", gathered.labels.option(one)),
        _ => format!("{fact}, for one option or another"),
    }
}

fn side_of<'c>(course: &'c SessionCourse, fact: &str) -> Option<&'c str> {
    course.case.sides.iter().find(|side| side.facts.contains(fact)).map(|side| side.alternative.as_str())
}

/// The moves that came after a fact, and how many of them went to the option that it speaks for; if it is known to whom the fact
/// was new. A move of an amount alone does not count.
fn count_moves(fact: &str, courses: &[&SessionCourse]) -> String {
    let said_first = courses.iter().flat_map(|course| &course.news).flat_map(|news| &news.facts);
    if !said_first.filter(|new| new.fact == fact).all(|new| new.is_told) {
        return "not known to whom it was new".to_owned();
    }
    let (mut moves, mut towards) = (0, 0);
    for course in courses {
        let side = side_of(course, fact);
        let after = |one: &&Move| !one.is_of_amount && one.news.iter().any(|new| new.fact == fact);
        for one in course.moves.iter().filter(after) {
            moves += 1;
            towards += u64::from(side.is_some() && side == one.to.split(' ').next());
        }
    }
    format!("{} after it, {towards} to its side", counted(moves, "move"))
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
