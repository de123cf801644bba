//! Where a setting comes from.

/// Where a value comes from; later ones outdo earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The engine's default.
    Default,
    /// A dated table of what is known of servers and their models.
    Table,
    /// The scenario.
    Scenario,
    /// The config.
    Config,
    /// The command line: `--set`, `--seed` or `--replicates`.
    CommandLine,
    /// The change of a fork.
    Fork,
    /// A level of the design.
    Arm,
}

impl Origin {
    /// The word behind `#` in `plan.yaml`.
    pub fn as_str(self) -> &'static str {
        match self {
            Origin::Default => "default",
            Origin::Table => "default, 2026-11",
            Origin::Scenario => "scenario",
            Origin::Config => "config",
            Origin::CommandLine => "--set",
            Origin::Fork => "fork",
            Origin::Arm => "arm",
        }
    }
}
