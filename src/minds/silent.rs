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
    match query.ask {
        Ask::Statement { .. } => reply::simulated_answer(String::new(), Ok(Reply::Pass), state),
        Ask::Volunteer => reply::answer_with_urgency(None, state),
        Ask::Recognition => reply::answer_with_recognition(None, state),
        Ask::VoteCall => reply::answer_with_assent(Reply::Assent(false), state),
        Ask::Confirmation { .. } => reply::answer_with_assent(Reply::Assent(true), state),
        Ask::Integration { .. } | Ask::Compression { .. } => note::rewrite_memory(motion, query),
        Ask::Notes { .. } => reply::answer_with_note_change(NoteTaken::default(), state),
        Ask::Ballot { may_abstain: true, .. } => reply::answer_with_abstention(query, state),
        Ask::StrawPoll { .. }
        | Ask::Ballot { .. }
        | Ask::Amount { .. }
        | Ask::Ranking { .. }
        | Ask::Comprehension { .. }
        | Ask::Application { .. }
        | Ask::Form { .. }
        | Ask::Naming { .. }
        | Ask::Reasoning => reply::simulated_answer(String::new(), Err(Fault::Empty), state),
    }
}
