//! Turns an answer into an event. Total: whatever a seat says becomes a record.

use super::deliberation::Deliberation;
use crate::domain::{
    AlternativeId, AlternativeName, Answer, Ask, Choice, Consequence, Draft, Event, Fault, Given, Query, Reply,
};
use crate::text;

impl Deliberation<'_> {
    /// What an answer is in the minutes.
    pub fn admit(&self, query: &Query<'_>, answer: Answer) -> Draft {
        let Answer { raw, parsed, usage, model_served, state } = answer;
        let given = Given { shown: query.shown.clone(), usage, model_served, state };
        let name = |id: AlternativeId| self.plan.motion.name(id).clone();
        let options = || query.ask.options().iter().copied().map(name).collect::<Vec<AlternativeName>>();
        let event = match (parsed.and_then(|reply| admissible(&query.ask, reply)), &query.ask) {
            (Ok(Reply::Statement { text, stance }), _) => Event::Spoke {
                text,
                stance: stance.map(|c| name(c.alternative)),
                stance_amount: stance.and_then(|c| c.amount),
                given,
            },
            (Ok(Reply::Pass), _) => Event::Passed { given },
            (Ok(Reply::Choice(choice)), Ask::Ballot { .. }) => {
                Event::Balloted { alternative: name(choice.alternative), options: options(), raw, given }
            }
            (Ok(Reply::Choice(choice)), _) => Event::Polled {
                alternative: name(choice.alternative),
                amount: choice.amount,
                options: options(),
                raw,
                given,
            },
            (Ok(reply), _) => {
                unreachable!("invariant: {reply:?} is not asked for yet")
            }
            (Err(fault), _) => {
                let last = query.id.attempt + 1 >= self.plan.tries_max;
                let then = if last { Consequence::TriesUsedUp } else { Consequence::AskedAgain };
                Event::Faulted { fault, then, options: options(), raw, given }
            }
        };
        Draft { at: query.id.at.clone(), answered: Some((query.id.seat.clone(), query.id.attempt)), event }
    }
}

/// The reply, if it is one that the question allows.
///
/// # Errors
/// The [`Fault`] that it is otherwise.
pub fn admissible(ask: &Ask, reply: Reply) -> Result<Reply, Fault> {
    let offered = |choice: &Choice| ask.options().contains(&choice.alternative);
    match (ask, &reply) {
        (Ask::Statement { chars_min, .. }, Reply::Statement { text, stance }) => {
            if text.trim().is_empty() {
                Err(Fault::Empty)
            } else if text::chars(text) < u64::from(*chars_min) {
                Err(Fault::TooShort)
            } else if !stance.iter().all(offered) {
                Err(Fault::UnknownAlternative)
            } else {
                Ok(reply)
            }
        }
        (Ask::Statement { .. }, Reply::Pass) => Ok(reply),
        (Ask::StrawPoll { .. } | Ask::Ballot { .. }, Reply::Choice(choice)) => {
            if offered(choice) {
                Ok(reply)
            } else {
                Err(Fault::UnknownAlternative)
            }
        }
        _ => Err(Fault::Ambiguous),
    }
}
