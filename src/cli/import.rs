//! `import`: converts a config of another framework.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::arguments::{ImportArguments, ImportFrom, ImportRawlsArguments};
use super::exit::{Ending, Refusal};
use super::output::{note, print_text};
use crate::config::yaml;
use crate::plan::Origin;
use crate::report::escape_unseen;
use crate::store::files::file_error;
use crate::store::inputs;
use crate::store::rawls::{self, ImportedConfig};

/// Converts a config and prints or writes it.
///
/// # Errors
/// A [`Refusal`] when the config is unreadable or invalid, or the output file exists or cannot be written.
pub fn run_import(arguments: &ImportArguments) -> Result<Ending, Refusal> {
    let ImportFrom::Rawls(ImportRawlsArguments { file, out }) = &arguments.from;
    let shown = inputs::shown_path(file);
    let tree = yaml::read_document(&inputs::read_file(file, &shown, yaml::BYTES_MAX as u64)?, &shown, Origin::Config)?;
    let imported = rawls::convert_config(&tree, &shown)?;
    for item in &imported.left_out {
        note!("{}", escape_unseen(&item.to_string()));
    }
    match out {
        None => print_text(&imported.yaml)?,
        Some(out) => write_config(out, &imported)?,
    }
    Ok(Ending::Done)
}

/// Writes the config to a new file.
fn write_config(out: &Path, imported: &ImportedConfig) -> Result<(), Refusal> {
    let mut file =
        fs::OpenOptions::new().write(true).create_new(true).open(out).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                Refusal::wrong_input(format!("{}: there is such a file already", out.display()))
            }
            _ => file_error(out, &error).into(),
        })?;
    if let Err(error) = file.write_all(imported.yaml.as_bytes()) {
        // Half a config is useless. If removing it fails too, the write error below is enough.
        fs::remove_file(out).ok();
        return Err(file_error(out, &error).into());
    }
    let count = imported.left_out.len();
    let shown = escape_unseen(&out.display().to_string());
    print_text(&format!("{shown}: written, with {count} remarks on differences at its top"))
}
