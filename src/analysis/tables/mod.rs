//! The tables: the meaning of a row, and the columns. One file per table.

mod answers;
mod assignments;
mod ballots;
mod cited;
mod counterfactuals;
mod estimates;
mod marks;
mod payoffs;
mod proposals;
mod rounds;
mod seat_rounds;
mod seats;
mod sessions;
mod statements;
mod tallies;
mod texts;
mod values;
mod variables;

pub use answers::AnswerRow;
pub use assignments::AssignmentRow;
pub use ballots::BallotRow;
pub use cited::CitationTotals;
pub use counterfactuals::CounterfactualRow;
pub use estimates::Estimates;
pub use marks::MarkRow;
pub use payoffs::PayoffRow;
pub use proposals::ProposalRow;
pub use rounds::{Opinions, Rankings, RoundLanguage, RoundRow, Spread, Switches};
pub use seat_rounds::SeatRoundRow;
pub use seats::{RankingGiven, Recognition, SeatRow};
pub use sessions::{OptionCounts, SessionRow, SessionTotals, Status, VoteMatching, is_share_column, option_of_share};
pub use statements::StatementRow;
pub use tallies::TallyRow;
pub use texts::TextRow;
pub use values::ValueRow;
pub(in crate::analysis) use values::{mark_answers, number_of};
pub use variables::VariableRow;

use crate::analysis::column::{ColumnSpec, CsvRow, list_specs};
use crate::analysis::key::key_specs;
use crate::analysis::layout::ColumnLayout;

/// A table's spec, for headers and codebooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSpec {
    /// The file's name without `.csv`.
    pub name: &'static str,
    /// The unit that a row represents.
    pub about: &'static str,
    /// The columns, starting with the key block.
    pub columns: Vec<ColumnSpec>,
}

/// The specs of all tables, `sessions` first; `Rows::table_buffers` has the order of the others.
pub fn table_specs(layout: &ColumnLayout) -> Vec<TableSpec> {
    vec![
        table_spec::<SessionRow>(layout),
        table_spec::<RoundRow>(layout),
        table_spec::<SeatRow>(layout),
        table_spec::<SeatRoundRow>(layout),
        table_spec::<StatementRow>(layout),
        table_spec::<BallotRow>(layout),
        table_spec::<TallyRow>(layout),
        table_spec::<AnswerRow>(layout),
        table_spec::<PayoffRow>(layout),
        table_spec::<CounterfactualRow>(layout),
        table_spec::<ProposalRow>(layout),
        table_spec::<MarkRow>(layout),
        table_spec::<ValueRow>(layout),
        table_spec::<VariableRow>(layout),
        table_spec::<TextRow>(layout),
        table_spec::<AssignmentRow>(layout),
    ]
}

/// The specs of the columns of `sessions`, without the key block and the open columns.
pub fn session_specs() -> Vec<ColumnSpec> {
    list_specs::<SessionRow>(&ColumnLayout::default())
}

fn table_spec<R: CsvRow>(layout: &ColumnLayout) -> TableSpec {
    let columns = key_specs(&layout.factors).into_iter().chain(list_specs::<R>(layout)).collect();
    TableSpec { name: R::TABLE, about: R::ABOUT, columns }
}
