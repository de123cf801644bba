//! Renders `codebook.csv` and `datapackage.json`, which describe every column.

use serde_json::{Value, json};

use crate::analysis::{CellKind, ColumnSpec, TableSpec, put_text};

const CODEBOOK_HEADER: [&str; 7] = ["table", "column", "type", "unit", "description", "formula", "source"];

/// The codebook, with one row per column.
pub(super) fn render_codebook(specs: &[TableSpec]) -> String {
    let mut out = CODEBOOK_HEADER.join(",").into_bytes();
    out.push(b'\n');
    for spec in specs {
        for column in &spec.columns {
            put_text(spec.name, &mut out);
            for cell in
                [&column.name, column.kind.as_str(), &column.unit, &column.help, &column.formula, &column.source]
            {
                out.push(b',');
                put_text(cell, &mut out);
            }
            out.push(b'\n');
        }
    }
    String::from_utf8(out).expect("invariant: the cells were text")
}

/// A Frictionless data package with a schema for every table, including the codebook.
pub(super) fn render_datapackage(specs: &[TableSpec]) -> String {
    let codebook_fields: Vec<Value> =
        CODEBOOK_HEADER.iter().map(|name| json!({"name": name, "type": "string"})).collect();
    let mut resources: Vec<Value> = specs
        .iter()
        .map(|spec| table_resource(spec.name, spec.about, spec.columns.iter().map(column_field).collect()))
        .collect();
    resources.push(table_resource("codebook", "one row a column of every table", codebook_fields));
    let package = json!({
        "name": "tables",
        "profile": "tabular-data-package",
        "resources": resources,
    });
    serde_json::to_string_pretty(&package).expect("invariant: strings serialise") + "\n"
}

fn table_resource(name: &str, about: &str, fields: Vec<Value>) -> Value {
    json!({
        "name": name,
        "path": format!("{name}.csv"),
        "profile": "tabular-data-resource",
        "description": about,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "dialect": {"delimiter": ",", "quoteChar": "\"", "doubleQuote": true, "lineTerminator": "\n", "header": true},
        "schema": {"fields": fields, "missingValues": [""]},
    })
}

fn column_field(column: &ColumnSpec) -> Value {
    let mut field = json!({
        "name": column.name,
        "type": match column.kind {
            CellKind::Text => "string",
            CellKind::Count => "integer",
            CellKind::Real => "number",
            CellKind::Flag => "boolean",
        },
        "description": column.help,
    });
    if column.kind == CellKind::Flag {
        field["trueValues"] = json!(["1"]);
        field["falseValues"] = json!(["0"]);
    }
    if !column.unit.is_empty() {
        field["unit"] = json!(column.unit);
    }
    field
}
