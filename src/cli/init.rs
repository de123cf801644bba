//! `init`: makes a folder with a commented experiment that runs at once.
//!
//! Scenario, prompts and personas are the shipped ones, built into the program. Nothing that is there is ever overwritten.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::arguments::InitArguments;
use super::exit::{Ending, Refusal};
use super::say::say;
use super::typed;
use crate::adapters::results::file_error;
use crate::plan::{check_folder_name, config_schema, scenario_schema};
use crate::report::{visible, wrapped};

/// The name of the experiment where the folder's own is none.
const NAME: &str = "my-experiment";
const CONFIG: &str = "experiment.yaml";
const CONFIG_SCHEMA: &str = "config.schema.json";
/// Where the shipped scenario looks for its schema: beside its folder.
const SCENARIO_SCHEMA: &str = "scenario.schema.json";

const EXPERIMENT: &str = include_str!("init/experiment.yaml");
const README: &str = include_str!("init/README.md");
const PERSONAS: &str = include_str!("../../configs/personas.csv");
const SCENARIO: &str = include_str!("../../scenarios/motion/scenario.yaml");
const SCENARIO_HEAD: &str = "\
# What is deliberated. To ask your own question, change `motion` and `alternatives`, then the words of the welcome; a config
# may turn the knobs under `parameters`. The agenda is what happens, phase by phase. Prompts stand in prompts/en.
";

/// Where the shipped scenario's texts in other languages begin: a folder that is to be changed is in one language.
const TRANSLATED: &str = "\n# The same texts in other languages.";

/// The shipped prompts of the scenario.
const PROMPTS: [(&str, &str); 19] = [
    ("ballot.j2", include_str!("../../scenarios/motion/prompts/en/ballot.j2")),
    ("compression.j2", include_str!("../../scenarios/motion/prompts/en/compression.j2")),
    ("confirmation.j2", include_str!("../../scenarios/motion/prompts/en/confirmation.j2")),
    ("countdown.j2", include_str!("../../scenarios/motion/prompts/en/countdown.j2")),
    ("form_anchored.j2", include_str!("../../scenarios/motion/prompts/en/form_anchored.j2")),
    ("form_json.j2", include_str!("../../scenarios/motion/prompts/en/form_json.j2")),
    ("history.j2", include_str!("../../scenarios/motion/prompts/en/history.j2")),
    ("integration.j2", include_str!("../../scenarios/motion/prompts/en/integration.j2")),
    ("naming.j2", include_str!("../../scenarios/motion/prompts/en/naming.j2")),
    ("notes.j2", include_str!("../../scenarios/motion/prompts/en/notes.j2")),
    ("proposals.j2", include_str!("../../scenarios/motion/prompts/en/proposals.j2")),
    ("reask.j2", include_str!("../../scenarios/motion/prompts/en/reask.j2")),
    ("reasoning.j2", include_str!("../../scenarios/motion/prompts/en/reasoning.j2")),
    ("recognition.j2", include_str!("../../scenarios/motion/prompts/en/recognition.j2")),
    ("statement.j2", include_str!("../../scenarios/motion/prompts/en/statement.j2")),
    ("straw_poll.j2", include_str!("../../scenarios/motion/prompts/en/straw_poll.j2")),
    ("system.j2", include_str!("../../scenarios/motion/prompts/en/system.j2")),
    ("volunteer.j2", include_str!("../../scenarios/motion/prompts/en/volunteer.j2")),
    ("vote_call.j2", include_str!("../../scenarios/motion/prompts/en/vote_call.j2")),
];

/// Makes a folder with a commented experiment.
///
/// # Errors
/// A [`Refusal`] when the folder is not empty or cannot be written to.
pub fn init(arguments: &InitArguments) -> Result<Ending, Refusal> {
    let folder = &arguments.dir;
    match fs::read_dir(folder) {
        Ok(mut entries) => {
            if entries.next().is_some() {
                return Err(Refusal::wrong(format!("{} is not empty; name a new folder", folder.display())));
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(Refusal::wrong(format!("{} is no folder; name a new one", folder.display())));
        }
        Err(error) => return Err(file_error(folder, &error).into()),
    }
    let name = name_of(folder);
    let experiment = name.as_deref().unwrap_or(NAME);
    for (path, text) in files(experiment) {
        write_new(&folder.join(path), &text)?;
    }
    let mut renamed = String::new();
    if let Err(why) = &name {
        wrapped(&format!("named   {NAME}, since an experiment cannot be called so: {why}"), 1, 9, &mut renamed);
    }
    say(&told(folder, experiment, &renamed))?;
    Ok(Ending::Done)
}

/// The experiment's name: the folder's, or why it cannot be that.
fn name_of(folder: &Path) -> Result<String, String> {
    let own = std::path::absolute(folder).map_err(|error| error.to_string())?;
    let own = own.file_name().ok_or_else(|| format!("{} has no name", folder.display()))?;
    let own = own.to_str().ok_or_else(|| format!("{} is no text", own.display()))?;
    check_folder_name(own)?;
    // In a table it would be read as a number: 1e5, inf.
    match own.parse::<f64>() {
        Ok(_) => Err(format!("\"{own}\" reads as a number; a name does not")),
        Err(_) => Ok(own.to_owned()),
    }
}

/// Every file by its path in the folder.
fn files(name: &str) -> Vec<(String, String)> {
    let named = |text: &str| text.replace("{name}", name);
    let schema = |schema: serde_json::Value| format!("{schema:#}\n");
    let experiment = format!("# yaml-language-server: $schema={CONFIG_SCHEMA}\n{}", named(EXPERIMENT));
    let mut files = vec![
        (CONFIG_SCHEMA.to_owned(), schema(config_schema())),
        (SCENARIO_SCHEMA.to_owned(), schema(scenario_schema())),
        (CONFIG.to_owned(), experiment),
    ];
    files.push(("README.md".to_owned(), named(README)));
    files.push(("personas.csv".to_owned(), PERSONAS.to_owned()));
    let (schema_line, scenario) = SCENARIO.split_once('\n').expect("invariant: the shipped scenario has lines");
    let (scenario, _) = scenario.split_once(TRANSLATED).expect("invariant: the shipped scenario has translations");
    files.push(("scenario/scenario.yaml".to_owned(), format!("{schema_line}\n{SCENARIO_HEAD}{scenario}")));
    files.extend(PROMPTS.iter().map(|(prompt, text)| (format!("scenario/prompts/en/{prompt}"), (*text).to_owned())));
    files
}

/// Writes a file where none is yet.
fn write_new(path: &Path, text: &str) -> Result<(), Refusal> {
    let write = || {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
    };
    write().map_err(|error| file_error(path, &error).into())
}

/// What was made, and what to type next.
fn told(folder: &Path, name: &str, renamed: &str) -> String {
    let folder = folder.display().to_string();
    let (shown, typed) = (visible(&folder), visible(&typed::word(&folder)));
    format!(
        "{shown}/\n  experiment.yaml     how it is run; every section is explained\n  scenario/           what is deliberated, and the \
         prompts\n  personas.csv        who may sit there\n  README.md           what to change first\n  *.schema.json       what an \
         editor needs to help with the YAML\n\n{renamed} go      cd {typed}\n check   ekklesia check experiment.yaml\n run     ekklesia run experiment.yaml\n read    \
         ekklesia show results/{name}/sessions/talk-r000001\n report  ekklesia report results/{name}\n again   ekklesia replay results/{name}"
    )
}
