//! `report`: writes an HTML page about an experiment.

pub mod arguments;
mod forks;
mod provenance;
mod served;
mod session;
mod source;
mod table_status;
mod talk;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use arguments::ReportArguments;
use provenance::gather_provenance;
pub use served::build_served_page;
use session::{NOT_BEGUN, NOT_COUNTED, NOT_READ, ReadingTools, RecordedSession, read_session};
use source::{PageSession, PageSource};
use table_status::TableStanding;

use super::compare::arguments::CompareArguments;
use super::exit::{Ending, Refusal};
use super::output::print_text;
use super::progress::Progress;
use super::{compare, pool};
use crate::figure::Figure;
use crate::report::page::{
    Block, Delivery, Gathered, INFORMATIVE_MAX, Labels, Page, ROWS_MAX, SessionCourse, Tables, Templates, WHOLE_MAX,
    draw_figures, lead, rank_sessions, sections, sitting,
};
use crate::report::{ArmRecount, Comparison, Summary, counted, escape_unseen, size};
use crate::store::files::write_whole;
use crate::store::fold::unverified_tables;
use crate::store::places::file_names;
use crate::store::tables::ExpectedTables;

/// The default file name.
const FILE: &str = "report.html";
/// The bytes of transcripts and of rows of sessions in a file, so that it stays below 5 MB.
const SESSIONS_BYTES_MAX: usize = 4_000_000;
/// The bytes of a session's row, about.
const ROW_BYTES: usize = 300;
/// The most uncounted sessions to list at the top of the page.
const TOLD: usize = 20;

/// Writes the page.
///
/// # Errors
/// A [`Refusal`] when the path holds no experiment, or the page cannot be written.
pub fn run_report(arguments: &ReportArguments) -> Result<Ending, Refusal> {
    let source = PageSource::read(&arguments.path)?;
    let templates = Templates::new();
    let (page, sessions) = build_page(&source, &templates, Delivery::File);
    let html = page.html(&templates, Delivery::File);
    let out = arguments.out.clone().unwrap_or_else(|| source.place.join(FILE));
    write_whole(&out, html.as_bytes())?;
    print_text(&format!("{}: {sessions}, {}", escape_unseen(&out.display().to_string()), size(html.len() as u64)))?;
    if let Some(first) = page.missing.first() {
        let more = match page.missing.len() - 1 {
            0 => String::new(),
            1 => " (1 more line at the top of the page)".to_owned(),
            more => format!(" ({more} more lines at the top of the page)"),
        };
        print_text(&format!("does not count: {}{more}", escape_unseen(first)))?;
    }
    Ok(Ending::Done)
}

/// The page, and a text with its number of sessions.
fn build_page(source: &PageSource, templates: &Templates, delivery: Delivery) -> (Page, String) {
    let holds_all = delivery == Delivery::Served || source.sessions.len() <= WHOLE_MAX;
    let (page, mut blocks) = use_gathered(source, delivery, holds_all.then_some(templates), |gathered, missing| Page {
        name: source.name(),
        question: source.question(),
        sitting: sitting(gathered.experiment),
        missing,
        lead: lead(gathered, templates),
        sections: sections(gathered, templates),
        sessions: Vec::new(),
        only: (!source.is_whole()).then(|| gathered.courses.first().map(|course| course.name.clone())).flatten(),
        counted: count_sessions(gathered.courses),
        held: gathered.held.clone(),
    });
    let Page { held, counted, .. } = &page;
    if !holds_all {
        let chosen = source.sessions.iter().filter(|session| held.contains(&session.name())).collect::<Vec<_>>();
        let readings = read_sessions(source, &chosen, Some(templates), delivery);
        blocks = readings.into_iter().filter_map(|reading| Some((reading.course.name, reading.block?))).collect();
    }
    let counted = counted.clone();
    (Page { sessions: blocks, ..page }, counted)
}

/// The figures of an experiment.
///
/// # Errors
/// A [`Refusal`] when the path holds no experiment.
pub fn draw_experiment_figures(path: &Path) -> Result<Vec<Figure>, Refusal> {
    let source = PageSource::read(path)?;
    Ok(use_gathered(&source, Delivery::File, None, |gathered, _| draw_figures(gathered)).0)
}

/// Reads all sessions and hands over what a page is made of, with the notes about what does not count. Returns the transcripts, too, if
/// templates are given.
fn use_gathered<T>(
    source: &PageSource,
    delivery: Delivery,
    templates: Option<&Templates>,
    make: impl FnOnce(&Gathered<'_>, Vec<String>) -> T,
) -> (T, Vec<(String, Block)>) {
    let (mut courses, mut blocks) = (Vec::new(), Vec::new());
    let (mut recounted, mut rule_results) = (Vec::new(), Vec::new());
    let (mut summary, mut borne_out) = (source.new_summary(), ExpectedTables::new(&source.layout));
    for mut seen in read_sessions(source, &source.sessions.iter().collect::<Vec<_>>(), templates, delivery) {
        if let (Some(summary), Some(folded)) = (&mut summary, &seen.folded) {
            summary.add(folded);
            borne_out.add_session(folded, seen.share);
        }
        recounted.append(&mut seen.recounted);
        rule_results.append(&mut seen.rule_results);
        blocks.extend(seen.block.map(|block| (seen.course.name.clone(), block)));
        courses.push(seen.course);
    }
    let mut missing = source.missing.clone();
    missing.extend(not_counted(&courses));
    let standing = TableStanding::from_source(source, &courses, borne_out);
    missing.extend(standing.page_notes());
    let report = summary.as_ref().map(Summary::report);
    let held = choose_held(&courses, &blocks, delivery);
    blocks.retain(|(name, _)| held.contains(name));
    let gathered = Gathered {
        experiment: source.experiment(),
        report: report.as_ref(),
        courses: &courses,
        comparison: default_comparison(source, &courses, &standing),
        recounts: &ArmRecount::of(&recounted, 0),
        rule_results: &rule_results,
        provenance: &gather_provenance(source),
        labels: Labels::new(source.experiment()),
        held,
        value_figures: OnceLock::new(),
    };
    (make(&gathered, missing), blocks)
}

/// The sessions whose transcripts a page can open. A server opens all; a file holds all of up to 200 sessions, as far as they fit, and 50 of
/// more.
fn choose_held(courses: &[SessionCourse], blocks: &[(String, Block)], delivery: Delivery) -> BTreeSet<String> {
    if delivery == Delivery::Served {
        return courses.iter().map(|course| course.name.clone()).collect();
    }
    let sizes: BTreeMap<&str, usize> =
        blocks.iter().map(|(name, block)| (name.as_str(), block.packed_bytes())).collect();
    let most = if courses.len() > WHOLE_MAX { INFORMATIVE_MAX } else { courses.len() };
    let mut left = SESSIONS_BYTES_MAX.saturating_sub(ROW_BYTES * courses.len().min(ROWS_MAX));
    let fits = |course: &&SessionCourse| {
        let size = sizes.get(course.name.as_str()).copied().unwrap_or(0);
        let fits = size <= left;
        left = left.saturating_sub(size);
        fits
    };
    rank_sessions(courses).into_iter().take(most).filter(fits).map(|course| course.name.clone()).collect()
}

fn count_sessions(courses: &[SessionCourse]) -> String {
    let (all, complete) = (courses.len() as u64, courses.iter().filter(|course| course.is_complete()).count() as u64);
    match all - complete {
        0 => counted(all, "session"),
        _ => format!("{complete} of {} complete", counted(all, "session")),
    }
}

/// The comparison that `compare` makes by default. Fails if the tables may not hold exactly the sessions that the page counts.
fn default_comparison(
    source: &PageSource,
    courses: &[SessionCourse],
    standing: &TableStanding,
) -> Result<Comparison, String> {
    let experiment = source.experiment().ok_or("the plan cannot be read")?;
    if !source.is_whole() {
        return Err("the page is on one session".to_owned());
    }
    let is_of_another_version = unverified_tables(source.folder.root()).is_some();
    if courses.iter().any(|course| course.status == NOT_READ) && !is_of_another_version {
        return Err("a session is not read, and the tables may still count it".to_owned());
    }
    if courses.iter().any(|course| course.why.starts_with(NOT_COUNTED)) && !is_of_another_version {
        return Err("a record is not what its session wrote, and the tables may still count it".to_owned());
    }
    if file_names().iter().any(|table| source.is_outside(table)) {
        return Err("a table is a link that leads out of the folder; it is not followed".to_owned());
    }
    if let Some(why) = standing.bars_comparison() {
        return Err(why);
    }
    let root = source.folder.root();
    let told = |refusal: Refusal| source.strip_root(&refusal.message);
    compare::compare_folder_arms(&CompareArguments::defaults(root), root, experiment).map_err(told)
}

fn read_sessions(
    source: &PageSource,
    sessions: &[&PageSession],
    templates: Option<&Templates>,
    delivery: Delivery,
) -> Vec<RecordedSession> {
    let progress = match delivery {
        Delivery::File => Progress::begin("report", sessions.len() as u64, 0),
        Delivery::Served => Progress::new_hidden(),
    };
    let (tables, labels) = (Tables::of(&source.layout), Labels::new(source.experiment()));
    let tools = ReadingTools { source, tables: &tables, labels: &labels, templates };
    let mut all: Vec<Option<RecordedSession>> = sessions.iter().map(|_| None).collect();
    let never = AtomicBool::new(false);
    let work = |session: &&PageSession| read_session(session, &tools);
    let keep = |place: usize, seen| {
        all[place] = Some(seen);
        progress.count_session();
    };
    pool::process_items(sessions, pool::core_count(), &never, work, keep, || progress.show_time());
    progress.end();
    all.into_iter().map(|seen| seen.expect("invariant: every session is seen")).collect()
}

/// Lists the uncounted sessions with their reasons, up to a maximum. Sessions that have not begun are one line.
fn not_counted(courses: &[SessionCourse]) -> Vec<String> {
    let (waiting, stopped): (Vec<&SessionCourse>, Vec<&SessionCourse>) =
        courses.iter().filter(|course| !course.is_complete()).partition(|course| course.why == NOT_BEGUN);
    let mut lines: Vec<String> = stopped
        .iter()
        .take(TOLD)
        .map(|course| format!("sessions/{}: {}: {}", course.name, course.status, course.why))
        .collect();
    if stopped.len() > TOLD {
        let more = counted((stopped.len() - TOLD) as u64, "session");
        lines.push(format!("{more} more are not complete; the table of sessions gives the reasons"));
    }
    if let [first, others @ ..] = waiting.as_slice() {
        let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        lines.push(format!("{}{more}: not begun yet; run the config again to continue", first.name));
    }
    lines
}
