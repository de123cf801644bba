//! `man`: writes manual pages, one for the program and one for each verb.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;

use super::arguments::Arguments;
use super::exit::{Ending, Refusal};
use super::say::say;
use crate::adapters::results::{file_error, write_whole};
use crate::report::{counted, visible};

/// The section of commands.
const SECTION: &str = "1";

/// The arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArguments {
    /// The folder that the pages are written to; made where it is not there.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// Writes the pages.
///
/// # Errors
/// A [`Refusal`] when a page cannot be written.
pub fn man(arguments: &ManArguments) -> Result<Ending, Refusal> {
    let out = &arguments.out;
    fs::create_dir_all(out).map_err(|error| file_error(out, &error))?;
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let pages = write(&command, out)?;
    say(&format!("{} in {}", counted(pages, "page"), visible(&out.display().to_string())))?;
    Ok(Ending::Done)
}

/// Writes the page of a command and those of its verbs; returns how many.
fn write(command: &Command, out: &Path) -> Result<u64, Refusal> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let page = Man::new(command.clone()).title(name.to_uppercase()).section(SECTION);
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| Refusal::failed(format!("{name}: {error}")))?;
    write_whole(&out.join(format!("{name}.{SECTION}")), &text)?;
    let of_verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set()).map(|verb| write(verb, out));
    of_verbs.sum::<Result<u64, Refusal>>().map(|pages| pages + 1)
}
