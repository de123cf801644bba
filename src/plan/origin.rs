//! The origin of a setting.

/// The origin of a value; later variants override earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The engine's default.
    Default,
    /// The dated table of servers and their models.
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
    /// The word after `#` in `plan.yaml`.
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
