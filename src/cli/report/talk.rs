//! Renders a session's transcript with what its seats saw, its calls and, for a fork, its parent.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::forks;
use super::source::PageSource;
use crate::analysis::search::words_of;
use crate::cli::context;
use crate::domain::{Before, Convened, Record, Seq};
use crate::plan::{Plan, PlannedSession};
use crate::report::PlanWords;
use crate::report::page::{Beside, CallShown, Labels, SessionCourse, Talk, TryShown, beside, talk};
use crate::session::{Prompts, SeatSights, collect_sights};
use crate::store::calls::{CallLine, CallRecord};
use crate::store::inputs::Inputs;
use crate::store::results::{Parent, ResultsFolder};

/// The most sessions for which the page shows prompts, because each prompt must be worded again.
const PROMPTED_SESSIONS_MAX: usize = 100;
/// The most answers times records for which the page shows what seats saw.
const SIGHTS_MAX: usize = 20_000_000;

/// The transcript of a planned session.
pub fn render_planned(
    planned: &PlannedSession,
    source: &PageSource,
    records: &[Record],
    (course, labels): (&SessionCourse, &Labels),
) -> String {
    let plan = planned.plan();
    let name = planned.name();
    let mut notes = Vec::new();
    let calls = if plan.is_simulated() { BTreeMap::new() } else { read_calls(source, &name, records, &mut notes) };
    let prompts = match source.sessions.len() > PROMPTED_SESSIONS_MAX || plan.is_simulated() && plan.people_count() == 0
    {
        true => Prompts::LeftOut,
        false => Prompts::Worded,
    };
    let own = |why: &str| source.strip_root(why);
    let sights = session_sights((&source.folder, &own), (&plan, planned.replicate), records, prompts);
    let seats = plan.seats.iter().map(|seat| seat.name.as_str()).collect();
    let words = PlanWords::of_plan(&plan);
    let moves = course.moves.iter().map(|moved| moved.seq).collect();
    let shown = Talk { name: &name, records, seats, sights: &sights, calls: &calls, plan: words, moves, labels, notes };
    let Some(change) = source.change() else { return talk(&shown) };
    match source.folder.run_file(&name).and_then(|run| run.parent) {
        Some(parent) => render_fork(source, shown, change, &parent),
        None => talk(&shown),
    }
}

/// The transcript of a session whose plan cannot be read.
pub fn render_unplanned(name: &str, records: &[Record]) -> String {
    let seats: BTreeSet<&str> = records.iter().filter_map(|record| Some(record.seat.as_ref()?.as_str())).collect();
    let (sights, calls) = (SeatSights::default(), BTreeMap::new());
    let seats = seats.into_iter().collect();
    let labels = &Labels::default();
    talk(&Talk {
        name,
        records,
        seats,
        sights: &sights,
        calls: &calls,
        plan: PlanWords::default(),
        moves: BTreeSet::new(),
        labels,
        notes: Vec::new(),
    })
}

/// A folder, and a function that removes its path from a text.
type TalkPlace<'a> = (&'a ResultsFolder, &'a dyn Fn(&str) -> String);

/// Collects what seats saw, as far as the records are consistent.
fn session_sights(
    (folder, own): TalkPlace<'_>,
    (plan, replicate): (&Arc<Plan>, u32),
    records: &[Record],
    prompts: Prompts,
) -> SeatSights {
    let stopped = |why: String| SeatSights { sights: Vec::new(), stopped: Some(why) };
    let Some(Convened { windows, forms, .. }) = records.first().and_then(|record| record.event.convened()) else {
        return SeatSights::default();
    };
    let answers = records.iter().filter(|record| record.seat.is_some()).count();
    if answers * records.len() > SIGHTS_MAX {
        return stopped("the session is too long for this page".to_owned());
    }
    let plan = &plan.with_learnt_windows(windows).with_learnt_forms(forms);
    let with_before = Before::of(records).map(|before| plan.with_previous_outcome(before));
    let plan = with_before.as_ref().map_or(&**plan, |plan| plan);
    match context::convene_deliberation(folder, plan, replicate) {
        Ok(begun) => collect_sights(begun.within(windows.clone()).phrased(forms.clone()), records, prompts),
        Err(why) => stopped(own(&why.to_string())),
    }
}

/// The calls that produced answers, by the answer's record.
fn read_calls(
    source: &PageSource,
    name: &str,
    records: &[Record],
    notes: &mut Vec<String>,
) -> BTreeMap<Seq, CallShown> {
    let record = match CallRecord::read(source.folder.calls(name)) {
        Ok((record, torn)) => {
            notes.extend(torn.map(|torn| source.strip_root(&torn.to_string())));
            record
        }
        Err(error) => {
            notes.push(format!("The recorded model calls cannot be read: {}", source.strip_root(&error.to_string())));
            return BTreeMap::new();
        }
    };
    let of = |answer: &Record| Some((answer.seq, to_call_shown(record.find_call(&answer.question()?)?, answer)));
    records.iter().filter_map(of).collect()
}

fn to_call_shown(line: &CallLine, answer: &Record) -> CallShown {
    let is_shown = words_of(answer).is_some_and(|words| words == line.raw);
    let name = if line.typed { line.by.clone() } else { line.asked.clone() };
    CallShown {
        asked: name.unwrap_or_default(),
        is_typed: line.typed,
        served: line.model.clone(),
        tokens: line.usage.map(|usage| (usage.prompt_tokens, usage.completion_tokens)),
        finish: line.finish_reason.clone(),
        is_taken_over: line.taken_over,
        tries: line
            .attempts
            .iter()
            .map(|attempt| TryShown {
                status: attempt.status,
                failure: attempt.failure.clone(),
                wall_ms: attempt.wall_ms,
            })
            .collect(),
        raw: if is_shown { String::new() } else { line.raw.clone() },
        thinking: line.thinking.clone(),
    }
}

/// What the parent's seats saw, and what its plan adds to the wording; `None` if its plan cannot be read.
fn parent_sights(found: &forks::ForkParent, parent: &Parent) -> Option<(SeatSights, PlanWords)> {
    let forks::ForkParent { root, records } = found;
    let resolved = Inputs::read_results(root).ok()?.resolve().ok()?;
    let planned = PlannedSession::find_by_name(&resolved.experiment, &parent.session)?;
    let (plan, folder) = (planned.plan(), ResultsFolder::open_unchecked(root));
    let within = format!("{}/", root.display());
    let own = |why: &str| why.replace(&within, "");
    let sights = session_sights((&folder, &own), (&plan, planned.replicate), records, Prompts::LeftOut);
    Some((sights, PlanWords::of_plan(&plan)))
}

fn render_fork(source: &PageSource, mut fork: Talk<'_>, change: &str, parent: &Parent) -> String {
    let found = match forks::parent_records(source, parent) {
        Ok(found) => found,
        Err(why) => {
            fork.notes.push(format!(
                "This is a fork, not a session that happened. Its parent, {} with the minutes {}, {why}. \
                 The page shows the fork alone. The change: {}",
                parent.session,
                parent.minutes_digest,
                change.trim()
            ));
            return talk(&fork);
        }
    };
    let calls = BTreeMap::new();
    let (sights, plan) = match parent_sights(&found, parent) {
        Some(known) => known,
        None => {
            fork.notes.push(
                "The page does not show what the parent's seats saw: \
                 the parent's plan cannot be read, or is a link that leads out of its folder."
                    .to_owned(),
            );
            (SeatSights::default(), PlanWords::default())
        }
    };
    let of_parent = Talk {
        name: &parent.session,
        records: &found.records,
        seats: fork.seats.clone(),
        sights: &sights,
        calls: &calls,
        plan,
        moves: BTreeSet::new(),
        labels: fork.labels,
        notes: Vec::new(),
    };
    beside(&Beside { fork: &fork, parent: &of_parent, change })
}
