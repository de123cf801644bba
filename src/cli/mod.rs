//! The command line: arguments, dispatch, progress, exit codes. The only place that talks to a user.

mod again;
mod arguments;
mod budget;
mod check;
mod collect;
mod compare;
mod completions;
mod context;
mod course;
mod defer;
mod draws;
mod exit;
mod export;
mod follow;
mod fork;
mod gone;
mod import;
mod init;
mod interrupt;
mod lines;
mod locate;
mod log;
mod look;
mod man;
mod pack;
mod pilot;
mod planned;
mod pool;
mod progress;
mod prompted;
mod purse;
mod replay;
mod report;
mod retally;
mod run;
mod runtime;
mod say;
mod scenarios;
mod schema;
mod search;
mod serve;
mod served;
mod shard;
mod show;
mod size;
mod slurm;
mod tables;
mod terminal;
mod totals;
mod typed;
mod values;
mod why;

use std::process::ExitCode;

use arguments::{Arguments, Verb};
use clap::Parser;

/// Runs the program with the arguments it was given.
pub fn main() -> ExitCode {
    let verb = Arguments::parse().verb;
    let wants_json = verb.wants_json();
    let ended = match verb {
        Verb::Run(arguments) => arguments.log.begin().and_then(|()| run::run(&arguments)),
        Verb::Replay(arguments) => arguments.log.begin().and_then(|()| replay::replay(&arguments)),
        Verb::Fork(arguments) => arguments.log.begin().and_then(|()| fork::fork(&arguments)),
        Verb::Collect(arguments) => collect::collect(&arguments),
        Verb::Slurm(arguments) => slurm::print_script(&arguments),
        Verb::Serve(arguments) => serve::serve(&arguments),
        Verb::Show(arguments) => show::show(&arguments),
        Verb::Import(arguments) => import::import(&arguments),
        Verb::Check(arguments) => check::check(&arguments),
        Verb::Why(arguments) => why::why(&arguments),
        Verb::Context(arguments) => context::context(&arguments),
        Verb::Search(arguments) => search::search(&arguments),
        Verb::Compare(arguments) => compare::compare(&arguments),
        Verb::Retally(arguments) => retally::retally(&arguments),
        Verb::Report(arguments) => report::report(&arguments),
        Verb::Export(arguments) => export::export(&arguments),
        Verb::Schema(arguments) => schema::schema(&arguments),
        Verb::Init(arguments) => init::init(&arguments),
        Verb::Scenarios => scenarios::list_scenarios(),
        Verb::Completions(arguments) => completions::completions(&arguments),
        Verb::Man(arguments) => man::man(&arguments),
    };
    let ended = match ended {
        // What reads one JSON object from a verb reads the author's mistakes from it, too.
        Err(refusal) if wants_json && !refusal.problems.is_empty() => {
            say::say_json(&exit::problems_json(&refusal)).map(|()| refusal.ending)
        }
        other => other,
    };
    ExitCode::from(ended.unwrap_or_else(exit::say_why))
}
