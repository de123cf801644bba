//! The mind that never speaks and never chooses, as a silent partner or a control.
//!
//! It passes every turn, never volunteers, calls no vote, recognises nothing, and agrees to the votes that others call. It
//! abstains where it may. Any other question for words or a choice gets an empty reply, which is a fault: the seat is asked again
//! until its tries are used up. Then a poll stays unanswered, and a ballot is invalid, which is an abstention under
//! `decision.invalid: abstain`. It ignores an instruction to push an alternative. The rule of all simulated seats rewrites its
//! memory; it takes no notes.

use crate::domain::{Answer, Ask, Fault, MindState, Motion, NoteTaken, Query, Reply};
use crate::minds::{note, reply};

/// Answers a query; the state stays empty.
pub(super) fn answer_query(motion: &Motion, query: &Query<'_>) -> Answer {
    let state = MindState::default();
    let reply = match query.ask {
        Ask::Statement { .. } => Reply::Pass,
        Ask::Volunteer => Reply::Urgency(None),
        Ask::Recognition => Reply::Recognition { recognised: false, recognised_as: None },
        Ask::VoteCall => Reply::Assent(false),
        Ask::Confirmation { .. } => Reply::Assent(true),
        Ask::Integration { .. } | Ask::Compression { .. } => return note::rewrite_memory(motion, query),
        Ask::Notes { .. } => Reply::Notes(NoteTaken::default()),
        Ask::Ballot { may_abstain: true, .. } => Reply::Abstention,
        Ask::StrawPoll { .. }
        | Ask::Ballot { .. }
        | Ask::Amount { .. }
        | Ask::Ranking { .. }
        | Ask::Comprehension { .. }
        | Ask::Application { .. }
        | Ask::Form { .. }
        | Ask::Naming { .. }
        | Ask::Reasoning => return reply::simulated_answer(String::new(), Err(Fault::Empty), state),
    };
    reply::answer_with(motion, reply, state)
}
