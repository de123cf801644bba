//! How answers came, which sessions count, and what can be promised about running them again.

use std::collections::BTreeMap;

use super::{Absent, Gathered, outcome};
use crate::plan::Deviation;
use crate::plot;
use crate::report::Report;
use crate::report::page::course::Course;
use crate::report::page::parts::{Cell, Part, Table};
use crate::report::page::provenance::Provenance;
use crate::report::page::tally::spelled;

/// The pieces.
pub fn parts(gathered: &Gathered<'_>) -> Result<Vec<Part>, Absent> {
    let report = gathered.report.ok_or(Absent("the plan cannot be read"))?;
    let mut parts = vec![Part::heading("From the plan to the numbers"), Part::table(counted_in(gathered))];
    parts.push(Part::words(
        "A session that is not complete, or whose record is not what it wrote, is in no share, mean or interval. One with an answer that \
         stayed invalid is; compare tells what the result is without those.",
    ));
    parts.push(Part::heading("How questions were answered"));
    parts.push(Part::table(answers(gathered, report)));
    let faults = faults(gathered);
    parts.push(match faults.is_empty() {
        true => Part::words("Every answer of a complete session counted at the first try."),
        false => Part::table(faults),
    });
    parts.extend(origins(gathered, report));
    Ok(parts)
}

/// Where the sessions stand that are not read, among the columns of what becomes of sessions.
const UNREAD_AT: usize = 6;

/// What becomes of the sessions of each arm on the way.
fn counted_in(gathered: &Gathered<'_>) -> Table {
    let mut columns = vec![
        "arm",
        "planned#",
        "complete#",
        "0 to 100 %",
        "failed#",
        "incomplete#",
        "of complete: all answers valid#",
        "all alike in the poll before the talk#",
    ];
    // Few folders have such sessions.
    let has_unread = gathered.unread().next().is_some();
    if has_unread {
        columns.insert(UNREAD_AT, "not read#");
    }
    let mut table = Table::new("Sessions that the plan calls for, and those that are left at each step", &columns);
    let arms = gathered.report.map(|report| &report.arms);
    for arm in gathered.arms() {
        let own: Vec<&Course> = gathered.courses.iter().filter(|course| course.arm == arm).collect();
        let those = |status: &str| own.iter().filter(|course| course.status == status).copied().collect::<Vec<_>>();
        let [complete, failed, incomplete, unread] = ["completed", "failed", "incomplete", "not read"].map(those);
        let names = |those: &[&Course]| {
            Cell::count(those.len() as u64).of(those.iter().map(|course| course.name.as_str()).collect::<Vec<_>>())
        };
        let share = if own.is_empty() { 0.0 } else { complete.len() as f64 / own.len() as f64 };
        let kept = arms.and_then(|arms| arms.iter().find(|one| one.arm == arm)).map(|one| &one.integrity);
        let alike = kept.filter(|kept| kept.polled_before > 0);
        let alike = alike.map(|kept| format!("{} of {}", kept.trivial_consensus, kept.polled_before));
        let mut cells = vec![
            Cell::text(outcome::named(gathered, arm)),
            Cell::count(own.len() as u64),
            names(&complete),
            Cell::picture(plot::share(share, None, 2)),
            names(&failed),
            names(&incomplete),
            Cell::count(complete.iter().filter(|course| course.lost == 0).count() as u64),
            Cell::number(Some(alike.unwrap_or_else(|| "no poll".to_owned()))),
        ];
        if has_unread {
            cells.insert(UNREAD_AT, names(&unread));
        }
        table.row(cells);
    }
    table
}

fn answers(gathered: &Gathered<'_>, report: &Report) -> Table {
    let mut table = Table::new(
        "Questions of complete sessions, by how they were settled",
        &[
            "arm",
            "questions#",
            "first try#",
            "after being asked again#",
            "invalid#",
            "refused#",
            "sessions with invalid or refused ones#",
        ],
    );
    for arm in &report.arms {
        let kept = &arm.integrity;
        let lost: Vec<&Course> =
            gathered.complete().filter(|course| course.arm == arm.arm && course.lost > 0).collect();
        table.row(vec![
            Cell::text(outcome::named(gathered, &arm.arm)),
            Cell::count(kept.answers),
            Cell::count(kept.first_try),
            Cell::count(kept.reasked),
            Cell::count(kept.invalid),
            Cell::count(kept.refused),
            Cell::count(lost.len() as u64).of(lost.iter().map(|course| course.name.as_str())),
        ]);
    }
    table
}

/// Why answers did not count, by kind.
fn faults(gathered: &Gathered<'_>) -> Table {
    let mut kinds: BTreeMap<&str, (u64, Vec<&str>)> = BTreeMap::new();
    for course in gathered.complete() {
        for (fault, count) in &course.faults {
            let known = kinds.entry(fault).or_default();
            known.0 += count;
            known.1.push(&course.name);
        }
    }
    let mut table = Table::new("Answers that did not count, by why", &["why", "answers#", "sessions#"]);
    for (fault, (count, sessions)) in kinds {
        table.row(vec![
            Cell::text(spelled(fault)),
            Cell::count(count),
            Cell::count(sessions.len() as u64).of(sessions),
        ]);
    }
    table
}

/// Who answered, what was tried again, what was changed, and what can be promised.
fn origins(gathered: &Gathered<'_>, report: &Report) -> Vec<Part> {
    let known = gathered.provenance;
    let mut parts = vec![Part::heading("Who answered, and what can be promised")];
    parts.push(Part::words(match report.determinism {
        "recomputed" => "All sessions are recomputed: every seat is simulated, and running them again gives the same bytes on any machine.",
        _ => "Some sessions are recorded: running them again gives the same bytes from their recorded answers. A model that is asked anew \
              is promised nothing of.",
    }));
    if !known.models.is_empty() {
        let mut table = Table::new(
            "Models that were asked, and who answered, as their servers say",
            &["asked", "answered", "fingerprint", "answers#"],
        );
        for model in &known.models {
            table.row(vec![
                Cell::text(&model.asked),
                Cell::text(model.answered.as_deref().unwrap_or("not said")),
                Cell::text(model.fingerprint.as_deref().unwrap_or("none")),
                Cell::count(model.answers),
            ]);
        }
        parts.push(Part::table(table));
    }
    parts.extend(tried_again(known));
    parts.push(changed(known.deviations.as_deref()));
    parts
}

/// Which sessions failed and were run again, as far as their records of calls tell.
fn tried_again(known: &Provenance) -> Vec<Part> {
    let mut parts = Vec::new();
    if !known.unread.is_empty() {
        let mut table = Table::new(
            "Sessions whose record of calls is missing or cannot be read, so that nobody knows whether they were run again",
            &["session", "why"],
        );
        for (name, why) in &known.unread {
            table.row(vec![Cell::text(name).to(name), Cell::text(why)]);
        }
        parts.push(Part::table(table));
    }
    if !known.retried.is_empty() {
        let mut table =
            Table::new("Sessions that failed and were run again", &["session", "how each attempt before ended"]);
        for (name, ended) in &known.retried {
            table.row(vec![Cell::text(name).to(name), Cell::text(ended.join("; "))]);
        }
        parts.push(Part::table(table.shortened("experiment.json")));
    } else if known.unread.is_empty() {
        parts.push(Part::words("No session failed and was run again."));
    }
    parts
}

/// What was changed in the design after its first session was run.
fn changed(changes: Option<&[Deviation]>) -> Part {
    match changes {
        None => Part::words(
            "Whether the design was changed after its first session was run is not known: experiment.json is missing, or does not tell.",
        ),
        Some([]) => {
            Part::words("The design was not changed after its first session was run, as far as experiment.json tells.")
        }
        Some(changes) => {
            let mut table = Table::new(
                "What was changed in the design after its first session was run",
                &["key", "was", "is", "sessions done by then#"],
            );
            for change in changes {
                let told = |value: &Option<String>| Cell::text(value.as_deref().unwrap_or("left out"));
                table.row(vec![
                    Cell::text(&change.what),
                    told(&change.from),
                    told(&change.to),
                    Cell::count(change.sessions_done),
                ]);
            }
            Part::table(table)
        }
    }
}
