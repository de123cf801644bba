//! The column dictionary in `results/README.md`, generated from the same declarations as the tables.

use crate::analysis::{AnswerColumn, ColumnLayout, VariableColumn, table_specs};
use crate::domain::Holder;
use crate::text::put_line;

const PREAMBLE: &str = "# Results

Each experiment leaves a folder here: `plan.yaml` and `inputs/` (what was run), `sessions/` (the minutes), and the tables below.
Tables are tidy CSV in UTF-8 with LF line ends and no byte-order mark; text is never altered and is quoted as RFC 4180 says.
A spreadsheet may run text that begins with `=`, `+`, `-` or `@` as a formula: for one, write the tables with `ekklesia export --format csv-safe`.
An empty cell is a missing value. A flag is 0 or 1, a count is a whole number, a real has six decimals, an amount in USD as many more as it needs. Names in one cell are joined by `|`.
`load.R` and `load.py` read every table with its types; `codebook.csv` and `datapackage.json` hold this dictionary for the experiment's own factors.

Every table begins with the key block: `experiment` to `session`, with one column `arm_<factor>` for each factor of the design.
In `sessions.csv` there are three columns for each alternative: its share in the last vote and in the straw polls before and after the talk.
In `seats.csv` there is one column for each trait of a mind, each attribute of a pool of personas, and each alternative that is ranked.
`methods.md` is a page about the experiment that may be pasted into a paper: its design, and what was recorded, in numbers.
`session` and `seat` are the only join ever needed. Rounds count from 1 within a phase; round 0 is that phase's part outside rounds.
Only completed sessions have rows outside `sessions.csv`. Position columns name their source: `stance_` was declared in statements,
`straw_` was asked privately and binds nobody, `ballot_` was voted. The source of a column names records: answers by their step
(`ballot`), others by their kind (`Tallied`).
";

/// The dictionary as Markdown.
pub fn render_dictionary() -> String {
    let mut out = PREAMBLE.to_owned();
    for spec in table_specs(&open_columns()) {
        put_line!(out, "\n## {}.csv\n\n{}.\n", spec.name, capitalise_first(spec.about));
        out.push_str("| column | type | unit | meaning | formula | source |\n| --- | --- | --- | --- | --- | --- |\n");
        for column in &spec.columns {
            let formula =
                if column.formula.is_empty() { String::new() } else { format!("`{}`", escape_cell(&column.formula)) };
            let (help, source) = (escape_cell(&column.help), escape_cell(&column.source));
            let (name, kind, unit) = (&column.name, column.kind.as_str(), &column.unit);
            put_line!(out, "| `{name}` | {kind} | {unit} | {help} | {formula} | {source} |");
        }
    }
    out
}

/// Placeholders for columns that depend on the experiment.
fn open_columns() -> ColumnLayout {
    let one = |name: &str| vec![name.to_owned()];
    let answer = || AnswerColumn { phase: "<phase>".to_owned(), field: "<field>".to_owned(), is_number: true };
    ColumnLayout {
        factors: one("<factor>"),
        traits: one("<trait>"),
        attributes: one("<attribute>"),
        alternatives: one("<alternative>"),
        ranked: one("<alternative>"),
        answers: vec![answer()],
        keyed: vec![answer()],
        variables: vec![VariableColumn { name: "<variable>".to_owned(), of: Holder::Seat, is_number: true }],
    }
}

/// Escapes text for a Markdown table.
fn escape_cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

fn capitalise_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
