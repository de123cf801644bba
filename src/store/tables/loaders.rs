//! `load.R` and `load.py`: scripts that read every table with its types, and join tables.
//!
//! The scripts themselves stand beside this file; here the tables' own part is put into them.

use crate::analysis::{CellKind, TableSpec};
use crate::plan::Experiment;
use crate::text::put_line;

const LOAD_R: &str = include_str!("load.R");
const LOAD_PY: &str = include_str!("load.py");

/// A column whose values are known beforehand, and these in order: the baseline's first, else the design's first.
pub(super) type ColumnLevels = Vec<(String, Vec<String>)>;

/// The arms and the levels of every factor; an arm that is no null has none of that factor.
pub(super) fn column_levels(experiment: &Experiment) -> ColumnLevels {
    let baseline = experiment.baseline.as_deref();
    let baseline = experiment.arms.iter().find(|plan| Some(plan.arm.as_str()) == baseline);
    let arms = baseline.into_iter().chain(&experiment.arms);
    let mut found: ColumnLevels = vec![("arm".to_owned(), Vec::new())];
    found.extend(experiment.factors.iter().map(|factor| (format!("arm_{factor}"), Vec::new())));
    for plan in arms {
        let labels = experiment.factors.iter().map(|factor| {
            let level = plan.levels.iter().find(|level| level.factor == *factor);
            level.map(|level| &level.label)
        });
        for ((_, values), label) in found.iter_mut().zip([Some(&plan.arm)].into_iter().chain(labels)) {
            if let Some(label) = label.filter(|label| !label.is_empty() && !values.contains(label)) {
                values.push(label.clone());
            }
        }
    }
    found
}

/// A script in base R.
pub(super) fn load_r(specs: &[TableSpec], categories: &ColumnLevels) -> String {
    let mut out = String::new();
    let key: Vec<String> = key_block(specs).iter().map(|name| quote_text(name)).collect();
    put_line!(out, "key_block <- c({})\n", key.join(", "));
    out.push_str("levels_in_order <- list(\n");
    let levels: Vec<String> = categories
        .iter()
        .map(|(column, values)| {
            let values: Vec<String> = values.iter().map(|value| quote_text(value)).collect();
            format!("  {} = c({})", r_name(column), values.join(", "))
        })
        .collect();
    put_line!(out, "{}\n)", levels.join(",\n"));
    for spec in specs {
        put_line!(out, "\n{0} <- read_table(\"{0}.csv\", c(", spec.name);
        let types: Vec<String> = spec
            .columns
            .iter()
            .map(|column| format!("  {} = \"{}\"", r_name(&column.name), column.kind.as_str()))
            .collect();
        put_line!(out, "{}\n))", types.join(",\n"));
    }
    LOAD_R.replace("# TABLES\n", &out)
}

/// A module for pandas.
pub(super) fn load_py(specs: &[TableSpec], categories: &ColumnLevels) -> String {
    let mut out = String::new();
    let key: Vec<String> = key_block(specs).iter().map(|name| quote_text(name)).collect();
    put_line!(out, "KEY_BLOCK = [{}]\n\nLEVELS_IN_ORDER = {{", key.join(", "));
    for (column, values) in categories {
        let values: Vec<String> = values.iter().map(|value| quote_text(value)).collect();
        put_line!(out, "    {}: [{}],", quote_text(column), values.join(", "));
    }
    out.push_str("}\n\nTYPES = {\n");
    for spec in specs {
        put_line!(out, "    \"{}\": {{", spec.name);
        for column in &spec.columns {
            let dtype = match column.kind {
                CellKind::Text => "string",
                CellKind::Count => "Int64",
                CellKind::Flag => "boolean",
                CellKind::Real => "float64",
            };
            put_line!(out, "        {}: \"{dtype}\",", quote_text(&column.name));
        }
        out.push_str("    },\n");
    }
    out.push_str("}\n");
    LOAD_PY.replace("# TABLES\n", &out)
}

/// The columns that every table begins with.
fn key_block(specs: &[TableSpec]) -> Vec<&str> {
    let columns = specs.first().map(|spec| spec.columns.as_slice()).unwrap_or_default();
    let last = columns.iter().position(|column| column.name == "session").map_or(0, |place| place + 1);
    columns[..last].iter().map(|column| column.name.as_str()).collect()
}

/// A column's name as a name in R, whatever characters it has.
fn r_name(name: &str) -> String {
    format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`"))
}

/// A text between quotes, whatever characters it has: JSON's texts are Python's, and R's.
fn quote_text(text: &str) -> String {
    serde_json::to_string(text).expect("invariant: a text has a JSON form")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_end_its_quotes() {
        assert_eq!(r_name("attr_a`\\b"), "`attr_a\\`\\\\b`");
        assert_eq!(quote_text("attr_\"a\""), r#""attr_\"a\"""#);
    }
}
