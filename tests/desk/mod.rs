//! A temporary folder with the shipped scenario and a config beside it.

mod copy;

use std::fs;
use std::path::{Path, PathBuf};

use copy::copy;
use ekklesia::adapters::inputs::{Inputs, Overrides};
use ekklesia::plan::{Problems, Resolved};

/// A config with simulated and model seats.
pub const BASE: &str = "\
experiment: base
scenario: scenario
seed: 7
replicates: 3
models:
  sim: { simulated: {} }
  qwen: { openai: { base_url: \"http://127.0.0.1:8080/v1\", model: qwen, temperature: 0.7, api_key_env: KEY } }
seat_defaults: { model: sim }
seats:
  - { name: Alice, persona: \"A teacher.\", mind: { voter: { copy: 0.5 } } }
  - { name: Bob, model: qwen }
  - { count: 2, name: \"Member {n}\" }
straw_polls: [before]
";

/// A folder with the shipped scenario and a config beside it.
pub struct Desk {
    pub folder: tempfile::TempDir,
}

impl Desk {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        copy(Path::new("scenarios/motion"), &folder.path().join("scenario"));
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, config: &str, overrides: Overrides) -> Result<Inputs, Problems> {
        fs::write(self.path("config.yaml"), config).expect("a config written");
        Inputs::read(&self.path("config.yaml"), overrides)
    }

    pub fn resolve(&self, config: &str) -> Result<Resolved, Problems> {
        self.read(config, Overrides::default())?.resolve()
    }
}

/// A copy of a case whose scenario has no prompts, with the shipped ones; `None` for any other case.
#[allow(dead_code, reason = "not every test has such cases")]
pub fn with_prompts(case: &Path) -> Option<tempfile::TempDir> {
    let written = fs::read_to_string(case.join("scenario/scenario.yaml")).ok()?;
    if case.join("scenario/prompts").exists() {
        return None;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(case, folder.path());
    let shipped = if written.contains("scenario: justice") { "justice" } else { "motion" };
    copy(&Path::new("scenarios").join(shipped).join("prompts"), &folder.path().join("scenario/prompts"));
    Some(folder)
}
