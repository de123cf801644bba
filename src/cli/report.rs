//! `report`: writes an HTML page about an experiment.

pub mod arguments;
mod forks;
mod provenance;
mod served;
mod session;
mod source;
mod table_status;
mod talk;

use std::sync::atomic::AtomicBool;

use arguments::ReportArguments;
use provenance::gather_provenance;
pub use served::build_served_page;
use session::{NOT_COUNTED, NOT_READ, SessionReading, read_session};
use source::{PageSession, PageSource};
use table_status::TableStanding;

use super::compare::arguments::CompareArguments;
use super::exit::{Ending, Refusal};
use super::output::print_text;
use super::{compare, pool};
use crate::report::page::{Course, Delivery, Gathered, Page, Tables, Templates, sections, sitting};
use crate::report::{ArmRecount, Comparison, Summary, counted, escape_unseen, size};
use crate::store::files::write_whole;
use crate::store::places::file_names;
use crate::store::tables::ExpectedTables;

/// The default file name.
const FILE: &str = "report.html";
/// The most uncounted sessions to list at the top of the page.
const TOLD: usize = 20;
/// The default number of resamples of `compare`.
const RESAMPLES: u32 = 10_000;

/// Writes the page.
///
/// # Errors
/// A [`Refusal`] when the path holds no experiment, or the page cannot be written.
pub fn run_report(arguments: &ReportArguments) -> Result<Ending, Refusal> {
    let source = PageSource::read(&arguments.path)?;
    let templates = Templates::new();
    let (page, sessions) = build_page(&source, &templates);
    let html = page.html(&templates, Delivery::File);
    let out = arguments.out.clone().unwrap_or_else(|| source.place().join(FILE));
    write_whole(&out, html.as_bytes())?;
    print_text(&format!("{}: {sessions}, {}", escape_unseen(&out.display().to_string()), size(html.len() as u64)))?;
    if let Some(first) = page.missing.first() {
        let more = match page.missing.len() - 1 {
            0 => String::new(),
            1 => " (1 more line at the top of the page)".to_owned(),
            more => format!(" ({more} more lines at the top of the page)"),
        };
        print_text(&format!("missing, or not counted: {}{more}", escape_unseen(first)))?;
    }
    Ok(Ending::Done)
}

/// The page, and a text with its number of sessions.
fn build_page(source: &PageSource, templates: &Templates) -> (Page, String) {
    let tables = Tables::of(source.layout());
    let (mut courses, mut blocks, mut recounted) = (Vec::new(), Vec::new(), Vec::new());
    let (mut summary, mut borne_out) = (source.new_summary(), ExpectedTables::new(source.layout()));
    for mut seen in read_sessions(source, &tables, templates) {
        if let (Some(summary), Some(folded)) = (&mut summary, &seen.folded) {
            summary.add(folded);
            borne_out.add_session(folded, seen.share);
        }
        recounted.append(&mut seen.recounted);
        blocks.push((seen.course.name.clone(), seen.block));
        courses.push(seen.course);
    }
    let mut missing = source.missing.clone();
    missing.extend(not_counted(&courses));
    let standing = TableStanding::from_source(source, &courses, NOT_READ, borne_out);
    missing.extend(standing.page_notes());
    let report = summary.as_ref().map(Summary::report);
    let experiment = source.experiment();
    let gathered = Gathered {
        experiment,
        report: report.as_ref(),
        courses: &courses,
        comparison: default_comparison(source, &courses, &standing),
        recounts: &ArmRecount::of(&recounted, 0),
        provenance: &gather_provenance(source),
    };
    let page = Page {
        name: source.name(),
        question: source.question(),
        sitting: sitting(experiment),
        missing,
        sections: sections(&gathered, templates),
        sessions: blocks,
    };
    let (all, complete) = (courses.len() as u64, courses.iter().filter(|course| course.is_complete()).count() as u64);
    let sessions = match all - complete {
        0 => counted(all, "session"),
        _ => format!("{complete} of {} complete", counted(all, "session")),
    };
    (page, sessions)
}

/// The comparison that `compare` makes by default. Fails if the tables may not hold exactly the sessions that the page counts.
fn default_comparison(source: &PageSource, courses: &[Course], standing: &TableStanding) -> Result<Comparison, String> {
    let experiment = source.experiment().ok_or("the plan cannot be read")?;
    if !source.is_whole() {
        return Err("the page is on one session".to_owned());
    }
    if courses.iter().any(|course| course.status == NOT_READ) {
        return Err("a session is not read, and the tables may still count it".to_owned());
    }
    if courses.iter().any(|course| course.why.starts_with(NOT_COUNTED)) {
        return Err("a record is not what its session wrote, and the tables may still count it".to_owned());
    }
    if file_names().iter().any(|table| source.is_outside(table)) {
        return Err("a table is a link that leads out of the folder; it is not followed".to_owned());
    }
    if let Some(why) = standing.bars_comparison() {
        return Err(why);
    }
    let root = source.folder().root();
    let told = |refusal: Refusal| source.strip_root(&refusal.message);
    let arguments = CompareArguments {
        path: root.to_owned(),
        metric: Vec::new(),
        by: None,
        baseline: None,
        unit: None,
        resamples: RESAMPLES,
        tables_alone: false,
        json: false,
    };
    compare::compare_folder_arms(&arguments, root, experiment).map_err(told)
}

fn read_sessions(source: &PageSource, tables: &Tables, templates: &Templates) -> Vec<SessionReading> {
    let mut all: Vec<Option<SessionReading>> = source.sessions.iter().map(|_| None).collect();
    let never = AtomicBool::new(false);
    let work = |session: &PageSession| read_session(session, source, tables, templates);
    pool::process_items(
        &source.sessions,
        pool::core_count(),
        &never,
        work,
        |place, seen| all[place] = Some(seen),
        || (),
    );
    all.into_iter().map(|seen| seen.expect("invariant: every session is seen")).collect()
}

/// Lists the uncounted sessions with their reasons, up to a maximum.
fn not_counted(courses: &[Course]) -> Vec<String> {
    let those: Vec<&Course> = courses.iter().filter(|course| !course.is_complete()).collect();
    let mut told: Vec<String> = those
        .iter()
        .take(TOLD)
        .map(|course| format!("sessions/{}: {}: {}", course.name, course.status, course.why))
        .collect();
    if those.len() > TOLD {
        told.push(format!(
            "{} more are not complete; the list of sessions tells why",
            counted((those.len() - TOLD) as u64, "session")
        ));
    }
    told
}
