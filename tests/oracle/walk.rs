//! Every cell of the tables of a results folder, compared with what the oracle computes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ekklesia::analysis::why::TracedRow;
use ekklesia::analysis::{ColumnSpec, Status, TableSpec, table_specs};
use ekklesia::domain::Digest;
use ekklesia::plan::PlannedSession;
use ekklesia::store::evidence::{CellEvidence, plan_lines};
use ekklesia::store::inputs::Inputs;
use ekklesia::store::results::ResultsFolder;
use ekklesia::store::tables::experiment_facts;

use super::{Case, Transcript, compute_cell, list_statements, polls};

type Row = BTreeMap<String, String>;

/// A table's rows, session by session.
fn read_rows(out: &Path, spec: &TableSpec) -> BTreeMap<String, Vec<Row>> {
    let mut reader = csv::Reader::from_path(out.join(format!("{}.csv", spec.name))).unwrap();
    let mut sessions: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in reader.deserialize() {
        let row: Row = row.unwrap();
        sessions.entry(row["session"].clone()).or_default().push(row);
    }
    sessions
}

/// A session with its digest and the transcripts of the other sessions of its arm.
struct Session {
    name: String,
    evidence: CellEvidence,
    minutes_digest: String,
    others: Vec<Transcript>,
}

fn read_sessions(out: &Path) -> (Vec<TableSpec>, Vec<Session>) {
    let experiment = Inputs::read_results(out).unwrap().resolve().unwrap().experiment;
    let (layout, arms) = experiment_facts(&experiment);
    let folder = ResultsFolder::open_unchecked(out);
    let read = |session: PlannedSession| {
        let arm = experiment.arms.iter().position(|plan| plan.arm == session.arm.arm).unwrap();
        let mut evidence = CellEvidence::read_session(&folder, &arms[arm], &session).unwrap();
        evidence.find_twins(&folder, &experiment);
        let minutes = fs::read(out.join("sessions").join(session.name()).join("minutes.jsonl")).unwrap();
        let minutes_digest = Digest::of(&minutes).to_string();
        Session { name: session.name(), evidence, minutes_digest, others: Vec::new() }
    };
    let mut sessions: Vec<Session> = PlannedSession::for_experiment(&experiment).map(read).collect();
    for place in 0..sessions.len() {
        let folded = |session: &Session| (session.name.clone(), session.evidence.folded.facts.arm.arm.clone());
        let (name, arm) = folded(&sessions[place]);
        let is_other = |other: &&Session| {
            other.name != name && folded(other).1 == arm && other.evidence.folded.session.status == Status::Completed
        };
        let others = sessions.iter().filter(is_other).map(|other| list_statements(&other.evidence.records)).collect();
        sessions[place].others = others;
    }
    (table_specs(&layout), sessions)
}

/// Finds out whether something stands behind a cell: a record, a setting or a file.
struct Sources<'o> {
    out: &'o Path,
    /// Whether keys of the plan have lines in `plan.yaml`.
    settings: BTreeMap<Vec<String>, bool>,
}

impl Sources<'_> {
    fn has_any(&mut self, evidence: &CellEvidence, table: &str, column: &ColumnSpec, row: &Row) -> bool {
        // A count of nothing names no record.
        if ["", "0", "0.000000"].contains(&row[&column.name].as_str()) {
            return true;
        }
        let is_in_file = column.name == "item" || table == "sessions" && ["status", "fault"].contains(&&*column.name);
        let keys = evidence.plan_keys(column, row);
        let is_set = keys.is_empty()
            || *self.settings.entry(keys).or_insert_with_key(|keys| !plan_lines(self.out, keys).is_empty());
        is_in_file || column.why.setting.is_some() && is_set || !evidence.record_places(table, column, row).is_empty()
    }
}

/// Whether two cells say the same; sums of reals in another order may round the last of six decimals the other way.
fn agree(computed: &str, value: &str) -> bool {
    let millionths = |cell: &str| {
        let (whole, decimals) = cell.split_once('.')?;
        (decimals.len() == 6).then(|| format!("{whole}{decimals}").parse::<i64>().ok()).flatten()
    };
    computed == value
        || millionths(computed).zip(millionths(value)).is_some_and(|(left, right)| left.abs_diff(right) == 1)
}

/// Compares the cells of every column of every table, in some rows of every session, with what the oracle computes, and looks for what
/// stands behind them. Returns the columns that had a value.
pub fn check_cells(out: &Path, stride: usize) -> BTreeSet<String> {
    let (specs, sessions) = read_sessions(out);
    let tables: Vec<_> = specs.iter().map(|spec| read_rows(out, spec)).collect();
    let mut sources = Sources { out, settings: BTreeMap::new() };
    let (mut seen, mut wrong) = (BTreeSet::new(), BTreeMap::new());
    for Session { name, evidence, minutes_digest, others } in &sessions {
        let (facts, status) = (&evidence.folded.facts, &evidence.folded.session.status);
        let polled = polls::write_as_polls(&evidence.records, &facts.arm);
        for (place, spec) in specs.iter().enumerate() {
            let rows = tables[place].get(name).cloned().unwrap_or_default();
            assert_eq!(evidence.table_rows(&specs, place), rows, "{} of {name}", spec.name);
            for row in rows.iter().step_by(stride) {
                let scope = TracedRow::new(spec.name, row.clone());
                for column in &spec.columns {
                    let (all, polled) = (evidence.records.as_slice(), polled.as_slice());
                    let case = Case { all, polled, facts, status, minutes_digest, others, row: &scope, column };
                    let (cell, value) = (format!("{}:{}", spec.name, column.name), &row[&column.name]);
                    let computed = compute_cell(case);
                    if !agree(&computed, value) {
                        wrong.entry(cell).or_insert_with(|| format!("{computed:?}, not {value:?} of {row:?}"));
                        continue;
                    }
                    assert!(sources.has_any(evidence, spec.name, column, row), "nothing behind {cell} of {row:?}");
                    if !value.is_empty() {
                        seen.insert(cell);
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    seen
}
