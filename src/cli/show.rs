//! `show`: prints a session's transcript as Markdown, or typeset on a terminal.

use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::sync::Arc;

use indexmap::IndexSet;

use super::arguments::ShowArguments;
use super::exit::{Ending, Refusal, similar_name_hint};
use super::missing_sessions::note_sessions;
use super::other_format::refuse_other_format;
use super::{locate, output_style};
use crate::domain::{PhaseName, Record, SeatName};
use crate::plan::{Plan, PlannedSession};
use crate::report::{Filter, Sheet, Transcript, block, typeset};
use crate::store::files::file_error;
use crate::store::fold::check_minutes;
use crate::store::inputs::Inputs;
use crate::store::results::ResultsFolder;
use crate::store::session_file::SessionFile;
use crate::store::tables::{arm_facts, session_facts};

/// The heading above a fork's change.
const FORK: &str = "\nThis is a fork, not a session that happened. It differs from its parent by this change:";

/// Prints a session's transcript.
///
/// # Errors
/// A [`Refusal`] when the session, seat or phase does not exist, or its minutes or plan cannot be read or were changed. Without
/// a plan, prints the minutes before it fails.
pub fn run_show(arguments: &ShowArguments) -> Result<Ending, Refusal> {
    let place = locate::find_session(&arguments.session)?;
    let folder = ResultsFolder::open_for_reading(&place.experiment, Some(&place.name))?;
    refuse_other_format(&folder, Some(&place.name), "show the session with that one")?;
    let inputs = Inputs::read_results(&place.experiment).and_then(|inputs| Ok((inputs.resolve()?, inputs)));
    let (transcript, change, unplanned) = match inputs {
        Ok((resolved, inputs)) => {
            let session = PlannedSession::find_by_name(&resolved.experiment, &place.name)
                .ok_or_else(|| Refusal::wrong_input(format!("{}: not a session of its plan", place.name)))?;
            let plan = session.plan();
            let facts = session_facts(&Arc::new(arm_facts(&plan)), &plan, session.replicate);
            refuse_unknown_filter(arguments, &plan)?;
            note_sessions(&folder, &inputs, &resolved.experiment)?;
            (
                Transcript::new(facts, build_filter(arguments, Some(&plan))),
                inputs.change_bytes().map(<[u8]>::to_vec),
                None,
            )
        }
        Err(problems) => (
            Transcript::without_plan(place.name.clone(), build_filter(arguments, None)),
            None,
            Some(Refusal::from(problems)),
        ),
    };
    check_minutes(&folder, &place.name)?;
    let shown = print_minutes(&folder.minutes(&place.name), transcript, change.as_deref())?;
    match unplanned {
        Some(refusal) => Err(refusal),
        None => Ok(shown),
    }
}

fn print_minutes(minutes: &SessionFile, mut transcript: Transcript, change: Option<&[u8]>) -> Result<Ending, Refusal> {
    let file = minutes.open().map_err(|error| file_error(minutes.path(), &error))?;
    let sheet = output_style::terminal_sheet(&io::stdout());
    let mut out = BufWriter::new(io::stdout().lock());
    let fork = change.map(|change| format!("{FORK}\n\n{}\n", block(&String::from_utf8_lossy(change))));
    match print_records(&mut transcript, fork.as_deref(), BufReader::new(file), (&mut out, sheet)) {
        Ok(None) => Ok(Ending::Done),
        Ok(Some(problem)) => Err(Refusal::machine_failure(format!("{}:{problem}", minutes.display()))),
        // A closed pipe, as after `head`, is no error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Ending::Done),
        Err(error) => Err(Refusal::machine_failure(error)),
    }
}

/// Refuses a seat or phase that is not in the plan.
fn refuse_unknown_filter(arguments: &ShowArguments, plan: &Plan) -> Result<(), Refusal> {
    let seats: Vec<&str> = plan.seats.iter().map(|seat| seat.name.as_str()).collect();
    let moments: Vec<&str> = plan.agenda.iter().map(|phase| phase.name.as_str()).collect();
    let written: IndexSet<&str> = plan.agenda.iter().map(|phase| phase.name.written()).collect();
    let is_known = |name: &String| moments.contains(&name.as_str()) || !list_phases_inside(plan, name).is_empty();
    let phase = arguments.phase.clone().filter(|name| !is_known(name));
    let blocks = plan.blocks.iter().map(|block| block.name.as_str());
    let phases: Vec<&str> = written.into_iter().chain(blocks).collect::<IndexSet<&str>>().into_iter().collect();
    let known = |what: &str, name: &Option<String>, names: &[&str]| match name {
        Some(name) if !names.contains(&name.as_str()) => {
            let meant = similar_name_hint(name, names.iter().copied());
            Err(Refusal::wrong_input(format!(
                "no {what} {name:?} in this session; there are {}{meant}",
                names.join(", ")
            )))
        }
        _ => Ok(()),
    };
    known("seat", &arguments.seat, &seats)?;
    known("phase", &phase, &phases)
}

fn build_filter(arguments: &ShowArguments, plan: Option<&Plan>) -> Filter {
    let phases = arguments.phase.as_ref().map(|name| {
        let inside = plan.map(|plan| list_phases_inside(plan, name)).unwrap_or_default();
        std::iter::once(PhaseName::new(name)).chain(inside).collect()
    });
    Filter { seat: arguments.seat.as_deref().map(SeatName::new), phases }
}

/// The phases inside a block, as `trial`, or inside one of its passes, as `trial@2`; none if no block has the name.
fn list_phases_inside(plan: &Plan, name: &str) -> Vec<PhaseName> {
    let (block, pass) = name.split_once('@').map_or((name, None), |(block, pass)| (block, Some(pass)));
    let spans = plan.blocks.iter().filter(|span| span.name == block);
    let phases = spans.flat_map(|span| &plan.agenda[span.start..span.end]).map(|phase| &phase.name);
    let is_in_pass = |phase: &&PhaseName| {
        let rest = pass.and_then(|pass| phase.pass().map(|own| own.strip_prefix(pass)));
        pass.is_none() || rest.flatten().is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    phases.filter(is_in_pass).cloned().collect()
}

/// Prints record by record, typeset if there is a sheet. Returns the error in the first invalid line.
fn print_records(
    transcript: &mut Transcript,
    fork: Option<&str>,
    mut minutes: impl BufRead,
    (out, sheet): (&mut impl Write, Option<Sheet>),
) -> io::Result<Option<String>> {
    let write = |out: &mut dyn Write, text: &str| match sheet {
        Some(sheet) => out.write_all(typeset(text, sheet).as_bytes()),
        None => out.write_all(text.as_bytes()),
    };
    write(out, &transcript.header())?;
    write(out, fork.unwrap_or_default())?;
    let (mut line, mut has_ended) = (Vec::new(), false);
    for number in 1.. {
        line.clear();
        if minutes.read_until(b'\n', &mut line)? == 0 {
            if !has_ended {
                write(out, &transcript.take_groups())?;
                writeln!(out, "\n(the record ends here: the session has not ended)")?;
            }
            break;
        }
        if !line.ends_with(b"\n") {
            write(out, &transcript.take_groups())?;
            writeln!(out, "\n(the record ends here: line {number} was cut off in writing)")?;
            break;
        }
        match serde_json::from_slice::<Record>(&line) {
            Ok(record) => {
                has_ended = record.event.is_adjourned();
                write(out, &transcript.take(&record))?;
            }
            Err(error) => {
                out.flush()?;
                return Ok(Some(format!("{number}: {error}")));
            }
        }
    }
    out.flush()?;
    Ok(None)
}
