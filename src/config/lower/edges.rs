//! Edge files: tables in which a config lists who hears whom.

use std::collections::BTreeMap;

use crate::config::lower::network::{KEY, find_seat, no_seat};
use crate::config::personas::{PersonaFile, PersonaRow, report_rows};
use crate::config::problem::{Problem, Problems, suggest_word};
use crate::config::scenario::Soundness;
use crate::config::tree::{MapEntry, Node};
use crate::config::written::config::Config;
use crate::plan::{Edge, Network, Origin, scale_decimal};

/// The folder of stored edge files, among the inputs.
pub const NETWORKS: &str = "networks";
const FILE: &str = "file";

/// The stored path of an edge file, beside the config; a stored path maps to itself.
pub fn stored_network_path(file: &str) -> String {
    let name = file.strip_prefix(NETWORKS).and_then(|rest| rest.strip_prefix('/')).unwrap_or(file);
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' }).collect();
    format!("{NETWORKS}/{}", name.trim_start_matches('.'))
}

/// Visits every edge file that a config names, with the dotted path at which it is named.
fn visit_edge_files(tree: &mut Node, visit: &mut dyn FnMut(&mut Node, &str)) {
    let mut visit = |file: Option<&mut Node>, path: &str| {
        file.filter(|file| file.as_text().is_some()).into_iter().for_each(|file| visit(file, path));
    };
    let path = format!("{KEY}.{FILE}");
    visit(tree.find_mut(&path), &path);
    for MapEntry { key, node: factor, .. } in tree.find_mut("design.factors").map(Node::entries_mut).unwrap_or_default()
    {
        let path = format!("design.factors.{key}");
        let is_of_network = factor.text_at("key") == Some(KEY);
        if let Some(levels) = factor.child_mut("levels").filter(|_| is_of_network) {
            let path = format!("{path}.levels");
            levels.items_mut().iter_mut().for_each(|level| visit(level.child_mut(FILE), &path));
            levels.entries_mut().iter_mut().for_each(|level| visit(level.node.child_mut(FILE), &path));
        }
        for label in factor.find_mut("set").map(Node::entries_mut).unwrap_or_default() {
            let path = format!("{path}.set.{}", label.key);
            for value in label.node.entries_mut() {
                match value.key.strip_prefix(KEY) {
                    Some("") => visit(value.node.child_mut(FILE), &path),
                    Some(".file") => visit(Some(&mut value.node), &path),
                    _ => {}
                }
            }
        }
    }
}

/// Every edge file that a config names: the node, and its dotted path.
pub fn named_edge_files(tree: &Node) -> Vec<(Node, String)> {
    let mut found = Vec::new();
    visit_edge_files(&mut tree.clone(), &mut |file, path| found.push((file.clone(), path.to_owned())));
    found
}

/// Replaces the paths of edge files by their stored paths, so that `plan.yaml` contains no path of the author's machine.
pub fn set_stored_network_paths(tree: &mut Node) {
    visit_edge_files(tree, &mut |file, _| {
        let stored = file.as_text().map(stored_network_path);
        file.replace_text_at("", stored.unwrap_or_default());
    });
}

/// Lowers an edge file to a network.
pub fn lower_edges(
    config: &Config,
    (name, files): (&str, &BTreeMap<String, PersonaFile>),
    seats: Soundness,
    tree: &Node,
    problems: &mut Problems,
) -> Option<Network> {
    let path = format!("{KEY}.{FILE}");
    if !matches!(tree.place_of(&path).origin, Origin::Config | Origin::Arm) {
        problems.push(tree.problem(&path, "only the config itself names a file of edges: it tells of its seats"));
        return None;
    }
    let file = files.get(&stored_network_path(name))?;
    let before = problems.len();
    let column = |column: &str| file.find_column(column, &path, tree);
    let (from, to) = (problems.ok_or_report(column("from")), problems.ok_or_report(column("to")));
    let weight = file.columns.iter().position(|known| known == "weight");
    let known = ["from", "to", "weight"];
    let strange = file.columns.iter().find(|column| !known.contains(&column.as_str()));
    if let Some(strange) = strange {
        let problem = tree.problem(&path, format!("{} has a column \"{strange}\"", file.shown));
        problems.push(problem.with_hint(suggest_word(strange, known)));
    }
    let (mut edges, mut wrong): (Vec<Edge>, Vec<Problem>) = (Vec::new(), Vec::new());
    let (from, to) = (from?, to?);
    for row in &file.rows {
        match read_edge(config, (file, row), (from, to, weight), seats) {
            Ok(Some(edge)) if edges.iter().any(|known| (known.from, known.to) == (edge.from, edge.to)) => {
                wrong.push(row.cell_problem(file, from, "this edge is listed twice".to_owned()));
            }
            Ok(Some(edge)) => edges.push(edge),
            Ok(None) => {}
            Err(problem) => wrong.push(*problem),
        }
    }
    report_rows(file, wrong, problems);
    (problems.len() == before && seats == Soundness::Sound).then_some(Network::Edges(edges))
}

/// The edge of a row; `None` if names of seats are unknown.
fn read_edge(
    config: &Config,
    (file, row): (&PersonaFile, &PersonaRow),
    (from, to, weight): (usize, usize, Option<usize>),
    seats: Soundness,
) -> Result<Option<Edge>, Box<Problem>> {
    let wrong = |cell: usize, message: String| Box::new(row.cell_problem(file, cell, message));
    let find = |cell: usize| match find_seat(config, &row.cells[cell]) {
        None if seats == Soundness::Sound => {
            Err(Box::new(no_seat(config, &row.cells[cell], |message| row.cell_problem(file, cell, message))))
        }
        found => Ok(found),
    };
    let ends = find(from)?.zip(find(to)?);
    let weight_ppm = match weight {
        None => None,
        Some(cell) => {
            let number: f64 = row.cells[cell]
                .trim()
                .parse()
                .map_err(|_| wrong(cell, format!("\"{}\" is no number", row.cells[cell])))?;
            Some(scale_decimal(number, 6).map_err(|message| wrong(cell, message))?)
        }
    };
    let Some((from_seat, to_seat)) = ends else { return Ok(None) };
    if from_seat == to_seat && weight_ppm.is_none() {
        return Err(wrong(to, "a seat hears itself anyway".to_owned()));
    }
    Ok(Some(Edge { from: from_seat, to: to_seat, weight_ppm }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_kept_under_their_names_once_and_for_all() {
        assert_eq!(stored_network_path("edges.csv"), "networks/edges.csv");
        assert_eq!(stored_network_path("../data/my edges.csv"), "networks/_data_my_edges.csv");
        assert_eq!(stored_network_path(&stored_network_path("a/b.csv")), stored_network_path("a/b.csv"));
    }
}
