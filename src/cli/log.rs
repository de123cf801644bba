//! `--log`: sends events to stderr or to a file. Without it, events cost almost nothing. It logs only this program's events,
//! because libraries could log requests and keys.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::{Layer, Registry, fmt};

use super::exit::Refusal;
use super::progress::print_above;
use crate::report::escape_unseen;

/// The levels, from the fewest events to the most.
const LEVELS: [(&str, LevelFilter); 5] = [
    ("error", LevelFilter::ERROR),
    ("warn", LevelFilter::WARN),
    ("info", LevelFilter::INFO),
    ("debug", LevelFilter::DEBUG),
    ("trace", LevelFilter::TRACE),
];

/// Where events go.
#[derive(Debug, Args)]
pub struct LogArguments {
    /// Log to stderr from a level up (error, warn, info, debug, trace), or to a file, one JSON object a line, from debug up; twice:
    /// to both from that level up. No prompt, reply or key is logged.
    #[arg(long = "log", value_name = "LEVEL|FILE")]
    pub log: Vec<PathBuf>,
}

impl LogArguments {
    /// Starts to log.
    ///
    /// # Errors
    /// A [`Refusal`] when the file cannot be opened, or there are two levels or two files.
    ///
    /// # Panics
    /// When called twice.
    pub fn begin_logging(&self) -> Result<(), Refusal> {
        if self.log.is_empty() {
            return Ok(());
        }
        let levels: Vec<LevelFilter> = self.log.iter().filter_map(|to| parse_level(to)).collect();
        let files: Vec<&PathBuf> = self.log.iter().filter(|to| parse_level(to).is_none()).collect();
        if levels.len() > 1 || files.len() > 1 {
            let message = "--log takes one level and one file; of a file that is called as a level, write ./ before it";
            return Err(Refusal::wrong_input(message));
        }
        let own = |level| Targets::new().with_target(env!("CARGO_PKG_NAME"), level);
        let file = files.first().map(|path| LogFile::open(path)).transpose()?;
        let file = file.map(|file| {
            let json = fmt::layer()
                .json()
                .flatten_event(true)
                .with_span_list(false)
                .with_target(false)
                .log_internal_errors(false);
            json.with_writer(Arc::new(file)).with_filter(own(levels.first().copied().unwrap_or(LevelFilter::DEBUG)))
        });
        let stderr = levels.first().map(|level| {
            // Errors of stderr cannot be reported anywhere.
            let text = fmt::layer().with_ansi(false).with_target(false).log_internal_errors(false);
            text.with_writer(|| ProgressStderr).with_filter(own(*level))
        });
        let subscriber = Registry::default().with(file).with(stderr);
        tracing::subscriber::set_global_default(subscriber).expect("invariant: the log is begun once");
        Ok(())
    }
}

/// The level that an argument names; `None` for a file.
fn parse_level(argument: &Path) -> Option<LevelFilter> {
    let (_, level) =
        LEVELS.iter().find(|(name, _)| argument.to_str().is_some_and(|to| to.eq_ignore_ascii_case(name)))?;
    Some(*level)
}

/// The log file, opened for appending.
struct LogFile {
    file: File,
    path: PathBuf,
    /// Whether a write has failed and the user knows.
    is_full: AtomicBool,
}

impl LogFile {
    fn open(path: &Path) -> Result<Self, Refusal> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(|error| Refusal::wrong_input(format!("--log {}: {error}", path.display())))?;
        Ok(Self { file, path: path.to_owned(), is_full: AtomicBool::new(false) })
    }
}

impl Write for &LogFile {
    /// Reports only the first write error, so that the run continues.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match (&self.file).write(line) {
            Err(error) if error.kind() != ErrorKind::Interrupted => {
                if !self.is_full.swap(true, Ordering::Relaxed) {
                    let path = self.path.display();
                    print_above(&escape_unseen(&format!(
                        "ekklesia: --log {path}: {error}; the log has gaps from here on"
                    )))?;
                }
                Ok(line.len())
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes to stderr above the progress line.
struct ProgressStderr;

impl Write for ProgressStderr {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        print_above(&escape_unseen(String::from_utf8_lossy(line).trim_end_matches('\n')))?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
