//! The arguments of `compare`.

use std::path::{Path, PathBuf};

use clap::Args;

const RESAMPLES: u32 = 10_000;

/// The arguments of `compare`.
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// The experiment's results folder.
    pub path: PathBuf,
    /// A column of sessions.csv, or COLUMN=VALUE for how often it is VALUE; given several times, all are one family of tests
    /// [default: the config's primary metrics, else a usual outcome].
    ///
    /// Where the config announces none, arms are compared by the first usual outcome that has numbers in the experiment, and the comparison
    /// says that it is exploratory and which others have numbers. The usual outcomes are, in this order, conformed, correct, carried,
    /// result_relative_error, payoff_settlement_cents_mean and straw_after_modal_share; those that
    /// are the same in every session come last, and beside nulls straw_after_modal_share is the first. Columns in units of the scenario
    /// say nothing as a mean over items of several units; result_relative_error has no unit.
    #[arg(long, value_name = "COLUMN")]
    pub metric: Vec<String>,
    /// The factor whose levels are compared, two with a colon (a:b) for their interaction, or "arm" for every arm against the
    /// baseline [default: the config's primary contrast, else arm].
    #[arg(long, value_name = "FACTOR")]
    pub by: Option<String>,
    /// The arm that others are compared with [default: the config's, else the first].
    #[arg(long, value_name = "ARM")]
    pub baseline: Option<String>,
    /// What is independent, and compared as one block: each session, each replicate, each item or each panel [default: the
    /// config's primary unit, else session].
    #[arg(long, value_enum, value_name = "UNIT")]
    pub unit: Option<CompareUnit>,
    /// How many patterns of signs or labels are drawn if there are too many to count all.
    #[arg(long, value_name = "N", default_value_t = RESAMPLES, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub resamples: u32,
    /// Compare what the tables hold, whether or not the records bear it out.
    ///
    /// Otherwise the tables that are read are first held against the records of every session, as a report does, and nothing is compared
    /// where they differ. Without that a comparison is exploratory. For folders whose records are elsewhere.
    #[arg(long)]
    pub tables_alone: bool,
    /// Print the comparison as one JSON object.
    #[arg(long)]
    pub json: bool,
}

impl CompareArguments {
    /// The arguments of `compare FOLDER`.
    pub fn defaults(folder: &Path) -> Self {
        Self {
            path: folder.to_owned(),
            metric: Vec::new(),
            by: None,
            baseline: None,
            unit: None,
            resamples: RESAMPLES,
            tables_alone: false,
            json: false,
        }
    }
}

/// What is independent in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum CompareUnit {
    /// Each replicate of each item; without items, each replicate.
    Session,
    /// The replicate; those of its items are averaged that have a number in every arm compared.
    Replicate,
    /// The item; those of its replicates are averaged that have a number in every arm compared.
    Item,
    /// The panel; those of its waves are averaged that have a number in every arm compared. In an experiment with panels, session
    /// means the same.
    Panel,
}
