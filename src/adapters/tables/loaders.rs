//! `load.R` and `load.py`: scripts that read every table with its types.

use std::fmt::Write as _;

use crate::metrics::{Kind, TableSpec};

const WROTE: &str = "invariant: a string takes every character";

/// A script in base R. Whole numbers are read as doubles there, because tokens may exceed R's integers.
pub(super) fn load_r(specs: &[TableSpec]) -> String {
    let mut out = String::from(
        "# Reads every table with its types: source(\"load.R\", chdir = TRUE). Flags are 0 and 1; empty cells are NA.\n\
         # Base R cannot hold NUL characters, so they are skipped, and it reads every line end inside a text as LF.\n\
         read_table <- function(file, types) {\n\
         \x20 read.csv(file, colClasses = types, na.strings = \"\", encoding = \"UTF-8\", skipNul = TRUE,\n\
         \x20          stringsAsFactors = FALSE, check.names = FALSE)\n\
         }\n",
    );
    for spec in specs {
        writeln!(out, "{0} <- read_table(\"{0}.csv\", c(", spec.name).expect(WROTE);
        let types: Vec<String> = spec
            .columns
            .iter()
            .map(|column| {
                let class = match column.kind {
                    Kind::Text => "character",
                    Kind::Count | Kind::Real => "numeric",
                    Kind::Flag => "integer",
                };
                format!("  {} = \"{class}\"", r_name(&column.name))
            })
            .collect();
        writeln!(out, "{}\n))", types.join(",\n")).expect(WROTE);
    }
    out
}

/// A module for pandas.
pub(super) fn load_py(specs: &[TableSpec]) -> String {
    let mut out = String::from(
        "\"\"\"Reads every table with its types: `from load import load; tables = load()`.\n\n\
         Flags are 0 and 1; empty cells are missing values.\n\"\"\"\n\n\
         from pathlib import Path\n\nimport pandas as pd\n\nTYPES = {\n",
    );
    for spec in specs {
        writeln!(out, "    \"{}\": {{", spec.name).expect(WROTE);
        for column in &spec.columns {
            let dtype = match column.kind {
                Kind::Text => "string",
                Kind::Count | Kind::Flag => "Int64",
                Kind::Real => "float64",
            };
            writeln!(out, "        {}: \"{dtype}\",", py_name(&column.name)).expect(WROTE);
        }
        out.push_str("    },\n");
    }
    out.push_str(
        "}\n\n\n\
         def load(folder=Path(__file__).parent):\n\
         \x20   \"\"\"Returns a dictionary of data frames, one a table.\"\"\"\n\
         \x20   return {\n\
         \x20       table: pd.read_csv(\n\
         \x20           Path(folder) / f\"{table}.csv\",\n\
         \x20           dtype=types,\n\
         \x20           keep_default_na=False,\n\
         \x20           na_values=[\"\"],\n\
         \x20           encoding=\"utf-8\",\n\
         \x20           lineterminator=\"\\n\",\n\
         \x20           float_precision=\"round_trip\",\n\
         \x20       )\n\
         \x20       for table, types in TYPES.items()\n\
         \x20   }\n",
    );
    out
}

/// A column's name as a name in R, whatever characters it has.
fn r_name(name: &str) -> String {
    format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`"))
}

/// A column's name as a text in Python, whatever characters it has: JSON's texts are Python's.
fn py_name(name: &str) -> String {
    serde_json::to_string(name).expect("invariant: a text has a JSON form")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_end_its_quotes() {
        assert_eq!(r_name("attr_a`\\b"), "`attr_a\\`\\\\b`");
        assert_eq!(py_name("attr_\"a\""), r#""attr_\"a\"""#);
    }
}
