//! Panels and their notes as they are written.

use schemars::JsonSchema;
use serde::Deserialize;

/// The most sessions of a panel.
pub const WAVES_MAX: u32 = 99;
/// The lines of a seat's notes that it is shown, unless an author says otherwise.
pub const LINES_MAX: u32 = 200;

/// The same agents meet in several sessions.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PanelConfig {
    /// How often they meet in a replicate. Each meeting is a session, and begins when the one before it is complete. It may be
    /// raised later: the sessions that are there stay.
    #[schemars(range(min = 1, max = WAVES_MAX))]
    pub waves: u32,
}

/// Seats take notes when a session of a panel ends, and have them in the next.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotesConfig {
    /// The most lines of its notes that a seat is shown, the newest.
    #[serde(default = "lines_max")]
    #[schemars(range(min = 1, max = 10_000))]
    pub max_lines: u32,
    /// The notes with which seats begin: those that seats of the same names took in another experiment. They need no panel.
    #[schemars(extend("default" = "none"))]
    pub from: Option<NotesFromConfig>,
}

/// The notes with which seats begin.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotesFromConfig {
    /// None.
    None,
    /// Those after a complete session of another experiment: the folder of the session, relative to the config.
    Session(String),
}

fn lines_max() -> u32 {
    LINES_MAX
}
