//! The command line: arguments, dispatch, progress and exit codes.

mod arguments;
mod budget;
mod budget_gate;
mod check;
mod collect;
mod compare;
mod completions;
mod context;
mod defer;
mod draws;
mod exit;
mod experiment_file;
mod export;
mod follow;
mod fork;
mod import;
mod init;
mod interrupt;
mod locate;
mod log;
mod man;
mod missing_sessions;
mod other_format;
mod output;
mod output_style;
mod pack;
mod pilot;
mod planned;
mod pool;
mod progress;
mod prompt_preview;
mod question_place;
mod replay;
mod report;
mod retally;
mod retry_failed;
mod run;
mod run_outcome;
mod runtime;
mod scenarios;
mod scheduler;
mod schema;
mod search;
mod serve;
mod served_models;
mod shard;
mod shell_command;
mod show;
mod size;
mod slurm;
mod tables;
mod terminal;
mod values;
mod why;

use std::process::ExitCode;

use arguments::{Arguments, Verb};
use clap::Parser;

/// Runs the program.
pub fn main() -> ExitCode {
    let verb = Arguments::parse().verb;
    let wants_json = verb.wants_json();
    let ended = match verb {
        Verb::Run(arguments) => arguments.log.begin_logging().and_then(|()| run::run_experiment(&arguments)),
        Verb::Replay(arguments) => arguments.log.begin_logging().and_then(|()| replay::run_replay(&arguments)),
        Verb::Fork(arguments) => arguments.log.begin_logging().and_then(|()| fork::run_fork(&arguments)),
        Verb::Collect(arguments) => collect::run_collect(&arguments),
        Verb::Slurm(arguments) => slurm::run_slurm(&arguments),
        Verb::Serve(arguments) => serve::run_serve(&arguments),
        Verb::Show(arguments) => show::run_show(&arguments),
        Verb::Import(arguments) => import::run_import(&arguments),
        Verb::Check(arguments) => check::run_check(&arguments),
        Verb::Why(arguments) => why::run_why(&arguments),
        Verb::Context(arguments) => context::run_context(&arguments),
        Verb::Search(arguments) => search::run_search(&arguments),
        Verb::Compare(arguments) => compare::run_compare(&arguments),
        Verb::Retally(arguments) => retally::run_retally(&arguments),
        Verb::Report(arguments) => report::run_report(&arguments),
        Verb::Export(arguments) => export::run_export(&arguments),
        Verb::Schema(arguments) => schema::run_schema(&arguments),
        Verb::Init(arguments) => init::run_init(&arguments),
        Verb::Scenarios => scenarios::run_scenarios(),
        Verb::Completions(arguments) => completions::run_completions(&arguments),
        Verb::Man(arguments) => man::run_man(&arguments),
    };
    let ended = match ended {
        // With `--json`, print problems as JSON too.
        Err(refusal) if wants_json && !refusal.problems.is_empty() => {
            output::print_json(&exit::problems_json(&refusal)).map(|()| refusal.ending)
        }
        other => other,
    };
    ExitCode::from(ended.unwrap_or_else(exit::print_refusal))
}
