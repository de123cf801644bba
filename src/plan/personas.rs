//! Pools of personas: what their files hold, checked.

use std::collections::BTreeMap;

use super::config::Config;
use super::names::check_word;
use super::tree::{Node, Value};
use super::{Persona, Pool, Problem, Seat, suggest};
use crate::domain::Digest;

/// A file of personas as it was read: a table of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonaFile {
    /// The file as it is named to the author.
    pub shown: String,
    /// The digest of its bytes; line ends are LF.
    pub digest: Digest,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// Each row's line in the file, from 1, and its cells, as many as columns.
    pub rows: Vec<(u64, Vec<String>)>,
}

/// Names every file by where it is kept: `plan.yaml` holds no path of the author's machine.
pub fn fill(personas: &mut Node) {
    let Value::Map(pools) = &mut personas.value else { return };
    for pool in pools {
        if let Some(file) = pool.node.child_mut("file").filter(|file| matches!(file.value, Value::Text(_))) {
            file.value = Value::Text(kept(&pool.key));
        }
    }
}

/// Where a pool's file is kept, beside the config.
pub fn kept(pool: &str) -> String {
    format!("personas/{pool}.csv")
}

/// Makes the pools, in the config's order.
///
/// # Errors
/// The first name, column, id or text that is wrong.
pub fn pools(config: &Config, files: &BTreeMap<String, PersonaFile>, tree: &Node) -> Result<Vec<Pool>, Problem> {
    let mut pools = Vec::new();
    for (name, written) in &config.personas {
        let path = format!("personas.{name}");
        check_word(name).map_err(|message| tree.problem(&path, message))?;
        let file = files.get(name).ok_or_else(|| tree.problem(&path, "its file was not read"))?;
        let column = |key: &str, column: &String| {
            file.columns.iter().position(|known| known == column).ok_or_else(|| {
                let message = format!("{} has no column \"{column}\"", file.shown);
                let problem = tree.problem(&format!("{path}.{key}"), message);
                problem.with_hint(suggest(column, file.columns.iter().map(String::as_str)))
            })
        };
        let (id, text) = (column("id", &written.id)?, column("text", &written.text)?);
        if id == text {
            return Err(tree.problem(&format!("{path}.text"), "the words stand in another column than the id"));
        }
        pools.push(pool(name, file, id, text)?);
    }
    Ok(pools)
}

fn pool(name: &str, file: &PersonaFile, id: usize, text: usize) -> Result<Pool, Problem> {
    let problem = |line: u64, message: String| Problem {
        line: Some(u32::try_from(line).unwrap_or(u32::MAX)),
        column: Some(1),
        ..Problem::of_file(&file.shown, message)
    };
    for (i, column) in file.columns.iter().enumerate() {
        if i != id && i != text {
            check_word(column).map_err(|message| problem(1, message))?;
        }
        if file.columns[..i].contains(column) {
            return Err(problem(1, format!("two columns are called \"{column}\"")));
        }
    }
    let others = |cells: &[String]| -> Vec<String> {
        let cells = cells.iter().enumerate().filter(|(i, _)| *i != id && *i != text);
        cells.map(|(_, cell)| cell.clone()).collect()
    };
    let mut lines = BTreeMap::new();
    let mut personas = Vec::new();
    for (line, cells) in &file.rows {
        let (id, text) = (&cells[id], cells[text].trim());
        if id.is_empty() {
            return Err(problem(*line, "a persona without an id".to_string()));
        }
        if text.is_empty() {
            return Err(problem(*line, format!("the persona \"{id}\" has no words")));
        }
        if let Some(earlier) = lines.insert(id, line) {
            return Err(problem(*line, format!("the id \"{id}\" stands in line {earlier}, too")));
        }
        personas.push(Persona { id: id.clone(), text: text.replace("\r\n", "\n"), attributes: others(cells) });
    }
    Ok(Pool { name: name.to_string(), attributes: others(&file.columns), personas })
}

/// Checks that every pool has a persona for each seat that draws from it.
///
/// # Errors
/// The first pool that has not.
pub fn check_enough(pools: &[Pool], seats: &[Seat], tree: &Node) -> Result<(), Problem> {
    for (place, pool) in pools.iter().enumerate() {
        let drawing = seats.iter().filter(|seat| seat.pool == Some(place)).count();
        if drawing > pool.personas.len() {
            let message = format!(
                "{drawing} seats draw from \"{}\" without replacement, which has {} personas",
                pool.name,
                pool.personas.len()
            );
            return Err(tree.problem("seats", message));
        }
    }
    Ok(())
}
