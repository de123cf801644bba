//! Selects the records that enter memories.

use crate::analysis::facts::ArmFacts;
use crate::domain::{Matter, OpenBallots, Record, Reply, SeatName, Step};

/// Whether a record enters a seat's memory under a key of `memory.routing`.
pub(super) fn enters_memory(record: &Record, seat: &SeatName, arm: &ArmFacts) -> bool {
    let is_own = record.seat.as_ref() == Some(seat);
    let phase = arm.find_phase(&record.at.phase);
    let vote = phase.and_then(|phase| phase.vote.as_ref());
    let are_open = vote.is_some_and(|vote| vote.heard.ballots == OpenBallots::InTurn);
    let event = &record.event;
    if let Some(payment) = event.paid() {
        return payment.pays(seat);
    }
    match event.briefed() {
        _ if event.is_tallied() => vote.is_none_or(|vote| vote.heard.result),
        _ if event.is_faulted() => {
            let is_heard = matches!(record.at.step, Step::Ballot | Step::Amount) && are_open;
            record.final_fault().is_some() && (record.at.step == Step::Confirmation || is_heard)
        }
        Some(briefing) if matches!(briefing.what, Matter::Instruction { .. }) => briefing.is_for(seat),
        _ => match (record.at.step, record.reply()) {
            (Step::Statement, Some(Reply::Statement { .. })) | (Step::Confirmation, Some(_)) => true,
            (Step::VoteCall, reply) => reply == Some(Reply::Assent(true)),
            (Step::Ballot, Some(Reply::Choice(choice))) => {
                let has_own = vote.is_some_and(|vote| vote.options.is_some());
                let place = arm.alternatives.iter().position(|name| *name == choice.alternative && !has_own);
                (is_own || are_open) && (choice.amount.is_some() || !place.is_some_and(|place| arm.takes_amount[place]))
            }
            (Step::Ballot | Step::Amount, Some(_)) => is_own || are_open,
            (Step::Reasoning | Step::Application | Step::Comprehension | Step::Ranking, Some(_)) => is_own,
            _ => is_own && record.is_own_answer(),
        },
    }
}
