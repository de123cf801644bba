//! Exports ballots as PrefLib files, one for each straw poll, ranking and vote.

use super::new_output_path;
use crate::analysis::{Election, Status};
use crate::cli::arguments::ExportArguments;
use crate::cli::exit::{Ending, Refusal};
use crate::cli::other_format::refuse_other_format;
use crate::cli::output::print_text;
use crate::cli::planned::list_planned;
use crate::report::{counted, escape_unseen};
use crate::store::ballots::{self, IncompleteSession, SessionVotes};
use crate::store::files::write_whole;
use crate::store::inputs::Inputs;
use crate::store::preflib::{file_extension, render_election};
use crate::store::results::ResultsFolder;
use crate::store::staging::Staging;
use crate::text::put;

/// The most names to list for one reason.
const NAMED_MAX: usize = 10;

/// Writes the PrefLib files and reports omissions.
///
/// # Errors
/// A [`Refusal`] when there is nothing to write; it lists the omissions.
pub(super) fn export_preflib(arguments: &ExportArguments, folder: &ResultsFolder) -> Result<Ending, Refusal> {
    refuse_other_format(folder, None, "export the ballots with that one")?;
    let out = new_output_path(arguments, "-preflib")?;
    let inputs = Inputs::read_results(folder.root())?;
    let experiment = inputs.resolve()?.experiment;
    let sessions = list_planned(folder, &inputs, &experiment)?;
    let (all, stopped) = ballots::read_elections(folder, &experiment, &sessions)?;
    let written: Vec<(&SessionVotes, &Election)> = all.iter().flat_map(with_ballots).collect();
    let left_out = PreflibOmissions::from_sessions(&all, &stopped);
    if written.is_empty() {
        let message = format!("{}: there is nothing to write{}", folder.root().display(), left_out.in_line());
        return Err(Refusal::with_ending(left_out.ending(), message));
    }
    let staging = Staging::begin(&out)?;
    for (session, election) in &written {
        let written = session.to_preflib(election);
        let name = format!("{}.{}", session.file_stem(election), file_extension(&written.ballots));
        write_whole(&staging.path().join(&name), render_election(&written, &name).as_bytes())?;
    }
    staging.publish()?;
    let told = all.iter().filter(|session| with_ballots(session).next().is_some()).count() as u64;
    let shown = escape_unseen(&out.display().to_string());
    let of = match told == sessions.len() as u64 {
        true => counted(told, "session"),
        false => format!("{told} of {}", counted(sessions.len() as u64, "session")),
    };
    print_text(&format!("{shown}: {} of {of}{}", counted(written.len() as u64, "file"), left_out.in_lines()))?;
    Ok(Ending::Done)
}

/// The elections of a session that have a valid ballot.
fn with_ballots(session: &SessionVotes) -> impl Iterator<Item = (&SessionVotes, &Election)> {
    let elections = session.voted.elections.iter().filter(|election| election.ballots.ballot_count() > 0);
    elections.map(move |election| (session, election))
}

/// The names of omitted sessions and elections, by reason.
#[derive(Default)]
struct PreflibOmissions {
    incomplete: Vec<String>,
    failed: Vec<String>,
    without_election: Vec<String>,
    without_ballot: Vec<String>,
    /// Elections without a valid ballot, in sessions where another election has one.
    elections: Vec<String>,
}

impl PreflibOmissions {
    fn from_sessions(all: &[SessionVotes], stopped: &[IncompleteSession]) -> Self {
        let mut left_out = Self::default();
        for session in stopped {
            let of = match session.status {
                Status::Failed(_) => &mut left_out.failed,
                Status::Incomplete | Status::Completed => &mut left_out.incomplete,
            };
            of.push(session.name.clone());
        }
        for session in all {
            let elections = &session.voted.elections;
            let empty = || elections.iter().filter(|election| election.ballots.ballot_count() == 0);
            match (elections.len(), empty().count()) {
                (0, _) => left_out.without_election.push(session.name.clone()),
                (all, empty) if all == empty => left_out.without_ballot.push(session.name.clone()),
                _ => left_out.elections.extend(empty().map(|election| session.file_stem(election))),
            }
        }
        left_out
    }

    /// The ending if nothing was written: incomplete sessions may still yield ballots.
    fn ending(&self) -> Ending {
        if self.incomplete.is_empty() { Ending::Failed } else { Ending::Resumable }
    }

    /// Each reason with its names.
    fn reasons(&self) -> impl Iterator<Item = String> {
        let all = [
            ("session", "not complete; `ekklesia run` completes what is missing", &self.incomplete),
            ("session", "failed", &self.failed),
            ("session", "nothing was voted on", &self.without_election),
            ("session", "no ballot is valid", &self.without_ballot),
            ("election", "no ballot is valid", &self.elections),
        ];
        all.into_iter().filter(|(_, _, names)| !names.is_empty()).map(|(what, why, names)| {
            let more = names.len().saturating_sub(NAMED_MAX);
            let mut told = format!("{} ({why}): ", counted(names.len() as u64, what));
            told.push_str(&names.iter().take(NAMED_MAX).map(String::as_str).collect::<Vec<_>>().join(", "));
            if more > 0 {
                put!(told, " and {more} more");
            }
            escape_unseen(&told)
        })
    }

    /// All reasons in one line, to end a sentence; empty if nothing is omitted.
    fn in_line(&self) -> String {
        let reasons: Vec<String> = self.reasons().collect();
        if reasons.is_empty() { String::new() } else { format!("; left out: {}", reasons.join("; ")) }
    }

    /// All reasons, one line each.
    fn in_lines(&self) -> String {
        self.reasons().map(|reason| format!("\n left out  {reason}")).collect()
    }
}
