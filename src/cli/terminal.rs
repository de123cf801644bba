//! The terminal where people answer. Questions go to stderr, so that stdout holds results only.

use std::io::{self, BufReader, IsTerminal};
use std::sync::Arc;

use super::output_style;
use crate::plan::Experiment;
use crate::report::Sheet;
use crate::service::human_console::{Desk, TerminalScreen};

/// Opens the terminal for answers; `None` if no seat belongs to a person.
pub fn open_desk(experiment: &Experiment) -> Option<Arc<Desk>> {
    if experiment.arms.iter().all(|plan| plan.people_count() == 0) {
        return None;
    }
    let screen = if io::stderr().is_terminal() { TerminalScreen::Clears } else { TerminalScreen::Keeps };
    let lines = Box::new(BufReader::new(io::stdin()));
    let columns = output_style::stream_sheet(&io::stderr()).columns.min(Sheet::PAGE.columns);
    Some(Arc::new(Desk::new(lines, Box::new(io::stderr()), screen, columns)))
}
