//! The command-line arguments.

use std::ops::RangeInclusive;
use std::path::PathBuf;

pub use super::compare::arguments::CompareArguments;
use super::defer::DeferArguments;
use super::follow::FollowArguments;
use super::log::LogArguments;
pub use super::report::arguments::ReportArguments;
pub use super::retally::arguments::RetallyArguments;
use super::served_models::ModelChange;
use super::slurm::arguments::SlurmArguments;
use super::values::{parse_dollars, parse_replicates, parse_rounds, parse_seed};
use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};

use crate::analysis::search::KINDS;
use crate::plan::Shard;

/// Runs group deliberations among language-model or simulated agents as reproducible experiments.
#[derive(Debug, Parser)]
#[command(name = "ekklesia", version, term_width = 80, after_help = "Example:\n  ekklesia run configs/first.yaml")]
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
  ekklesia run configs/first.yaml --replicates 40
      more sessions in each arm; those that are there stay as they are
  ekklesia run configs/first.yaml --set decision.rule=majority --out results/m
  ekklesia run configs/first.yaml --pack
      for very many sessions: complete ones are kept in few files
  ekklesia run configs/first.yaml --log warn --log first-log.jsonl
      warnings on stderr, and in a file as JSON")]
    Run(RunArguments),
    /// Make one results folder of the shards of an experiment.
    #[command(after_help = "Example:
  ekklesia run configs/first.yaml --shard 1/2
  ekklesia run configs/first.yaml --shard 2/2
  ekklesia collect results/first.shards/*

Shards of another plan or seed are refused, and what is missing is named. Run
again, it adds what has come since.")]
    Collect(CollectArguments),
    /// Print a job script for Slurm that runs the shards of an experiment and collects them; nothing is submitted.
    #[command(after_help = "Examples:
  ekklesia slurm study.yaml --shards 50 --time 02:00:00 > study.sh
  bash study.sh
      submits an array of 50 tasks, and a job that collects them
  ekklesia slurm study.yaml --shards 8 --gpus 1 --model-server vllm > study.sh
      each task serves the model of the config to itself
  ekklesia slurm study.yaml --shards 8 -- --replicates 400 --seed 7 > study.sh
      options of `ekklesia run` behind --
  ekklesia slurm study.yaml --shards 8 --snakemake > Snakefile")]
    Slurm(SlurmArguments),
    /// Run an experiment or a session again from its record and compare every byte.
    #[command(after_help = "Examples:
  ekklesia replay results/first
  ekklesia replay results/first/sessions/silent-r000001")]
    Replay(ReplayArguments),
    /// Branch off a session with one thing changed.
    #[command(after_help = "Examples:
  ekklesia fork results/first/sessions/talk-r000001 --change bob-silent.yaml
  ekklesia fork talk-r000001 --change bob-silent.yaml --replicates 20
      twenty sessions, in which seats draw anew from the change on

with bob-silent.yaml:
  at: { seat: Bob, phase: discussion, round: 2 }
  silent: true
or, for other settings from a round on:
  at: { phase: discussion, round: 3 }
  set: { discussion.order: fixed }")]
    Fork(ForkArguments),
    /// Print a session as a readable transcript.
    #[command(after_help = "Examples:
  ekklesia show results/first/sessions/talk-r000001
  ekklesia show talk-r000001 --seat Bob --phase discussion
  ekklesia show talk-r000001 > talk.md
      Markdown; on a terminal it is laid out for that")]
    Show(ShowArguments),
    /// Show an experiment, or a folder of them, in a browser on this machine, live while a run goes on.
    #[command(after_help = "Examples:
  ekklesia serve results
      every experiment in the folder
  ekklesia serve results/first
      one; it may be run in another terminal meanwhile

It prints an address of 127.0.0.1, where nobody but this machine reads, and goes
on until Ctrl-C. It writes nothing and disturbs no run.")]
    Serve(ServeArguments),
    /// Make a config of another framework's config.
    #[command(after_help = "Example:
  ekklesia import rawls their_config.yaml --out configs/mine.yaml")]
    Import(ImportArguments),
    /// Tell every mistake of a config, or what it will do and cost; nothing is run.
    #[command(after_help = "Examples:
  ekklesia check configs/justice.yaml
  ekklesia check configs/justice.yaml --show Alice:ballot
      the exact prompt; no model is asked
  ekklesia check debate.yaml --show Alice:talk@3:2:statement
      the prompt of round 2 of the phase talk, in pass 3 of its block
  ekklesia check quiz.yaml --show Alice:ballot --arm talk --item q7")]
    Check(CheckArguments),
    /// Tell where a number of a table comes from: formula, records, words.
    #[command(after_help = "Example:
  ekklesia why results/justice/rounds.csv:17:straw_modal_share
      the 17th row below the header")]
    Why(WhyArguments),
    /// Find what was said and shown: full-text search of everything that seats, facilitator and humans said or wrote, of exhibits and
    /// of items.
    #[command(after_help = "Examples:
  ekklesia search results/justice \"lowest income\"
      words: a record holds at least one, also inside a longer word
  ekklesia search results/justice '\"least of all\" fair' --seat Alice
      a phrase in quotes: a record holds it, in whole words
  ekklesia search results/panel water --kind exhibit
      exhibits, with file and line
  ekklesia search talk-r000001 cost --round 2..3
      a session: its name, if one experiment in results/* has it, or its folder
  ekklesia search results/quiz certain --item q7

Case does not matter. A word is also found inside longer words (\"vot\" finds
\"pivotal\"); write it in quotes to find it as a whole word only. Records are
ranked by BM25; a whole word counts more than a part of one.")]
    Search(SearchArguments),
    /// Tell what a seat had before it when it answered: what it was shown, and what was left out and why.
    #[command(after_help = "Examples:
  ekklesia context results/first/sessions/talk-r000001 --seat Bob
      its last answer
  ekklesia context talk-r000001 --seat Bob --at 57
      the answer in record 57
  ekklesia context talk-r000001 --seat Bob --at discussion:2:statement
      in phase, round and step

Nothing is asked: the session is taken again from its record. A simulated seat
reads no prompt; what a model in its place would get is shown all the same.")]
    Context(ContextArguments),
    /// Compare the arms of an experiment: paired differences with intervals and a test.
    #[command(after_help = "Examples:
  ekklesia compare results/justice-memory-by-rule
      what the config announces as primary
  ekklesia compare results/justice-memory-by-rule --metric rounds_used --by rule
  ekklesia compare results/justice-memory-by-rule --metric result=average_floor")]
    Compare(CompareArguments),
    /// Count stored ballots again under other rules; no model is asked.
    #[command(after_help = "Examples:
  ekklesia retally results/justice
      what every rule would have decided, arm by arm
  ekklesia retally results/justice/sessions/baseline-r000001
      each vote, straw poll and ranking of one session in full
  ekklesia retally results/justice --rule plurality --rule unanimity
  ekklesia retally election.soc --rule stv --seats 3
      a PrefLib file: .soc .soi .toc .toi .cat, or a folder of them

Nothing is imputed: a ballot of one choice says nothing about the other
alternatives, so rules that need rankings are refused for such ballots. Winners
stay tied. The page \"Count the same ballots under other rules\" of the book says
what each rule and number means.")]
    Retally(RetallyArguments),
    /// Write one HTML page on an experiment: outcomes, figures, integrity, methods, and every transcript.
    #[command(after_help = "Examples:
  ekklesia report results/justice
      writes results/justice/report.html; open it in a browser, also offline
  ekklesia report results/justice --out justice.html
  ekklesia report results/justice/sessions/baseline-r000007
      one session alone

Nothing is run and nothing fetched, and the same folder gives the same bytes.
Of a folder that is not whole, what can be shown is shown, and the page says
what is missing.")]
    Report(ReportArguments),
    /// Write an experiment in another format.
    #[command(after_help = "Examples:
  ekklesia export results/justice --format bundle
  ekklesia export results/justice --format preflib --out justice-ballots
  ekklesia export results/justice --format parquet --out justice-parquet
  ekklesia export results/public_goods --wide seat,pass
      one row for each seat and period: groups, contributions and what was computed
  ekklesia export results/justice --format csv-safe
      tables to open in a spreadsheet: a statement that begins with = + - or @
      cannot act as a formula
  ekklesia export results/first --format figures --out figures --width 85
      the figures of the report, for a column 85 mm wide")]
    Export(ExportArguments),
    /// Print the JSON Schema of configs or scenarios, for editors.
    #[command(after_help = "Example:
  ekklesia schema config > config.schema.json")]
    Schema(SchemaArguments),
    /// Make a folder with an experiment that runs at once.
    #[command(after_help = "Examples:
  ekklesia init my-experiment
      a commented experiment to begin with
  ekklesia init --scenario justice my-justice
      a built-in scenario with its config, to run or to change")]
    Init(InitArguments),
    /// List the built-in scenarios.
    #[command(after_help = "Example:
  ekklesia scenarios

Use one with `scenario: builtin:NAME` in a config, or copy it with
`ekklesia init --scenario NAME DIR`.")]
    Scenarios,
    /// Print completions for a shell.
    #[command(after_help = "Example:
  ekklesia completions bash > ekklesia.bash
  source ekklesia.bash")]
    Completions(CompletionsArguments),
    /// Write manual pages, one a verb.
    #[command(after_help = "Example:
  ekklesia man --out ~/.local/share/man/man1
  man ekklesia-run")]
    Man(ManArguments),
}

impl Verb {
    /// Whether the verb prints one JSON object.
    pub fn wants_json(&self) -> bool {
        match self {
            Verb::Run(arguments) => arguments.json,
            Verb::Replay(arguments) => arguments.json,
            Verb::Fork(arguments) => arguments.json,
            Verb::Check(arguments) => arguments.json,
            Verb::Collect(arguments) => arguments.json,
            Verb::Why(arguments) => arguments.json,
            Verb::Search(arguments) => arguments.json,
            Verb::Context(arguments) => arguments.json,
            Verb::Compare(arguments) => arguments.json,
            Verb::Retally(arguments) => arguments.json,
            Verb::Show(_)
            | Verb::Serve(_)
            | Verb::Import(_)
            | Verb::Report(_)
            | Verb::Export(_)
            | Verb::Schema(_)
            | Verb::Init(_)
            | Verb::Completions(_)
            | Verb::Scenarios
            | Verb::Slurm(_)
            | Verb::Man(_) => false,
        }
    }
}

/// The arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// The experiment's YAML file, or a results folder, whose own inputs are run.
    pub config: PathBuf,
    /// Another seed than the file's, 0 to 2^53 - 1.
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Sessions an arm; more than before extends the results folder.
    #[arg(long, value_name = "N", value_parser = parse_replicates, allow_negative_numbers = true)]
    pub replicates: Option<u32>,
    /// The results folder [default: results/<experiment>].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Sessions worked on at once; results do not depend on it [default: as many as keep the calls of every model under way; of
    /// simulated ones, the number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Use recorded answers only; no model is called.
    #[arg(long)]
    pub offline: bool,
    /// Run sessions that failed again from the start, asking their models anew; what failed is kept in failed/ and told in methods.md.
    #[arg(long, conflicts_with = "offline")]
    pub retry_failed: bool,
    /// Stop before calls to models may have cost more dollars, earlier runs of the same folder counted; in place of limits.usd.
    #[arg(long, value_name = "X", value_parser = parse_dollars, allow_negative_numbers = true)]
    pub budget_usd: Option<f64>,
    /// Stop before calls to models may have taken more tokens, likewise; in place of limits.tokens.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub budget_tokens: Option<u64>,
    /// stop or warn when a server says that another model answers than before, earlier runs of the same folder counted.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = ModelChange::Warn, hide_possible_values = true)]
    pub on_model_change: ModelChange,
    /// Another value for a key of the file, such as discussion.rounds=5; may be given often.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Run only the first N replicates of each arm, into a folder of its own, and tell what all of them would take.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "replicates")]
    pub pilot: Option<u32>,
    /// Run one of N fixed slices of the sessions, from 1, into a folder without tables [default of --out:
    /// results/<experiment>.shards/I-of-N]; `ekklesia collect` makes one results folder of all.
    #[arg(long, value_name = "I/N", conflicts_with = "pilot")]
    pub shard: Option<Shard>,
    /// Keep complete sessions in few files, for very many sessions; a folder with packs is continued with packs.
    #[arg(long)]
    pub pack: bool,
    /// Run a very large design without asking.
    #[arg(long)]
    pub yes: bool,
    /// Stop as with Ctrl-C when standard input ends, as it does when the program that started this one is gone.
    #[arg(long, hide = true)]
    pub stop_with_stdin: bool,
    /// Write every random stream that the sessions of this run open to a CSV file: seed, purpose, coordinate, first 64 bits.
    #[arg(long, value_name = "FILE", hide = true)]
    pub draws: Option<PathBuf>,
    /// Print the summary, or what is wrong with the config, as one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Print the progress as lines on stderr, one every so many seconds, as for a log or a notebook [default: one line that
    /// changes, if stderr is a terminal].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub progress: Option<u32>,
    /// What is put by file.
    #[command(flatten)]
    pub by_file: DeferArguments,
    /// Whether the talk is shown.
    #[command(flatten)]
    pub follow: FollowArguments,
    /// What is logged, and where.
    #[command(flatten)]
    pub log: LogArguments,
}

impl RunArguments {
    /// Whether no model server is called.
    pub fn calls_nobody(&self) -> bool {
        self.offline || self.by_file.defer.is_some()
    }
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// The experiment's YAML file.
    pub config: PathBuf,
    /// Print the exact messages of a question, named by SEAT:PHASE@PASS:ROUND:STEP. All but the seat may be left out: Alice:ballot is
    /// her first ballot, Alice:ballot#3 her third, Alice:guess@2.1 the form guess in pass 1 within pass 2, Alice:statement@2 her
    /// statement in round 2.
    #[arg(long, value_name = "SEAT:PHASE:ROUND:STEP")]
    pub show: Option<String>,
    /// With --show: the arm whose prompt is shown [default: the baseline, or the first].
    #[arg(long, value_name = "ARM")]
    pub arm: Option<String>,
    /// With --show: the item whose prompt is shown [default: the first].
    #[arg(long, value_name = "ID")]
    pub item: Option<String>,
    /// Another seed than the file's, 0 to 2^53 - 1.
    #[arg(long, value_name = "N", value_parser = parse_seed, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Sessions an arm.
    #[arg(long, value_name = "N", value_parser = parse_replicates, allow_negative_numbers = true)]
    pub replicates: Option<u32>,
    /// Another value for a key of the file, such as discussion.rounds=5; may be given often.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Print problems, or design and forecast, as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `why`.
#[derive(Debug, Args)]
pub struct WhyArguments {
    /// TABLE:ROW:COLUMN, with the path of a table and its rows counted from 1 below the header.
    pub cell: String,
    /// Print the explanation as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `search`.
#[derive(Debug, Args)]
pub struct SearchArguments {
    /// The folder of an experiment or of one session, or a session's name, looked up in results/*.
    pub path: PathBuf,
    /// The words or parts of words looked for; those in quotes are whole words that must follow one another.
    pub query: String,
    /// Only what this seat said or answered.
    #[arg(long, value_name = "NAME")]
    pub seat: Option<String>,
    /// Only this phase.
    #[arg(long, value_name = "PHASE")]
    pub phase: Option<String>,
    /// Only these rounds, both ends included: 3, 2..4, 2.. or ..4; 0 is what stands outside rounds.
    #[arg(long, value_name = "A..B", value_parser = parse_rounds)]
    pub round: Option<RangeInclusive<u32>>,
    /// Only records of this kind.
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(KINDS))]
    pub kind: Option<String>,
    /// Only sessions of this arm.
    #[arg(long, value_name = "ARM")]
    pub arm: Option<String>,
    /// Only sessions of this item.
    #[arg(long, value_name = "ID")]
    pub item: Option<String>,
    /// Of what the other filters leave, only each session's last N records.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub last: Option<u32>,
    /// How many records are shown.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub top: u32,
    /// How many records are shown before and after each.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    pub context: u32,
    /// Print what was found as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `context`.
#[derive(Debug, Args)]
pub struct ContextArguments {
    /// A session's folder, or its name, looked up in results/*.
    pub session: String,
    /// The seat.
    #[arg(long, value_name = "NAME")]
    pub seat: String,
    /// The answer: the number of its record, or PHASE:ROUND:STEP, with round 0 outside rounds; without ROUND or STEP the last there [default: the seat's last].
    #[arg(long, value_name = "SEQ")]
    pub at: Option<String>,
    /// Print everything as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `export`.
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// The experiment's results folder; for figures a session's folder, too, which adds its grid of seats by steps.
    pub path: PathBuf,
    /// The format.
    #[arg(long, value_enum, required_unless_present = "wide")]
    pub format: Option<ExportFormat>,
    /// One table of assignments, answers and variables, each in a column, with a row for each session and each of these keys: seat,pass,
    /// seat or pass. What is no key is part of the names of columns. Groups and roles last until they are set again; a variable is in the row
    /// of the pass that sets it.
    #[arg(long, value_enum, value_name = "KEYS", value_delimiter = ',', conflicts_with = "format")]
    pub wide: Vec<RowKey>,
    /// The file or folder to write, which must not be there yet [default: beside the results folder].
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Leave this program out of a bundle; whoever opens it builds it.
    #[arg(long)]
    pub without_program: bool,
    /// Bundle a folder whose sessions are not all complete; it is then compared and not run anew.
    #[arg(long)]
    pub incomplete: bool,
    /// The width of figures in millimetres; texts keep their size.
    #[arg(long, value_name = "MM", default_value_t = 160, value_parser = clap::value_parser!(u16).range(80..=400))]
    pub width: u16,
}

/// What tells the rows of a wide table apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum RowKey {
    /// The seat.
    Seat,
    /// The pass of the repeated blocks.
    Pass,
}

/// What an experiment can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// One archive that a reviewer runs again offline to the same bytes.
    Bundle,
    /// One Parquet file a table.
    Parquet,
    /// One PrefLib file a straw poll, ranking and vote, in a folder; what is left out is named. With nothing to write there is no
    /// folder, and it ends with 4 where sessions are incomplete, else with 1.
    Preflib,
    /// Tables for a spreadsheet, in a folder: text that would run as a formula gets an apostrophe.
    CsvSafe,
    /// The figures of the report, in a folder: SVG, PDF, PNG and CSV of each, and figures.csv with their captions.
    Figures,
}

/// The arguments of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArguments {
    /// Of what.
    #[arg(value_enum)]
    pub of: SchemaOf,
}

/// What a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum SchemaOf {
    /// How an experiment is run.
    Config,
    /// What is deliberated.
    Scenario,
}

/// The arguments of `init`.
#[derive(Debug, Args)]
pub struct InitArguments {
    /// The folder to make, which must not be there yet or be empty.
    pub dir: PathBuf,
    /// The built-in scenario to copy, with its config; `ekklesia scenarios` lists them [default: a commented experiment].
    #[arg(long, value_name = "NAME")]
    pub scenario: Option<String>,
}

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// The arguments of `replay`.
#[derive(Debug, Args)]
pub struct ReplayArguments {
    /// The folder of an experiment or of one session, or a session's name, looked up in results/*.
    pub path: PathBuf,
    /// Sessions worked on at once [default: the number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Print the outcome as one JSON object.
    #[arg(long)]
    pub json: bool,
    /// What is logged, and where.
    #[command(flatten)]
    pub log: LogArguments,
}

/// The arguments of `fork`.
#[derive(Debug, Args)]
pub struct ForkArguments {
    /// A session's folder, or its name, looked up in results/*.
    pub session: String,
    /// The YAML file that says what is changed.
    #[arg(long, value_name = "FILE")]
    pub change: PathBuf,
    /// How often it is forked: in the first session seats draw what they drew in the parent; in each other one they draw anew from the
    /// change on, and models are asked anew.
    #[arg(long, value_name = "N", value_parser = parse_replicates, allow_negative_numbers = true)]
    pub replicates: Option<u32>,
    /// Sessions worked on at once; results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// The fork's results folder [default: <experiment's folder>-fork-<digest of the change>].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Use recorded answers only; no model is called.
    #[arg(long)]
    pub offline: bool,
    /// stop or warn when a server says that another model answers than in the session that is forked.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = ModelChange::Warn, hide_possible_values = true)]
    pub on_model_change: ModelChange,
    /// Whether the talk is shown.
    #[command(flatten)]
    pub follow: FollowArguments,
    /// Stop before the fork's own calls may have cost more dollars; in place of limits.usd.
    #[arg(long, value_name = "X", value_parser = parse_dollars, allow_negative_numbers = true)]
    pub budget_usd: Option<f64>,
    /// Stop before they may have taken more tokens; in place of limits.tokens.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub budget_tokens: Option<u64>,
    /// Print the outcome as one JSON object.
    #[arg(long)]
    pub json: bool,
    /// What is logged, and where.
    #[command(flatten)]
    pub log: LogArguments,
}

/// The arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    /// A session's folder, or its name, looked up in results/*.
    pub session: String,
    /// Only what this seat did.
    #[arg(long, value_name = "NAME")]
    pub seat: Option<String>,
    /// Only this phase, or the phases of this block; of one pass of a repeated block as rank@2.
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

What has no counterpart is listed on stderr and at the top of the config; docs/src/howto/coming-from-rawls-v3.md tells what becomes of each key.")]
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

/// The arguments of `collect`.
#[derive(Debug, Args)]
pub struct CollectArguments {
    /// The folders of shards.
    #[arg(required = true, value_name = "SHARD")]
    pub shards: Vec<PathBuf>,
    /// The results folder to write; sessions that it holds already stay [default: results/<experiment>].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Keep sessions in few files, as `run --pack` does; shards with packs are collected so without this.
    #[arg(long)]
    pub pack: bool,
    /// Print the summary as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArguments {
    /// The folder that the pages are written to; made where it is not there.
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// The arguments of `serve`.
#[derive(Debug, Args)]
pub struct ServeArguments {
    /// The folder of an experiment, or of experiments.
    pub path: PathBuf,
    /// The port of 127.0.0.1; 0 for any that is free.
    #[arg(long, value_name = "N", default_value_t = 8733)]
    pub port: u16,
}
