//! The mind that never speaks and never chooses, as a silent partner or a control.
//!
//! It passes every turn, never volunteers, calls no vote, recognises nothing, and agrees to the votes that others call. It
//! abstains where it may. Any other question for words or a choice gets an empty reply, which is a fault: the seat is asked again
//! until its tries are used up. Then a poll stays unanswered, and a ballot is invalid, which is an abstention under
//! `decision.invalid: abstain`. It ignores an instruction to push an alternative. The rule of all simulated seats rewrites its
//! memory; it takes no notes.

use crate::domain::{Answer, Fault, MindState, Motion, Query, Reply, Step};
use crate::minds::reply;

/// Answers a query; the state stays empty.
pub(super) fn answer_query(motion: &Motion, query: &Query<'_>) -> Answer {
    let state = MindState::default();
    let reply = match query.ask.step() {
        Step::Statement => Reply::Pass,
        Step::Volunteer => Reply::Urgency(None),
        Step::VoteCall => Reply::Assent(false),
        Step::Confirmation => Reply::Assent(true),
        Step::Ballot if query.ask.may_abstain() => Reply::Abstention,
        _ => return reply::simulated_answer(String::new(), Err(Fault::Empty), state),
    };
    reply::answer_with(motion, reply, state)
}
