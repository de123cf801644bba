//! Which sessions count, how valid the answers were, and whether the results can be reproduced.

use std::collections::BTreeMap;

use super::course::SessionCourse;
use super::gathered::Gathered;
use super::parts::{Cell, Part, Table};
use super::provenance::Provenance;
use crate::plan::Deviation;
use crate::report::Report;
use crate::report::told::spell_out;

/// The tables and sentences; empty if the plan cannot be read.
pub fn parts(gathered: &Gathered<'_>) -> Vec<Part> {
    let Some(report) = gathered.report else { return Vec::new() };
    let mut parts = vec![Part::table(session_counts(gathered))];
    parts.push(Part::words(
        "Shares, means and intervals leave out sessions that are incomplete or whose record was changed. \
         They include sessions with answers that stayed invalid; compare also gives the result without these.",
    ));
    parts.push(Part::table(answer_counts(gathered, report)));
    let faults = fault_counts(gathered);
    parts.push(match faults.is_empty() {
        true => Part::words("Every answer in a complete session counted at the first try."),
        false => Part::table(faults),
    });
    parts.extend(describe_origins(gathered, report));
    parts
}

/// The place of the column of unread sessions in the table of sessions.
const UNREAD_AT: usize = 5;

/// The sessions of each arm by status.
fn session_counts(gathered: &Gathered<'_>) -> Table {
    let mut columns = vec![
        "arm",
        "planned#",
        "complete#",
        "failed#",
        "incomplete#",
        "complete with all answers valid#",
        "unanimous in the poll before the talk#",
    ];
    // Few folders have unread sessions.
    let has_unread = gathered.unread().next().is_some();
    if has_unread {
        columns.insert(UNREAD_AT, "not read#");
    }
    let arms = gathered.report.map(|report| &report.arms);
    let rows = gathered.arms().into_iter().map(|arm| {
        let own: Vec<&SessionCourse> = gathered.courses.iter().filter(|course| course.arm == arm).collect();
        let those = |status: &str| own.iter().filter(|course| course.status == status).copied().collect::<Vec<_>>();
        let [complete, failed, incomplete, unread] = ["completed", "failed", "incomplete", "not read"].map(those);
        let names = |those: &[&SessionCourse]| {
            Cell::count(those.len() as u64).of(those.iter().map(|course| course.name.as_str()).collect::<Vec<_>>())
        };
        let kept = arms.and_then(|arms| arms.iter().find(|one| one.arm == arm)).map(|one| &one.integrity);
        let alike = kept.filter(|kept| kept.polled_before > 0);
        let alike = alike.map(|kept| format!("{} of {}", kept.trivial_consensus, kept.polled_before));
        let mut cells = vec![
            Cell::text(gathered.labels.arm(arm)),
            Cell::count(own.len() as u64),
            names(&complete),
            names(&failed),
            names(&incomplete),
            Cell::count(complete.iter().filter(|course| course.lost == 0).count() as u64),
            Cell::number(Some(alike.unwrap_or_else(|| "no poll".to_owned()))),
        ];
        if has_unread {
            cells.insert(UNREAD_AT, names(&unread));
        }
        cells
    });
    Table::new("Planned sessions, and how many remain at each step", &columns, rows)
}

/// The questions of each arm by the validity of their answers.
fn answer_counts(gathered: &Gathered<'_>, report: &Report) -> Table {
    let columns = [
        "arm",
        "questions#",
        "valid at the first try#",
        "valid after a repeat#",
        "invalid#",
        "refused#",
        "sessions with invalid or refused answers#",
    ];
    let rows = report.arms.iter().map(|arm| {
        let kept = &arm.integrity;
        let lost: Vec<&SessionCourse> =
            gathered.complete().filter(|course| course.arm == arm.arm && course.lost > 0).collect();
        vec![
            Cell::text(gathered.labels.arm(&arm.arm)),
            Cell::count(kept.answers),
            Cell::count(kept.first_try),
            Cell::count(kept.reasked),
            Cell::count(kept.invalid),
            Cell::count(kept.refused),
            Cell::count(lost.len() as u64).of(lost.iter().map(|course| course.name.as_str())),
        ]
    });
    Table::new("Questions in complete sessions, by the validity of their answers", &columns, rows)
}

/// The answers that did not count, by reason.
fn fault_counts(gathered: &Gathered<'_>) -> Table {
    let mut kinds: BTreeMap<&str, (u64, Vec<&str>)> = BTreeMap::new();
    for course in gathered.complete() {
        for (fault, count) in &course.faults {
            let known = kinds.entry(fault).or_default();
            known.0 += count;
            known.1.push(&course.name);
        }
    }
    let rows = kinds.into_iter().map(|(fault, (count, sessions))| {
        vec![Cell::text(spell_out(fault)), Cell::count(count), Cell::count(sessions.len() as u64).of(sessions)]
    });
    Table::new("Answers that did not count, by reason", &["reason", "answers#", "sessions#"], rows)
}

/// Reproducibility, models, repeated sessions and changes to the design.
fn describe_origins(gathered: &Gathered<'_>, report: &Report) -> Vec<Part> {
    let known = gathered.provenance;
    let mut parts = vec![Part::words(match report.determinism {
        "recomputed" => {
            "All sessions are recomputed: every seat is simulated, and running them again gives the same bytes on any machine."
        }
        _ => {
            "Some sessions are recorded: replay gives the same bytes from their recorded answers. \
             A model that is asked again can answer differently."
        }
    })];
    if !known.models.is_empty() {
        let rows = known.models.iter().map(|model| {
            vec![
                Cell::text(&model.asked),
                Cell::text(model.answered.as_deref().unwrap_or("not reported")),
                Cell::text(model.fingerprint.as_deref().unwrap_or("none")),
                Cell::count(model.answers),
            ]
        });
        let caption = "Models asked, and the models that answered according to their servers";
        parts.push(Part::table(Table::new(caption, &["asked", "answered", "fingerprint", "answers#"], rows)));
    }
    parts.extend(list_repeated_sessions(known));
    parts.push(list_changes(known.deviations.as_deref()));
    parts
}

/// The sessions that failed and were run again, from the call records.
fn list_repeated_sessions(known: &Provenance) -> Vec<Part> {
    let mut parts = Vec::new();
    if !known.unread.is_empty() {
        let rows = known.unread.iter().map(|(name, why)| vec![Cell::text(name).to(name), Cell::text(why)]);
        let caption = "Sessions without a readable call record; whether they were run again is unknown";
        parts.push(Part::table(Table::new(caption, &["session", "reason"], rows)));
    }
    if !known.retried.is_empty() {
        let row = |(name, ended): &(String, Vec<String>)| vec![Cell::text(name).to(name), Cell::text(ended.join("; "))];
        let columns = ["session", "how each earlier attempt ended"];
        let table = Table::new("Sessions that failed and were run again", &columns, known.retried.iter().map(row));
        parts.push(Part::table(table.shortened("experiment.json")));
    } else if known.unread.is_empty() {
        parts.push(Part::words("No session was run again after a failure."));
    }
    parts
}

/// The changes to the design after its first session ran.
fn list_changes(changes: Option<&[Deviation]>) -> Part {
    match changes {
        None => Part::words(
            "Whether the design changed after its first session ran is unknown: experiment.json is missing or does not say.",
        ),
        Some([]) => {
            Part::words("According to experiment.json, the design was not changed after its first session ran.")
        }
        Some(changes) => {
            let cell = |value: &Option<String>| Cell::text(value.as_deref().unwrap_or("not set"));
            let rows = changes.iter().map(|change| {
                let done = Cell::count(change.sessions_done);
                vec![Cell::text(&change.what), cell(&change.from), cell(&change.to), done]
            });
            let columns = ["key", "before", "after", "sessions finished by then#"];
            Part::table(Table::new("Changes to the design after its first session ran", &columns, rows))
        }
    }
}
