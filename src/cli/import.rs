//! `import`: a config of another framework as a config of ours.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::arguments::{ImportArguments, ImportFrom, ImportRawlsArguments};
use super::exit::{Ending, Refusal};
use super::say::{note, say};
use crate::adapters::rawls::{self, Imported};
use crate::adapters::results::file_error;
use crate::adapters::{inputs, yaml};
use crate::plan::Origin;
use crate::report::visible;

/// Converts a config.
///
/// # Errors
/// A [`Refusal`] when it cannot be read or is wrong, or the file to write is there already or cannot be written.
pub fn import(arguments: &ImportArguments) -> Result<Ending, Refusal> {
    let ImportFrom::Rawls(ImportRawlsArguments { file, out }) = &arguments.from;
    let shown = inputs::shown(file);
    let tree = yaml::read(&inputs::read_file(file, &shown, yaml::BYTES_MAX as u64)?, &shown, Origin::Config)?;
    let scenario = out.as_deref().and_then(scenario_from);
    let imported = rawls::convert(&tree, &shown, scenario.as_deref())?;
    for item in &imported.left_out {
        note!("{}", visible(&item.to_string()));
    }
    match out {
        None => say(&imported.yaml)?,
        Some(out) => write(out, &imported, scenario.as_deref())?,
    }
    Ok(Ending::Done)
}

/// The path of `scenarios/justice` from the folder of a file to be written: the nearest, beside the file or above it.
fn scenario_from(out: &Path) -> Option<String> {
    const LEVELS_UP_MAX: usize = 4;
    let folder = std::path::absolute(out).ok()?.parent()?.to_path_buf();
    let paths = (0..=LEVELS_UP_MAX).map(|up| format!("{}scenarios/justice", "../".repeat(up)));
    let mut found = paths.filter(|path| inputs::lexically(&folder.join(path)).join("scenario.yaml").is_file());
    found.next()
}

/// Writes the config where no file is yet.
fn write(out: &Path, imported: &Imported, scenario: Option<&str>) -> Result<(), Refusal> {
    let mut file =
        fs::OpenOptions::new().write(true).create_new(true).open(out).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => Refusal::wrong(format!("{}: there is such a file already", out.display())),
            _ => file_error(out, &error).into(),
        })?;
    if let Err(error) = file.write_all(imported.yaml.as_bytes()) {
        // Half a config is none; that it is left behind when even this fails is told by the error before.
        fs::remove_file(out).ok();
        return Err(file_error(out, &error).into());
    }
    let count = imported.left_out.len();
    let shown = visible(&out.display().to_string()).to_string();
    say(&format!("{shown}: written; {count} remarks on what differs stand at its top"))?;
    match scenario {
        Some(_) => Ok(()),
        None => say(&format!("{shown}: adapt the path in `scenario`: no scenarios/justice was found from there")),
    }
}
