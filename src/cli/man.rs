//! `man`: writes manual pages, one for the program and one for each verb.

use std::fs;
use std::path::Path;

use clap::builder::Resettable;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::arguments::{Arguments, ManArguments};
use super::exit::{Ending, Refusal};
use super::output::print_text;
use crate::report::{counted, escape_unseen};
use crate::store::files::{file_error, write_whole};

const SECTION: &str = "1";
const SOURCE: &str = concat!("ekklesia ", env!("CARGO_PKG_VERSION"));
const ENDINGS: [(u8, &str); 7] = [
    (Ending::Done.code(), "everything is done"),
    (Ending::Failed.code(), "something could not be done: disk, network after all tries, a failed session"),
    (Ending::Wrong.code(), "the config or the command line is wrong"),
    (Ending::Diverged.code(), "what was reproduced is not what was recorded"),
    (Ending::Resumable.code(), "incomplete; the same command again goes on"),
    (101, "a bug of the program"),
    (Ending::Interrupted.code(), "interrupted; the same command again goes on"),
];

/// Writes the manual pages.
pub fn run_man(arguments: &ManArguments) -> Result<Ending, Refusal> {
    let out = &arguments.out;
    fs::create_dir_all(out).map_err(|error| file_error(out, &error))?;
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let pages = write_pages(&command, out)?;
    print_text(&format!("{} in {}", counted(pages, "page"), escape_unseen(&out.display().to_string())))?;
    Ok(Ending::Done)
}

/// Writes the pages of a command and its subcommands. Returns their number.
fn write_pages(command: &Command, out: &Path) -> Result<u64, Refusal> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    // `render_appendix` adds the examples, to keep their line breaks.
    let page = Man::new(command.clone().after_help(Resettable::Reset));
    let page = page.title(name.to_uppercase()).section(SECTION).source(SOURCE).manual("Manual of ekklesia");
    let failed = |error: std::io::Error| Refusal::machine_failure(format!("{name}: {error}"));
    let mut text = Vec::new();
    page.render(&mut text).map_err(failed)?;
    render_appendix(command).to_writer(&mut text).map_err(failed)?;
    write_whole(&out.join(format!("{name}.{SECTION}")), &text)?;
    let of_verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set()).map(|verb| write_pages(verb, out));
    of_verbs.sum::<Result<u64, Refusal>>().map(|pages| pages + 1)
}

/// The sections that follow the generated ones: exit status and examples.
fn render_appendix(command: &Command) -> Roff {
    let mut roff = Roff::default();
    if command.get_display_name().is_none_or(|name| name == command.get_name()) {
        roff.control("SH", ["EXIT STATUS"]);
        for (code, words) in ENDINGS {
            roff.control("TP", []).text([roman(code.to_string())]).text([roman(words)]);
        }
    }
    if let Some(help) = command.get_after_help() {
        roff.control("SH", ["EXAMPLES"]);
        let mut is_filled = true;
        for line in help.to_string().lines().filter(|line| !["Example:", "Examples:"].contains(line)) {
            if line.is_empty() {
                roff.control("PP", []);
                continue;
            }
            if line.starts_with("  ") == is_filled {
                roff.control(if is_filled { "nf" } else { "fi" }, []);
                is_filled = !is_filled;
            }
            roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
        }
        if !is_filled {
            roff.control("fi", []);
        }
    }
    roff
}
