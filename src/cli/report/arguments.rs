//! The arguments of `report`.

use std::path::PathBuf;

use clap::Args;

/// The arguments of `report`.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// The folder of an experiment or of one session, or a session's name, looked up in results/*.
    pub path: PathBuf,
    /// The HTML file to write; one that is there is replaced [default: report.html in the folder].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
