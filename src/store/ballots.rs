//! The elections of a results folder, from its records: what `retally` counts again and `export --format preflib` writes.
//!
//! Minutes are folded as tables are, so that those that were changed are refused. Tables are not read.

use std::sync::Arc;

use crate::analysis::{ArmFacts, CountingTerms, Election, SessionElections, Status, collect_elections};
use crate::plan::{Experiment, Plan, PlannedSession};
use crate::store::fold::{FoldError, fold_session_keeping};
use crate::store::preflib;
use crate::store::results::ResultsFolder;
use crate::store::tables::{experiment_facts, session_facts};

/// A session and what was voted on in it.
pub struct SessionVotes {
    /// Its plan.
    pub plan: Arc<Plan>,
    /// The name of its folder.
    pub name: String,
    /// What was voted on, and what was decided.
    pub voted: SessionElections,
}

/// A session whose ballots are left out because it is not complete.
pub struct IncompleteSession {
    /// The name of its folder.
    pub name: String,
    /// How far it got.
    pub status: Status,
}

/// The elections of these sessions, in their order, and the sessions that are not complete, whose ballots are left out.
///
/// # Errors
/// A [`FoldError`] where minutes are not what their session wrote.
pub fn read_elections(
    folder: &ResultsFolder,
    experiment: &Experiment,
    sessions: &[PlannedSession],
) -> Result<(Vec<SessionVotes>, Vec<IncompleteSession>), FoldError> {
    let (_, arms) = experiment_facts(experiment);
    let (mut all, mut stopped) = (Vec::new(), Vec::new());
    for session in sessions {
        let arm = experiment.arms.iter().position(|plan| plan.arm == session.arm.arm).and_then(|arm| arms.get(arm));
        let arm = arm.expect("invariant: every session is of an arm");
        match read_session_votes(folder, arm, session)? {
            Ok(votes) => all.push(votes),
            Err(status) => stopped.push(IncompleteSession { name: session.name(), status }),
        }
    }
    Ok((all, stopped))
}

fn read_session_votes(
    folder: &ResultsFolder,
    arm: &Arc<ArmFacts>,
    session: &PlannedSession,
) -> Result<Result<SessionVotes, Status>, FoldError> {
    let mut records = Vec::new();
    let (folded, error) = fold_session_keeping(folder, arm, session, |record| records.push(record));
    if let Some(error) = error {
        return Err(error);
    }
    if folded.session.status != Status::Completed {
        return Ok(Err(folded.session.status));
    }
    let plan = session.plan();
    let roll = CountingTerms { base: plan.decision.base, amount_tolerance: plan.decision.amount_tolerance };
    let facts = session_facts(arm, &plan, session.replicate);
    let voted = collect_elections(&records, &facts, &roll);
    Ok(Ok(SessionVotes { name: session.name(), plan, voted }))
}

impl SessionVotes {
    /// The name of an election's file without its ending: `talk-r000001-discussion-2-vote1`, with the round where there is one.
    pub fn file_stem(&self, election: &Election) -> String {
        let round = if election.round > 0 { format!("-{}", election.round) } else { String::new() };
        let vote = election.vote.map_or(String::new(), |vote| vote.to_string());
        format!("{}-{}{round}-{}{vote}", self.name, election.phase, election.purpose.as_str())
    }

    /// An election as PrefLib has it.
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
