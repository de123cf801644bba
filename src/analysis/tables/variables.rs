//! The table of variables, and their columns in other tables.

use crate::analysis::column::{CellKind, ColumnSpec, CsvRow, columns, declare_column};
use crate::analysis::layout::{ColumnLayout, VariableColumn};
use crate::analysis::tables::number_of;
use crate::analysis::tables::values::variable_kind;
use crate::analysis::why::{CellProvenance, RecordKind, RowReach};
use crate::domain::{FieldValue, Holder, Language, PhaseName, SeatName, Seq};

columns! {
    /// One value that a phase computed.
    #[derive(Debug, Clone, PartialEq)]
    pub struct VariableRow as r {
        /// The value; `None` if it is missing.
        pub computed: Option<FieldValue>,
    }

    /// number of the record
    seq: Seq => Own[Computed], "seq";
    /// phase, by its name in the agenda
    phase: PhaseName => Own[Computed], "at.phase";
    /// session: one value of the session; group: the value of a group; seat: the value of a seat
    scope: String => Own[Computed], "Computed";
    /// whose value it is; empty of the session and of a group
    seat: Option<SeatName> => Own[Computed], "Computed";
    /// name of the variable
    name: String => Own[Computed], "Computed";
    /// the value: a number rounded to six decimals, yes or no, a text, the name of a seat, or several of these joined by commas; empty where
    /// it is missing
    value: String = r.computed.as_ref().map(|value| value.told(Language::En)) => Own[Computed], "Computed";
    /// the value as a number; 1 for yes and 0 for no; empty for every other kind of value, and where value is
    value_n: f64 = number_of(r.computed.as_ref()?) => Own[Computed], "Computed";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Own[Computed], "at.phase";
    /// number of the group in which the phase took place, of the assignment that the agenda names; empty outside groups
    group: str = r.phase.group() => Own[Computed], "at.phase";
}

impl CsvRow for VariableRow {
    const TABLE: &'static str = "variables";
    const ABOUT: &'static str = "one row a value that a phase computed, of the session or of a seat";
}

fn declare_variable(column: &VariableColumn, kind: CellKind, what: &str, reach: RowReach) -> ColumnSpec {
    let help = format!("{what} the variable {}, as it was set last; empty where that is missing", column.name);
    let why = CellProvenance::from_records(reach, &[RecordKind::Computed]);
    declare_column(column.column_name(), kind, help, "Computed", why)
}

/// The columns of variables in the table of seats.
pub(super) fn list_seat_variables(layout: &ColumnLayout) -> Vec<ColumnSpec> {
    let own = layout.variables.iter().filter(|column| column.of == Holder::Seat);
    own.map(|column| declare_variable(column, variable_kind(column), "value of the seat of", RowReach::Seat)).collect()
}

/// The columns of variables in the table of sessions.
pub(super) fn list_session_variables(layout: &ColumnLayout) -> Vec<ColumnSpec> {
    let spec = |column: &VariableColumn| match column.of {
        Holder::Session => Some(declare_variable(column, variable_kind(column), "value of", RowReach::Session)),
        Holder::Seat if column.is_number => {
            let spec = declare_variable(column, CellKind::Real, "mean over seats of", RowReach::Session);
            Some(ColumnSpec { formula: "sum of value_n / seats with a value".to_owned(), ..spec })
        }
        Holder::Seat | Holder::Group => None,
    };
    layout.variables.iter().filter_map(spec).collect()
}
