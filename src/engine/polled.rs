//! The straw poll that closes a round: what it came to, told to all seats where the author wants it.
//!
//! Nobody hears who answered what: counts, and the middle of the amounts that were named.

use super::deliberation::{Deliberation, Stage};
use crate::choice;
use crate::domain::{AlternativeId, Choice, Event, Motion, Opinion, Step, Voice};
use crate::memory::notice::{self, PollCount};

impl Deliberation<'_> {
    /// Asks every seat that takes part.
    pub(super) fn begin_poll(&mut self, place: usize, round: u32) {
        for seat in self.gathered_at(place) {
            self.standing[seat.index()].polled = None;
        }
        self.ask_participants(place, round, Step::StrawPoll);
    }

    /// All answers are in.
    pub(super) fn after_poll(&mut self, place: usize, round: u32) {
        match self.discussion(place).poll_told {
            true => self.stage = Stage::TellingPoll(place, round),
            false => self.vote_or_finish(place, round),
        }
    }

    /// What all are told of it.
    pub(super) fn poll_told(&self) -> Event {
        let polled: Vec<Option<Choice>> =
            self.asked_at(Step::StrawPoll).map(|seat| self.standing[seat.index()].polled).collect();
        let motion = &self.plan.motion;
        let counts = (0u32..).zip(&motion.alternatives).map(|(place, alternative)| {
            let of_it = |choice: &&Choice| choice.alternative == AlternativeId(place);
            let amounts = polled.iter().flatten().filter(of_it).filter_map(|choice| Some((choice.amount?, 1)));
            PollCount {
                alternative: alternative.said(),
                count: polled.iter().flatten().filter(of_it).count() as u32,
                median: choice::median(&amounts.collect::<Vec<_>>()),
            }
        });
        let counts: Vec<PollCount<'_>> = counts.collect();
        let invalid = polled.iter().filter(|choice| choice.is_none()).count() as u32;
        let text = notice::poll_line(&counts, invalid, motion.language);
        let group = group_opinion(motion, &counts);
        Event::Instructed { text, to: Vec::new(), by: Voice::Facilitator, pushes: None, group }
    }
}

/// Where the group stands, as a mind reads it: of an amount that alone is decided where the median lies, of two alternatives the
/// share of those that chose the first; `None` of more, and where nobody gave a valid answer.
fn group_opinion(motion: &Motion, counts: &[PollCount<'_>]) -> Option<Opinion> {
    match counts {
        [only] => motion.opinion_of(only.median?),
        [first, second] => {
            let all = u64::from(first.count) + u64::from(second.count);
            let billionths = (2 * u64::from(first.count) * u64::from(Opinion::ONE) + all).checked_div(2 * all)?;
            Opinion::new(u32::try_from(billionths).ok()?)
        }
        _ => None,
    }
}
