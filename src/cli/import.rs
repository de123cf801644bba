//! `import`: a config of another framework as a config of ours.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::arguments::{ImportArguments, ImportFrom, ImportRawlsArguments};
use super::exit::{Ending, Refusal};
use super::say::{note, say};
use crate::config::yaml;
use crate::plan::Origin;
use crate::report::visible;
use crate::store::files::file_error;
use crate::store::inputs;
use crate::store::rawls::{self, Imported};

/// Converts a config.
///
/// # Errors
/// A [`Refusal`] when it cannot be read or is wrong, or the file to write is there already or cannot be written.
pub fn import(arguments: &ImportArguments) -> Result<Ending, Refusal> {
    let ImportFrom::Rawls(ImportRawlsArguments { file, out }) = &arguments.from;
    let shown = inputs::shown(file);
    let tree = yaml::read(&inputs::read_file(file, &shown, yaml::BYTES_MAX as u64)?, &shown, Origin::Config)?;
    let imported = rawls::convert(&tree, &shown)?;
    for item in &imported.left_out {
        note!("{}", visible(&item.to_string()));
    }
    match out {
        None => say(&imported.yaml)?,
        Some(out) => write(out, &imported)?,
    }
    Ok(Ending::Done)
}

/// Writes the config where no file is yet.
fn write(out: &Path, imported: &Imported) -> Result<(), Refusal> {
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
    say(&format!("{shown}: written, with {count} remarks on differences at its top"))
}
