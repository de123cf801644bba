//! The mind that never speaks and never chooses: a partner to be silent with, or the control for one who talks.
//!
//! It passes every turn, wants none where seats volunteer, calls no vote, recognises nothing, and lets others have the vote that they call. Wherever words or a choice are asked
//! of it, it says nothing, which is the fault of any seat that says nothing: it is asked again until its tries are used up.
//! Then a poll stays unanswered and a ballot is invalid, which is an abstention under `decision.invalid: abstain`; where seats may
//! abstain it does. It opens
//! no mouth for what it was told to push. Its memory is rewritten by the rule of all simulated seats,
//! and it takes no notes.

use crate::domain::{Answer, Ask, Fault, MindState, Motion, NoteTaken, Query, Reply};
use crate::minds::{note, reply};

/// Answers a query; nothing is kept.
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
        | Ask::Naming { .. }
        | Ask::Reasoning => reply::simulated_answer(String::new(), Err(Fault::Empty), state),
    }
}
