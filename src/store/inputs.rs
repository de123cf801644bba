//! The inputs of an experiment: config, scenario folder, personas and command line, read once and kept byte for byte in
//! `inputs/`. All later commands read the kept inputs only.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::analysis::search::ShownTexts;
use crate::builtin;
use crate::config::yaml;
use crate::config::{
    DEFAULTS, DEFAULTS_SHOWN, ExhibitFile, NETWORKS, Node, OPENAI_DEFAULTS, Problem, Problems, ResolvedExperiment,
    Sources, WrittenChange, check_config, resolve_sources,
};
use crate::plan::{Experiment, Origin, Plan, SERVERS};
use crate::store::files::{FileError, remove_file};
use crate::store::{containment, personas};
use crate::text::nearest_word;

mod consequences;
mod exhibits;
mod folder;
mod forked;
mod named;
mod networks;
mod notes;
mod overrides;
mod path_suggestions;
mod places;
mod reading;
mod servers;
mod templates;
mod variants;

use exhibits::EXHIBITS;
use folder::{KeptFolder, forget_others, write_if_changed};
use named::{NamedFiles, PERSONAS, parse_tables};
use overrides::place_at_key;
pub use overrides::{ForkedSession, Overrides};
use reading::{BYTES_MAX, KeptFile, SCENARIO_YAML};
pub use reading::{normalise_path, read_file, shown_path};

const CONFIG: &str = "config.yaml";
const OVERRIDES: &str = "overrides.yaml";
const CHANGE: &str = "change.yaml";
const SCENARIO: &str = "scenario";

/// The inputs of an experiment, as bytes.
#[derive(Debug, Clone)]
pub struct Inputs {
    config: KeptFile,
    scenario: KeptFolder,
    named: NamedFiles,
    overrides: Overrides,
    change: Option<KeptFile>,
    /// Errors of reading these inputs.
    problems: Problems,
}

impl Inputs {
    /// Reads a config and the scenario folder that it names. `resolve` reports all other errors together.
    ///
    /// # Errors
    /// When the config cannot be read or names no scenario folder.
    pub fn read_config(config: &Path, overrides: Overrides) -> Result<Self, Problems> {
        let beside = |name: &str| normalise_path(&config.parent().unwrap_or(Path::new("")).join(name));
        let mut problems = Problems::default();
        let config = KeptFile::read(config, BYTES_MAX)?;
        let Some(tree) = yaml::gather_document(&config.bytes, &config.shown, Origin::Config, &mut problems) else {
            overrides.changes(&mut problems);
            return Err(problems);
        };
        let (checked, structural) = check_config(&tree);
        // The structural check has already reported an invalid path.
        let is_path = !structural.iter().any(|problem| problem.path == "scenario");
        let named = named_scenario(&checked, beside).filter(|_| is_path);
        let scenario =
            named.and_then(|named| problems.ok_or_report(named)).map(|named| named.read_files(&checked, &mut problems));
        let mut named = NamedFiles::read(&checked, |written, _| beside(written), &mut problems);
        named.notes = notes::read_notes(&checked, beside, &mut problems);
        let Some(scenario) = scenario else {
            overrides.changes(&mut problems);
            problems.extend(structural);
            if problems.is_empty() {
                problems.push(checked.problem("scenario", "expected the path of a scenario's folder"));
            }
            return Err(problems);
        };
        Ok(Self { config, scenario, named, overrides, change: None, problems })
    }

    /// Takes a config as text, and the files of a scenario by their paths in its folder, which replace the config's `scenario`. Other
    /// files that the config names are read from the working directory.
    ///
    /// # Errors
    /// When the config is not YAML. `resolve` reports all other errors.
    pub fn of_texts(config: &str, scenario: BTreeMap<String, Vec<u8>>) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        let tree = yaml::read_document(config.as_bytes(), CONFIG, Origin::Config)?;
        let here = |name: &str| normalise_path(Path::new(name));
        let mut named = NamedFiles::read(&tree, |written, _| here(written), &mut problems);
        named.notes = notes::read_notes(&tree, here, &mut problems);
        let mut scenario = KeptFolder { shown: SCENARIO.to_owned(), files: scenario };
        templates::add_templates(&mut scenario.files);
        let config = KeptFile { shown: CONFIG.to_owned(), bytes: config.into() };
        Ok(Self { config, scenario, named, overrides: Overrides::default(), change: None, problems })
    }

    /// Whether a results folder has kept inputs. It has none if their first write was interrupted.
    pub fn are_kept(dir: &Path) -> bool {
        dir.join("inputs").join(CONFIG).exists()
    }

    /// Reads the kept inputs of a results folder.
    ///
    /// # Errors
    /// When a file is missing, cannot be read, or lies outside the folder.
    pub fn read_results(dir: &Path) -> Result<Self, Problems> {
        let inputs = dir.join("inputs");
        let mut problems = Problems::default();
        for stray in containment::find_strays_in(dir, "inputs") {
            problems.push(Problem::of_file(&shown_path(&dir.join(&stray.place)), stray.why.to_string()));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let config = KeptFile::read(&inputs.join(CONFIG), BYTES_MAX)?;
        let overrides = inputs.join(OVERRIDES);
        let overrides = match overrides.exists() {
            true => {
                KeptFile::read(&overrides, BYTES_MAX).and_then(|file| Overrides::from_yaml(&file.bytes, &file.shown))?
            }
            false => Overrides::default(),
        };
        let tree = yaml::read_document(&config.bytes, &config.shown, Origin::Config)?;
        let mut named = NamedFiles::read(&tree, |_, kept| inputs.join(kept), &mut problems);
        named.notes = notes::read_kept(&tree, &inputs, &mut problems);
        let scenario = read_scenario(&inputs.join(SCENARIO), &mut problems);
        let read = Self { config, scenario, named, overrides, change: None, problems };
        let change = inputs.join(CHANGE);
        if change.exists() { Ok(read.with_change(&change)?) } else { Ok(read) }
    }

    /// The replicates of the full design, if only a pilot runs.
    pub fn pilot_of(&self) -> Option<u64> {
        self.overrides.pilot_of
    }

    /// The bytes of a fork's change; `None` for other experiments.
    pub fn change_bytes(&self) -> Option<&[u8]> {
        self.change.as_ref().map(|change| change.bytes.as_slice())
    }

    /// The parsed change of a fork; `None` for other experiments.
    ///
    /// # Errors
    /// Every error in the change that can be found without a plan, with its place.
    pub fn written_change(&self) -> Result<Option<WrittenChange>, Problems> {
        let Some(KeptFile { shown, bytes }) = &self.change else { return Ok(None) };
        WrittenChange::from_tree(yaml::read_document(bytes, shown, Origin::Fork)?).map(Some)
    }

    /// Finds every error in a fork's change to a session of a plan.
    pub fn mistakes_of_change(&self, plan: &Plan) -> Problems {
        let mut problems = Problems::default();
        if let Some(KeptFile { shown, bytes }) = &self.change
            && let Some(tree) = yaml::gather_document(bytes, shown, Origin::Fork, &mut problems)
        {
            problems.extend(WrittenChange::find_mistakes(tree, plan));
        }
        problems
    }

    /// Adds a fork's change to the inputs.
    ///
    /// # Errors
    /// When the file of the change cannot be read.
    pub fn with_change(mut self, change: &Path) -> Result<Self, Problem> {
        self.change = Some(KeptFile::read(change, BYTES_MAX)?);
        Ok(self)
    }

    /// Writes the inputs into `dir/inputs/`, byte for byte. Only changed files are written, each atomically.
    ///
    /// # Errors
    /// When a file or folder cannot be written.
    pub fn write(&self, dir: &Path) -> Result<(), FileError> {
        let inputs = dir.join("inputs");
        let files = self.files();
        for (name, (_, bytes)) in &files {
            write_if_changed(&inputs.join(name), bytes)?;
        }
        for folder in [SCENARIO, PERSONAS, EXHIBITS, NETWORKS, variants::PROMPTS] {
            forget_others(&inputs.join(folder), |name| files.contains_key(&format!("{folder}/{name}")))?;
        }
        if let Some(change) = &self.change {
            write_if_changed(&inputs.join(CHANGE), &change.bytes)?;
        }
        let overrides = inputs.join(OVERRIDES);
        if !self.overrides.is_empty() {
            write_if_changed(&overrides, self.overrides.to_yaml().as_bytes())?;
        }
        // Write the config last: if a folder has it, it has all other inputs.
        write_if_changed(&inputs.join(CONFIG), &self.config.bytes)?;
        if self.overrides.is_empty() { remove_file(&overrides) } else { Ok(()) }
    }

    /// The files that the config names, by their place in `inputs/`: the path to show, and the bytes.
    fn files(&self) -> BTreeMap<String, (String, &[u8])> {
        let of_scenario = self.scenario.files.iter().map(|(name, bytes)| {
            (format!("{SCENARIO}/{name}"), (format!("{}/{name}", self.scenario.shown), bytes.as_slice()))
        });
        of_scenario.chain(self.named.files()).collect()
    }

    /// The files that differ from the kept inputs, each as two paths to show: the new file and the kept one.
    pub fn changed_files(&self, kept: &Self) -> Vec<(String, String)> {
        let (now, before) = (self.files(), kept.files());
        let both = now.iter().filter_map(|(name, file)| Some((file, before.get(name)?)));
        let changed = both.filter(|((_, now), (_, before))| now != before);
        changed.map(|((now, _), (before, _))| (now.clone(), before.clone())).collect()
    }

    /// Resolves the inputs into an experiment.
    ///
    /// # Errors
    /// Every error with its place, in this order: config, scenario, other files, command line.
    pub fn resolve(&self) -> Result<ResolvedExperiment, Problems> {
        let resolved = resolve_sources(self.list_sources(SettingsTime::Beginning));
        let resolved = resolved.map_err(|problems| self.in_order(self.move_to_change(problems)))?;
        self.join_fork(resolved)
    }

    /// The texts that sessions were shown and that records only name.
    pub fn shown_texts(&self, experiment: &Experiment) -> ShownTexts {
        let mut texts = ShownTexts::default();
        for ExhibitFile { shown, text } in self.list_sources(SettingsTime::Beginning).exhibits.into_values() {
            texts.add_exhibit(shown, text);
        }
        let file = self.named.items.as_ref().map_or("", |file| file.shown.as_str());
        for item in experiment.items.values() {
            let text = [&item.text].into_iter().chain(&item.options).cloned().collect::<Vec<_>>().join("\n");
            texts.add_item(&item.id, (file.to_owned(), item.line), text);
        }
        texts
    }

    /// The sources of the experiment. Settings that a fork makes from a point of its session on are included only for that time.
    fn list_sources(&self, time: SettingsTime) -> Sources {
        let mut problems = self.problems.clone();
        let scenario_yaml = format!("{}/{SCENARIO_YAML}", self.scenario.shown);
        let scenario = match self.scenario.files.get(SCENARIO_YAML) {
            Some(bytes) => yaml::gather_document(bytes, &scenario_yaml, Origin::Scenario, &mut problems),
            None => {
                // An unreadable file has already been reported.
                let is_told = |problem: &Problem| problem.file == scenario_yaml || problem.path == "scenario";
                if !problems.iter().any(is_told) {
                    problems.push(Problem::of_file(&scenario_yaml, "no such file"));
                }
                None
            }
        };
        let mut changes = self.overrides.changes(&mut problems);
        if let Some(KeptFile { shown, bytes }) = &self.change
            && let Some(tree) = yaml::gather_document(bytes, shown, Origin::Fork, &mut problems)
        {
            let written = WrittenChange::gather_tree(tree, &mut problems);
            let set = written.iter().filter(|written| time == SettingsTime::Later || !written.sets_later());
            changes.extend(set.flat_map(WrittenChange::changed_keys));
        }
        let config = yaml::gather_document(&self.config.bytes, &self.config.shown, Origin::Config, &mut problems);
        let exhibits = exhibits::exhibit_texts(
            scenario.as_ref(),
            &self.scenario,
            config.as_ref(),
            &self.named.exhibits,
            &mut problems,
        );
        let items = self.named.items.as_ref();
        let own = |text: &str, origin| {
            let tree = yaml::read_document(text.as_bytes(), DEFAULTS_SHOWN, origin);
            tree.expect("invariant: the program's own defaults and its table of servers are YAML")
        };
        Sources {
            defaults: own(DEFAULTS, Origin::Default),
            openai_defaults: own(OPENAI_DEFAULTS, Origin::Default),
            servers: own(SERVERS, Origin::Table),
            scenario,
            config,
            exhibits,
            networks: parse_tables(&self.named.networks, &mut problems),
            changes,
            prompts: variants::scenario_templates(&self.scenario, &mut problems),
            variants: variants::parse_variants(&self.named.variants, &mut problems),
            imported_notes: notes::parse_kept_notes(self.named.notes.as_ref(), &mut problems),
            scenario_folder: self.scenario.shown.clone(),
            personas: parse_tables(&self.named.personas, &mut problems),
            items: items.and_then(|file| personas::parse_persona_file(&file.bytes, &file.shown, &mut problems)),
            problems,
        }
    }

    /// Adds errors to others and sorts them.
    pub fn join_problems(&self, mut problems: Problems, more: Problems) -> Problems {
        problems.extend(more);
        self.in_order(problems)
    }

    /// Sorts errors by file.
    fn in_order(&self, problems: Problems) -> Problems {
        let scenario_yaml = format!("{}/{SCENARIO_YAML}", self.scenario.shown);
        let mut placed = Problems::default();
        problems.iter().for_each(|problem| placed.push(place_at_key(self.place_problem(problem.clone()))));
        placed.sort(|problem| match problem.file.as_str() {
            file if file == self.config.shown => 0,
            file if file == scenario_yaml => 1,
            file if file.starts_with(&self.scenario.shown) => 2,
            _ if problem.option().is_some() => 4,
            _ => 3,
        });
        placed
    }
}

/// The time of a session for which settings are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SettingsTime {
    /// Its beginning.
    Beginning,
    /// After the point at which a fork changes settings.
    Later,
}

/// Reads the folder of a scenario. Without `scenario.yaml` it may hold any number of files of any kind, and counts as empty.
fn read_scenario(folder: &Path, problems: &mut Problems) -> KeptFolder {
    match folder.join(SCENARIO_YAML).exists() {
        true => KeptFolder::read(folder, problems),
        false => KeptFolder { shown: shown_path(folder), files: BTreeMap::new() },
    }
}

enum NamedScenario {
    Folder(PathBuf),
    BuiltIn(KeptFolder),
}

impl NamedScenario {
    fn read_files(self, config: &Node, problems: &mut Problems) -> KeptFolder {
        let mut scenario = match self {
            Self::BuiltIn(files) => files,
            Self::Folder(folder) => {
                problems.extend(path_suggestions::find_missing_scenario(&folder, config));
                read_scenario(&folder, problems)
            }
        };
        templates::add_templates(&mut scenario.files);
        scenario
    }
}

/// Finds the scenario that a config names: a folder or a built-in scenario.
fn named_scenario(tree: &Node, beside: impl Fn(&str) -> PathBuf) -> Option<Result<NamedScenario, Problem>> {
    let named = tree.get("scenario").and_then(Node::as_text).filter(|named| !named.is_empty())?;
    if let Some(name) = builtin::builtin_name(named) {
        return Some(match builtin::scenario_files(name) {
            Some(files) => {
                let files = files.into_iter().map(|(path, bytes)| (path, bytes.to_vec())).collect();
                Ok(NamedScenario::BuiltIn(KeptFolder { shown: named.to_owned(), files }))
            }
            None => {
                let known = builtin::scenario_names();
                let message = format!("there is no built-in scenario \"{name}\" (there are: {})", known.join(", "));
                let near = nearest_word(name, known).map(|near| format!("write scenario: {}{near}", builtin::PREFIX));
                Err(tree.problem("scenario", message).with_hint(near))
            }
        });
    }
    let folder = beside(named);
    Some(match folder.is_dir() {
        true => Ok(NamedScenario::Folder(folder)),
        false => {
            let reason = if folder.exists() { "not a folder" } else { "no such folder" };
            let found = format!("{}: {reason}", shown_path(&folder));
            Err(tree.problem("scenario", found).with_hint(path_suggestions::suggest_scenario(named, beside)))
        }
    })
}
