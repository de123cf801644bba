//! Reads the results of the private polls before and after each session's discussion from `rounds.csv`.
//!
//! The cells are not compared with the minutes; a replay does that.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use csv::StringRecord;

use crate::analysis::table_specs;
use crate::domain::PhaseName;
use crate::plan::Experiment;
use crate::store::files::{FileError, open_file};
use crate::store::tables::experiment_facts;

/// The columns of the share of agreeing pairs: by chosen alternative, and by exact amount.
const AGREEMENT: [&str; 2] = ["straw_pair_agreement", "straw_pair_agreement_exact"];
/// The column of the variance of opinions.
pub const VARIANCE: &str = "opinion_var";

const SOURCE: &str = "opinion_source";
/// The source that yields only 0 or 1: a choice between two alternatives.
const STANCE: &str = "stance";

/// The scale of opinions. Variances on different scales cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpinionKind {
    /// Stated numbers.
    Numbers,
    /// Choices between two alternatives, as 1 or 0.
    Choices,
}

/// The results of a poll.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Poll {
    /// The share of pairs of seats with the same choice or amount; `None` for fewer than two answers.
    pub agreement: Option<f64>,
    /// The variance of the opinions; `None` if there are none.
    pub variance: Option<f64>,
    /// The scales of the opinions; empty if there are none.
    pub opinions: BTreeSet<OpinionKind>,
}

/// The polls of every session in the table, by session: the last before the discussion, and the last after it.
#[derive(Debug, Clone, Default)]
pub struct PollTable {
    polls: BTreeMap<String, [Option<Poll>; 2]>,
}

impl PollTable {
    /// The table's file.
    pub const FILE: &str = "rounds.csv";

    /// Reads `rounds.csv` from a results folder.
    ///
    /// # Errors
    /// When the file is missing or cannot be read, a cell is invalid, or the columns or arms do not match the plan.
    pub fn read(root: &Path, experiment: &Experiment) -> Result<Self, FileError> {
        let path = root.join(Self::FILE);
        let fail = |reason: String| FileError { path: path.clone(), reason };
        let again = "; `ekklesia run` makes the tables again from the record";
        let file = open_file(&path).map_err(|error| fail(format!("{error}{again}")))?;
        let (layout, _) = experiment_facts(experiment);
        let spec = table_specs(&layout).into_iter().find(|spec| spec.name == "rounds");
        let columns = spec.expect("invariant: there is a table of rounds").columns;
        let mut reader = csv::Reader::from_reader(file);
        let header = reader.headers().map_err(|error| fail(error.to_string()))?;
        if !header.iter().eq(columns.iter().map(|column| column.name.as_str())) {
            return Err(fail(format!("not the columns of this plan in this version{again}")));
        }
        let place = |name: &str| {
            let place = columns.iter().position(|column| column.name == name);
            place.expect("invariant: rounds have names and polls")
        };
        let [arm, session, phase, agreement, variance, source] =
            ["arm", "session", "phase", agreement_column(experiment), VARIANCE, SOURCE].map(place);
        let around: BTreeMap<&str, [Vec<PhaseName>; 2]> =
            experiment.arms.iter().map(|plan| (plan.arm.as_str(), [plan.polls_before(), plan.polls_after()])).collect();
        let (mut table, mut row) = (Self::default(), StringRecord::new());
        while reader.read_record(&mut row).map_err(|error| fail(error.to_string()))? {
            let number = |column: usize| match &row[column] {
                "" => Ok(None),
                cell => cell.parse::<f64>().ok().filter(|number| number.is_finite()).map(Some).ok_or_else(|| {
                    let line = row.position().map_or(0, csv::Position::line);
                    fail(format!("line {line}: no number: {cell:?}"))
                }),
            };
            let polls = around.get(&row[arm]).ok_or_else(|| fail(format!("has the arm {:?}{again}", &row[arm])))?;
            let Some(time) = polls.iter().position(|polls| polls.iter().any(|name| name.as_str() == &row[phase]))
            else {
                continue;
            };
            let opinions = opinion_kinds(&row[source]);
            let poll = Poll { agreement: number(agreement)?, variance: number(variance)?, opinions };
            table.polls.entry(row[session].to_owned()).or_default()[time] = Some(poll);
        }
        Ok(table)
    }

    /// The polls of a session before and after its discussion; `None` unless it has both.
    pub fn session_polls(&self, session: &str) -> Option<(Poll, Poll)> {
        let [before, after] = self.polls.get(session)?.clone();
        before.zip(after)
    }
}

/// The column of the share of agreeing pairs. If there is only one alternative, all seats choose it, so the amounts count.
pub fn agreement_column(experiment: &Experiment) -> &'static str {
    AGREEMENT[usize::from(experiment.arms.iter().all(|plan| plan.motion.only().is_some()))]
}

/// The scales of opinions from these sources, which are joined by `|`.
fn opinion_kinds(sources: &str) -> BTreeSet<OpinionKind> {
    let sources = sources.split('|').filter(|source| !source.is_empty());
    sources.map(|source| if source == STANCE { OpinionKind::Choices } else { OpinionKind::Numbers }).collect()
}
