//! How alike the statements of the round under way are, where the plan asks for it.
//!
//! It reads words and forms of what seats say themselves, whatever is heard in its place, and knows nothing of earlier rounds.

use super::deliberation::Deliberation;
use crate::analysis::measures::{SeatSpeech, measure_convergence};
use crate::domain::SeatId;
use crate::text::Vocabulary;

/// What was said in the round under way.
#[derive(Debug, Clone, Default)]
pub(super) struct Converging {
    vocabulary: Vocabulary,
    /// One entry a seat that spoke, in the order of speaking.
    said: Vec<(SeatId, SeatSpeech)>,
    /// Whether convergence ended a talk.
    pub ended_talk: bool,
}

impl Converging {
    /// A round begins.
    pub fn begin_round(&mut self) {
        self.vocabulary = Vocabulary::default();
        self.said.clear();
    }
}

impl Deliberation<'_> {
    /// Takes a statement of a discussion.
    pub(super) fn compare(&mut self, place: usize, seat: SeatId, text: &str) {
        if self.discussion(place).convergence.is_none() {
            return;
        }
        let words = self.converging.vocabulary.place_words(text);
        let mut said = SeatSpeech::default();
        said.add_statement(text, &words);
        self.converging.said.push((seat, said));
    }

    /// How alike the round's statements are, in millionths; `None` where the plan does not ask, or fewer than two seats spoke.
    pub(super) fn convergence(&self, place: usize) -> Option<u32> {
        let asked = self.discussion(place).convergence?;
        let mut said = self.converging.said.clone();
        said.sort_by_key(|(seat, _)| *seat);
        let said: Vec<SeatSpeech> = said.into_iter().map(|(_, said)| said).collect();
        measure_convergence(&said).map(|found| found.weighted_millionths(asked.profile))
    }

    /// Whether the talk ends because its statements have become alike, seen from within the round that would be its last.
    pub(super) fn stops_here(&self, place: usize) -> bool {
        let asked = self.discussion(place).convergence;
        asked.is_some_and(|asked| asked.ends_talk(self.convergence(place)))
    }
}
