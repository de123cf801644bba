//! `why`: explains where a table's number comes from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::arguments::WhyArguments;
use super::context;
use super::exit::{Ending, Refusal, refuse_needed};
use super::missing_sessions::note_sessions;
use super::other_format::refuse_other_format;
use super::output::print_result;
use crate::analysis::{ColumnLayout, ColumnSpec, TableSpec, table_specs};
use crate::config::did_you_mean;
use crate::domain::{Computed, Language, Record, SeatName};
use crate::engine::ValueRead;
use crate::plan::{PhaseKind, Plan, PlannedSession};
use crate::report::{CallSummary, Explanation, ReadShown, RecordShown, SettingLine, listed};
use crate::store::calls::CallRecord;
use crate::store::evidence::{CellEvidence, RowError, filed_row, plan_lines};
use crate::store::inputs::Inputs;
use crate::store::results::ResultsFolder;
use crate::store::tables::experiment_facts;

/// The help for a malformed cell address.
const FORM: &str = "name a cell as TABLE:ROW:COLUMN, with rows counted from 1 below the header, such as results/justice/rounds.csv:17:straw_modal_share";
/// Columns that tell a session's rows apart.
const TELLING: [&str; 14] = [
    "phase",
    "round",
    "turn",
    "seq",
    "vote",
    "purpose",
    "stage",
    "situation",
    "seat",
    "step",
    "principle",
    "alternative",
    "amount",
    "rank",
];

/// Columns of sessions that say what was decided.
const OF_RESULT: [&str; 9] = [
    "outcome",
    "result",
    "amount",
    "correct",
    "carried",
    "first_ballot_majority",
    "fbm_matches_final",
    "result_value",
    "result_error",
];

/// The address of a cell.
struct CellAddress {
    folder: PathBuf,
    path: PathBuf,
    table: String,
    row: u64,
    column: String,
}

/// Explains where a table's number comes from.
///
/// # Errors
/// A [`Refusal`] when the cell does not exist, or the table does not match the session's records.
pub fn run_why(arguments: &WhyArguments) -> Result<Ending, Refusal> {
    let cell = parse_cell(&arguments.cell)?;
    let folder = ResultsFolder::open_for_reading(&cell.folder, None)?;
    refuse_other_format(&folder, None, "ask that one")?;
    let inputs = Inputs::read_results(&cell.folder)?;
    let resolved = inputs.resolve()?;
    let experiment = resolved.experiment;
    note_sessions(&folder, &inputs, &experiment)?;
    let (layout, arms) = experiment_facts(&experiment);
    let specs = table_specs(&layout);
    let (place, column) = find_column(&cell, &specs)?;
    let filed = filed_row(&cell.path, cell.row).map_err(|error| match error {
        RowError::File(error) => error.into(),
        other => Refusal::wrong_input(other),
    })?;
    let value = filed.cells.get(&column.name).ok_or_else(|| {
        Refusal::wrong_input(format!(
            "{}: the file has no column {} in row {}",
            cell.path.display(),
            column.name,
            cell.row
        ))
    })?;
    let name = filed.cells.get("session").cloned().unwrap_or_default();
    let session = PlannedSession::find_by_name(&experiment, &name).ok_or_else(|| {
        let message = format!(
            "{}: row {} names the session {name:?}, which is not in the plan; the table was changed",
            cell.path.display(),
            cell.row
        );
        Refusal::with_ending(Ending::Diverged, message)
    })?;
    let arm = experiment.arms.iter().position(|plan| plan.arm == session.arm.arm);
    let facts = arm.and_then(|arm| arms.get(arm)).ok_or_else(|| Refusal::machine_failure("the session has no arm"))?;
    let mut evidence = CellEvidence::read_session(&folder, facts, &session)?;
    if column.name == "distinct_transcript" {
        evidence.find_twins(&folder, &experiment);
    }
    let rows = evidence.table_rows(&specs, place);
    let row = rows.get(filed.ordinal).ok_or_else(|| {
        let n = rows.len();
        Refusal::with_ending(Ending::Diverged, format!("{}: row {} is number {} of session {name}, whose records give {n}; the table was changed or the session is no longer complete", cell.path.display(), cell.row, filed.ordinal + 1))
    })?;
    let minutes = folder.minutes(&name);
    let settings = plan_lines(&cell.folder, &evidence.plan_keys(column, row)).into_iter();
    let places = evidence.record_places(&cell.table, column, row);
    let behind = places.iter().map(|place| &evidence.records[*place]);
    let formula = match column.name.as_str() {
        "payoff_cents" | "payoff_total_cents" => None,
        "correct" => row.get("field").and_then(|field| find_key(&session.plan(), field, behind)),
        _ => find_expression(&session.plan(), behind),
    };
    let mut built = build_explanation(&cell, column, row, (value, name.clone()));
    let passes = evidence.folded.session.totals.as_ref().map_or(0, |totals| totals.deciding_passes);
    if passes > 1 && cell.table == "sessions" && OF_RESULT.contains(&column.name.as_str()) {
        built.help.push_str(&format!("; here that is the last of {passes} votes"));
    }
    let seat = row.get("seat").filter(|seat| !seat.is_empty()).map(|seat| SeatName::new(seat));
    let computed = places.iter().rev().find(|place| is_computed(&evidence.records[**place]));
    let reads = computed.map(|place| list_reads((&folder, &session), &evidence.records, *place, seat.as_ref()));
    let explanation = Explanation {
        formula: formula.unwrap_or(built.formula),
        minutes: minutes.path().strip_prefix(&cell.folder).unwrap_or(minutes.path()).display().to_string(),
        records: evidence_records(&evidence, &places, &folder, &name)?,
        reads: reads.transpose()?.unwrap_or_default(),
        settings: settings.map(|line| SettingLine { line: line.line, key: line.key, text: line.text }).collect(),
        ..built
    };
    print_explanation(arguments, &explanation)
}

/// The expression of the scenario by which the last of these records computed or paid something; `None` if none did.
fn find_expression<'r>(plan: &Plan, records: impl DoubleEndedIterator<Item = &'r Record>) -> Option<String> {
    records.rev().find_map(|record| {
        let phase = plan.agenda.iter().find(|phase| phase.name == record.at.phase)?;
        match &phase.kind {
            PhaseKind::Compute(all) => {
                let name = &record.event.computed()?.name;
                let one = all.iter().find(|one| plan.variables[one.variable].name == *name)?;
                Some(format!("{} = {}", one.written, one.formula.text))
            }
            PhaseKind::Pay(rule) => record.event.is_paid().then(|| rule.payoff.text.clone()),
            _ => None,
        }
    })
}

/// The key of a field in the phase of the last of these records, in words; `None` if it has none.
fn find_key<'r>(plan: &Plan, field: &str, mut records: impl DoubleEndedIterator<Item = &'r Record>) -> Option<String> {
    let record = records.next_back()?;
    let phase = plan.agenda.iter().find(|phase| phase.name == record.at.phase)?;
    let PhaseKind::Form(form) = &phase.kind else { return None };
    let mut keys = form.keys.iter().chain(&form.item_keys);
    let (_, key) = keys.find(|(own, _)| own == field)?;
    Some(format!("1 if {field} is {}", key.told(Language::En)))
}

fn is_computed(record: &Record) -> bool {
    record.event.is_computed() || record.event.is_paid()
}

/// What the expression behind a record read, for one seat where each has its own value.
fn list_reads(
    (folder, session): (&ResultsFolder, &PlannedSession),
    records: &[Record],
    place: usize,
    seat: Option<&SeatName>,
) -> Result<Vec<ReadShown>, Refusal> {
    let plan = session.plan();
    let mut deliberation = context::convene_deliberation(folder, &plan, session.replicate)
        .map_err(|error| refuse_needed(&session.name(), &error))?;
    records[..place].iter().for_each(|record| deliberation.evolve(record));
    let shown = |read: ValueRead| ReadShown {
        records: find_setters(&records[..place], &read, records[place].at.phase.group()),
        name: read.seat.as_ref().map_or(read.name.clone(), |seat| format!("{seat}: {}", read.name)),
        value: read.value,
    };
    Ok(deliberation.list_reads(&records[place], seat).into_iter().map(shown).collect())
}

/// The numbers of the records that set a value: the last one, or one for each of several passes. Empty where it is not known which.
fn find_setters(records: &[Record], read: &ValueRead, group: Option<&str>) -> Vec<u64> {
    let name = read.name.split(' ').next().unwrap_or_default();
    let (root, last) = (name.split('.').next().unwrap_or_default(), name.rsplit('.').next().unwrap_or_default());
    let of_group = root == "group" && last != root;
    let sets = |record: &&Record| match record.event.computed() {
        Some(Computed { name, values }) => {
            let is_own = !of_group || record.at.phase.group() == group;
            name == last && is_own && values.iter().any(|(seat, _)| seat == read.seat.as_ref())
        }
        None if record.event.is_tallied() => record.at.phase.written() == root,
        None if read.seat.is_none() => false,
        None => record.seat == read.seat && record.form_values().is_some_and(|values| values.find(last).is_some()),
    };
    let all: Vec<u64> = records.iter().filter(sets).map(|record| record.seq.0).collect();
    match read.passes {
        Some(passes) if passes == all.len() => all,
        None if name == read.name => all.last().copied().into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Prints an explanation. A cell that differs from its records is a divergence.
fn print_explanation(arguments: &WhyArguments, explanation: &Explanation) -> Result<Ending, Refusal> {
    print_result(arguments.json.then_some(explanation), || explanation.text())?;
    if explanation.recomputed.is_some() {
        return Err(Refusal::with_ending(
            Ending::Diverged,
            "the table does not hold what the records give; delete it and run the experiment again to restore it",
        ));
    }
    Ok(Ending::Done)
}

/// The explanation without records and settings.
fn build_explanation(
    cell: &CellAddress,
    column: &ColumnSpec,
    row: &BTreeMap<String, String>,
    (value, session): (&String, String),
) -> Explanation {
    let folded = row.get(&column.name).cloned().unwrap_or_default();
    let at = TELLING.iter().filter_map(|name| Some(((*name).to_owned(), row.get(*name)?.clone())));
    Explanation {
        table: cell.path.display().to_string(),
        row: cell.row,
        column: column.name.clone(),
        session,
        at: at.filter(|(_, text)| !text.is_empty()).collect(),
        value: Some(value.clone()).filter(|value| !value.is_empty()),
        unit: column.unit.clone(),
        help: column.help.clone(),
        formula: column.formula.clone(),
        source: column.source.clone(),
        recomputed: (*value != folded).then_some(folded),
        reads: Vec::new(),
        settings: Vec::new(),
        minutes: String::new(),
        records: Vec::new(),
    }
}

/// The records behind a cell, with their earlier attempts and their calls.
fn evidence_records(
    evidence: &CellEvidence,
    places: &[usize],
    folder: &ResultsFolder,
    session: &str,
) -> Result<Vec<RecordShown>, Refusal> {
    let (calls, _) = CallRecord::read(folder.calls(session))?;
    let shown = |record: &crate::domain::Record| {
        let call = record.question().and_then(|question| calls.find_call(&question));
        let call = call.map(|line| CallSummary {
            raw: line.raw.clone(),
            model: line.model.clone(),
            finish_reason: line.finish_reason.clone(),
            attempts: line.attempts.len(),
            request: line.request.to_string(),
        });
        RecordShown { call, ..RecordShown::of(record) }
    };
    let of = |place: &usize| {
        let tries = evidence.earlier_attempts(*place).into_iter().map(&shown).collect();
        RecordShown { tries, ..shown(&evidence.records[*place]) }
    };
    Ok(places.iter().map(of).collect())
}

/// Parses a cell address. The path may contain colons.
fn parse_cell(text: &str) -> Result<CellAddress, Refusal> {
    let tables = table_specs(&ColumnLayout::default());
    let mut parts = text.rsplitn(3, ':');
    let (last, middle, first) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let (Some(row), Some(table)) = (middle, first) else { return Err(without_column(text, &tables)) };
    let Some(row) = row.parse().ok().filter(|row| *row > 0) else {
        return Err(match last.parse::<u64>() {
            Ok(_) => without_column(text, &tables),
            Err(_) => {
                Refusal::wrong_input(format!("{row:?} is no row: rows are counted from 1 below the header; {FORM}"))
            }
        });
    };
    let mut path = PathBuf::from(table);
    if path.extension().is_none_or(|extension| extension != "csv") {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned() + ".csv").unwrap_or_default();
        path.set_file_name(name);
    }
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    if !tables.iter().any(|table| table.name == name) {
        let names: Vec<&str> = tables.iter().map(|table| table.name).collect();
        return Err(Refusal::wrong_input(format!(
            "{}: no table {name:?}{}; tables are:{}",
            path.display(),
            spelling_hint(&name, &names),
            listed(names.iter().copied())
        )));
    }
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => Path::new(".").to_owned(),
    };
    if !Inputs::are_kept(&folder) {
        return Err(Refusal::wrong_input(format!(
            "{}: not the folder of an experiment: it has no inputs/",
            folder.display()
        )));
    }
    Ok(CellAddress { folder, path, table: name, row, column: last.to_owned() })
}

/// Refuses an address without a column, or in another form.
fn without_column(text: &str, tables: &[TableSpec]) -> Refusal {
    let path = text.trim_end_matches(|c: char| c.is_ascii_digit() || c == ':');
    let stem = Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let columns = tables.iter().find(|table| table.name == stem).map_or(String::new(), |table| {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        format!("; columns of {stem} are {}", names.join(", "))
    });
    Refusal::wrong_input(format!("{text}: {FORM}{columns}"))
}

/// The table's index and the column's specification.
fn find_column<'s>(cell: &CellAddress, specs: &'s [TableSpec]) -> Result<(usize, &'s ColumnSpec), Refusal> {
    let place = specs.iter().position(|spec| spec.name == cell.table).expect("invariant: the table was looked up");
    let columns: BTreeMap<&str, &ColumnSpec> =
        specs[place].columns.iter().map(|column| (column.name.as_str(), column)).collect();
    columns.get(cell.column.as_str()).map(|column| (place, *column)).ok_or_else(|| {
        let names: Vec<&str> = specs[place].columns.iter().map(|column| column.name.as_str()).collect();
        Refusal::wrong_input(format!(
            "{}: no column {:?}{}; columns are:{}",
            cell.path.display(),
            cell.column,
            spelling_hint(&cell.column, &names),
            listed(names.iter().copied())
        ))
    })
}

/// A suggestion after a comma; empty if no name is similar.
fn spelling_hint(word: &str, names: &[&str]) -> String {
    did_you_mean(word, names.iter().copied()).map_or(String::new(), |hint| format!(", {hint}"))
}
