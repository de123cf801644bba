//! The table of values: the fields of forms, and their columns in other tables.

use crate::analysis::column::{CellKind, CellValue, ColumnSpec, CsvRow, columns, declare_column};
use crate::analysis::effort::AnswerStatus;
use crate::analysis::facts::ArmFacts;
use crate::analysis::layout::{AnswerColumn, ColumnLayout, VariableColumn};
use crate::analysis::why::{CellProvenance, RecordKind, RowReach};
use crate::domain::{Decimal, FieldValue, Language, PhaseName, SeatName, Seq};

columns! {
    /// One field of one form that a seat was asked.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ValueRow as r {
        /// What the seat answered; `None` for nothing.
        pub answer: Option<FieldValue>,
        /// The right answer; `None` if the field has none.
        pub key: Option<FieldValue>,
    }

    /// number of the record that settled the form, the same for all its fields
    seq: Seq => Own[Any], "seq";
    /// phase, by its name in the agenda
    phase: PhaseName => Own[Any], "at.phase";
    /// who was asked
    seat: SeatName => Own[Any], "seat";
    /// id of the field
    field: String => Own[Any], "ask, and the plan";
    /// the answer: an option or words as they came; options approved of, joined by commas; a ranking with > between ranks; points or scores
    /// as in a = 1, b = 2; a number; yes or no; empty where the field was left unanswered, and where the status is not valid
    value: String = r.answer.as_ref().map(|answer| answer.told(Language::En)) => Own[Any], "ask";
    /// the answer as a number; 1 for yes and 0 for no; empty for every other kind of field, and where value is
    value_n: f64 = number_of(r.answer.as_ref()?) => Own[Any], "ask";
    /// valid; invalid or refused when the tries were used up and the last answer had a fault or declined
    status: AnswerStatus => Own[Any], "ask, Faulted";
    /// pass of the repeated blocks that hold the phase, of nested ones joined by points as in 2.1; empty outside repeated blocks
    pass: str = r.phase.pass() => Own[Any], "at.phase";
    /// number of the group in which the phase took place, of the assignment that the agenda names; empty outside groups
    group: str = r.phase.group() => Own[Any], "at.phase";
    /// seat that the field is about; empty where the form is about nobody else, and where no form about other seats was answered
    target: Option<SeatName> => Own[Any], "ask, and the plan";
    /// 1 if the answer is the field's key, 0 if it is another; empty where value is, and where the field has no key
    correct: bool = is_right(r.answer.as_ref()?, r.key.as_ref()?) => Own[Any], "ask, and the plan";
    /// what the pass takes place for where `pass` has a number in its place, as in a drawn order: a word, the id of an item, the letter of a
    /// text or a seat; of nested blocks joined by points; empty elsewhere
    thing: Option<String> => HeardOwn[Any], "PhaseOpened";
}

impl CsvRow for ValueRow {
    const TABLE: &'static str = "values";
    const ABOUT: &'static str = "one row a field of a form and seat that was asked, where the scenario asks forms";
}

/// The nearest real number to a decimal.
pub(super) fn read_decimal(number: Decimal) -> f64 {
    number.to_string().parse().expect("invariant: a decimal is a number")
}

/// A number, or yes and no as 1 and 0; `None` for other values.
pub(in crate::analysis) fn number_of(value: &FieldValue) -> Option<f64> {
    match value {
        FieldValue::Number(number) => Some(read_decimal(*number)),
        FieldValue::YesNo(yes) => Some(f64::from(u8::from(*yes))),
        _ => None,
    }
}

/// Whether an answer is the right one. Options that are approved of have no order.
pub(in crate::analysis) fn is_right(answer: &FieldValue, key: &FieldValue) -> bool {
    match (answer, key) {
        (FieldValue::Options(answer), FieldValue::Options(key)) => {
            answer.len() == key.len() && answer.iter().all(|option| key.contains(option))
        }
        (answer, key) => answer == key,
    }
}

/// Whether each of a seat's answers to a field with a key is right, in the order of their columns; `None` without a valid answer.
pub(in crate::analysis) fn mark_answers(arm: &ArmFacts, answers: &[Option<FieldValue>]) -> Vec<Option<bool>> {
    let mark = |column: &AnswerColumn| {
        let place = arm.layout.answers.iter().position(|answer| answer == column)?;
        let phase = arm.phases.iter().find(|phase| phase.name.written() == column.phase)?;
        let (_, key) = phase.keys.iter().find(|(field, _)| *field == column.field)?;
        Some(is_right(answers.get(place)?.as_ref()?, key))
    };
    arm.layout.keyed.iter().map(mark).collect()
}

/// Appends a cell after a comma.
pub(super) fn put_open_cell(cell: impl CellValue, out: &mut Vec<u8>) {
    out.push(b',');
    cell.put(out);
}

/// The kind of the cells of a field.
pub(super) fn answer_kind(column: &AnswerColumn) -> CellKind {
    if column.is_number { CellKind::Real } else { CellKind::Text }
}

/// The kind of the cells of a variable.
pub(super) fn variable_kind(column: &VariableColumn) -> CellKind {
    if column.is_number { CellKind::Real } else { CellKind::Text }
}

/// Appends the cell of an open column of values.
pub(super) fn put_value(kind: CellKind, value: Option<&Option<FieldValue>>, out: &mut Vec<u8>) {
    let value = value.and_then(Option::as_ref);
    match kind == CellKind::Real {
        true => put_open_cell(value.and_then(number_of), out),
        false => put_open_cell(value.map(|value| value.told(Language::En)), out),
    }
}

/// The columns of answers in the table of seats.
pub(super) fn list_seat_answers(layout: &ColumnLayout) -> Vec<ColumnSpec> {
    let spec = |column: &AnswerColumn| {
        let help = format!(
            "answer of the seat to the field {} of the form {}, in a repeated block of the last pass that asked this seat, as value in values{}; empty \
             without a valid one",
            column.field,
            column.phase,
            if column.is_number { "_n" } else { "" },
        );
        let why = CellProvenance::from_records(RowReach::Seat, &[RecordKind::Answered]);
        declare_column(column.name(), answer_kind(column), help, "ask", why)
    };
    layout.answers.iter().map(spec).collect()
}

/// The columns of right answers in the table of seats.
pub(super) fn list_seat_keys(layout: &ColumnLayout) -> Vec<ColumnSpec> {
    let spec = |column: &AnswerColumn| {
        let help = format!(
            "1 if {} is the key of the field, 0 if it is another answer; empty without a valid one",
            column.name()
        );
        let why = CellProvenance::from_records(RowReach::Seat, &[RecordKind::Answered]);
        declare_column(column.correct_name(), CellKind::Flag, help, "ask, and the plan", why)
    };
    layout.keyed.iter().map(spec).collect()
}

/// The columns of shares of right answers in the table of sessions.
pub(super) fn list_session_keys(layout: &ColumnLayout) -> Vec<ColumnSpec> {
    let spec = |column: &AnswerColumn| {
        let help = format!(
            "share of right answers to the field {} of the form {}, in a repeated block of those in its last pass; a block for seats counts as \
             one pass; empty without a valid answer",
            column.field, column.phase,
        );
        let why = CellProvenance::from_records(RowReach::Session, &[RecordKind::Answered]);
        let spec = declare_column(column.correct_name(), CellKind::Real, help, "ask, and the plan", why);
        ColumnSpec { formula: "right answers / valid answers".to_owned(), ..spec }
    };
    layout.keyed.iter().map(spec).collect()
}

/// The columns of means of answers in the table of sessions.
pub(super) fn list_session_answers(layout: &ColumnLayout) -> Vec<ColumnSpec> {
    let spec = |column: &AnswerColumn| {
        let help = format!(
            "mean of the answers to the field {} of the form {}, in a repeated block of those in its last pass; a block for seats counts as one pass; \
             yes counts as 1 and no as 0; empty without a valid one",
            column.field, column.phase,
        );
        let why = CellProvenance::from_records(RowReach::Session, &[RecordKind::Answered]);
        let spec = declare_column(column.name(), CellKind::Real, help, "ask", why);
        ColumnSpec { formula: "sum of value_n / valid answers".to_owned(), ..spec }
    };
    layout.answers.iter().filter(|column| column.is_number).map(spec).collect()
}
