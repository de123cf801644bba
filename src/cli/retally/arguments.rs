//! The arguments of `retally`.

use std::path::PathBuf;

use clap::Args;

use crate::choice::ranked;
use crate::cli::values::{parse_rule, parse_seed};
use crate::domain::{RuleKind, spelled};
use crate::plan::parse_threshold_text;

/// The arguments of `retally`.
#[derive(Debug, Args)]
pub struct RetallyArguments {
    /// The folder of an experiment or of one session, a session's name, looked up in results/*, PrefLib files, or folders of them.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Count under this rule; may be given often [default: every rule].
    #[arg(long = "rule", value_name = "RULE", value_parser = parse_rule)]
    pub rules: Vec<RuleKind>,
    /// How strong a defeat is under minimax, schulze and ranked_pairs [default: the plan's, else margins].
    #[arg(long, value_enum)]
    pub strength: Option<Strength>,
    /// What instant_runoff does with several that are last: drop all at once, or one at a time, every way.
    #[arg(long, value_enum, default_value_t = IrvTies::Together)]
    pub irv_ties: IrvTies,
    /// The share that supermajority needs, as 2/3 or 0.75 [default: the plan's where it has one, else 2/3].
    #[arg(long, value_name = "SHARE", value_parser = parse_threshold_text)]
    pub threshold: Option<(u32, u32)>,
    /// How many stv elects.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub seats: u16,
    /// How often ballots are drawn again, to see how often each alternative wins; 0 for not at all.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub resamples: u32,
    /// The seed of these draws [default: the experiment's; 0 for PrefLib files].
    #[arg(long, value_name = "N", value_parser = parse_seed)]
    pub seed: Option<u64>,
    /// Winners alone: not what they hang on, and no ballots drawn again.
    #[arg(long)]
    pub winners_only: bool,
    /// Print everything as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// How strong a defeat is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Strength {
    /// Ballots for, less ballots against.
    Margins,
    /// Ballots for.
    WinningVotes,
}

/// What becomes of several that are last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum IrvTies {
    /// All are dropped at once.
    Together,
    /// One at a time, every way.
    Branches,
}

impl From<Strength> for ranked::DefeatStrength {
    fn from(strength: Strength) -> Self {
        match strength {
            Strength::Margins => ranked::DefeatStrength::Margins,
            Strength::WinningVotes => ranked::DefeatStrength::WinningVotes,
        }
    }
}

impl From<IrvTies> for ranked::RunoffTies {
    fn from(ties: IrvTies) -> Self {
        match ties {
            IrvTies::Together => ranked::RunoffTies::Together,
            IrvTies::Branches => ranked::RunoffTies::Branches,
        }
    }
}

spelled!(IrvTies);
