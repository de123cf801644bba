//! Records → rows of tables, and what they show: columns, measures, statistics and search.
//!
//! Pure: records in, rows and numbers out. Nothing here opens a file or knows a plan.

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

pub use column::{Column, ColumnSpec, Kind, Row, put_row, put_text};
pub use effort::{AnswerStatus, Effort};
pub use elections::{Election, Roll, Voted, elections};
pub use facts::{
    AnswersBy, ArmFacts, ConvergenceFacts, Determinism, Following, ItemFacts, Kept, MarksRead, MemoryFacts, OnFailing,
    PhaseFacts, PoolFacts, RightAnswer, SeatFacts, SessionFacts, Votes,
};
pub use fold::{Folded, Misfit, Rows, SessionFold};
pub use key::key_cells;
pub use layout::Layout;
pub use purpose::Purpose;
pub use tables::{
    AnswerRow, BallotRow, CounterfactualRow, HarvestRow, HarvestTotals, MarkRow, PayoffRow, ProposalRow, RankingGiven,
    RoundRow, SeatRoundRow, SeatRow, SessionRow, SessionTotals, Spread, StatementRow, Status, Switches, TableSpec,
    TallyRow, option_of_share, session_specs, table_specs,
};
