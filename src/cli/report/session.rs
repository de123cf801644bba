//! One session's part of the page: folded, and read as far as it can be.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read as _};

use super::source::{Session, Source};
use super::talk;
use crate::analysis::{Folded, Roll, Rows, SessionFold, Status, elections};
use crate::cli::retally;
use crate::domain::{Event, FORMAT_VERSION, Record};
use crate::memory::{Bound, Hears, HistoryInBrief, Keeps, Strategy};
use crate::plan::{Deed, Network, PhaseKind, Plan, Planned, Sitter, SpeakingOrder};
use crate::report::page::{Block, Case, Course, Floor, Hearing, Notice, Sampled, Settled, Tables, Templates, view};
use crate::report::{Depth, Recounted, way_to_decide};
use crate::store::ballots::SessionVotes;
use crate::store::fold::{FoldError, fold_session_keeping, other_format};
use crate::store::results::{Reached, RunFile};
use crate::store::tables::{Share, session_facts};

/// What is known of a session.
pub struct Seen {
    /// What happened in it.
    pub course: Course,
    /// Its row in the table of sessions; `None` without a plan.
    pub folded: Option<Folded>,
    /// Its rows in the other tables.
    pub share: Share,
    /// Its piece of the page.
    pub block: Block,
    /// Of each kind of its elections the last, under every rule.
    pub recounted: Vec<Recounted>,
}

/// How the words begin that tell of a record that is not what its session wrote.
pub const NOT_COUNTED: &str = "counted nowhere";
/// The status of a session that may be complete, and is not read.
pub const NOT_READ: &str = "not read";

/// Folds and reads a session.
pub fn seen(session: &Session, source: &Source, tables: &Tables, templates: &Templates) -> Seen {
    if let Some(stray) = source.stray(session) {
        return outside(session, &stray.to_string(), source, tables, templates);
    }
    let name = session.name();
    let mut records = Vec::new();
    let (mut course, folded) = match session {
        Session::Planned(planned) => folded(planned, source, tables, &mut records),
        Session::Folder(_) => (unplanned(&name), None),
    };
    let (folded, share) = folded.map_or_else(|| (None, Share::default()), |(folded, share)| (Some(folded), share));
    course.forks = source.forks(&name).to_vec();
    let recounted = match session {
        Session::Planned(planned) if course.is_complete() => recounted(planned, source, &records),
        Session::Planned(_) | Session::Folder(_) => Vec::new(),
    };
    if !course.is_complete() {
        let run = source.folder().run_file(&name);
        let read = read(source, &name, &mut records);
        if folded.is_none() {
            match run.as_ref().map(|run| run.status) {
                Some(Reached::Failed) => course.status = "failed",
                Some(Reached::Completed) => course.why.push_str("; its last run says that it was completed"),
                Some(Reached::Incomplete) | None => {}
            }
        }
        // What the fold has told already is not told again.
        let read = read.filter(|read| !course.why.contains(read.rsplit(": ").next().unwrap_or(read)));
        let read = read.unwrap_or_default();
        let why = [std::mem::take(&mut course.why), stopped(run.as_ref(), source, &name), read];
        let why: Vec<String> = why.into_iter().filter(|why| !why.is_empty()).collect();
        course.why = why.join("; ");
    }
    let talk = match session {
        Session::Planned(planned) => talk::planned(planned, source, &records),
        Session::Folder(name) => talk::unplanned(name, &records),
    };
    let block = Block::pack(&view(&course, talk, templates));
    Seen { course, folded, share, block, recounted }
}

/// A session that lies outside of the folder, or one of whose files does: nothing of it is read.
fn outside(session: &Session, why: &str, source: &Source, tables: &Tables, templates: &Templates) -> Seen {
    let (mut course, folded) = match session {
        Session::Planned(planned) => {
            let facts = session_facts(source.arm(planned), &planned.plan(), planned.replicate);
            let folded = SessionFold::new(facts).stopped(Status::Incomplete);
            (Course::of(&folded, tables, &hearing(&planned.arm, &[])), Some(folded))
        }
        Session::Folder(name) => (unplanned(name), None),
    };
    course.status = NOT_READ;
    course.why = format!("{NOT_COUNTED}: {why}");
    let talk = talk::unplanned(&course.name, &[]);
    let block = Block::pack(&view(&course, talk, templates));
    Seen { course, folded, share: Share::default(), block, recounted: Vec::new() }
}

/// What every rule makes of the last election of each kind.
fn recounted(planned: &Planned, source: &Source, records: &[Record]) -> Vec<Recounted> {
    let plan = planned.plan();
    let roll = Roll { base: plan.decision.base, amount_tolerance: plan.decision.amount_tolerance };
    let facts = session_facts(source.arm(planned), &plan, planned.replicate);
    let mut voted = elections(records, &facts, &roll);
    let mut kinds = BTreeSet::new();
    let mut last: Vec<_> = voted.elections.drain(..).rev().collect();
    last.retain(|election| kinds.insert((election.purpose.as_str(), election.phase.clone())));
    voted.elections = last.into_iter().rev().collect();
    let terms = plan.terms();
    let votes = SessionVotes { plan, name: planned.name(), voted };
    let rules = retally::every_rule();
    retally::questions(votes, "", &terms).iter().map(|question| question.counted(&rules, Depth::Winners)).collect()
}

/// A session of the plan. Its rows are read and given up: of a thousand sessions there are too many.
fn folded(
    planned: &Planned,
    source: &Source,
    tables: &Tables,
    records: &mut Vec<Record>,
) -> (Course, Option<(Folded, Share)>) {
    let (mut folded, error) =
        fold_session_keeping(source.folder(), source.arm(planned), planned, |record| records.push(record));
    let mut course = Course::of(&folded, tables, &hearing(&planned.arm, records));
    let plan = planned.plan();
    course.way_to_decide = way_to_decide(&plan);
    course.case = Case::of(&plan, records);
    course.sampled = Sampled::of(records);
    course.settled = Settled::of(records);
    course.notices = Notice::all(records);
    let share = Share::of(&folded.rows);
    folded.rows = Rows::default();
    if let Some(error) = error {
        records.clear();
        if matches!(error, FoldError::Format { .. }) {
            course.status = NOT_READ;
        }
        course.why = source.own(&error.counted_nowhere());
    } else if folded.session.status != Status::Completed {
        records.clear();
    }
    (course, Some((folded, share)))
}

/// Whose statements reach whom before they speak, and what of them the minds heed.
fn hearing(plan: &Plan, records: &[Record]) -> Hearing {
    let network = Hearing::network(records);
    let own_words = plan.lender.is_none() && (plan.network == Network::Complete || network.is_some());
    let together = plan
        .agenda
        .iter()
        .any(|phase| matches!(&phase.kind, PhaseKind::Discussion(talk) if talk.order == SpeakingOrder::Simultaneous));
    let floor = match (own_words && are_shown(plan), together) {
        (false, _) => Floor::Some,
        (true, true) => Floor::EarlierRounds,
        (true, false) => Floor::AllBefore,
    };
    let minds = plan.seats.iter().filter_map(|seat| match &seat.sitter {
        Sitter::Mind(mind) => Some((seat.name.to_string(), mind.heeds(&plan.motion))),
        Sitter::Model(_) | Sitter::Person(_) => None,
    });
    Hearing { floor, network, minds: minds.collect() }
}

/// Whether each statement is shown to whoever hears it, as long as nothing is dropped for want of room.
fn are_shown(plan: &Plan) -> bool {
    let may_forget = plan.interventions.iter().any(|one| matches!(one.deed, Deed::Reminded(_)));
    let terms = plan.memory.policy.terms();
    let is_remembered = match terms.keeps {
        Keeps::Nothing => false,
        Keeps::Routed => plan.memory.routing.statement != Strategy::Skip,
        Keeps::AsItComes => true,
    };
    // What memories lack stands in the public history, where that is shown in full.
    let has_all = is_remembered && !may_forget || plan.memory.history == HistoryInBrief::Full;
    has_all && terms.hears == Hears::OwnGroup && !matches!(terms.bound, Bound::Window { .. })
}

/// A session whose plan cannot be read.
fn unplanned(name: &str) -> Course {
    Course {
        name: name.to_owned(),
        status: "incomplete",
        why: "its plan cannot be read".to_owned(),
        ..Course::default()
    }
}

/// Why a session went no further, as its last run told.
fn stopped(run: Option<&RunFile>, source: &Source, name: &str) -> String {
    match run {
        None if !source.folder().has_session(name) => "not begun: it has no folder".to_owned(),
        None => "its run.json is missing or cannot be read, so that nobody knows how its run ended".to_owned(),
        Some(run) => match (run.status, &run.stopped) {
            (_, Some(stopped)) => source.own(stopped),
            (Reached::Completed, None) if run.ekklesia != env!("CARGO_PKG_VERSION") => {
                format!("written by ekklesia {}", run.ekklesia)
            }
            (_, None) => String::new(),
        },
    }
}

/// Reads a record that does not count as far as it can be read, and tells where it cannot.
fn read(source: &Source, name: &str, records: &mut Vec<Record>) -> Option<String> {
    let file = source.folder().minutes(name);
    let unread = |reason: String| Some(source.own(&format!("{}: {reason}", file.display())));
    let opened = match file.open().and_then(|opened| Ok((opened.length()?, opened))) {
        Ok((length, opened)) => opened.take(length),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let is_begun = source.folder().has_session(name);
            return is_begun.then(|| "it has no record (minutes.jsonl)".to_owned());
        }
        Err(error) => return unread(error.to_string()),
    };
    let mut reader = BufReader::with_capacity(1 << 16, opened);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        match reader.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) if !line.ends_with(b"\n") => return unread(format!("line {number} was cut off in writing")),
            Ok(_) => {}
            Err(error) => return unread(error.to_string()),
        }
        match serde_json::from_slice::<Record>(&line) {
            Ok(record) => records.push(record),
            Err(error) => return unread(format!("line {number} is no record of this version: {error}")),
        }
        if let Some(Event::SessionConvened { format, .. }) = records.last().map(|record| &record.event)
            && *format != FORMAT_VERSION
        {
            return unread(other_format(*format));
        }
    }
    None
}
