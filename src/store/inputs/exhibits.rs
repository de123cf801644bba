//! Reads the files of exhibits: a scenario's exhibits from its folder, a config's from paths relative to the config.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::folder::KeptFolder;
use super::reading::{BYTES_MAX, KeptFile, normalise_path, shown_path};
use crate::config::yaml;
use crate::config::{ExhibitFile, Node, Problem, Problems};

/// The section of a config or scenario, and the folder in `inputs/` of a config's exhibits.
pub(super) const EXHIBITS: &str = "exhibits";

/// The exhibits that name a file, with that file.
fn named_exhibits(tree: &Node) -> impl Iterator<Item = (&str, &str)> {
    // The type check reports entries of a wrong type.
    let entries = tree.get(EXHIBITS).map(Node::entries).unwrap_or_default();
    entries.iter().filter_map(|entry| Some((entry.key.as_str(), entry.node.get("file")?.as_text()?)))
}

fn exhibit_problem(tree: &Node, name: &str, problem: Problem) -> Problem {
    let Problem { file, message, hint, .. } = problem;
    tree.problem(&format!("{EXHIBITS}.{name}.file"), format!("{file}: {message}")).with_hint(hint)
}

/// Reads the exhibit files that a config names. `place` returns the path of an exhibit's file.
pub(super) fn read_exhibits(
    tree: &Node,
    place: impl Fn(&str, &str) -> PathBuf,
    problems: &mut Problems,
) -> BTreeMap<String, KeptFile> {
    let mut files = BTreeMap::new();
    for (name, file) in named_exhibits(tree) {
        let path = normalise_path(&place(name, file));
        let file = match path.is_dir() {
            true => Err(Problem::of_file(&shown_path(&path), FOLDER)),
            false => KeptFile::read(&path, BYTES_MAX),
        };
        let file = problems.ok_or_report(file.map_err(|problem| exhibit_problem(tree, name, problem)));
        files.extend(file.map(|file| (name.to_owned(), file)));
    }
    files
}

const FOLDER: &str = "this is a folder, not a file";

/// The texts of all exhibits. An exhibit of the config replaces the scenario's exhibit of that name.
pub(super) fn exhibit_texts(
    scenario: Option<&Node>,
    KeptFolder { shown: folder, files }: &KeptFolder,
    config: Option<&Node>,
    read: &BTreeMap<String, KeptFile>,
    problems: &mut Problems,
) -> BTreeMap<String, ExhibitFile> {
    let mut exhibits = BTreeMap::new();
    for (tree, name, file) in
        scenario.into_iter().flat_map(|tree| named_exhibits(tree).map(move |(name, file)| (tree, name, file)))
    {
        let path = normalise_path(Path::new(file));
        let kept = shown_path(&path);
        let shown = format!("{folder}/{kept}");
        let bytes = files.get(&kept).map(Vec::as_slice).ok_or_else(|| {
            let is_outside = path.is_absolute() || path.starts_with("..");
            let is_folder = files.keys().any(|other| other.starts_with(&format!("{kept}/")));
            // Replace the error about the file by an error at the key that names it.
            let unread = problems.iter().find(|problem| problem.file == shown).cloned();
            problems.retain(|problem| problem.file != shown);
            let message = match unread {
                Some(problem) => problem.message,
                None if is_outside => "an exhibit of a scenario lies in the scenario's folder".to_owned(),
                None if is_folder => FOLDER.to_owned(),
                None => "no such file".to_owned(),
            };
            Problem::of_file(&shown, message)
        });
        let text = bytes
            .and_then(|bytes| parse_exhibit_text(bytes, &shown))
            .map_err(|problem| exhibit_problem(tree, name, problem));
        exhibits.extend(problems.ok_or_report(text).map(|text| (name.to_owned(), ExhibitFile { shown, text })));
    }
    for (name, KeptFile { shown, bytes }) in read {
        let text = parse_exhibit_text(bytes, shown).map_err(|problem| match config {
            Some(tree) => exhibit_problem(tree, name, problem),
            None => problem,
        });
        if let Some(text) = problems.ok_or_report(text) {
            exhibits.insert(name.clone(), ExhibitFile { shown: shown.clone(), text });
        }
    }
    exhibits
}

/// Decodes an exhibit, with LF line ends.
fn parse_exhibit_text(bytes: &[u8], shown: &str) -> Result<String, Problem> {
    let text = yaml::decode_text(bytes, shown)?;
    if text.contains('\0') {
        return Err(Problem::of_file(shown, "not a text file: it holds a zero byte"));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    match text.trim() {
        "" => Err(Problem::of_file(shown, "the file is empty")),
        _ => Ok(text),
    }
}
