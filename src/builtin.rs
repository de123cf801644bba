//! The built-in scenarios, configs and templates, embedded at build time. Their folders are the only copies.

use std::collections::BTreeMap;

use include_dir::{Dir, include_dir};

static SCENARIOS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/scenarios");
static CONFIGS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/configs");
static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/prompt/templates");

/// The prefix of a built-in scenario's name in a config, where other values name a folder.
pub const PREFIX: &str = "builtin:";
/// The scenario of a new experiment.
pub const FIRST: &str = "motion";
/// The scenario of configs that `import` converts.
pub const RAWLS: &str = "justice";
/// The name of the config for [`FIRST`]; all others have their scenario's name.
const FIRST_CONFIG: &str = "first";

/// The built-in scenario that a config names; `None` if the config names a folder.
pub fn builtin_name(named: &str) -> Option<&str> {
    named.strip_prefix(PREFIX)
}

/// The names of the built-in scenarios, sorted.
pub fn scenario_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = SCENARIOS.dirs().filter_map(|dir| dir.path().to_str()).collect();
    names.sort_unstable();
    names
}

/// The files of a built-in scenario by their paths in its folder; `None` if there is no such scenario.
pub fn scenario_files(name: &str) -> Option<BTreeMap<String, &'static [u8]>> {
    files_below(SCENARIOS.get_dir(name)?, name)
}

/// The built-in templates of a language by file name; none if it has none.
pub fn template_files(language: &str) -> BTreeMap<String, &'static [u8]> {
    TEMPLATES.get_dir(language).and_then(|dir| files_below(dir, language)).unwrap_or_default()
}

/// The config of a built-in scenario with simulated seats; `None` if there is no such scenario.
///
/// # Panics
/// If a built-in scenario has no config, or its config is not UTF-8.
pub fn config_of(name: &str) -> Option<&'static str> {
    SCENARIOS.get_dir(name)?;
    let file = CONFIGS
        .get_file(format!("{}.yaml", config_name_of(name)))
        .expect("invariant: every scenario ships with a config");
    Some(file.contents_utf8().expect("invariant: shipped configs are text"))
}

/// The name of a built-in scenario's config, without the file extension.
pub fn config_name_of(name: &str) -> &str {
    if name == FIRST { FIRST_CONFIG } else { name }
}

/// The files in `configs/` that a config names, by path: item or persona files, prompt or exhibit folders.
pub fn files_named_in(config: &str) -> BTreeMap<String, &'static [u8]> {
    let is_named = |name: &str| config.contains(name) && !name.ends_with(".yaml") && !name.ends_with(".json");
    let files = CONFIGS.files().filter_map(|file| Some((file.path().to_str()?.to_owned(), file.contents())));
    let mut named: BTreeMap<String, &'static [u8]> = files.filter(|(name, _)| is_named(name)).collect();
    for folder in CONFIGS.dirs().filter(|folder| folder.path().to_str().is_some_and(is_named)) {
        named.extend(files_below(folder, "").into_iter().flatten());
    }
    named
}

/// All files below a folder, by their paths relative to `from`.
fn files_below(dir: &'static Dir<'static>, from: &str) -> Option<BTreeMap<String, &'static [u8]>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![dir];
    while let Some(folder) = folders.pop() {
        for file in folder.files() {
            let path = file.path().strip_prefix(from).ok()?.to_str()?;
            files.insert(path.replace('\\', "/"), file.contents());
        }
        folders.extend(folder.dirs());
    }
    Some(files)
}
