//! Checks that the tables of a comparison match the session records. It does not recompute the answers in the records; `replay`
//! does.

use crate::analysis::{FoldedSession, Rows};
use crate::cli::exit::{Ending, Refusal};
use crate::cli::missing_sessions::describe_missing_sessions;
use crate::cli::planned::list_planned;
use crate::cli::pool;
use crate::plan::{Experiment, PlannedSession};
use crate::report::and_others;
use crate::store::fold::{FoldError, SessionReading, fold_session};
use crate::store::inputs::Inputs;
use crate::store::poll_table::PollTable;
use crate::store::results::ResultsFolder;
use crate::store::session_table::SessionTable;
use crate::store::tables::{AWAITED, ArmsByName, ExpectedTables, TableShare, arms_by_name};

/// The tables that a comparison reads.
pub const READ: [&str; 2] = [SessionTable::FILE, PollTable::FILE];

/// Compares these tables with the rows that the records yield.
///
/// # Errors
/// A [`Refusal`] when a record was changed, a session is missing, or a table differs from the records.
pub fn check_tables(folder: &ResultsFolder, inputs: &Inputs, experiment: &Experiment) -> Result<(), Refusal> {
    let planned = list_planned(folder, inputs, experiment)?;
    let (layout, arms) = arms_by_name(experiment);
    let mut borne_out = ExpectedTables::new(&layout);
    let mut unsound = Vec::new();
    for (folded, share, error) in fold_sessions(folder, &arms, &planned) {
        borne_out.add_session(&folded, share);
        unsound.extend(error);
    }
    let others = unsound.len().saturating_sub(1);
    if let Some(error) = unsound.into_iter().next() {
        let message = format!("{}{}", error.counted_nowhere(), and_others(others));
        return Err(Refusal::with_ending(Refusal::from(error).ending, message));
    }
    let unborne = borne_out.compare_folder(folder.root(), |name| READ.contains(&name));
    let Some(why) = READ.into_iter().find_map(|name| unborne.refusal_reason(name)) else { return Ok(()) };
    if folder.is_written_to() {
        return Err(Refusal::with_ending(Ending::Resumable, AWAITED));
    }
    let root = folder.root().display();
    Err(match describe_missing_sessions(folder, &planned)? {
        None => Refusal::with_ending(Ending::Diverged, format!("{root}: {why}; {}", remake_hint(inputs.pilot_of()))),
        Some(gone) => {
            let message = format!("{root}: {why}: {gone}; `ekklesia run` conducts what is missing");
            Refusal::with_ending(Ending::Resumable, message)
        }
    })
}

/// A session's row, the digest of its other rows, and the error in its record.
type FoldedShare = (FoldedSession, TableShare, Option<FoldError>);

/// Folds every session, in plan order. Keeps digests instead of rows to save memory.
fn fold_sessions(folder: &ResultsFolder, arms: &ArmsByName<'_>, planned: &[PlannedSession]) -> Vec<FoldedShare> {
    pool::map_items(planned, pool::core_count(), |session| {
        let SessionReading { mut folded, error, .. } = fold_session(folder, &arms[session.arm.arm.as_str()], session);
        let share = TableShare::from_rows(&folded.rows);
        folded.rows = Rows::default();
        (folded, share, error)
    })
}

/// The command that remakes the tables. For a pilot, plain `run` would conduct the complete design.
pub fn remake_hint(pilot_of: Option<u64>) -> &'static str {
    match pilot_of {
        Some(_) => "`ekklesia run --pilot` with the same number makes the tables again",
        None => "`ekklesia run` makes the tables again",
    }
}
