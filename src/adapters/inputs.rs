//! The inputs of an experiment: config, scenario folder and command line, read once and kept byte for byte in `inputs/`.
//!
//! Every later verb reads the kept inputs only. What they mean is decided in `plan`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::results::{FileError, file_error, write_whole};
use super::yaml;
use crate::plan::{DEFAULTS, Node, OPENAI_DEFAULTS, Origin, Problem, Resolved, Sources, Value, WrittenChange, resolve};

const COMMAND_LINE: &str = "--set";
const CONFIG: &str = "config.yaml";
const OVERRIDES: &str = "overrides.yaml";
const CHANGE: &str = "change.yaml";
const SCENARIO: &str = "scenario";
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
    pub fn read(config: &Path, overrides: Overrides) -> Result<Self, Problem> {
        let config_shown = shown(config);
        let bytes = read_file(config, &config_shown)?;
        let tree = yaml::read(&bytes, &config_shown, Origin::Config)?;
        let named = tree.get("scenario").ok_or_else(|| tree.problem("scenario", "the key \"scenario\" is missing"))?;
        let named =
            named.as_text().ok_or_else(|| tree.problem("scenario", "expected the path of a scenario's folder"))?;
        let folder = lexically(&config.parent().unwrap_or(Path::new("")).join(named));
        if !folder.is_dir() {
            return Err(tree.problem("scenario", format!("{}: no such folder", shown(&folder))));
        }
        Self::with_scenario(config_shown, bytes, &folder, overrides)
    }

    /// Whether a results folder keeps inputs. One whose first write was cut short keeps none.
    pub fn are_kept(dir: &Path) -> bool {
        dir.join("inputs").join(CONFIG).exists()
    }

    /// Reads what a results folder keeps under `inputs/`.
    ///
    /// # Errors
    /// When a file is missing or cannot be read.
    pub fn read_results(dir: &Path) -> Result<Self, Problem> {
        let inputs = dir.join("inputs");
        let config = inputs.join(CONFIG);
        let config_shown = shown(&config);
        let bytes = read_file(&config, &config_shown)?;
        let overrides = inputs.join(OVERRIDES);
        let overrides = match overrides.exists() {
            true => Overrides::from_yaml(&read_file(&overrides, &shown(&overrides))?, &shown(&overrides))?,
            false => Overrides::default(),
        };
        let read = Self::with_scenario(config_shown, bytes, &inputs.join(SCENARIO), overrides)?;
        let change = inputs.join(CHANGE);
        if change.exists() { read.with_change(&change) } else { Ok(read) }
    }

    fn with_scenario(
        config_shown: String,
        config: Vec<u8>,
        folder: &Path,
        overrides: Overrides,
    ) -> Result<Self, Problem> {
        let mut scenario = BTreeMap::new();
        read_folder(folder, "", &mut scenario)?;
        Ok(Self { config_shown, config, scenario_shown: shown(folder), scenario, overrides, change: None })
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
        self.change = Some(Kept { bytes: read_file(change, &shown)?, shown });
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
        self.forget_others(&scenario)?;
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

    /// Removes kept files that the scenario no longer has: they would be read as part of it.
    fn forget_others(&self, folder: &Path) -> Result<(), FileError> {
        let mut kept = BTreeMap::new();
        read_folder(folder, "", &mut kept)
            .map_err(|problem| FileError { path: folder.to_path_buf(), reason: problem.message })?;
        for name in kept.keys().filter(|name| !self.scenario.contains_key(*name)) {
            let path = folder.join(name);
            fs::remove_file(&path).map_err(|error| file_error(&path, &error))?;
        }
        Ok(())
    }

    /// Makes the experiment of the inputs.
    ///
    /// # Errors
    /// The first mistake, with its place.
    pub fn resolve(&self) -> Result<Resolved, Problem> {
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
        })
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
pub fn read_file(path: &Path, shown: &str) -> Result<Vec<u8>, Problem> {
    let unread = |reason: std::io::Error| Problem::of_file(shown, in_words(&reason));
    let size = fs::metadata(path).map_err(unread)?.len();
    if size > yaml::BYTES_MAX as u64 {
        return Err(Problem::of_file(shown, format!("larger than {} bytes", yaml::BYTES_MAX)));
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
            files.insert(name, read_file(&path, &shown(&path))?);
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
fn lexically(path: &Path) -> PathBuf {
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
