//! The inputs of an experiment: config, scenario folder, personas and command line, read once and kept byte for byte in
//! `inputs/`.
//!
//! Every later verb reads the kept inputs only. What they mean is decided in `plan`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::results::{FileError, file_error, write_whole};
use super::{personas, yaml};
use crate::plan::{
    DEFAULTS, KEPT_ITEMS, Node, OPENAI_DEFAULTS, Origin, PersonaFile, Problem, Problems, Resolved, Sources, Value,
    WrittenChange, kept_personas, resolve,
};

const COMMAND_LINE: &str = "--set";
const CONFIG: &str = "config.yaml";
const OVERRIDES: &str = "overrides.yaml";
const CHANGE: &str = "change.yaml";
const SCENARIO: &str = "scenario";
const PERSONAS: &str = "personas";
/// A larger file of any other kind is taken for a slip.
const BYTES_MAX: u64 = yaml::BYTES_MAX as u64;
/// A larger file of personas is taken for a slip.
const PERSONAS_BYTES_MAX: u64 = 20_000_000;
/// More files than this in a scenario's folder are taken for a slip.
const FILES_MAX: usize = 1_000;

/// What the command line changes in a config.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Each `dotted.key=value`, in order; the value is YAML.
    pub set: Vec<String>,
    /// The experiment's seed.
    pub seed: Option<u64>,
    /// The replicates of each arm.
    pub replicates: Option<u64>,
}

/// Everything an experiment is made of, as bytes.
#[derive(Debug, Clone)]
pub struct Inputs {
    config_shown: String,
    config: Vec<u8>,
    scenario_shown: String,
    scenario: BTreeMap<String, Vec<u8>>,
    personas: BTreeMap<String, Kept>,
    items: Option<Kept>,
    overrides: Overrides,
    change: Option<Kept>,
}

/// A file as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Kept {
    shown: String,
    bytes: Vec<u8>,
}

impl Overrides {
    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }

    /// The changes as dotted keys and values, in order.
    fn changes(&self) -> Result<Vec<(String, Node)>, Problem> {
        let mut changes = Vec::new();
        for set in &self.set {
            let (key, value) = set
                .split_once('=')
                .ok_or_else(|| Problem::of_file(COMMAND_LINE, format!("expected dotted.key=value, found {set:?}")))?;
            changes.push(change(key, value, COMMAND_LINE, Origin::CommandLine)?);
        }
        for (key, value) in [("seed", self.seed), ("replicates", self.replicates)] {
            if let Some(value) = value {
                changes.push(change(key, &value.to_string(), &format!("--{key}"), Origin::CommandLine)?);
            }
        }
        Ok(changes)
    }

    /// The text of `overrides.yaml`; JSON, which is YAML.
    fn to_yaml(&self) -> String {
        let mut text = String::new();
        let mut line = |key: &str, value: serde_json::Value| text.push_str(&format!("{key}: {value}\n"));
        if !self.set.is_empty() {
            line("set", self.set.clone().into());
        }
        if let Some(seed) = self.seed {
            line("seed", seed.into());
        }
        if let Some(replicates) = self.replicates {
            line("replicates", replicates.into());
        }
        text
    }

    fn from_yaml(bytes: &[u8], file: &str) -> Result<Self, Problem> {
        let tree = yaml::read(bytes, file, Origin::CommandLine)?;
        let mut overrides = Self::default();
        let strange = |key: &str| tree.problem(key, "this is not what was kept here");
        for entry in tree.entries() {
            let number = match entry.node.value {
                Value::Int(number) => u64::try_from(number).ok(),
                _ => None,
            };
            match entry.key.as_str() {
                "seed" => overrides.seed = Some(number.ok_or_else(|| strange("seed"))?),
                "replicates" => overrides.replicates = Some(number.ok_or_else(|| strange("replicates"))?),
                "set" => {
                    for item in entry.node.items() {
                        overrides.set.push(item.as_text().ok_or_else(|| strange("set"))?.to_string());
                    }
                }
                other => return Err(tree.problem(other, "unknown key")),
            }
        }
        Ok(overrides)
    }
}

fn change(key: &str, value: &str, shown: &str, origin: Origin) -> Result<(String, Node), Problem> {
    let key = key.trim();
    let node = yaml::read_value(value, shown, origin).map_err(|problem| Problem {
        path: key.to_string(),
        line: None,
        column: None,
        ..problem
    })?;
    Ok((key.to_string(), unplaced(node)))
}

/// The value without lines and columns: on a command line they mean nothing.
fn unplaced(mut node: Node) -> Node {
    node.place.line = 0;
    node.place.column = 0;
    match &mut node.value {
        Value::List(items) => {
            for item in items {
                *item = unplaced(item.clone());
            }
        }
        Value::Map(entries) => {
            for entry in entries {
                entry.place.line = 0;
                entry.place.column = 0;
                entry.node = unplaced(entry.node.clone());
            }
        }
        _ => {}
    }
    node
}

impl Inputs {
    /// Reads a config and the scenario folder that it names.
    ///
    /// # Errors
    /// When a file is missing, cannot be read, or the config names no scenario.
    pub fn read(config: &Path, overrides: Overrides) -> Result<Self, Problems> {
        let config_shown = shown(config);
        let bytes = read_file(config, &config_shown, BYTES_MAX)?;
        let tree = yaml::read(&bytes, &config_shown, Origin::Config)?;
        let named = tree.get("scenario").ok_or_else(|| tree.problem("scenario", "the key \"scenario\" is missing"))?;
        let named =
            named.as_text().ok_or_else(|| tree.problem("scenario", "expected the path of a scenario's folder"))?;
        let folder = lexically(&config.parent().unwrap_or(Path::new("")).join(named));
        if !folder.is_dir() {
            return Err(tree.problem("scenario", format!("{}: no such folder", shown(&folder))).into());
        }
        let personas = persona_files(&tree, |_, file| config.parent().unwrap_or(Path::new("")).join(file))?;
        let items = items_file(&tree, |file| config.parent().unwrap_or(Path::new("")).join(file))?;
        let read = Self::with_scenario(config_shown, bytes, &folder, personas, overrides)?;
        Ok(Self { items, ..read })
    }

    /// Whether a results folder keeps inputs. One whose first write was cut short keeps none.
    pub fn are_kept(dir: &Path) -> bool {
        dir.join("inputs").join(CONFIG).exists()
    }

    /// Reads what a results folder keeps under `inputs/`.
    ///
    /// # Errors
    /// When a file is missing or cannot be read.
    pub fn read_results(dir: &Path) -> Result<Self, Problems> {
        let inputs = dir.join("inputs");
        let config = inputs.join(CONFIG);
        let config_shown = shown(&config);
        let bytes = read_file(&config, &config_shown, BYTES_MAX)?;
        let overrides = inputs.join(OVERRIDES);
        let overrides = match overrides.exists() {
            true => Overrides::from_yaml(&read_file(&overrides, &shown(&overrides), BYTES_MAX)?, &shown(&overrides))?,
            false => Overrides::default(),
        };
        let tree = yaml::read(&bytes, &config_shown, Origin::Config)?;
        let personas = persona_files(&tree, |pool, _| inputs.join(kept_personas(pool)))?;
        let items = items_file(&tree, |_| inputs.join(KEPT_ITEMS))?;
        let read = Self::with_scenario(config_shown, bytes, &inputs.join(SCENARIO), personas, overrides)?;
        let read = Self { items, ..read };
        let change = inputs.join(CHANGE);
        if change.exists() { Ok(read.with_change(&change)?) } else { Ok(read) }
    }

    fn with_scenario(
        config_shown: String,
        config: Vec<u8>,
        folder: &Path,
        personas: BTreeMap<String, Kept>,
        overrides: Overrides,
    ) -> Result<Self, Problem> {
        let mut scenario = BTreeMap::new();
        read_folder(folder, "", &mut scenario)?;
        let scenario_shown = shown(folder);
        Ok(Self { config_shown, config, scenario_shown, scenario, personas, items: None, overrides, change: None })
    }

    /// The change of a fork, as it was written; `None` for every other experiment.
    pub fn change(&self) -> Option<&[u8]> {
        self.change.as_ref().map(|change| change.bytes.as_slice())
    }

    /// What the change of a fork means; `None` for every other experiment.
    ///
    /// # Errors
    /// The first mistake in it, with its place.
    pub fn written_change(&self) -> Result<Option<WrittenChange>, Problem> {
        let Some(Kept { shown, bytes }) = &self.change else { return Ok(None) };
        WrittenChange::read(yaml::read(bytes, shown, Origin::Fork)?).map(Some)
    }

    /// The same inputs with a change: what a fork runs.
    ///
    /// # Errors
    /// When the file of the change cannot be read.
    pub fn with_change(mut self, change: &Path) -> Result<Self, Problem> {
        let shown = shown(change);
        self.change = Some(Kept { bytes: read_file(change, &shown, BYTES_MAX)?, shown });
        Ok(self)
    }

    /// Keeps the inputs in `dir/inputs/`, byte for byte. Only what differs is written, each file at once or not at all.
    ///
    /// # Errors
    /// When a file or folder cannot be written.
    pub fn write(&self, dir: &Path) -> Result<(), FileError> {
        let inputs = dir.join("inputs");
        let scenario = inputs.join(SCENARIO);
        for (name, bytes) in &self.scenario {
            keep(&scenario.join(name), bytes)?;
        }
        let kept = |name: &str| self.scenario.contains_key(name);
        forget_others(&scenario, kept)?;
        for (pool, file) in &self.personas {
            keep(&inputs.join(kept_personas(pool)), &file.bytes)?;
        }
        let pools: Vec<String> = self.personas.keys().map(|pool| kept_personas(pool)).collect();
        forget_others(&inputs.join(PERSONAS), |name| pools.contains(&format!("{PERSONAS}/{name}")))?;
        if let Some(items) = &self.items {
            keep(&inputs.join(KEPT_ITEMS), &items.bytes)?;
        }
        if let Some(change) = &self.change {
            keep(&inputs.join(CHANGE), &change.bytes)?;
        }
        let overrides = inputs.join(OVERRIDES);
        if !self.overrides.is_empty() {
            keep(&overrides, self.overrides.to_yaml().as_bytes())?;
        }
        // The config comes after all that it needs: a folder that has it has the rest.
        keep(&inputs.join(CONFIG), &self.config)?;
        if !self.overrides.is_empty() {
            return Ok(());
        }
        match fs::remove_file(&overrides) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(file_error(&overrides, &error)),
            _ => Ok(()),
        }
    }

    /// Makes the experiment of the inputs.
    ///
    /// # Errors
    /// The first mistake, with its place.
    pub fn resolve(&self) -> Result<Resolved, Problems> {
        let scenario_yaml = format!("{}/scenario.yaml", self.scenario_shown);
        let scenario = self.scenario.get("scenario.yaml");
        let scenario = scenario.ok_or_else(|| Problem::of_file(&scenario_yaml, "no such file"))?;
        let mut changes = self.overrides.changes()?;
        changes.extend(self.written_change()?.iter().flat_map(WrittenChange::set));
        resolve(Sources {
            defaults: yaml::read(DEFAULTS.as_bytes(), "defaults", Origin::Default)?,
            openai_defaults: yaml::read(OPENAI_DEFAULTS.as_bytes(), "defaults", Origin::Default)?,
            scenario: yaml::read(scenario, &scenario_yaml, Origin::Scenario)?,
            config: yaml::read(&self.config, &self.config_shown, Origin::Config)?,
            changes,
            prompts: self.prompts()?,
            scenario_folder: self.scenario_shown.clone(),
            personas: self.persona_tables()?,
            items: self.items.as_ref().map(|file| personas::read(&file.bytes, &file.shown)).transpose()?,
        })
    }

    fn persona_tables(&self) -> Result<BTreeMap<String, PersonaFile>, Problem> {
        let read = |(pool, file): (&String, &Kept)| Ok((pool.clone(), personas::read(&file.bytes, &file.shown)?));
        self.personas.iter().map(read).collect()
    }

    fn prompts(&self) -> Result<BTreeMap<String, BTreeMap<String, String>>, Problem> {
        let mut prompts: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for (name, bytes) in &self.scenario {
            let parts: Vec<&str> = name.split('/').collect();
            let ["prompts", language, file] = parts[..] else {
                continue;
            };
            let Some(template) = file.strip_suffix(".j2") else {
                continue;
            };
            let text = std::str::from_utf8(bytes).map_err(|_| {
                Problem::of_file(&format!("{}/{name}", self.scenario_shown), "not a text file (not UTF-8)")
            })?;
            let language = prompts.entry(language.to_string()).or_default();
            language.insert(template.to_string(), text.replace("\r\n", "\n"));
        }
        Ok(prompts)
    }
}

/// Removes kept files that the inputs no longer have: they would be read as part of them.
fn forget_others(folder: &Path, is_kept: impl Fn(&str) -> bool) -> Result<(), FileError> {
    if !folder.exists() {
        return Ok(());
    }
    let mut found = BTreeMap::new();
    read_folder(folder, "", &mut found)
        .map_err(|problem| FileError { path: folder.to_path_buf(), reason: problem.message })?;
    for name in found.keys().filter(|name| !is_kept(name)) {
        let path = folder.join(name);
        fs::remove_file(&path).map_err(|error| file_error(&path, &error))?;
    }
    Ok(())
}

/// Reads the files of personas that a config names; `place` tells where the file of a pool is.
fn persona_files(tree: &Node, place: impl Fn(&str, &str) -> PathBuf) -> Result<BTreeMap<String, Kept>, Problem> {
    let mut files = BTreeMap::new();
    for pool in tree.get(PERSONAS).map(Node::entries).unwrap_or_default() {
        // What is mistyped here is told when the config is given its types.
        let Some(file) = pool.node.get("file").and_then(Node::as_text) else { continue };
        let path = lexically(&place(&pool.key, file));
        let shown = shown(&path);
        let bytes = read_file(&path, &shown, PERSONAS_BYTES_MAX).map_err(|problem| {
            let problem_at = format!("{PERSONAS}.{}.file", pool.key);
            tree.problem(&problem_at, format!("{}: {}", problem.file, problem.message))
        })?;
        files.insert(pool.key.clone(), Kept { shown, bytes });
    }
    Ok(files)
}

/// Reads the file of items that a config names; `place` tells where it is.
fn items_file(tree: &Node, place: impl Fn(&str) -> PathBuf) -> Result<Option<Kept>, Problem> {
    let file = tree.get("items").and_then(|items| items.get("file")).and_then(Node::as_text);
    let Some(file) = file else { return Ok(None) };
    let shown = shown(&lexically(&place(file)));
    let bytes = read_file(Path::new(&shown), &shown, PERSONAS_BYTES_MAX)
        .map_err(|problem| tree.problem("items.file", format!("{}: {}", problem.file, problem.message)))?;
    Ok(Some(Kept { shown, bytes }))
}

fn keep(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    write_whole(path, bytes)
}

/// Reads a file that an author wrote; `shown` is its name in messages.
///
/// # Errors
/// When it is missing, too large or cannot be read.
pub fn read_file(path: &Path, shown: &str, bytes_max: u64) -> Result<Vec<u8>, Problem> {
    let unread = |reason: std::io::Error| Problem::of_file(shown, in_words(&reason));
    let size = fs::metadata(path).map_err(unread)?.len();
    if size > bytes_max {
        return Err(Problem::of_file(shown, format!("larger than {bytes_max} bytes")));
    }
    fs::read(path).map_err(unread)
}

fn read_folder(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) -> Result<(), Problem> {
    let unread = |reason: std::io::Error| Problem::of_file(&shown(folder), in_words(&reason));
    for entry in fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| Problem::of_file(&shown(&path), "the file's name is not UTF-8"))?;
        if name.starts_with('.') {
            continue;
        }
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            read_folder(&path, &format!("{name}/"), files)?;
        } else {
            files.insert(name, read_file(&path, &shown(&path), BYTES_MAX)?);
        }
        if files.len() > FILES_MAX {
            return Err(Problem::of_file(&shown(folder), format!("more than {FILES_MAX} files in a scenario")));
        }
    }
    Ok(())
}

fn in_words(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_string(),
        std::io::ErrorKind::IsADirectory => "this is a folder, not a file".to_string(),
        _ => error.to_string(),
    }
}

/// The path with `/` between its parts, as messages show it on every system.
pub fn shown(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// The path without `x/..`, so that messages name a file by its shortest path.
pub fn lexically(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.iter().collect()
}
