//! The tables: what a row of each is, and its columns. One file a table.

mod answers;
mod ballots;
mod rounds;
mod sessions;
mod statements;
mod tallies;

pub use answers::AnswerRow;
pub use ballots::BallotRow;
pub(in crate::metrics) use rounds::joined;
pub use rounds::{RoundRow, Spread, Switches};
pub use sessions::{SessionRow, SessionTotals, Status};
pub use statements::StatementRow;
pub use tallies::TallyRow;

use crate::metrics::column::{ColumnSpec, Row};
use crate::metrics::key::key_specs;

/// A table's declaration, for headers and codebooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSpec {
    /// The file's name without `.csv`.
    pub name: &'static str,
    /// What a row stands for.
    pub about: &'static str,
    /// The columns, the key block first.
    pub columns: Vec<ColumnSpec>,
}

/// The declarations of all tables for these factors, `sessions` first.
pub fn table_specs(factors: &[String]) -> Vec<TableSpec> {
    vec![
        spec::<SessionRow>(factors),
        spec::<RoundRow>(factors),
        spec::<StatementRow>(factors),
        spec::<BallotRow>(factors),
        spec::<TallyRow>(factors),
        spec::<AnswerRow>(factors),
    ]
}

fn spec<R: Row>(factors: &[String]) -> TableSpec {
    let mut columns = key_specs(factors);
    columns.extend(R::COLUMNS.iter().copied().flatten().map(super::Column::spec));
    TableSpec { name: R::TABLE, about: R::ABOUT, columns }
}
