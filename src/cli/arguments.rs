//! What a user types.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Runs group deliberations among language-model or simulated agents as reproducible experiments.
#[derive(Debug, Parser)]
#[command(name = "ekklesia", version, after_help = "Example:\n  ekklesia run configs/first.yaml")]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Run an experiment; the same command again resumes what is missing.
    #[command(after_help = "Examples:
  ekklesia run configs/first.yaml
  ekklesia run configs/first.yaml --replicates 40          20 more sessions an arm, the first 20 unchanged
  ekklesia run configs/first.yaml --set decision.rule=majority --out results/majority")]
    Run(RunArguments),
    /// Run an experiment or a session again from its record and compare every byte.
    #[command(after_help = "Examples:
  ekklesia replay results/first
  ekklesia replay results/first/sessions/silent-r000001")]
    Replay(ReplayArguments),
    /// Branch off a session with one thing changed.
    #[command(after_help = "Example:
  ekklesia fork results/first/sessions/talk-r000001 --change bob-silent.yaml

with bob-silent.yaml:
  at: { seat: Bob, phase: discussion, round: 2 }
  silent: true")]
    Fork(ForkArguments),
    /// Print a session as a readable transcript.
    #[command(after_help = "Examples:
  ekklesia show results/first/sessions/talk-r000001
  ekklesia show talk-r000001 --seat Bob --phase discussion")]
    Show(ShowArguments),
    /// Make a config of another framework's config.
    #[command(after_help = "Example:
  ekklesia import rawls their_config.yaml --out configs/mine.yaml")]
    Import(ImportArguments),
}

/// The arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// The experiment's YAML file.
    pub config: PathBuf,
    /// Another seed than the file's, 0 to 2^53 - 1.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Sessions an arm; more than before extends the results folder.
    #[arg(long, value_name = "N")]
    pub replicates: Option<u32>,
    /// The results folder [default: results/<experiment>].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Sessions worked on at once; results do not depend on it [default: the number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Use recorded answers only; no model is called.
    #[arg(long)]
    pub offline: bool,
    /// Another value for a key of the file, such as discussion.rounds=5; may be given often.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Print the summary as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `replay`.
#[derive(Debug, Args)]
pub struct ReplayArguments {
    /// The folder of an experiment or of one session.
    pub path: PathBuf,
    /// Sessions worked on at once [default: the number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Print the outcome as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `fork`.
#[derive(Debug, Args)]
pub struct ForkArguments {
    /// A session's folder, or its name, looked up in results/*.
    pub session: String,
    /// The YAML file that says what is changed.
    #[arg(long, value_name = "FILE")]
    pub change: PathBuf,
    /// The fork's results folder [default: <experiment's folder>-fork-<digest of the change>].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Use recorded answers only; no model is called.
    #[arg(long)]
    pub offline: bool,
    /// Print the outcome as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    /// A session's folder, or its name, looked up in results/*.
    pub session: String,
    /// Only what this seat did.
    #[arg(long, value_name = "NAME")]
    pub seat: Option<String>,
    /// Only this phase.
    #[arg(long, value_name = "PHASE")]
    pub phase: Option<String>,
}

/// The arguments of `import`.
#[derive(Debug, Args)]
pub struct ImportArguments {
    /// The framework.
    #[command(subcommand)]
    pub from: ImportFrom,
}

/// The framework that a config comes from.
#[derive(Debug, Subcommand)]
pub enum ImportFrom {
    /// A config of Rawls_v3, the justice experiment with language models.
    #[command(after_help = "Example:
  ekklesia import rawls their_config.yaml --out configs/mine.yaml

What has no counterpart is listed on stderr and at the top of the config; docs/import-rawls.md tells what becomes of each key.")]
    Rawls(ImportRawlsArguments),
}

/// The arguments of `import rawls`.
#[derive(Debug, Args)]
pub struct ImportRawlsArguments {
    /// The framework's YAML file.
    pub file: PathBuf,
    /// The file to write, which must not be there yet [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
