//! Reads and checks pools of personas.

use std::collections::BTreeMap;

use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::tree::Node;
use crate::config::written::config::{Config, PersonasConfig};
use crate::domain::Digest;
use crate::plan::{Persona, PersonaPool, as_word, check_word};

/// The maximum number of row errors reported for one file.
const ROWS_TOLD: usize = 20;
/// The maximum number of columns in a hint.
const COLUMNS_TOLD: usize = 8;
/// The limit on strata: a larger number is probably a mistake.
const STRATA_MAX: usize = 1_000;

/// A file of personas: a table of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonaFile {
    /// The file name to show to the author.
    pub shown: String,
    /// The digest of its bytes, with LF line ends.
    pub digest: Digest,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The place of each name: line and column in characters, both from 1.
    pub header: Vec<(u32, u32)>,
    /// The rows below the header.
    pub rows: Vec<PersonaRow>,
}

/// A row of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonaRow {
    /// One cell per column.
    pub cells: Vec<String>,
    /// The start of each cell: line and column in characters, both from 1.
    pub places: Vec<(u32, u32)>,
}

impl PersonaRow {
    /// The line in which the row begins, from 1; 0 without cells.
    pub fn line(&self) -> u64 {
        self.places.first().map_or(0, |(line, _)| u64::from(*line))
    }

    /// A problem in one of the row's cells.
    pub fn cell_problem(&self, file: &PersonaFile, cell: usize, message: String) -> Problem {
        problem_in_cell(file, self.places.get(cell), message)
    }
}

impl PersonaFile {
    /// The index of a column; `written` is the dotted path that names it in the config.
    ///
    /// # Errors
    /// If the file has no such column.
    pub fn find_column(&self, name: &str, written: &str, tree: &Node) -> Result<usize, Problem> {
        if let Some(position) = self.columns.iter().position(|known| known == name) {
            return Ok(position);
        }
        let message = format!("{} has no column \"{name}\"", self.shown);
        let blank = self.columns.iter().position(|known| known.trim() == name.trim());
        let known = self.columns.iter().map(String::as_str);
        let hint = match blank {
            Some(blank) => Some(format!("it has {:?}: delete the blank there, after the comma", self.columns[blank])),
            None => suggest_word(name, known).or_else(|| {
                let first: Vec<&str> = self.columns.iter().take(COLUMNS_TOLD).map(String::as_str).collect();
                Some(format!("its columns are {}, …", first.join(", ")))
            }),
        };
        Err(tree.problem(written, message).with_hint(hint))
    }
}

/// Replaces the files' paths by stored paths, so that `plan.yaml` contains no path of the author's machine.
pub fn set_stored_persona_paths(personas: &mut Node) {
    for pool in personas.entries_mut() {
        pool.node.replace_text_at("file", stored_persona_path(&pool.key));
    }
}

/// The stored path of a pool's file, beside the config.
pub fn stored_persona_path(pool: &str) -> String {
    format!("personas/{pool}.csv")
}

/// Lowers the pools in the config's order; reports every error. `None` after an error, or if a file was not read.
pub fn lower_pools(
    config: &Config,
    files: &BTreeMap<String, PersonaFile>,
    tree: &Node,
    problems: &mut Problems,
) -> Option<Vec<PersonaPool>> {
    let before = problems.len();
    let mut pools = Vec::new();
    for (name, written) in &config.personas {
        let path = format!("personas.{name}");
        problems.note_key(tree, "personas", name, check_word(name));
        let Some(file) = files.get(name) else { continue };
        if let Some(columns) = find_columns(written, file, &path, tree, problems) {
            pools.push(lower_pool(name, file, columns, problems));
        }
    }
    (problems.len() == before && pools.len() == config.personas.len()).then_some(pools)
}

/// The indices of the columns that the config names.
#[derive(Debug, Clone, Copy)]
struct PersonaColumns {
    id: usize,
    text: usize,
    strata: Option<usize>,
}

fn find_columns(
    written: &PersonasConfig,
    file: &PersonaFile,
    path: &str,
    tree: &Node,
    problems: &mut Problems,
) -> Option<PersonaColumns> {
    let mut column =
        |key: &str, column: &String| problems.ok_or_report(file.find_column(column, &format!("{path}.{key}"), tree));
    let (id, text) = (column("id", &written.id), column("text", &written.text));
    let strata = written.strata.as_ref().map(|strata| column("strata", strata));
    if id.is_some() && id == text {
        problems.push(tree.problem(&format!("{path}.text"), "the words stand in another column than the id"));
        return None;
    }
    if strata.flatten().is_some_and(|strata| Some(strata) == id || Some(strata) == text) {
        let message = "a stratum is named in another column than the id and the words";
        problems.push(tree.problem(&format!("{path}.strata"), message));
        return None;
    }
    Some(PersonaColumns { id: id?, text: text?, strata: strata.map_or(Some(None), |strata| strata.map(Some))? })
}

fn lower_pool(name: &str, file: &PersonaFile, columns: PersonaColumns, problems: &mut Problems) -> PersonaPool {
    let PersonaColumns { id: of_id, text: of_text, strata } = columns;
    for (i, column) in file.columns.iter().enumerate() {
        if i != of_id && i != of_text {
            let hint = as_word(column).map(|word| format!("write {word}"));
            let wrong = |message: String| problem_in_cell(file, file.header.get(i), message).with_hint(hint);
            problems.ok_or_report(check_word(column).map_err(wrong));
        }
        if file.columns[..i].contains(column) {
            problems.push(problem_in_cell(file, file.header.get(i), format!("two columns are called \"{column}\"")));
        }
    }
    let others = |cells: &[String]| -> Vec<String> {
        let cells = cells.iter().enumerate().filter(|(i, _)| *i != of_id && *i != of_text);
        cells.map(|(_, cell)| cell.clone()).collect()
    };
    let mut lines = BTreeMap::new();
    let mut personas = Vec::new();
    let mut wrong = Vec::new();
    let mut named: BTreeMap<&str, usize> = BTreeMap::new();
    let mut of_strata = Vec::new();
    for row in &file.rows {
        let cells = &row.cells;
        let (id, text) = (&cells[of_id], cells[of_text].trim());
        if id.is_empty() {
            wrong.push(row.cell_problem(file, of_id, "a persona without an id".to_string()));
            continue;
        }
        if let Some(earlier) = lines.insert(id, row.line()) {
            wrong.push(row.cell_problem(file, of_id, format!("the id \"{id}\" stands in line {earlier}, too")));
        }
        if text.is_empty() {
            wrong.push(row.cell_problem(file, of_text, format!("the persona \"{id}\" has no words")));
        }
        if let Some(strata) = strata {
            let stratum = cells[strata].trim();
            if stratum.is_empty() {
                let column = &file.columns[strata];
                let message = format!("the persona \"{id}\" has no {column}, which is its stratum");
                wrong.push(row.cell_problem(file, strata, message));
            }
            let new = named.len();
            of_strata.push(*named.entry(stratum).or_insert(new));
        }
        personas.push(Persona { id: id.clone(), text: text.replace("\r\n", "\n"), attributes: others(cells) });
    }
    report_rows(file, wrong, problems);
    if named.len() > STRATA_MAX {
        let message = format!("{} strata are more than {STRATA_MAX}: a stratum is a group, not a persona", named.len());
        problems.push(Problem::of_file(&file.shown, message));
    }
    PersonaPool { name: name.to_string(), attributes: others(&file.columns), personas, strata: of_strata }
}

/// Reports the first row errors and the number of others.
pub fn report_rows(file: &PersonaFile, wrong: Vec<Problem>, problems: &mut Problems) {
    let more = wrong.len().saturating_sub(ROWS_TOLD);
    wrong.into_iter().take(ROWS_TOLD).for_each(|problem| problems.push(problem));
    if more > 0 {
        problems.push(Problem::of_file(&file.shown, format!("and {more} more mistakes in its rows")));
    }
}

fn problem_in_cell(file: &PersonaFile, place: Option<&(u32, u32)>, message: String) -> Problem {
    let (line, column) = place.map_or((None, None), |(line, column)| (Some(*line), Some(*column)));
    Problem { line, column, ..Problem::of_file(&file.shown, message) }
}

/// Checks that every pool has a persona for each seat that draws from it.
pub fn check_enough(config: &Config, files: &BTreeMap<String, PersonaFile>, tree: &Node, problems: &mut Problems) {
    for (name, file) in files {
        let drawing = config.seats.iter().filter(|seat| seat.personas.as_ref() == Some(name)).count();
        let personas = file.rows.len();
        if drawing > personas {
            let message =
                format!("{drawing} seats draw from \"{name}\" without replacement, which has {personas} personas");
            problems.push(tree.problem("seats", message));
        }
    }
}
