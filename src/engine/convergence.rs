//! How alike the statements of the round under way are, where the plan asks for it.
//!
//! It reads words and forms of what seats say themselves, whatever is heard in its place, and knows nothing of earlier rounds.

use crate::analysis::measures::{ConvergenceProfile, SeatSpeech, measure_convergence};
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

    /// Takes a statement.
    pub fn add_statement(&mut self, seat: SeatId, text: &str) {
        let words = self.vocabulary.place_words(text);
        let mut said = SeatSpeech::default();
        said.add_statement(text, &words);
        self.said.push((seat, said));
    }

    /// How alike the statements are, in millionths by this profile; `None` where fewer than two seats spoke.
    pub fn measure(&self, profile: ConvergenceProfile) -> Option<u32> {
        let mut said = self.said.clone();
        said.sort_by_key(|(seat, _)| *seat);
        let said: Vec<SeatSpeech> = said.into_iter().map(|(_, said)| said).collect();
        measure_convergence(&said).map(|found| found.weighted_millionths(profile))
    }
}
