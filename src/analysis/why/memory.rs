//! Selects the records that enter memories.

use crate::analysis::facts::ArmFacts;
use crate::analysis::why::final_fault;
use crate::domain::{Event, Record, SeatName, Step};

/// Whether a record enters a seat's memory under a key of `memory.routing`.
pub(super) fn enters_memory(record: &Record, seat: &SeatName, arm: &ArmFacts) -> bool {
    let is_own = record.seat.as_ref() == Some(seat);
    match &record.event {
        Event::Spoke { .. } | Event::CallAnswered { calls: true, .. } | Event::Confirmed { .. } | Event::Tallied(_) => {
            true
        }
        Event::Faulted { .. } => final_fault(record).is_some() && record.at.step == Step::Confirmation,
        Event::Instructed { to, .. } => to.is_empty() || to.contains(seat),
        Event::Paid { payoffs, .. } => payoffs.iter().any(|payoff| payoff.seat == *seat),
        Event::PaidOut { payoffs, .. } => payoffs.iter().any(|payoff| payoff.seat == *seat && payoff.payoff.is_some()),
        Event::Balloted { alternative, amount, .. } => {
            let place = arm.alternatives.iter().position(|name| name == alternative);
            is_own && (amount.is_some() || !place.is_some_and(|place| arm.takes_amount[place]))
        }
        Event::Reasoned { .. }
        | Event::AmountNamed { .. }
        | Event::Voted { .. }
        | Event::Abstained { .. }
        | Event::Applied { .. }
        | Event::Tested { .. }
        | Event::Ranked { .. } => is_own,
        event => is_own && event.is_own_answer(),
    }
}
