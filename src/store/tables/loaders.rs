//! Renders `load.R` and `load.py`, which read and join the tables, from the templates in this folder.

use crate::analysis::{CellKind, TableSpec};
use crate::plan::Experiment;
use crate::text::put_line;

const LOAD_R: &str = include_str!("load.R");
const LOAD_PY: &str = include_str!("load.py");

/// A column with a fixed order of values: the baseline's value first, then those of the design.
pub(super) type ColumnLevels = Vec<(String, Vec<String>)>;

/// The arms, and the levels of every factor. An arm without a factor adds no level.
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

/// The figures that have a function of their own in both scripts. `draw_figure` draws the others: metrics and the flows of several arms.
const FIGURES: [&str; 23] = [
    "choices",
    "contrasts",
    "interaction",
    "polls",
    "items-right",
    "items-conformed",
    "items-error",
    "decided",
    "stances",
    "agreement",
    "opinions",
    "stock",
    "waves",
    "flow",
    "influence",
    "facts",
    "speaking",
    "rules",
    "payoffs",
    "forgone",
    "memory",
    "left-out",
    "cost",
];

/// The script for base R.
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
    let function =
        |name: &&str| format!("figure_{} <- function(...) draw_figure(\"{name}\", ...)\n", name.replace('-', "_"));
    let figures: String = FIGURES.iter().map(function).collect();
    LOAD_R.replace("# FIGURES\n", &figures).replace("# TABLES\n", &out)
}

/// The module for pandas.
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
    let function = |name: &&str| {
        let function = name.replace('-', "_");
        format!(
            "def figure_{function}(**options):\n    \"\"\"Draws the figure `{name}`.\"\"\"\n    return draw_figure(\"{name}\", **options)\n"
        )
    };
    let figures = FIGURES.iter().map(function).collect::<Vec<_>>().join("\n\n");
    LOAD_PY.replace("# FIGURES\n", &figures).replace("# TABLES\n", &out)
}

/// The columns with which every table begins.
fn key_block(specs: &[TableSpec]) -> Vec<&str> {
    let columns = specs.first().map(|spec| spec.columns.as_slice()).unwrap_or_default();
    let last = columns.iter().position(|column| column.name == "session").map_or(0, |place| place + 1);
    columns[..last].iter().map(|column| column.name.as_str()).collect()
}

/// Quotes a column's name for R.
fn r_name(name: &str) -> String {
    format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`"))
}

/// Quotes a text. JSON's form is valid in Python and R.
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
