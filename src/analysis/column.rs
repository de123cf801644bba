//! Columns: name, meaning, provenance and cell in one declaration.
//!
//! [`columns!`](crate::analysis::column::columns) declares the struct of a row and its columns. Header, types, codebook,
//! reference page, loaders and `why` follow from the declaration.

use std::cmp::Ordering;
use std::io::Write as _;

use crate::analysis::effort::AnswerStatus;
use crate::analysis::layout::ColumnLayout;
use crate::analysis::purpose::ChoicePurpose;
use crate::analysis::why::CellProvenance;
use crate::domain::{
    AlternativeName, Base, Certainty, Digest, Dollars, Fault, Ignored, Opinion, PaymentStage, PhaseKindName, PhaseName,
    ProposalStatus, RuleKind, SeatName, Seq, Sign, Step, StopReason, TieBreak, Verdict, Voice, spelled,
};

/// The type of a cell in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum CellKind {
    /// UTF-8 text, never altered.
    Text,
    /// An integer; all but payoffs in cents are 0 or more.
    Count,
    /// A real number with six decimals. An amount of money may have more.
    Real,
    /// 0 or 1.
    Flag,
}

/// A value of a cell.
pub trait CellValue {
    /// The type of the cell.
    const KIND: CellKind;

    /// Appends the cell's text.
    fn put(&self, out: &mut Vec<u8>);
}

impl<T: CellValue> CellValue for Option<T> {
    const KIND: CellKind = T::KIND;

    fn put(&self, out: &mut Vec<u8>) {
        if let Some(value) = self {
            value.put(out);
        }
    }
}

/// Implements [`CellValue`]: the kind, the types, and the expression that appends a value.
macro_rules! cells {
    ($kind:ident: $($type:ty),+ => |$value:ident, $out:ident| $put:expr) => {$(
        impl CellValue for $type {
            const KIND: CellKind = CellKind::$kind;

            fn put(&self, $out: &mut Vec<u8>) {
                let $value = self;
                $put;
            }
        }
    )+};
}

cells!(Text: str, &str, String => |text, out| put_text(text, out));
cells!(Text: PhaseName => |name, out| put_text(name.written(), out));
cells!(Text: SeatName, &SeatName, AlternativeName, &AlternativeName, Digest, &Digest, Step, Sign, Ignored, ProposalStatus,
    Fault, Certainty, PaymentStage, AnswerStatus, ChoicePurpose, Base, PhaseKindName, RuleKind, StopReason, TieBreak, Verdict, Voice => |name, out| put_text(name.as_str(), out));
cells!(Count: u64, u32, u8, i64 => |number, out| put_integer(*number, out));
cells!(Count: Seq => |seq, out| seq.0.put(out));
cells!(Flag: bool => |flag, out| out.push(if *flag { b'1' } else { b'0' }));
cells!(Real: f64 => |number, out| put_real(*number, out));
cells!(Real: Opinion => |opinion, out| (f64::from(opinion.billionths()) / f64::from(Opinion::ONE)).put(out));
cells!(Real: Dollars => |amount, out| put_text(&amount.exact(), out));

/// One column of rows of type `R`.
pub struct Column<R> {
    /// Its name in the header.
    pub name: &'static str,
    /// Its meaning in words.
    pub help: &'static str,
    /// The type of its cells.
    pub kind: CellKind,
    /// The unit of its numbers; empty for text and pure numbers.
    pub unit: &'static str,
    /// Its formula; empty if a record holds the value.
    pub formula: &'static str,
    /// The records that it comes from, answers by their step and others by their kind, or the literature of its formula.
    pub source: &'static str,
    /// The records behind its cells.
    pub why: CellProvenance,
    /// Appends its cell in a row.
    pub put: fn(&R, &mut Vec<u8>),
}

impl<R> Column<R> {
    /// Sets the unit.
    pub const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Sets the formula.
    pub const fn formula(self, formula: &'static str) -> Self {
        Self { formula, ..self }
    }
}

/// Columns that several places share, such as those of each source of positions.
pub struct ColumnGroup<R> {
    /// The prefix of its columns' names, without the underscore; empty for none.
    pub prefix: &'static str,
    /// Replacements for `{word}` in its columns' texts.
    pub words: &'static [(&'static str, &'static str)],
    /// The records behind its cells; `None` if its columns name them.
    pub why: Option<CellProvenance>,
    /// The specs of its columns.
    pub specs: fn() -> Vec<ColumnSpec>,
    /// Appends its cells in a row, each after a comma.
    pub put: fn(&R, &mut Vec<u8>),
}

/// One column or several.
pub enum ColumnItem<R> {
    /// One column.
    Column(Column<R>),
    /// Columns that are declared elsewhere.
    Group(ColumnGroup<R>),
    /// Columns that depend on the experiment: their specs, and a function that appends their cells, each after a comma.
    Open(fn(&ColumnLayout) -> Vec<ColumnSpec>, fn(&R, &mut Vec<u8>)),
}

/// A type with columns.
pub trait ColumnSet: Sized + 'static {
    /// The columns in order.
    const ITEMS: &'static [ColumnItem<Self>];
}

/// A row of a CSV table.
pub trait CsvRow: ColumnSet {
    /// The file's name without `.csv`.
    const TABLE: &'static str;
    /// The unit that a row represents.
    const ABOUT: &'static str;
}

/// Declares the struct of a row and its columns, in order.
///
/// `name: Type => …` is a field with a column; `name: Type = value => …` is a column alone, with its value as an expression of
/// the row. After the arrow come the records behind the cell, such as `Part[Spoke]`, or the setting of the plan, then source,
/// unit and formula. The comment above a column is its description. Fields within the braces have no column.
macro_rules! columns {
    ($(#[$meta:meta])* pub struct $Row:ident as $r:ident { $($fields:tt)* } $($rest:tt)*) => {
        $crate::analysis::column::columns!(@next [$(#[$meta])*] $Row $r [$($fields)*] [] $($rest)*);
    };
    (@next [$($meta:tt)*] $Row:ident $r:ident [$($fields:tt)*] [$($items:tt)*]) => {
        $($meta)* pub struct $Row { $($fields)* }

        impl $crate::analysis::column::ColumnSet for $Row {
            const ITEMS: &'static [$crate::analysis::column::ColumnItem<Self>] = &[$($items)*];
        }
    };
    (@next $meta:tt $Row:ident $r:ident [$($fields:tt)*] [$($items:tt)*] $(#[doc = $help:literal])+ $name:ident: $type:ty
        => $reach:ident $([$($of:ident),*])? $(($setting:ident))? $($take:ident)?, $source:literal $(, $key:ident: $text:literal)*;
        $($rest:tt)*) => {
        $crate::analysis::column::columns!(@next $meta $Row $r
            [$($fields)* $(#[doc = $help])+ pub $name: $type,]
            [$($items)* $crate::analysis::column::ColumnItem::Column($crate::analysis::column::Column {
                name: stringify!($name),
                help: concat!($($help),+),
                kind: <$type as $crate::analysis::column::CellValue>::KIND,
                unit: "",
                formula: "",
                source: $source,
                why: $crate::analysis::column::columns!(@why $reach $([$($of),*])? $(($setting))? $($take)?),
                put: |$r: &$Row, out| $crate::analysis::column::CellValue::put(&$r.$name, out),
            }$(.$key($text))*),]
            $($rest)*);
    };
    (@next $meta:tt $Row:ident $r:ident $fields:tt [$($items:tt)*] $(#[doc = $help:literal])+ $name:ident: $type:ty = $value:expr
        => $reach:ident $([$($of:ident),*])? $(($setting:ident))? $($take:ident)?, $source:literal $(, $key:ident: $text:literal)*;
        $($rest:tt)*) => {
        $crate::analysis::column::columns!(@next $meta $Row $r $fields
            [$($items)* $crate::analysis::column::ColumnItem::Column($crate::analysis::column::Column {
                name: stringify!($name),
                help: concat!($($help),+),
                kind: <$type as $crate::analysis::column::CellValue>::KIND,
                unit: "",
                formula: "",
                source: $source,
                why: $crate::analysis::column::columns!(@why $reach $([$($of),*])? $(($setting))? $($take)?),
                put: |$r: &$Row, out| $crate::analysis::column::put_typed_cell::<$type, _>(|| Some($value), out),
            }$(.$key($text))*),]
            $($rest)*);
    };
    (@next $meta:tt $Row:ident $r:ident $fields:tt [$($items:tt)*] group $Group:ty = $value:expr;
        $($rest:tt)*) => {
        $crate::analysis::column::columns!(@next $meta $Row $r $fields
            [$($items)* $crate::analysis::column::ColumnItem::Group($crate::analysis::column::ColumnGroup {
                prefix: "",
                words: &[],
                why: None,
                specs: $crate::analysis::column::list_columns::<$Group>,
                put: |$r: &$Row, out| $crate::analysis::column::put_group::<$Group>(|| $value, out),
            }),]
            $($rest)*);
    };
    (@next $meta:tt $Row:ident $r:ident $fields:tt [$($items:tt)*] group $prefix:literal $Group:ty = $value:expr
        => $reach:ident [$($of:ident),*] $(, $word:ident: $text:literal)*;
        $($rest:tt)*) => {
        $crate::analysis::column::columns!(@next $meta $Row $r $fields
            [$($items)* $crate::analysis::column::ColumnItem::Group($crate::analysis::column::ColumnGroup {
                prefix: $prefix,
                words: &[("{prefix}", $prefix), $((concat!("{", stringify!($word), "}"), $text)),*],
                why: Some($crate::analysis::column::columns!(@why $reach [$($of),*])),
                specs: $crate::analysis::column::list_columns::<$Group>,
                put: |$r: &$Row, out| $crate::analysis::column::put_group::<$Group>(|| $value, out),
            }),]
            $($rest)*);
    };
    (@next $meta:tt $Row:ident $r:ident $fields:tt [$($items:tt)*] open $specs:expr, $put:expr; $($rest:tt)*) => {
        $crate::analysis::column::columns!(@next $meta $Row $r $fields
            [$($items)* $crate::analysis::column::ColumnItem::Open($specs, $put),]
            $($rest)*);
    };
    (@why plan ($setting:ident)) => { $crate::analysis::why::CellProvenance::from_plan($crate::analysis::why::PlanSetting::$setting) };
    (@why group) => { $crate::analysis::why::CellProvenance::from_records($crate::analysis::why::RowReach::Own, &[]) };
    (@why $reach:ident [$($of:ident),*] $($take:ident)?) => {
        $crate::analysis::why::CellProvenance::from_records($crate::analysis::why::RowReach::$reach, &[$($crate::analysis::why::RecordKind::$of),*])
            $(.with_pick($crate::analysis::why::RecordPick::$take))?
    };
}
pub(in crate::analysis) use columns;

/// Appends the value of a column that is declared as a `K`.
pub(in crate::analysis) fn put_typed_cell<K: CellValue + ?Sized, T: CellValue>(
    value: impl FnOnce() -> Option<T>,
    out: &mut Vec<u8>,
) {
    const { assert!(K::KIND as u8 == T::KIND as u8, "a column is declared as another kind than its value") };
    value().put(out);
}

/// The specs of a group's columns.
pub(in crate::analysis) fn list_columns<G: ColumnSet>() -> Vec<ColumnSpec> {
    list_specs::<G>(&ColumnLayout::default())
}

/// The specs of a type's columns.
pub(in crate::analysis) fn list_specs<R: ColumnSet>(layout: &ColumnLayout) -> Vec<ColumnSpec> {
    let of_item = |item: &ColumnItem<R>| match item {
        ColumnItem::Column(column) => vec![column.to_spec()],
        ColumnItem::Group(group) => (group.specs)().into_iter().map(|spec| group.fill_words(spec)).collect(),
        ColumnItem::Open(specs, _) => specs(layout),
    };
    R::ITEMS.iter().flat_map(of_item).collect()
}

impl<R> ColumnGroup<R> {
    /// Fills the group's prefix and words into a column's spec.
    fn fill_words(&self, spec: ColumnSpec) -> ColumnSpec {
        let fill = |text: String| self.words.iter().fold(text, |text, (word, own)| text.replace(word, own));
        let name = if self.prefix.is_empty() { spec.name } else { format!("{}_{}", self.prefix, spec.name) };
        let (help, formula, source) = (fill(spec.help), fill(spec.formula), fill(spec.source));
        ColumnSpec { name, help, formula, source, why: self.why.unwrap_or(spec.why), ..spec }
    }
}

impl<R> Column<R> {
    fn to_spec(&self) -> ColumnSpec {
        ColumnSpec {
            name: self.name.to_owned(),
            kind: self.kind,
            unit: self.unit.to_owned(),
            help: self.help.trim_start().to_owned(),
            formula: self.formula.to_owned(),
            source: self.source.to_owned(),
            why: self.why,
        }
    }
}

/// Appends the cells of a row, each after a comma.
pub(in crate::analysis) fn put_cells<R: ColumnSet>(row: &R, out: &mut Vec<u8>) {
    for item in R::ITEMS {
        match item {
            ColumnItem::Column(column) => {
                out.push(b',');
                (column.put)(row, out);
            }
            ColumnItem::Group(group) => (group.put)(row, out),
            ColumnItem::Open(_, put) => put(row, out),
        }
    }
}

/// Appends the cells of a group, each after a comma; empty cells without a group.
pub(in crate::analysis) fn put_group<'g, G: ColumnSet>(group: impl FnOnce() -> Option<&'g G>, out: &mut Vec<u8>) {
    match group() {
        Some(group) => put_cells(group, out),
        None => out.extend(std::iter::repeat_n(b',', G::ITEMS.len())),
    }
}

/// A column without its cell, for codebooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnSpec {
    /// Its name in the header.
    pub name: String,
    /// The type of its cells.
    pub kind: CellKind,
    /// The unit of its numbers; empty for text and pure numbers.
    pub unit: String,
    /// Its meaning in words.
    pub help: String,
    /// Its formula; empty if a record holds the value.
    pub formula: String,
    /// The records that it comes from, or the literature of its formula.
    pub source: String,
    /// The records behind its cells.
    pub why: CellProvenance,
}

impl ColumnSpec {
    /// A noun phrase for its numbers: the help without parentheses and exceptions. The mean of a flag is a share of sessions.
    pub fn label(&self) -> String {
        let claim = self.help.strip_prefix("1 if ").filter(|_| self.kind == CellKind::Flag);
        let (mut words, mut rest) = (String::new(), claim.unwrap_or(&self.help));
        while let Some((before, (_, after))) = rest.split_once(" (").and_then(|(a, b)| Some((a, b.split_once(')')?))) {
            words.push_str(before);
            rest = after;
        }
        words.push_str(rest);
        words.truncate(words.find([';', ':', ',']).unwrap_or(words.len()));
        if claim.is_some() {
            words.insert_str(0, "share of sessions in which ");
        }
        if !self.unit.is_empty() && !words.contains(&self.unit) {
            words.push_str(&format!(", in {}", self.unit));
        }
        words
    }
}

/// The spec of an open column.
pub(in crate::analysis) fn declare_column(
    name: String,
    kind: CellKind,
    help: String,
    source: &str,
    why: CellProvenance,
) -> ColumnSpec {
    let (unit, formula) = Default::default();
    ColumnSpec { name, kind, unit, help, formula, source: source.to_owned(), why }
}

/// Joins names by `|`; `None` without names.
pub(in crate::analysis) fn join_names<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    names.fold(None, |all: Option<String>, name| match all {
        None => Some(name.to_owned()),
        Some(all) => Some(all + "|" + name),
    })
}

/// Appends a row as a line of CSV after its key block, which has no trailing comma.
pub fn put_row<R: CsvRow>(key: &[u8], row: &R, out: &mut Vec<u8>) {
    out.extend_from_slice(key);
    put_cells(row, out);
    out.push(b'\n');
}

/// Appends a text unaltered, quoted by RFC 4180 if it holds a comma, a quote or a line break.
pub fn put_text(text: &str, out: &mut Vec<u8>) {
    if !text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    for (place, piece) in text.split('"').enumerate() {
        if place > 0 {
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(piece.as_bytes());
    }
    out.push(b'"');
}

fn put_integer(value: impl itoa::Integer, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Appends a real number with six decimals; negative zero becomes zero.
fn put_real(value: f64, out: &mut Vec<u8>) {
    let Some(millionths) = round_to_millionths(value.abs()) else {
        return write!(out, "{value:.6}").expect("invariant: a vector takes every byte");
    };
    if value < 0.0 && millionths > 0 {
        out.push(b'-');
    }
    put_integer(millionths / 1_000_000, out);
    out.push(b'.');
    let mut digits = [b'0'; 6];
    let mut rest = millionths % 1_000_000;
    for digit in digits.iter_mut().rev() {
        *digit += (rest % 10) as u8;
        rest /= 10;
    }
    out.extend_from_slice(&digits);
}

/// The nearest number of millionths, which is several times faster than formatting; `None` for a number of 2^40 or more, one that is
/// not finite, or one halfway between two.
fn round_to_millionths(value: f64) -> Option<u64> {
    const MANTISSA_BITS: u64 = 52;
    if value < f64::MIN_POSITIVE {
        return Some(0);
    }
    if value.is_nan() || value >= (1_u64 << 40) as f64 {
        return None;
    }
    let bits = value.to_bits();
    let mantissa = (bits & ((1 << MANTISSA_BITS) - 1)) | (1 << MANTISSA_BITS);
    // The value is mantissa / 2^shift, and shift is at least 13, because the value is below 2^40.
    let shift = 1075 - (bits >> MANTISSA_BITS);
    let scaled = u128::from(mantissa) * 1_000_000;
    let (floor, rest) = match shift {
        0..=127 => (scaled >> shift, scaled & ((1 << shift) - 1)),
        _ => return Some(0),
    };
    match rest.cmp(&(1 << (shift - 1))) {
        Ordering::Less => u64::try_from(floor).ok(),
        Ordering::Greater => u64::try_from(floor + 1).ok(),
        Ordering::Equal => None,
    }
}

spelled!(CellKind);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Serialize;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_rounded_as_the_standard_library_does(value: f64, small in -4.0..4.0_f64, (whole, of) in (-1_000_i32..1_000, 1_i32..1_000)) {
            let halves = f64::from(whole) / 128.0;
            for value in [value, small, small * 1e-6, small * 1e7, f64::from(whole) / f64::from(of), halves, f64::from(whole) * 1e9] {
                let (mut ours, expected) = (Vec::new(), format!("{value:.6}"));
                put_real(value, &mut ours);
                let expected = if expected == "-0.000000" { "0.000000" } else { expected.as_str() };
                prop_assert_eq!(String::from_utf8(ours).unwrap(), expected, "{}", value);
            }
        }
    }

    #[test]
    fn every_metric_has_a_label_of_its_own_that_fits_a_line() {
        let specs = crate::analysis::table_specs(&ColumnLayout {
            alternatives: vec!["floor".to_owned()],
            ..ColumnLayout::default()
        });
        let sessions = specs.into_iter().find(|spec| spec.name == "sessions").expect("there is such a table");
        let mut labels: Vec<String> = Vec::new();
        for column in sessions.columns.iter().filter(|column| column.kind != CellKind::Text) {
            let label = column.label();
            assert!(!label.contains([';', ':', '(', '_']), "{}: {label}", column.name);
            assert!((4..=112).contains(&label.len()), "{}: {label}", column.name);
            assert!(!labels.contains(&label), "{}: {label}", column.name);
            labels.push(label);
        }
        let label = |name: &str| sessions.columns.iter().find(|column| column.name == name).map(ColumnSpec::label);
        for (name, expected) in [
            ("carried", "share of sessions in which the group decided by vote"),
            ("straw_after_modal_share", "share of the most frequent alternative in the straw poll after the talk"),
            ("cost_usd", "cost of the answers by the prices that plan.yaml has for their models, in USD"),
            ("result_error", "squared error of the amount decided for, in squared units of the scenario"),
        ] {
            assert_eq!(label(name).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_negative_zero_is_written_as_zero() {
        let mut out = Vec::new();
        put_real(-1e-9, &mut out);
        assert_eq!(out, b"0.000000");
    }

    #[test]
    fn a_missing_number_is_an_empty_cell() {
        let mut out = Vec::new();
        None::<f64>.put(&mut out);
        None::<u64>.put(&mut out);
        assert!(out.is_empty());
    }

    #[test]
    fn only_what_must_be_quoted_is_quoted() {
        for (text, expected) in
            [("a b", "a b"), ("a,b", "\"a,b\""), ("\"", "\"\"\"\""), ("\r", "\"\r\""), ("\u{0}", "\u{0}")]
        {
            let mut out = Vec::new();
            put_text(text, &mut out);
            assert_eq!(out, expected.as_bytes());
        }
    }

    fn minuted(value: impl Serialize) -> String {
        serde_json::to_value(value).unwrap().as_str().unwrap().to_owned()
    }

    #[test]
    fn tables_spell_as_the_minutes_do() {
        use {PhaseKindName as P, RuleKind as R, StopReason as S, TieBreak as T};
        [P::Brief, P::Ask, P::Ranking, P::Comprehension, P::Applications, P::Discussion, P::Vote, P::Pay]
            .into_iter()
            .for_each(|value| assert_eq!(value.as_str(), minuted(value)));
        [S::Decided, S::RoundsUsedUp, S::Undecided, S::Imposed, S::Converged, S::NobodyLeft, S::AgendaDone]
            .into_iter()
            .for_each(|value| assert_eq!(value.as_str(), minuted(value)));
        R::ALL.into_iter().for_each(|value| assert_eq!(value.as_str(), minuted(value)));
        [Base::Members, Base::Valid].into_iter().for_each(|value| assert_eq!(value.as_str(), minuted(value)));
        [Voice::Facilitator, Voice::Human].into_iter().for_each(|value| assert_eq!(value.as_str(), minuted(value)));
        [T::Lot, T::AgendaOrder, T::StatusQuo, T::NoDecision, T::Chair, T::RandomBallot]
            .into_iter()
            .for_each(|value| assert_eq!(value.as_str(), minuted(value)));
    }
}
