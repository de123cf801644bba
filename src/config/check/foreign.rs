//! Maps the words of other tools, and the sections of an older framework, to our keys.

use crate::config::check::declared::SchemaPart;
use crate::config::check::hints::{join_path, nest_path};
use crate::config::problem::{Problem, Problems};
use crate::config::tree::MapEntry;

/// Other tools' words for top-level keys, or for keys below them.
const OTHER_WORDS: [(&str, &str); 30] = [
    ("agents", "seats"),
    ("author", "about.author"),
    ("authors", "about.authors"),
    ("conditions", "design.factors"),
    ("decision_rule", "decision.rule"),
    ("description", "about.description"),
    ("groups", "replicates"),
    ("iterations", "replicates"),
    ("llm", "models"),
    ("llms", "models"),
    ("max_rounds", "discussion.rounds"),
    ("members", "seats"),
    ("n", "replicates"),
    ("n_rounds", "discussion.rounds"),
    ("num_rounds", "discussion.rounds"),
    ("params", "parameters"),
    ("participants", "seats"),
    ("players", "seats"),
    ("random_seed", "seed"),
    ("random_state", "seed"),
    ("repeats", "replicates"),
    ("repetitions", "replicates"),
    ("runs", "replicates"),
    ("sessions", "replicates"),
    ("title", "about.title"),
    ("treatments", "design.factors"),
    ("trials", "replicates"),
    ("turns", "discussion.rounds"),
    ("voting_rule", "decision.rule"),
    ("voting", "decision"),
];
/// Other tools' words for the keys of a factor.
const WORDS_OF_FACTORS: [(&str, &str); 9] = [
    ("choices", "levels"),
    ("conditions", "levels"),
    ("field", "key"),
    ("options", "levels"),
    ("parameter", "key"),
    ("path", "key"),
    ("setting", "key"),
    ("values", "levels"),
    ("variable", "key"),
];
/// Other tools' words for the keys of a seat.
const WORDS_OF_SEATS: [(&str, &str); 8] = [
    ("amount", "count"),
    ("background", "persona"),
    ("bio", "persona"),
    ("description", "persona"),
    ("n", "count"),
    ("number", "count"),
    ("personality", "persona"),
    ("profile", "persona"),
];
/// Other tools' words for the keys of `items`.
const WORDS_OF_ITEMS: [(&str, &str); 10] = [
    ("alternatives", "options"),
    ("answer", "key"),
    ("choices", "options"),
    ("correct", "key"),
    ("csv", "file"),
    ("n", "sample"),
    ("path", "file"),
    ("prompt", "text"),
    ("question", "text"),
    ("solution", "key"),
];
/// Keys of phases that have another name since.
const WORDS_OF_PHASES: [(&str, &str); 2] = [("ballot", "vote"), ("settle", "pay.mechanism")];
/// Sections of the older framework that correspond to `memory` and `discussion`.
const OLDER_SECTIONS: [&str; 2] = ["phase2_settings", "memory_management"];
/// Keys of the older framework that have another name here.
const OLDER_KEYS: [(&str, &str); 4] = [
    ("constraint_tolerance", "decision.amount_tolerance"),
    ("min_statement_length", "discussion.statement_min_length"),
    ("min_statement_length_cjk", "discussion.statement_min_length"),
    ("reasoning_enabled", "discussion.private_reasoning"),
];

/// How to write a key of another tool or of the other file, and its dotted path if it belongs in this file.
pub fn rename_key(here: SchemaPart, path: &str, key: &str) -> Option<(String, Option<String>)> {
    if key == "api_key" && here.property("api_key_env").is_some() {
        return Some(("write api_key_env: NAME, the environment variable that holds the key".to_string(), None));
    }
    let is_config = here.property("seed").is_some();
    let words: &[(&str, &str)] = match path {
        "" if is_config => &OTHER_WORDS,
        "items" => &WORDS_OF_ITEMS,
        path if holds_items(path, "design.factors") => &WORDS_OF_FACTORS,
        path if holds_items(path, "seats") => &WORDS_OF_SEATS,
        path if here.property("discussion").is_some() && path.starts_with("agenda.") => &WORDS_OF_PHASES,
        _ => &[],
    };
    if let Some((_, ours)) = words.iter().find(|(word, _)| *word == key) {
        let hint = match ours.contains('.') {
            true => format!("here it is written {}", nest_path(ours)),
            false => format!("here it is called \"{ours}\""),
        };
        return Some((hint, Some(join_path(path, ours))));
    }
    let (other, belongs) = match is_config {
        true => (SchemaPart::of_scenario(), "it belongs in the scenario.yaml of the scenario"),
        false => (SchemaPart::of_config(), "it belongs in the config of the experiment"),
    };
    (path.is_empty() && other.property(key).is_some()).then(|| (belongs.to_string(), None))
}

/// Whether a path is an item of a section.
fn holds_items(path: &str, section: &str) -> bool {
    path.strip_prefix(section).and_then(|rest| rest.strip_prefix('.')).is_some_and(|item| !item.contains('.'))
}

/// Reports the keys of an older framework's section one by one; `None` for any other key.
pub fn check_older_section(whole: SchemaPart, entry: &MapEntry, path: &str) -> Option<Problems> {
    if !OLDER_SECTIONS.contains(&entry.key.as_str()) {
        return None;
    }
    let mut problems = Problems::default();
    check_leaves(whole, entry, path, &mut problems);
    if problems.is_empty() {
        let hint = Some("what memories hold stands under \"memory\"".to_string());
        problems.push(Problem::at_place(&entry.place, path, "unknown key").with_hint(hint));
    }
    Some(problems)
}

fn check_leaves(whole: SchemaPart, entry: &MapEntry, path: &str, problems: &mut Problems) {
    for inner in entry.node.entries() {
        let path = join_path(path, &inner.key);
        if OLDER_SECTIONS.contains(&inner.key.as_str()) {
            check_leaves(whole, inner, &path, problems);
            continue;
        }
        let known = OLDER_KEYS.iter().find(|(theirs, _)| *theirs == inner.key).map(|(_, ours)| (*ours).to_string());
        let home = known.or_else(|| whole.paths_of_key(&inner.key).into_iter().find(|home| !home.contains('*')));
        let hint = match home {
            Some(home) => format!("→ {home}"),
            None => {
                "there is nothing like it here; `ekklesia import` reads a whole file of the older framework".to_string()
            }
        };
        problems.push(Problem::at_place(&inner.place, path, "unknown key").with_advice(hint));
    }
}
