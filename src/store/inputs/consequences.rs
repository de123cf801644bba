//! Reports the errors that a fork's change causes in sound inputs at the change, with a hint if `null` helps.

use super::reading::KeptFile;
use super::{Inputs, SettingsTime};
use crate::config::yaml;
use crate::config::{Node, Problem, Problems, SourcePlace, Value, resolve_sources};
use crate::plan::Origin;

/// The number of problems for which a remedy is searched.
const TRIED_MAX: usize = 20;

impl Inputs {
    /// Moves the problems of a fork to its change: the kept inputs were sound before, and the author cannot edit them.
    pub(super) fn move_to_change(&self, problems: Problems) -> Problems {
        let Some(KeptFile { shown, bytes }) = &self.change else { return problems };
        let tree = yaml::gather_document(bytes, shown, Origin::Fork, &mut Problems::default());
        let mut keys = Vec::new();
        tree.iter().filter_map(|tree| tree.get("set")).for_each(|set| collect_keys(set, "", &mut keys));
        let mut moved = Problems::default();
        for (number, problem) in problems.iter().enumerate() {
            let is_its_own = problem.file == *shown;
            let cause =
                keys.iter().rev().max_by_key(|(key, _)| shared_segments(key, &problem.path)).filter(|_| !is_its_own);
            moved.push(match cause {
                Some((_, place)) if number < TRIED_MAX && self.is_mended_by_taking(problem, &problems) => {
                    let way = format!("{}: null beside it takes away what is written there", problem.path);
                    move_problem(place, problem).with_hint(Some(way))
                }
                Some((_, place)) => move_problem(place, problem),
                None => problem.clone(),
            });
        }
        moved
    }

    /// Whether the problem disappears, and no other appears, if the change also sets its key to `null`.
    fn is_mended_by_taking(&self, problem: &Problem, all: &Problems) -> bool {
        if problem.file != self.config.shown || problem.path.is_empty() {
            return false;
        }
        let mut sources = self.list_sources(SettingsTime::Later);
        let nothing = Node { value: Value::Null, place: SourcePlace::of_file(Origin::Fork, &problem.file) };
        sources.changes.push((problem.path.clone(), nothing));
        let Err(left) = resolve_sources(sources) else { return true };
        left.iter().all(|other| other != problem && all.iter().any(|known| known == other))
    }
}

/// Moves a problem of the kept inputs to a key of the change. The message names the original place.
fn move_problem(place: &SourcePlace, problem: &Problem) -> Problem {
    let there = match (problem.line.zip(problem.column), problem.file.as_str()) {
        (Some((line, column)), file) => format!(" ({file}:{line}:{column})"),
        (None, "defaults") => String::new(),
        (None, file) => format!(" ({file})"),
    };
    let Problem { path, message, hint, arm, may_follow, .. } = problem.clone();
    Problem { hint, arm, may_follow, ..Problem::at_place(place, path, format!("{message}{there}")) }
}

/// Collects every key below a mapping, dotted, with its place.
fn collect_keys<'a>(node: &'a Node, path: &str, keys: &mut Vec<(String, &'a SourcePlace)>) {
    for entry in node.entries() {
        let key = if path.is_empty() { entry.key.clone() } else { format!("{path}.{}", entry.key) };
        keys.push((key.clone(), &entry.place));
        collect_keys(&entry.node, &key, keys);
    }
}

fn shared_segments(one: &str, other: &str) -> usize {
    one.split('.').zip(other.split('.')).take_while(|(one, other)| one == other).count()
}
