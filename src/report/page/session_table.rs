//! The table of all sessions, which can be sorted and filtered.

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::course::SessionCourse;
use super::ending::judge_result;
use super::gathered::Gathered;
use super::tally::tie;
use super::templates::Templates;
use crate::report::told::spell_out;
use crate::report::{counted, grouped};

/// The sessions whose transcripts a file holds if there are too many for all.
pub const INFORMATIVE_MAX: usize = 50;
/// Up to this number of sessions, a file holds all transcripts.
pub const WHOLE_MAX: usize = 200;
/// The sessions that have a row.
pub const ROWS_MAX: usize = 10_000;

#[derive(Serialize)]
struct SessionTableContext<'c> {
    rows: Vec<TableRow<'c>>,
    has_items: bool,
    has_waves: bool,
    left_out: String,
    held: String,
}

#[derive(Serialize)]
struct TableRow<'c> {
    name: &'c str,
    /// Whether the page holds the session.
    is_held: bool,
    replicate: Option<u64>,
    arm: &'c str,
    item: &'c str,
    wave: Option<u64>,
    outcome: String,
    rounds: u64,
    movers: String,
    moves: usize,
    lost: u64,
    status: &'static str,
    why: &'c str,
}

/// Renders the table.
pub fn render_session_table(gathered: &Gathered<'_>, templates: &Templates) -> String {
    let courses = gathered.courses;
    let rows: Vec<TableRow<'_>> = courses.iter().take(ROWS_MAX).map(|course| row(gathered, course)).collect();
    let is_any = |is: fn(&SessionCourse) -> bool| courses.iter().any(is);
    let left_out = match courses.len() > ROWS_MAX {
        true => format!(
            "The first {} of {} sessions are listed; sessions.csv has all.",
            grouped(ROWS_MAX as u64),
            grouped(courses.len() as u64)
        ),
        false => String::new(),
    };
    let held = match gathered.held.len() < courses.len() {
        true => format!(
            "This file holds the transcripts of {}: those with invalid answers and most moves of every arm and outcome. `ekklesia serve` opens \
             the others.",
            counted(gathered.held.len() as u64, "session")
        ),
        false => String::new(),
    };
    templates.fill(
        "sessions.html",
        SessionTableContext {
            rows,
            has_items: is_any(|course| !course.item.is_empty()),
            has_waves: is_any(|course| course.wave.is_some()),
            left_out,
            held,
        },
    )
}

fn row<'c>(gathered: &'c Gathered<'_>, course: &'c SessionCourse) -> TableRow<'c> {
    let movers: IndexSet<&str> = course.moves.iter().map(|moved| moved.seat.as_str()).collect();
    let forks = if course.forks.is_empty() {
        String::new()
    } else {
        format!(", {}", counted(course.forks.len() as u64, "fork"))
    };
    TableRow {
        name: &course.name,
        is_held: gathered.held.contains(&course.name),
        replicate: course.replicate.or_else(|| read_replicate(&course.name)),
        arm: gathered.labels.arm(&course.arm),
        item: &course.item,
        wave: course.wave,
        outcome: if course.is_complete() { describe_outcome(gathered, course) + &forks } else { String::new() },
        rounds: course.rounds_used,
        movers: Vec::from_iter(movers).join(", "),
        moves: course.moves.len(),
        lost: course.lost,
        status: course.status,
        why: &course.why,
    }
}

/// The replicate in the name of a session whose plan cannot be read.
fn read_replicate(name: &str) -> Option<u64> {
    name.rsplit('-').find_map(|part| part.strip_prefix('r')?.parse().ok())
}

/// The outcome of a complete session in a few words.
pub fn describe_outcome(gathered: &Gathered<'_>, course: &SessionCourse) -> String {
    let last = course.votes.iter().rev().find(|vote| vote.purpose == "vote");
    let chosen = || {
        let amount = course.amount.map_or(String::new(), |amount| format!(" {}", grouped(amount)));
        format!("{}{amount}", gathered.labels.option(&course.alternative))
    };
    let result = match course.outcome.as_str() {
        "carried" => format!("{}{}", chosen(), last.map_or(String::new(), tie)),
        "by_default" => format!("{}, by default", chosen()),
        "imposed" => format!("{}, imposed", chosen()),
        "not_applicable" if course.stop == "nobody_left" => "every seat was excluded".to_owned(),
        "not_applicable" => "no result by vote".to_owned(),
        other => format!("{} ({})", spell_out(other), spell_out(&course.stop)),
    };
    let parts = [Some(result), course.last_of_votes(), judge_result(course)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The sessions in the order in which a file takes their transcripts up: in turn from every arm and outcome, those with invalid answers
/// and most moves first.
pub fn rank_sessions(courses: &[SessionCourse]) -> Vec<&SessionCourse> {
    let mut kinds: IndexMap<[&str; 3], Vec<&SessionCourse>> = IndexMap::new();
    for course in courses {
        kinds.entry([&course.arm, &course.outcome, &course.alternative]).or_default().push(course);
    }
    for own in kinds.values_mut() {
        own.sort_by_key(|course| std::cmp::Reverse((course.lost > 0, course.moves.len(), course.reasked)));
    }
    let most = kinds.values().map(Vec::len).max().unwrap_or(0);
    (0..most).flat_map(|place| kinds.values().filter_map(move |own| own.get(place).copied())).collect()
}
