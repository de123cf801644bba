//! The straw poll that closes a round: what it came to, told to all seats where the author wants it.
//!
//! Nobody hears who answered what: counts, and the middle of the amounts that were named.

use super::deliberation::{Deliberation, Stage};
use crate::domain::{AlternativeId, Choice, Event, Step, Voice};
use crate::memory::notice::{self, Polled};

impl Deliberation<'_> {
    /// Asks every seat.
    pub(super) fn begin_poll(&mut self, place: usize, round: u32) {
        for standing in &mut self.standing {
            standing.polled = None;
        }
        self.ask_present(place, round, Step::StrawPoll);
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
        let polled: Vec<Option<Choice>> = self.present().map(|seat| self.standing[seat.index()].polled).collect();
        let motion = &self.plan.motion;
        let counts = (0u32..).zip(&motion.alternatives).map(|(place, alternative)| {
            let of_it = |choice: &&Choice| choice.alternative == AlternativeId(place);
            let amounts = polled.iter().flatten().filter(of_it).filter_map(|choice| choice.amount);
            Polled {
                alternative: alternative.said(),
                count: polled.iter().flatten().filter(of_it).count() as u32,
                median: median(amounts.collect()),
            }
        });
        let counts: Vec<Polled<'_>> = counts.collect();
        let invalid = polled.iter().filter(|choice| choice.is_none()).count() as u32;
        let text = notice::poll_line(&counts, invalid, motion.language);
        Event::Instructed { text, to: Vec::new(), by: Voice::Facilitator, pushes: None }
    }
}

/// The middle amount; of an even number the mean of the two in the middle, half a unit rounded up. `None` without any.
fn median(mut amounts: Vec<u32>) -> Option<u32> {
    amounts.sort_unstable();
    let (low, high) = (amounts.get(amounts.len().checked_sub(1)? / 2)?, amounts.get(amounts.len() / 2)?);
    Some(low + (high - low).div_ceil(2))
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_middle_of_an_even_number_is_the_mean_of_two_rounded_up_at_one_half() {
        let cases = [(vec![], None), (vec![7], Some(7)), (vec![9, 1], Some(5)), (vec![4, 1], Some(3))];
        for (amounts, middle) in cases {
            assert_eq!(median(amounts.clone()), middle, "{amounts:?}");
        }
        assert_eq!(median(vec![u32::MAX, u32::MAX, 0]), Some(u32::MAX));
        assert_eq!(median(vec![1190, 1207, 1100, 1500, 1198]), Some(1198));
    }
}
