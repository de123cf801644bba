//! Open columns: the share of each alternative in the last vote and in the straw polls.

use super::SessionRow;
use crate::analysis::column::{CellKind, ColumnSpec};
use crate::analysis::layout::ColumnLayout;
use crate::analysis::measures::share_of;
use crate::analysis::tables::session_specs;
use crate::analysis::tables::values::put_open_cell;
use crate::analysis::why::{CellProvenance, RecordKind, RecordPick, RowReach};

/// The prefixes of the columns, in the order of [`SessionTotals::option_counts`](super::SessionTotals::option_counts).
const PREFIXES: [&str; 3] = ["share_", "straw_before_share_", "straw_after_share_"];

/// The counts of alternatives in a vote or poll.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OptionCounts {
    /// The count of each alternative, in order; empty without a vote or poll.
    pub counts: Vec<u32>,
    /// The number of valid ballots or choices.
    pub valid: u32,
}

impl OptionCounts {
    /// The counts of a poll, in which each valid answer names one alternative.
    pub fn of_choices(counts: &[u32]) -> Self {
        Self { counts: counts.to_vec(), valid: counts.iter().sum() }
    }
}

/// The alternative of a share column; `None` for other columns.
pub fn option_of_share(column: &str) -> Option<&str> {
    PREFIXES.iter().find_map(|prefix| column.strip_prefix(prefix))
}

/// Whether a column of real numbers holds shares; names that authors choose, as those of variables, say nothing.
pub fn is_share_column(column: &str) -> bool {
    let is_declared = || session_specs().iter().any(|spec| spec.name == column);
    option_of_share(column).is_some() || (column.ends_with("_share") && is_declared())
}

/// The specs of the share columns.
pub(super) fn list_shares(layout: &ColumnLayout) -> Vec<ColumnSpec> {
    let kinds = [
        (
            "share of the valid ballots of the last vote that decides that count for the option {}, by count and valid in tallies, whatever the amount; empty \
             without a vote or a valid ballot, where it is not offered, and where an amount alone is decided",
            "count / valid",
            "Tallied",
            CellProvenance::from_records(RowReach::Session, &[RecordKind::DecidingTally]).with_pick(RecordPick::Last),
        ),
        (
            "share of the option {} in the straw poll before the talk, of its valid answers; empty without one, where it is not offered, and where an amount alone is decided",
            "c / n",
            "straw_poll",
            CellProvenance::from_records(RowReach::Session, &[RecordKind::PollBefore]),
        ),
        (
            "share of the option {} in the straw poll after the talk, of its valid answers; empty without one, where it is not offered, and where an amount alone is decided",
            "c / n",
            "straw_poll",
            CellProvenance::from_records(RowReach::Session, &[RecordKind::PollAfter]),
        ),
    ];
    let spec =
        |(prefix, (help, formula, source, why)): (&str, (&str, &str, &str, CellProvenance)), name: &str| ColumnSpec {
            name: format!("{prefix}{name}"),
            kind: CellKind::Real,
            unit: String::new(),
            help: help.replace("{}", name),
            formula: formula.to_owned(),
            source: source.to_owned(),
            why,
        };
    let of_kind = |kind: (&'static str, _)| layout.alternatives.iter().map(move |name| spec(kind, name));
    PREFIXES.into_iter().zip(kinds).flat_map(of_kind).collect()
}

/// Appends the share cells, each after a comma.
pub(super) fn put_shares(row: &SessionRow, out: &mut Vec<u8>) {
    let place = |name: &String| row.arm.alternatives.iter().position(|other| other.as_str() == name);
    for kind in 0..PREFIXES.len() {
        for name in &row.arm.layout.alternatives {
            let counts = row.totals.as_ref().map(|totals| &totals.option_counts[kind]);
            let count = counts.and_then(|counts| Some((*counts.counts.get(place(name)?)?, counts.valid)));
            put_open_cell(count.and_then(|(count, valid)| share_of(count.into(), valid.into())), out);
        }
    }
}
