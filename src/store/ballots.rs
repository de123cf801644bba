//! Reads the elections of a results folder from its records, for `retally` and `export --format preflib`.
//!
//! Folding the minutes also rejects minutes that were changed.

use std::sync::Arc;

use crate::analysis::{ArmFacts, CountingTerms, Election, SessionElections, Status, collect_elections};
use crate::plan::{Experiment, Plan, PlannedSession};
use crate::store::fold::{FoldError, fold_with_records};
use crate::store::preflib;
use crate::store::results::ResultsFolder;
use crate::store::tables::{arms_by_name, session_facts};

/// A session and its elections.
pub struct SessionVotes {
    /// Its plan.
    pub plan: Arc<Plan>,
    /// The name of its folder.
    pub name: String,
    /// Its elections and their outcomes.
    pub voted: SessionElections,
}

/// A session without counted ballots, because it is not complete.
pub struct IncompleteSession {
    /// The name of its folder.
    pub name: String,
    /// How far it got.
    pub status: Status,
}

/// Reads the elections of sessions, in their order. Also returns the sessions left out because they are not complete.
///
/// # Errors
/// A [`FoldError`] if minutes are not what their session wrote.
pub fn read_elections(
    folder: &ResultsFolder,
    experiment: &Experiment,
    sessions: &[PlannedSession],
) -> Result<(Vec<SessionVotes>, Vec<IncompleteSession>), FoldError> {
    let (_, arms) = arms_by_name(experiment);
    let (mut all, mut stopped) = (Vec::new(), Vec::new());
    for session in sessions {
        match read_session_votes(folder, &arms[session.arm.arm.as_str()], session)? {
            Ok(votes) => all.push(votes),
            Err(status) => stopped.push(IncompleteSession { name: session.name(), status }),
        }
    }
    Ok((all, stopped))
}

/// Reads the elections of one session; its status if it is not complete.
fn read_session_votes(
    folder: &ResultsFolder,
    arm: &Arc<ArmFacts>,
    session: &PlannedSession,
) -> Result<Result<SessionVotes, Status>, FoldError> {
    let (folded, records) = fold_with_records(folder, arm, session)?;
    if folded.session.status != Status::Completed {
        return Ok(Err(folded.session.status));
    }
    let plan = session.plan();
    let terms = CountingTerms { base: plan.decision.base, amount_tolerance: plan.decision.amount_tolerance };
    let facts = session_facts(arm, &plan, session.replicate);
    let voted = collect_elections(&records, &facts, &terms);
    Ok(Ok(SessionVotes { name: session.name(), plan, voted }))
}

impl SessionVotes {
    /// The file name without extension: `talk-r000001-discussion-2-vote1`. The round is left out if there is none.
    pub fn file_stem(&self, election: &Election) -> String {
        let round = if election.round > 0 { format!("-{}", election.round) } else { String::new() };
        let vote = election.vote.map_or(String::new(), |vote| vote.to_string());
        format!("{}-{}{round}-{}{vote}", self.name, election.phase, election.purpose.as_str())
    }

    /// Converts an election to PrefLib's form.
    pub fn to_preflib(&self, election: &Election) -> preflib::PrefLibElection {
        let of_round = if election.round > 0 { format!(", round {}", election.round) } else { String::new() };
        let what = election.purpose.as_str().replace('_', " ");
        let form = election.ballots.form().as_str();
        let invalid = match election.invalid {
            0 => String::new(),
            1 => "; 1 invalid ballot is left out".to_owned(),
            many => format!("; {many} invalid ballots are left out"),
        };
        preflib::PrefLibElection {
            title: format!("{} {}: {what}", self.plan.experiment, self.name),
            description: format!("{form} ballots of phase {}{of_round}{invalid}", election.phase),
            names: election.names.clone(),
            ballots: election.ballots.clone(),
        }
    }
}
