//! The arguments of `slurm`, and their value parsers.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// The arguments of `slurm`.
#[derive(Debug, Args)]
pub struct SlurmArguments {
    /// The experiment's YAML file.
    pub config: PathBuf,
    /// Into how many shards the sessions are divided: each is a task of the job array.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub shards: u32,
    /// The results folder of all shards [default: results/<experiment>]; the shards are kept beside it, in DIR.shards.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The time limit of a shard, as Slurm writes it: MINUTES, HOURS:MINUTES:SECONDS or DAYS-HOURS.
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    pub time: Option<String>,
    /// The memory of a shard, such as 8G.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory_size)]
    pub mem: Option<String>,
    /// The partition.
    #[arg(long, value_name = "NAME", value_parser = parse_plain_word)]
    pub partition: Option<String>,
    /// The GPUs of a shard.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub gpus: Option<u32>,
    /// The cores of a shard [default: 1, with a model server 4].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub cpus: Option<u32>,
    /// The model server that each shard starts for itself.
    #[arg(long, value_enum, default_value_t = ModelServer::None)]
    pub model_server: ModelServer,
    /// The model that it serves, by its name in the config [default: the only one that is asked].
    #[arg(long, value_name = "NAME", requires = "model_server")]
    pub model: Option<String>,
    /// Print a Snakefile instead.
    #[arg(long)]
    pub snakemake: bool,
    /// Options of `ekklesia run` for every shard, behind --.
    #[arg(last = true, value_name = "OPTION OF RUN", allow_hyphen_values = true)]
    pub of_run: Vec<String>,
}

/// A model server that a task starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModelServer {
    /// `vllm serve`, with the model that the config names.
    Vllm,
    /// llama.cpp's `llama-server`, with the GGUF file in $MODEL_FILE.
    Llama,
    /// None: models are where the config says, or every seat is simulated.
    None,
}

/// Accepts only words that cannot end a directive's line or word.
fn parse_plain_word(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._,:-".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => Ok(text.to_owned()),
        false => Err("expected a word of letters, digits and . _ , : -".to_owned()),
    }
}

/// Accepts an amount of memory as Slurm writes it, in megabytes unless it ends in K, M, G or T.
fn parse_memory_size(text: &str) -> Result<String, String> {
    let number = text.strip_suffix(['K', 'M', 'G', 'T']).unwrap_or(text);
    match !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()) {
        true => Ok(text.to_owned()),
        false => Err("expected a whole number with K, M, G or T, such as 8G".to_owned()),
    }
}

/// Accepts a time limit as Slurm writes it.
fn parse_time_limit(text: &str) -> Result<String, String> {
    let expected = || "expected MINUTES, HOURS:MINUTES:SECONDS or DAYS-HOURS, such as 04:00:00".to_owned();
    minutes_of(text).map(|_| text.to_owned()).ok_or_else(expected)
}

/// The minutes of a time limit, rounded up: `M`, `M:S`, `H:M:S`, `D-H`, `D-H:M` or `D-H:M:S` (sbatch(1), --time).
pub(super) fn minutes_of(text: &str) -> Option<u64> {
    let numbers = |text: &str| text.split(':').map(|part| part.parse::<u64>().ok()).collect::<Option<Vec<u64>>>();
    let [days, hours, minutes, seconds] = match text.split_once('-') {
        Some((days, rest)) => match numbers(rest)?[..] {
            [hours] => [days.parse().ok()?, hours, 0, 0],
            [hours, minutes] => [days.parse().ok()?, hours, minutes, 0],
            [hours, minutes, seconds] => [days.parse().ok()?, hours, minutes, seconds],
            _ => return None,
        },
        None => match numbers(text)?[..] {
            [minutes] => [0, 0, minutes, 0],
            [minutes, seconds] => [0, 0, minutes, seconds],
            [hours, minutes, seconds] => [0, hours, minutes, seconds],
            _ => return None,
        },
    };
    let hours = days.checked_mul(24)?.checked_add(hours)?;
    hours.checked_mul(60)?.checked_add(minutes)?.checked_add(seconds.div_ceil(60))
}
