//! Every cell of the tables of a results folder, compared with what the oracle computes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ekklesia::adapters::evidence::{Evidence, plan_lines};
use ekklesia::adapters::inputs::Inputs;
use ekklesia::adapters::results::ResultsFolder;
use ekklesia::adapters::tables::experiment_facts;
use ekklesia::domain::Digest;
use ekklesia::metrics::why::Scope;
use ekklesia::metrics::{Status, TableSpec, table_specs};
use ekklesia::plan::Planned;

use super::{Case, Transcript, compute, list_statements};

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
    evidence: Evidence,
    minutes_digest: String,
    others: Vec<Transcript>,
}

fn read_sessions(out: &Path) -> (Vec<TableSpec>, Vec<Session>) {
    let experiment = Inputs::read_results(out).unwrap().resolve().unwrap().experiment;
    let (layout, arms) = experiment_facts(&experiment);
    let folder = ResultsFolder::read_only(out);
    let read = |session: Planned| {
        let arm = experiment.arms.iter().position(|plan| plan.arm == session.arm.arm).unwrap();
        let mut evidence = Evidence::read(&folder, &arms[arm], &session).unwrap();
        evidence.find_twins(&folder, &experiment);
        let minutes = fs::read(out.join("sessions").join(session.name()).join("minutes.jsonl")).unwrap();
        let minutes_digest = Digest::of(&minutes).to_string();
        Session { name: session.name(), evidence, minutes_digest, others: Vec::new() }
    };
    let mut sessions: Vec<Session> = Planned::all(&experiment).map(read).collect();
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

/// Compares the cells of every column of every table, in some rows of every session, with what the oracle computes. Something stands
/// behind each: a record, a setting or a file. Returns the columns that had a value.
pub fn check_cells(out: &Path, stride: usize) -> BTreeSet<String> {
    let (specs, sessions) = read_sessions(out);
    let tables: Vec<_> = specs.iter().map(|spec| read_rows(out, spec)).collect();
    let (mut seen, mut wrong) = (BTreeSet::new(), BTreeMap::new());
    let mut settings: BTreeMap<Vec<String>, bool> = BTreeMap::new();
    for session in &sessions {
        let evidence = &session.evidence;
        for (place, spec) in specs.iter().enumerate() {
            let rows = tables[place].get(&session.name).cloned().unwrap_or_default();
            assert_eq!(evidence.rows(&specs, place), rows, "{} of {}", spec.name, session.name);
            for row in rows.iter().step_by(stride) {
                let scope = Scope::new(spec.name, row.clone());
                for column in &spec.columns {
                    let cell = format!("{}:{}", spec.name, column.name);
                    let case = Case {
                        all: &evidence.records,
                        facts: &evidence.folded.facts,
                        status: &evidence.folded.session.status,
                        minutes_digest: &session.minutes_digest,
                        others: &session.others,
                        row: &scope,
                        column,
                    };
                    let (value, computed) = (&row[&column.name], compute(case));
                    if computed != *value {
                        wrong.entry(cell).or_insert_with(|| format!("{computed:?}, not {value:?} of {row:?}"));
                        continue;
                    }
                    // A count of nothing names no record; the status comes from run.json.
                    let is_nothing = ["", "0", "0.000000"].contains(&value.as_str());
                    let is_of_file =
                        ["sessions:status", "sessions:fault"].contains(&cell.as_str()) || column.name == "item";
                    let keys = evidence.keys(column, row);
                    let mut has_setting = || {
                        let found = settings.entry(keys.clone()).or_insert_with(|| !plan_lines(out, &keys).is_empty());
                        !keys.is_empty() && *found
                    };
                    let has_record = || !evidence.places(spec.name, column, row).is_empty();
                    assert!(
                        is_nothing || is_of_file || has_record() || has_setting(),
                        "nothing behind {cell} of {row:?}"
                    );
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
