//! What happened, in a paragraph: the design, how many sessions there are, what groups chose, and what to beware of.

use serde::Serialize;

use super::Gathered;
use crate::report::page::Section;
use crate::report::page::course::Course;
use crate::report::page::stock;
use crate::report::page::templates::Templates;
use crate::report::{ArmReport, ItemsReport, Report, counted, quoted};

/// Arms that the paragraph tells; the next part tells all.
const ARMS: usize = 8;

#[derive(Serialize)]
struct Facts {
    design: String,
    outcomes: Vec<Outcome>,
    more: usize,
    warnings: Vec<String>,
    left_out: Vec<String>,
}

/// What the groups of an arm chose.
#[derive(Serialize)]
struct Outcome {
    arm: String,
    words: String,
}

/// The part.
pub fn section(gathered: &Gathered<'_>, left_out: &[String], templates: &Templates) -> Section {
    let facts = match gathered.report {
        Some(report) => Facts {
            design: design(gathered, report),
            outcomes: report.arms.iter().take(ARMS).map(|arm| outcome(gathered, arm)).collect(),
            more: report.arms.len().saturating_sub(ARMS),
            warnings: warnings(report),
            left_out: left_out.to_vec(),
        },
        None => Facts {
            design: format!(
                "{} with a folder here. What was planned is not known.",
                counted(gathered.courses.len() as u64, "session")
            ),
            outcomes: Vec::new(),
            more: 0,
            warnings: Vec::new(),
            left_out: left_out.to_vec(),
        },
    };
    Section { id: "overview", title: "What happened", html: templates.fill("overview.html", facts) }
}

fn design(gathered: &Gathered<'_>, report: &Report) -> String {
    let seats = match report.seats {
        (least, most) if least == most => counted(least, "seat"),
        (least, most) => format!("{least} to {most} seats"),
    };
    let arms = match report.arms.len() {
        1 => "One arm".to_owned(),
        arms => counted(arms as u64, "arm"),
    };
    let factors = gathered.experiment.map_or(&[][..], |experiment| experiment.factors.as_slice());
    let factors = if factors.is_empty() { String::new() } else { format!(" ({})", factors.join(" by ")) };
    let unread = gathered.unread().count() as u64;
    let incomplete = (report.sessions - report.completed - report.failed).saturating_sub(unread);
    let missing = match (report.sessions - report.completed, unread) {
        (0, _) => String::new(),
        (_, 0) => format!("; {incomplete} incomplete, {} failed", report.failed),
        (_, unread) => format!("; {incomplete} incomplete, {} failed, {unread} not read", report.failed),
    };
    format!(
        "{arms}{factors}, {seats} a session, seed {}. {} of {} complete{missing}.",
        report.seed,
        report.completed,
        counted(report.sessions, "planned session"),
    )
}

/// What the groups of an arm chose, the most frequent first, with intervals.
fn outcome(gathered: &Gathered<'_>, arm: &ArmReport) -> Outcome {
    let mut chosen: Vec<_> = arm.choices.iter().filter(|choice| choice.sessions > 0).collect();
    chosen.sort_by_key(|choice| std::cmp::Reverse(choice.sessions));
    let told: Vec<String> = chosen
        .iter()
        .map(|choice| {
            let chose = choice
                .alternative
                .as_ref()
                .map_or("made no decision".to_owned(), |name| format!("chose {}", quoted(name)));
            format!(
                "{} {chose} ({:.0} %, 95 % interval {:.0} to {:.0} %)",
                choice.sessions,
                100.0 * choice.share,
                100.0 * choice.interval.low,
                100.0 * choice.interval.high
            )
        })
        .collect();
    let courses: Vec<&Course> = gathered.complete().filter(|course| course.arm == arm.arm).collect();
    let stock = stock::fared(&courses);
    let words = match (&arm.imposed, &arm.items, told.is_empty()) {
        (Some(imposed), ..) => format!("{} was imposed in {}", quoted(imposed), counted(arm.completed, "session")),
        (_, _, false) => format!("of {}: {}", counted(arm.completed, "group"), told.join(", ")),
        (_, Some(items), true) => items_in_short(items).unwrap_or_else(|| {
            format!("{} complete; the next part tells each item", counted(arm.completed, "session"))
        }),
        (_, None, true) if arm.completed == 0 => "no session is complete".to_owned(),
        (_, None, true) => {
            let sessions = counted(arm.completed, "session");
            match &stock {
                Some(_) => format!("{sessions} complete"),
                None => format!("{sessions} complete; nothing is voted on"),
            }
        }
    };
    let words = stock.map_or(words.clone(), |stock| format!("{words}; {stock}"));
    Outcome { arm: arm.arm.clone(), words }
}

/// The main outcome over all items; `None` where nobody knows what is right.
fn items_in_short(items: &ItemsReport) -> Option<String> {
    if let Some(of) = &items.conformed {
        return Some(format!("{} conformed in {}; right: {}", of.words(), of.critical(), of.right_words()));
    }
    if let Some((correct, share)) = items.correct.as_ref().and_then(|correct| Some((correct, correct.share?))) {
        let decisions = counted(correct.sessions, "decision");
        return Some(format!("{} of {decisions} right ({:.0} %)", correct.correct, 100.0 * share));
    }
    let error = items.error.as_ref()?;
    Some(format!("{}, on average {:.1} % off what is right", counted(error.sessions, "decision"), 100.0 * error.mean))
}

/// What a reader must know before reading on.
fn warnings(report: &Report) -> Vec<String> {
    let sum = |of: fn(&ArmReport) -> u64| report.arms.iter().map(of).sum::<u64>();
    let mut told = Vec::new();
    if report.completed == 0 {
        told.push("No session is complete: there is nothing to conclude from.".to_owned());
    } else if report.completed < report.sessions {
        told.push(format!(
            "{} not complete and counted in no share; those that are complete may differ from them.",
            counted(report.sessions - report.completed, "session")
        ));
    }
    let lost = sum(|arm| arm.integrity.invalid + arm.integrity.refused);
    if lost > 0 {
        told.push(format!(
            "{} of {} had no valid answer after the last try.",
            counted(lost, "question"),
            counted(sum(|arm| arm.integrity.answers), "question")
        ));
    }
    let trivial = sum(|arm| arm.integrity.trivial_consensus);
    if trivial > 0 {
        told.push(format!("{} answered the poll before the talk alike.", counted(trivial, "group")));
    }
    told
}
