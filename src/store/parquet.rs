//! `export --format parquet`: each table as a Parquet file, with the types of the codebook.
//!
//! Every cell is parsed exactly; an empty cell becomes a null. The file's metadata describe the columns, under the key `codebook`
//! and under one key per column.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use csv::{Reader, StringRecord};
use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::store::files::{FileError, file_error};
use crate::store::places::file_names;
use crate::store::staging::Staging;

const ROWS_AT_ONCE: usize = 16_384;

/// Why tables cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ParquetExportError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table does not match its codebook.
    #[error("{}: {reason}", path.display())]
    Table {
        /// The table's file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

#[derive(Debug, Clone)]
struct CodebookColumn {
    name: String,
    kind: String,
    about: serde_json::Value,
}

/// Writes every table of a results folder into a new folder. Returns their number.
///
/// # Errors
/// When a file cannot be read or written, or a table does not match the codebook. Nothing is left behind then.
pub fn write_tables(results: &Path, out: &Path) -> Result<u64, ParquetExportError> {
    let staging = Staging::begin(out)?;
    let folder = staging.path();
    fs::create_dir(&folder).map_err(|error| file_error(out, &error))?;
    let tables = read_codebook(results)?;
    for (table, columns) in &tables {
        let from = results.join(format!("{table}.csv"));
        table_to(&from, columns, &folder.join(format!("{table}.parquet")))?;
    }
    staging.publish()?;
    Ok(tables.len() as u64)
}

/// Reads the codebook: tables and their columns, in order.
fn read_codebook(results: &Path) -> Result<Vec<(String, Vec<CodebookColumn>)>, ParquetExportError> {
    let path = results.join("codebook.csv");
    let wrong = |error: csv::Error| ParquetExportError::Table { path: path.clone(), reason: error.to_string() };
    let mut reader = open_csv(&path)?;
    let head = reader.headers().map_err(wrong)?.clone();
    let mut tables: Vec<(String, Vec<CodebookColumn>)> = Vec::new();
    for row in reader.records() {
        let row = row.map_err(wrong)?;
        let about = head.iter().zip(&row).skip(2).map(|(key, value)| (key.to_owned(), value.into())).collect();
        let cell = |place: usize| row.get(place).unwrap_or_default().to_owned();
        let column = CodebookColumn { name: cell(1), kind: cell(2), about: serde_json::Value::Object(about) };
        match tables.last_mut() {
            Some((table, columns)) if *table == cell(0) => columns.push(column),
            _ => tables.push((cell(0), vec![column])),
        }
    }
    // Names become paths: accept only tables that runs write.
    let known = file_names();
    if let Some((table, _)) = tables.iter().find(|(table, _)| !known.contains(&format!("{table}.csv"))) {
        return Err(ParquetExportError::Table { path, reason: format!("{table:?} is no table of this version") });
    }
    Ok(tables)
}

fn open_csv(path: &Path) -> Result<Reader<File>, FileError> {
    let file = File::open(path).map_err(|error| file_error(path, &error))?;
    Ok(csv::ReaderBuilder::new().from_reader(file))
}

fn table_to(from: &Path, columns: &[CodebookColumn], to: &Path) -> Result<(), ParquetExportError> {
    let wrong = |reason: String| ParquetExportError::Table { path: from.to_owned(), reason };
    let mut reader = open_csv(from)?;
    let head = reader.headers().map_err(|error| wrong(error.to_string()))?;
    if !head.iter().eq(columns.iter().map(|column| column.name.as_str())) {
        return Err(wrong("its columns are not those of codebook.csv".to_owned()));
    }
    let file = File::create(to).map_err(|error| file_error(to, &error))?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("ekklesia ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(column_metadata(columns)))
        .build();
    let failed = |error: parquet::errors::ParquetError| FileError { path: to.to_owned(), reason: error.to_string() };
    let mut writer =
        SerializedFileWriter::new(file, Arc::new(table_schema(columns)), Arc::new(properties)).map_err(failed)?;
    let mut rows: Vec<StringRecord> = Vec::with_capacity(ROWS_AT_ONCE);
    let mut records = reader.records();
    let mut first = 1;
    loop {
        rows.clear();
        for row in records.by_ref().take(ROWS_AT_ONCE) {
            rows.push(row.map_err(|error| wrong(error.to_string()))?);
        }
        if rows.is_empty() {
            break;
        }
        let mut group = writer.next_row_group().map_err(failed)?;
        for (place, column) in columns.iter().enumerate() {
            put_column(&mut group, place, column, (first, &rows)).map_err(&wrong)?;
        }
        group.close().map_err(failed)?;
        first += rows.len();
    }
    writer.close().map_err(failed)?;
    Ok(())
}

/// The schema, in which every column is optional.
fn table_schema(columns: &[CodebookColumn]) -> Type {
    let fields = columns.iter().map(|column| {
        let (physical, logical, converted) = match column.kind.as_str() {
            "count" => (Physical::INT64, None, ConvertedType::NONE),
            "real" => (Physical::DOUBLE, None, ConvertedType::NONE),
            "flag" => (Physical::BOOLEAN, None, ConvertedType::NONE),
            _ => (Physical::BYTE_ARRAY, Some(LogicalType::String), ConvertedType::UTF8),
        };
        let field = Type::primitive_type_builder(&column.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .with_converted_type(converted);
        Arc::new(field.build().expect("invariant: these types go together"))
    });
    let group = Type::group_type_builder("table").with_fields(fields.collect());
    group.build().expect("invariant: a group of columns is a schema")
}

/// The metadata: `codebook` for all columns, `column:<name>` for each.
fn column_metadata(columns: &[CodebookColumn]) -> Vec<KeyValue> {
    let all: serde_json::Map<String, serde_json::Value> =
        columns.iter().map(|column| (column.name.clone(), column.about.clone())).collect();
    let mut found = vec![KeyValue::new("codebook".to_owned(), serde_json::Value::Object(all).to_string())];
    found.extend(columns.iter().map(|column| {
        let about = column.about.get("description").and_then(|about| about.as_str()).unwrap_or_default();
        KeyValue::new(format!("column:{}", column.name), about.to_owned())
    }));
    found
}

/// Writes one column of some rows. `first` is the number of the first row, from 1.
fn put_column(
    group: &mut SerializedRowGroupWriter<'_, File>,
    place: usize,
    column: &CodebookColumn,
    (first, rows): (usize, &[StringRecord]),
) -> Result<(), String> {
    let cells: Vec<&str> = rows.iter().map(|row| row.get(place).unwrap_or_default()).collect();
    let there: Vec<i16> = cells.iter().map(|cell| i16::from(!cell.is_empty())).collect();
    let wrong = |row: usize| format!("row {}: {} is no {}: {:?}", first + row, column.name, column.kind, cells[row]);
    let failed = |error: parquet::errors::ParquetError| error.to_string();
    let mut writer = group.next_column().map_err(failed)?.expect("invariant: there is a writer for each column");
    match writer.untyped() {
        ColumnWriter::Int64ColumnWriter(writer) => {
            let values = parse_cells(&cells, |cell| cell.parse::<i64>().ok()).map_err(wrong)?;
            writer.write_batch(&values, Some(&there), None)
        }
        ColumnWriter::DoubleColumnWriter(writer) => {
            let values = parse_cells(&cells, |cell| cell.parse::<f64>().ok()).map_err(wrong)?;
            writer.write_batch(&values, Some(&there), None)
        }
        ColumnWriter::BoolColumnWriter(writer) => {
            let flag = |cell: &str| ["0", "1"].iter().position(|word| *word == cell).map(|place| place == 1);
            let values = parse_cells(&cells, flag).map_err(wrong)?;
            writer.write_batch(&values, Some(&there), None)
        }
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            let values = parse_cells(&cells, |cell| Some(ByteArray::from(cell))).map_err(wrong)?;
            writer.write_batch(&values, Some(&there), None)
        }
        _ => unreachable!("invariant: the schema has four types"),
    }
    .map_err(failed)?;
    writer.close().map_err(failed)
}

/// Parses the cells that are not empty; an error is the position of an invalid cell.
fn parse_cells<T>(cells: &[&str], read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, usize> {
    let there = cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
    there.map(|(row, cell)| read(cell).ok_or(row)).collect()
}
