//! `init`: makes a folder with an experiment that is ready to run. It never overwrites a file.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::arguments::InitArguments;
use super::exit::{Ending, Refusal};
use super::output::print_text;
use super::shell_command;
use crate::builtin;
use crate::config::{config_schema, scenario_schema};
use crate::plan::check_folder_name;
use crate::report::{escape_unseen, wrapped};
use crate::store::files::file_error;
use crate::text::nearest_word;

/// The experiment's name if the folder's name is unusable.
const NAME: &str = "my-experiment";
const CONFIG: &str = "experiment.yaml";
const CONFIG_SCHEMA: &str = "config.schema.json";
/// The shipped scenario expects its schema beside its folder.
const SCENARIO_SCHEMA: &str = "scenario.schema.json";

const EXPERIMENT: &str = include_str!("init/experiment.yaml");
const README: &str = include_str!("init/README.md");
const SCENARIO_HEAD: &str = "\
# What is deliberated. To ask your own question, change `motion` and `alternatives`, then the words of the welcome; a config
# may turn the knobs under `parameters`. The agenda is what happens, phase by phase.
";

/// The heading above the scenario's translations. The starter scenario leaves them out.
const TRANSLATED: &str = "\n# The same texts in other languages.";

/// The scenario's folder, relative to the config.
const SCENARIO: &str = "scenario";
/// The path from shipped configs to scenarios.
const SHIPPED_PATH: &str = "../scenarios/";

/// Makes a folder with the commented starter experiment, or with the shipped experiment of a built-in scenario.
///
/// # Errors
/// A [`Refusal`] when the folder is not empty or cannot be written to, or there is no such scenario.
pub fn run_init(arguments: &InitArguments) -> Result<Ending, Refusal> {
    let folder = &arguments.dir;
    match fs::read_dir(folder) {
        Ok(mut entries) => {
            if entries.next().is_some() {
                return Err(Refusal::wrong_input(format!("{} is not empty; name a new folder", folder.display())));
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(Refusal::wrong_input(format!("{} is no folder; name a new one", folder.display())));
        }
        Err(error) => return Err(file_error(folder, &error).into()),
    }
    if let Some(scenario) = &arguments.scenario {
        return copy_scenario(scenario, folder);
    }
    let name = name_of(folder);
    let experiment = name.as_deref().unwrap_or(NAME);
    write_new_files(folder, starter_files(experiment))?;
    let mut renamed = String::new();
    if let Err(why) = &name {
        wrapped(&format!("named   {NAME}, since an experiment cannot be called so: {why}"), 1, 9, &mut renamed);
    }
    print_text(&render_next_steps(folder, experiment, &renamed))?;
    Ok(Ending::Done)
}

/// The experiment's name, taken from the folder, or the reason why that name is unusable.
fn name_of(folder: &Path) -> Result<String, String> {
    let own = std::path::absolute(folder).map_err(|error| error.to_string())?;
    let own = own.file_name().ok_or_else(|| format!("{} has no name", folder.display()))?;
    let own = own.to_str().ok_or_else(|| format!("{} is no text", own.display()))?;
    check_folder_name(own)?;
    // Table readers would take such a name for a number: 1e5, inf.
    match own.parse::<f64>() {
        Ok(_) => Err(format!("\"{own}\" reads as a number; a name does not")),
        Err(_) => Ok(own.to_owned()),
    }
}

/// A new file: its path in the folder, and its content.
type NewFile = (String, Vec<u8>);

/// The files of the starter experiment.
fn starter_files(name: &str) -> Vec<NewFile> {
    let named = |text: &str| text.replace("{name}", name);
    let experiment = format!("# yaml-language-server: $schema={CONFIG_SCHEMA}\n{}", named(EXPERIMENT));
    let mut files = config_files(EXPERIMENT, experiment);
    files.push(("README.md".to_owned(), named(README).into_bytes()));
    let shipped = builtin::scenario_files(builtin::FIRST).expect("invariant: the first scenario is built in");
    let (schema, scenario) =
        text_of(shipped["scenario.yaml"]).split_once('\n').expect("invariant: the shipped scenario has lines");
    let (scenario, _) = scenario.split_once(TRANSLATED).expect("invariant: the shipped scenario has translations");
    let scenario = format!("{schema}\n{SCENARIO_HEAD}{scenario}");
    files.push((format!("{SCENARIO}/scenario.yaml"), scenario.into_bytes()));
    files
}

/// A config as `written`, with the schemas and every file that `shipped` names.
fn config_files(shipped: &str, written: String) -> Vec<NewFile> {
    let schema = |schema: serde_json::Value| format!("{schema:#}\n").into_bytes();
    let mut files = vec![
        (CONFIG.to_owned(), written.into_bytes()),
        (CONFIG_SCHEMA.to_owned(), schema(config_schema())),
        (SCENARIO_SCHEMA.to_owned(), schema(scenario_schema())),
    ];
    files.extend(builtin::files_named_in(shipped).into_iter().map(|(path, bytes)| (path, bytes.to_vec())));
    files
}

fn text_of(bytes: &'static [u8]) -> &'static str {
    std::str::from_utf8(bytes).expect("invariant: shipped files are text")
}

/// Writes the shipped experiment of a built-in scenario, with every file that its config names.
fn copy_scenario(name: &str, folder: &Path) -> Result<Ending, Refusal> {
    let files = builtin::scenario_files(name).zip(builtin::config_of(name));
    let Some((of_scenario, config)) = files else {
        let known = builtin::scenario_names();
        let near = nearest_word(name, known.clone()).map_or(String::new(), |near| format!("; did you mean {near}?"));
        return Err(Refusal::wrong_input(format!(
            "there is no scenario {name:?}; there are {}{near}",
            known.join(", ")
        )));
    };
    let mut files = config_files(config, own_config(name, config));
    files.extend(of_scenario.into_iter().map(|(path, bytes)| (format!("{SCENARIO}/{path}"), bytes.to_vec())));
    write_new_files(folder, files)?;
    let folder = folder.display().to_string();
    let (shown, typed) = (escape_unseen(&folder), escape_unseen(&shell_command::shell_word(&folder)));
    print_text(&format!(
        "{shown}/\n  experiment.yaml     the shipped config, on simulated seats\n  scenario/           the scenario {name}; its README \
         explains the design\n\n go      cd {typed}\n check   ekklesia check {CONFIG}\n run     ekklesia run {CONFIG}"
    ))?;
    Ok(Ending::Done)
}

/// A shipped config with its paths adapted to the new folder.
fn own_config(name: &str, config: &str) -> String {
    config
        .replace(&format!("{SHIPPED_PATH}{name}"), SCENARIO)
        .replace(&format!("scenarios/{name}/"), &format!("{SCENARIO}/"))
        .replace(&format!("configs/{}.yaml", builtin::config_name_of(name)), CONFIG)
}

/// Writes new files into a folder; an existing one is an error.
fn write_new_files(folder: &Path, files: Vec<NewFile>) -> Result<(), Refusal> {
    for (path, bytes) in files {
        let path = folder.join(path);
        let write = || {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::File::create_new(&path)?.write_all(&bytes)
        };
        write().map_err(|error| file_error(&path, &error))?;
    }
    Ok(())
}

fn render_next_steps(folder: &Path, name: &str, renamed: &str) -> String {
    let folder = folder.display().to_string();
    let (shown, typed) = (escape_unseen(&folder), escape_unseen(&shell_command::shell_word(&folder)));
    format!(
        "{shown}/\n  experiment.yaml     how it is run; every section is explained\n  scenario/           what is deliberated, and the \
         prompts\n  personas.csv        who may sit there\n  README.md           what to change first\n  *.schema.json       what an \
         editor needs to help with the YAML\n\n{renamed} go      cd {typed}\n check   ekklesia check experiment.yaml\n run     ekklesia run experiment.yaml\n read    \
         ekklesia show results/{name}/sessions/talk-r000001\n report  ekklesia report results/{name}\n again   ekklesia replay results/{name}"
    )
}
