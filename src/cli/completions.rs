//! `completions`: prints completions for a shell.

use clap::CommandFactory;

use super::arguments::{Arguments, CompletionsArguments};
use super::exit::{Ending, Refusal};
use super::output::print_text;

/// Prints completions for a shell.
pub fn run_completions(arguments: &CompletionsArguments) -> Result<Ending, Refusal> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "ekklesia", &mut script);
    print_text(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Ending::Done)
}
