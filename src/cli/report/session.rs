//! Reads one session and renders its part of the page.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read as _};
use std::sync::Arc;

use super::source::{PageSession, PageSource};
use super::talk;
use crate::analysis::{ChoicePurpose, CountingTerms, FoldedSession, Rows, SessionFold, Status, collect_elections};
use crate::choice::CountTerms;
use crate::cli::retally;
use crate::domain::{PhaseName, Record, RuleKind};
use crate::memory::{Bound, EventRetention, HistoryInBrief, Strategy};
use crate::plan::{Deed, Network, PhaseKind, Plan, PlannedSession, Sitter, SpeakingOrder};
use crate::report::page::{
    Block, Case, Earshot, HearingRules, Labels, Notice, RuleResult, Sampled, SessionCourse, Settled, Tables, Templates,
    view,
};
use crate::report::{A_TEXT, Depth, Question, Recounted, SessionElection, way_to_decide};
use crate::store::ballots::SessionVotes;
use crate::store::fold::{FoldError, fold_session_keeping, other_format};
use crate::store::results::{RunFile, RunStatus};
use crate::store::tables::{TableShare, session_facts};

/// A session as read for the page.
pub struct RecordedSession {
    /// The course of the session.
    pub course: SessionCourse,
    /// Its row in the table of sessions; `None` without a plan.
    pub folded: Option<FoldedSession>,
    /// Its rows in the other tables.
    pub share: TableShare,
    /// Its transcript; `None` if it was not asked for.
    pub block: Option<Block>,
    /// The last election of each kind, counted under every rule.
    pub recounted: Vec<Recounted>,
    /// The last vote under every rule and threshold.
    pub rule_results: Vec<RuleResult>,
}

/// The start of the message about a record that was changed.
pub const NOT_COUNTED: &str = "counted nowhere";
/// Why a session that has no folder is not complete.
pub const NOT_BEGUN: &str = "not begun";
/// The status of a session that was not read but may be complete.
pub const NOT_READ: &str = "not read";

/// What sessions are read with.
pub struct ReadingTools<'t> {
    /// The folder.
    pub source: &'t PageSource,
    /// The layout of the tables.
    pub tables: &'t Tables,
    /// The words and colours of arms and options.
    pub labels: &'t Labels,
    /// The templates; `None` if no transcript is wanted.
    pub templates: Option<&'t Templates>,
}

impl ReadingTools<'_> {
    /// Renders a session if its transcript is wanted.
    fn render(&self, course: &SessionCourse, talk: impl FnOnce() -> String) -> Option<Block> {
        self.templates.map(|templates| Block::pack(&view(course, talk(), self.labels, templates)))
    }
}

/// Folds and reads a session.
pub fn read_session(session: &PageSession, tools: &ReadingTools<'_>) -> RecordedSession {
    let ReadingTools { source, tables, .. } = *tools;
    if let Some(stray) = source.session_stray(session) {
        return unread_session(session, &stray.to_string(), tools);
    }
    let name = session.name();
    let mut records = Vec::new();
    let (mut course, folded) = match session {
        PageSession::Planned(planned) => fold_planned(planned, source, tables, &mut records),
        PageSession::Folder(_) => (unplanned_course(&name), None),
    };
    let (folded, share) = folded.map_or_else(|| (None, TableShare::default()), |(folded, share)| (Some(folded), share));
    course.forks = source.forks(&name).to_vec();
    let (recounted, rule_results) = match session {
        PageSession::Planned(planned) if course.is_complete() => recount_elections(planned, source, &records),
        PageSession::Planned(_) | PageSession::Folder(_) => (Vec::new(), Vec::new()),
    };
    if !course.is_complete() {
        let run = source.folder.run_file(&name);
        let read = read_uncounted_record(source, &name, &mut records);
        if folded.is_none() {
            match run.as_ref().map(|run| run.status) {
                Some(RunStatus::Failed) => course.status = "failed",
                Some(RunStatus::Completed) => course.why.push_str("; its last run reports that it was completed"),
                Some(RunStatus::Incomplete) | None => {}
            }
        }
        // Do not repeat the fold's error.
        let read = read.filter(|read| !course.why.contains(read.rsplit(": ").next().unwrap_or(read)));
        let read = read.unwrap_or_default();
        let why = [std::mem::take(&mut course.why), stop_reason(run.as_ref(), source, &name), read];
        let why: Vec<String> = why.into_iter().filter(|why| !why.is_empty()).collect();
        course.why = why.join("; ");
    }
    let block = tools.render(&course, || match session {
        PageSession::Planned(planned) => talk::render_planned(planned, source, &records, (&course, tools.labels)),
        PageSession::Folder(name) => talk::render_unplanned(name, &records),
    });
    RecordedSession { course, folded, share, block, recounted, rule_results }
}

/// A session with files outside the folder; nothing of it is read.
fn unread_session(session: &PageSession, why: &str, tools: &ReadingTools<'_>) -> RecordedSession {
    let ReadingTools { source, tables, .. } = *tools;
    let (mut course, folded) = match session {
        PageSession::Planned(planned) => {
            let facts = session_facts(source.arm(planned), &planned.plan(), planned.replicate);
            let folded = SessionFold::new(facts).finish_stopped(Status::Incomplete);
            (SessionCourse::of(&folded, tables, &build_hearing(&planned.arm, &[])), Some(folded))
        }
        PageSession::Folder(name) => (unplanned_course(name), None),
    };
    course.status = NOT_READ;
    course.why = format!("{NOT_COUNTED}: {why}");
    let block = tools.render(&course, || talk::render_unplanned(&course.name, &[]));
    RecordedSession {
        course,
        folded,
        share: TableShare::default(),
        block,
        recounted: Vec::new(),
        rule_results: Vec::new(),
    }
}

/// Counts the last election of each kind under every rule, and the last vote also under other thresholds. Votes that do not give the
/// result of the session are left out, and so is every election of a session that decided nothing: no rule can agree with it.
fn recount_elections(
    planned: &PlannedSession,
    source: &PageSource,
    records: &[Record],
) -> (Vec<Recounted>, Vec<RuleResult>) {
    let plan = planned.plan();
    let roll = CountingTerms { base: plan.decision.base, amount_tolerance: plan.decision.amount_tolerance };
    let facts = session_facts(source.arm(planned), &plan, planned.replicate);
    let mut voted = collect_elections(records, &facts, &roll);
    let mut kinds = BTreeSet::new();
    let mut last: Vec<_> = voted.elections.drain(..).rev().collect();
    last.retain(|election| kinds.insert((election.purpose.as_str(), election.phase.written().to_owned())));
    voted.elections = last.into_iter().rev().collect();
    let votes = SessionVotes { plan: Arc::clone(&plan), name: planned.name(), voted };
    let rules = retally::every_rule();
    let gives_result = |phase: &PhaseName| {
        plan.sources.places_of(phase.written()).first().is_some_and(|place| plan.vote_terms(*place).decides)
    };
    let is_deciding = |election: &&crate::analysis::Election| {
        election.purpose == ChoicePurpose::Vote && gives_result(&election.phase)
    };
    let last_vote = votes.voted.elections.iter().rev().find(is_deciding);
    let last_vote_is_on_texts = last_vote.is_some_and(|election| plan.votes_on_texts(&election.phase));
    let vote_phase = last_vote.map(|election| election.phase.to_string());
    // The base of shares can be the valid ballots; a quorum is a share of all seats.
    let eligible = last_vote.and_then(|election| election.told.as_ref()).map(|told| u64::from(told.eligible));
    let questions = retally::election_questions(votes, "", &|election| retally::plan_terms(&plan, election));
    let mut counted: Vec<Recounted> =
        questions.iter().map(|question| question.counted(&rules, Depth::Winners)).collect();
    let is_last_vote = |held: Option<&SessionElection>| {
        held.is_some_and(|held| held.purpose == "vote" && Some(&held.phase) == vote_phase.as_ref())
    };
    let arm = &planned.arm.arm;
    let mut results: Vec<RuleResult> = Vec::new();
    for (question, counted) in questions.iter().zip(&counted) {
        if !is_last_vote(counted.held.as_ref()) {
            continue;
        }
        let results_before = results.len();
        results.extend(rule_results(counted, arm, (eligible, question.otherwise.as_ref()), None));
        for threshold in THRESHOLDS {
            let question = Question { terms: CountTerms { threshold, ..question.terms.clone() }, ..question.clone() };
            let counted = question.counted(&[RuleKind::Supermajority], Depth::Winners);
            results.extend(rule_results(&counted, arm, (eligible, question.otherwise.as_ref()), Some(threshold)));
        }
        if last_vote_is_on_texts {
            let winners = results[results_before..].iter_mut().flat_map(|result| &mut result.winners);
            winners.for_each(|winner| A_TEXT.clone_into(winner));
        }
    }
    counted.retain(|counted| {
        counted.held.as_ref().is_some_and(|held| {
            held.purpose == "vote" && held.decided.is_some() && gives_result(&PhaseName::new(&held.phase))
        })
    });
    // Sessions whose last votes fell in different passes are added up.
    for held in counted.iter_mut().filter_map(|counted| counted.held.as_mut()) {
        held.phase = PhaseName::new(&held.phase).written().to_owned();
    }
    (counted, results)
}

/// The shares that a supermajority can need on the page.
const THRESHOLDS: [(u32, u32); 4] = [(3, 5), (2, 3), (3, 4), (9, 10)];

/// The result of a vote under each rule. A supermajority appears only with the thresholds of the page.
fn rule_results(
    vote: &Recounted,
    arm: &str,
    (eligible, otherwise): (Option<u64>, Option<&String>),
    threshold: Option<(u32, u32)>,
) -> Vec<RuleResult> {
    let is_listed = |rule: &str| match threshold {
        Some(_) => true,
        None => !["supermajority", "random_ballot", "stv"].contains(&rule),
    };
    let rules = vote.rules.iter().filter(|count| count.refused.is_none() && is_listed(count.rule));
    rules
        .map(|count| {
            let name = count.rule.replace('_', " ");
            RuleResult {
                arm: arm.to_owned(),
                rule: threshold.map_or(name.clone(), |(share, of)| format!("{name} of {share}/{of}")),
                winners: count.winners.clone(),
                otherwise: otherwise.cloned(),
                valid: vote.weight,
                eligible: eligible.unwrap_or(vote.weight + vote.absent),
            }
        })
        .collect()
}

/// Folds a planned session. Keeps digests instead of rows to save memory.
fn fold_planned(
    planned: &PlannedSession,
    source: &PageSource,
    tables: &Tables,
    records: &mut Vec<Record>,
) -> (SessionCourse, Option<(FoldedSession, TableShare)>) {
    let (mut folded, error) =
        fold_session_keeping(&source.folder, source.arm(planned), planned, |record| records.push(record));
    let mut course = SessionCourse::of(&folded, tables, &build_hearing(&planned.arm, records));
    let plan = planned.plan();
    course.add_values(&plan, &folded, tables);
    course.way_to_decide = way_to_decide(&plan);
    course.case = Case::of(&plan, records);
    course.sampled = Sampled::of(records);
    course.settled = Settled::of(records);
    course.notices = Notice::all(records);
    let share = TableShare::from_rows(&folded.rows);
    folded.rows = Rows::default();
    if let Some(error) = error {
        records.clear();
        if matches!(error, FoldError::Format { .. }) {
            course.status = NOT_READ;
        }
        course.why = source.strip_root(&error.counted_nowhere());
    } else if folded.session.status != Status::Completed {
        records.clear();
    }
    (course, Some((folded, share)))
}

/// Which statements reach which seat before it speaks, and which of them its mind can respond to.
fn build_hearing(plan: &Plan, records: &[Record]) -> HearingRules {
    let network = HearingRules::network(records);
    // With a network of its own for a talk no list for the whole session says who heard whom.
    let is_one = !plan.agenda.iter().any(|phase| phase.kind.own_network().is_some());
    let own_words = is_one && plan.lender.is_none() && (plan.network == Network::Complete || network.is_some());
    let together = plan
        .agenda
        .iter()
        .any(|phase| matches!(&phase.kind, PhaseKind::Discussion(talk) if talk.order == SpeakingOrder::Simultaneous));
    let floor = match (own_words && are_shown(plan), together) {
        (false, _) => Earshot::Some,
        (true, true) => Earshot::EarlierRounds,
        (true, false) => Earshot::AllBefore,
    };
    let minds = plan.seats.iter().filter_map(|seat| match &seat.sitter {
        Sitter::Mind(mind) => Some((seat.name.to_string(), mind.influence_source(&plan.motion))),
        Sitter::Model(_) | Sitter::Person(_) => None,
    });
    HearingRules { floor, network, minds: minds.collect() }
}

/// Whether seats see every statement of the seats they hear, as long as there is room.
fn are_shown(plan: &Plan) -> bool {
    let may_forget = plan.interventions.iter().any(|one| matches!(one.deed, Deed::Reminded(_)))
        || plan.agenda.iter().any(|phase| phase.remember == Some(Strategy::Skip));
    let terms = plan.memory.policy.terms();
    let is_remembered = match terms.keeps {
        EventRetention::Nothing => false,
        EventRetention::Routed => plan.memory.routing.statement != Strategy::Skip,
        EventRetention::AsItComes => true,
    };
    // A full public history makes up for gaps in memories.
    let has_all = is_remembered && !may_forget || plan.memory.history == HistoryInBrief::Full;
    has_all && !terms.is_lent && !matches!(terms.bound, Bound::Window { .. })
}

fn unplanned_course(name: &str) -> SessionCourse {
    SessionCourse {
        name: name.to_owned(),
        status: "incomplete",
        why: "its plan cannot be read".to_owned(),
        ..SessionCourse::default()
    }
}

/// Why a session stopped, from its `run.json`.
fn stop_reason(run: Option<&RunFile>, source: &PageSource, name: &str) -> String {
    match run {
        None if !source.folder.has_session(name) => NOT_BEGUN.to_owned(),
        None => "its run.json is missing or cannot be read, so how its run ended is unknown".to_owned(),
        Some(run) => match (run.status, &run.stopped) {
            (_, Some(stopped)) => source.strip_root(stopped),
            (RunStatus::Completed, None) if run.ekklesia != env!("CARGO_PKG_VERSION") => {
                format!("written by ekklesia {}", run.ekklesia)
            }
            (_, None) => String::new(),
        },
    }
}

/// Reads an uncounted record up to the first error and returns that error.
fn read_uncounted_record(source: &PageSource, name: &str, records: &mut Vec<Record>) -> Option<String> {
    let file = source.folder.minutes(name);
    let unread = |reason: String| Some(source.strip_root(&format!("{}: {reason}", file.display())));
    let opened = match file.open().and_then(|opened| Ok((opened.length()?, opened))) {
        Ok((length, opened)) => opened.take(length),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let is_begun = source.folder.has_session(name);
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
            Ok(_) if !line.ends_with(b"\n") => return unread(format!("line {number} was cut off while being written")),
            Ok(_) => {}
            Err(error) => return unread(error.to_string()),
        }
        match serde_json::from_slice::<Record>(&line) {
            Ok(record) => records.push(record),
            Err(error) => return unread(format!("line {number} is not a record of this version: {error}")),
        }
        if let Some(format) = records.last().and_then(|record| record.event.other_format()) {
            return unread(other_format(format, source.folder.run_file(name).map(|run| run.ekklesia).as_deref()));
        }
    }
    None
}
