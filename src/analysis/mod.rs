//! Folds records into rows of tables and analyses them: columns, measures, statistics and search.
//!
//! Pure: records in, rows and numbers out. Nothing opens a file or knows a plan.

mod column;
mod counts;
mod effort;
mod elections;
mod facts;
mod fold;
mod key;
mod layout;
pub mod measures;
mod part;
mod purpose;
pub mod search;
mod spoken;
pub mod statistics;
mod tables;
pub mod why;

pub use column::{CellKind, Column, ColumnSpec, CsvRow, put_row, put_text};
pub use effort::{AnswerStatus, Effort};
pub use elections::{CountingTerms, Election, SessionElections, collect_elections};
pub use facts::{
    AnswersBy, ArmFacts, ConvergenceEffect, ConvergenceFacts, Determinism, FormAbout, ItemFacts, LaterSeats, MarksRead,
    MemoryFacts, MemoryIntake, OnFailing, PassNumbers, PhaseFacts, PhaseVotes, PoolFacts, RightAnswer, SeatFacts,
    SessionFacts, VoteFacts, VoteForce, VoteHeard, VoteResults,
};
pub use fold::{FoldedSession, ForeignRecord, Rows, SessionFold};
pub use key::key_cells;
pub use layout::{
    AnswerColumn, ColumnLayout, VariableColumn, describe_repeated_column, name_answer_column, name_correct_column,
    name_variable_column,
};
pub use purpose::ChoicePurpose;
pub use tables::{
    AnswerRow, BallotRow, CounterfactualRow, MarkRow, PayoffRow, ProposalRow, RankingGiven, RoundRow, SeatRoundRow,
    SeatRow, SessionRow, SessionTotals, Spread, StatementRow, Status, Switches, TableSpec, TallyRow, TextRow,
    is_share_column, option_of_share, session_specs, table_specs,
};
