//! Every session in a line, arm by arm: how it ended, who moved, and the way to its transcript.

use serde::Serialize;

use super::Gathered;
use crate::report::page::Section;
use crate::report::page::course::{Course, Stood};
use crate::report::page::ending::off;
use crate::report::page::stock;
use crate::report::page::tally::{counts, spelled, tie};
use crate::report::page::templates::Templates;
use crate::report::{counted, quoted};

/// Arms of more sessions are folded up at first.
const OPEN: usize = 60;
/// Moves that a line tells.
const MOVES: usize = 3;

#[derive(Serialize)]
struct Facts<'c> {
    sessions: usize,
    arms: Vec<Arm<'c>>,
}

#[derive(Serialize)]
struct Arm<'c> {
    name: &'c str,
    null_of: String,
    count: String,
    is_open: bool,
    lines: Vec<Line<'c>>,
}

#[derive(Serialize)]
struct Line<'c> {
    name: &'c str,
    item: &'c str,
    status: &'static str,
    words: String,
    is_whole: bool,
}

/// The part.
pub fn section(gathered: &Gathered<'_>, templates: &Templates) -> Section {
    let mut arms: Vec<Arm<'_>> = Vec::new();
    for course in gathered.courses {
        if arms.last().is_none_or(|arm| arm.name != course.arm) {
            let plan = gathered.experiment.and_then(|all| all.arms.iter().find(|plan| plan.arm == course.arm));
            let null_of = plan.and_then(|plan| plan.null.as_ref()).map_or(String::new(), |null| null.of.clone());
            let (count, lines) = (String::new(), Vec::new());
            arms.push(Arm { name: &course.arm, null_of, count, is_open: true, lines });
        }
        arms.last_mut().expect("invariant: a session is of an arm").lines.push(line(course));
    }
    for arm in &mut arms {
        let whole = arm.lines.iter().filter(|line| line.is_whole).count();
        arm.count = format!("{whole} of {} complete", counted(arm.lines.len() as u64, "session"));
        arm.is_open = arm.lines.len() <= OPEN;
    }
    let html = templates.fill("sessions.html", Facts { sessions: gathered.courses.len(), arms });
    Section { id: "sessions", title: "Sessions", html }
}

fn line(course: &Course) -> Line<'_> {
    let words = match course.is_complete() {
        true => told(course),
        false => course.why.clone(),
    };
    Line { name: &course.name, item: &course.item, status: course.status, words, is_whole: course.is_complete() }
}

/// What happened in a session, in a line.
fn told(course: &Course) -> String {
    let last = course.votes.iter().rev().find(|vote| vote.purpose == "vote");
    let result = match course.outcome.as_str() {
        "carried" => format!("{}{}", quoted(&course.result), last.map_or(String::new(), tie)),
        "imposed" => format!("imposed: {}", quoted(&course.result)),
        "not_applicable" => match course.stop.as_str() {
            "nobody_left" => "every seat was excluded".to_owned(),
            _ => stock::line(course).unwrap_or_else(|| "no vote".to_owned()),
        },
        other => format!("{} ({})", spelled(other), spelled(&course.stop)),
    };
    let right = match (off(course), course.correct) {
        (Some(off), _) => format!(", {off}"),
        (None, Some(true)) => ", right".to_owned(),
        (None, Some(false)) => ", not right".to_owned(),
        (None, None) => String::new(),
    };
    let mut parts = vec![format!("{result}{right}")];
    if let Some(vote) = last {
        let of = course.sampled.as_ref().map_or(String::new(), |sampled| format!("{}, ", sampled.words()));
        parts.push(format!("{of}{}", counts(vote)));
    }
    if course.rounds_max > 0 && course.months.is_empty() {
        parts.push(format!("round {} of {}", course.rounds_used, course.rounds_max));
    }
    let moves = course.moves.iter().take(MOVES).map(|one| {
        let after = match (&one.amounts, one.after.last()) {
            (Some(amounts), _) => amounts.in_a_line(),
            (None, Some(voice)) if one.after.len() == 1 => format!(" after {}", voice.seat),
            (None, Some(voice)) => {
                format!(" after {} and {}", voice.seat, counted(one.after.len() as u64 - 1, "other"))
            }
            (None, None) => String::new(),
        };
        let against = if one.stood == Stood::Evidence { " (against its own evidence)" } else { "" };
        format!("{} to {}{against} in round {}{after}", one.seat, quoted(&one.to), one.round)
    });
    let mut moved: Vec<String> = moves.collect();
    if course.moves.len() > MOVES {
        moved.push(format!("and {} more", counted((course.moves.len() - MOVES) as u64, "move")));
    }
    if !moved.is_empty() {
        parts.push(format!("moved: {}", moved.join("; ")));
    }
    if !course.forks.is_empty() {
        parts.push(counted(course.forks.len() as u64, "fork"));
    }
    if course.lost > 0 {
        parts.push(format!("{} without a valid answer", counted(course.lost, "question")));
    }
    parts.join(" · ")
}
