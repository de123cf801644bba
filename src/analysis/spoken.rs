//! The speech of a round, per seat, for the measures of language.

use crate::analysis::measures::{
    Bag, ConvergenceProfile, Mattr, SeatSpeech, jaccard_pair, jsd_speakers, measure_convergence, similarity_pair,
};
use crate::analysis::tables::RoundLanguage;
use crate::text::PlacedWord;

/// The speech of a round of talk; empty in other parts.
#[derive(Debug, Default)]
pub(super) struct RoundSpeech {
    /// One entry per seat.
    said: Vec<SeatSpeech>,
    varied: Mattr,
    /// Phrases, and phrases said before in the session.
    phrases: [u64; 2],
}

impl RoundSpeech {
    pub fn for_seats(seats: usize) -> Self {
        Self { said: vec![SeatSpeech::default(); seats], ..Self::default() }
    }

    /// Adds a statement with its words and its numbers of phrases and repeated phrases.
    pub fn add_statement(&mut self, seat: usize, text: &str, words: &[PlacedWord], (phrases, repeated): (u64, u64)) {
        let Some(said) = self.said.get_mut(seat) else { return };
        said.add_statement(text, words);
        words.iter().for_each(|word| self.varied.add_word(word.number));
        self.phrases[0] += phrases;
        self.phrases[1] += repeated;
    }

    pub fn measure_language(&self, profile: ConvergenceProfile) -> RoundLanguage {
        let bags: Vec<Bag> = self.said.iter().map(SeatSpeech::to_bag).filter(|bag| bag.word_count() > 0).collect();
        RoundLanguage {
            speakers: bags.len() as u64,
            mattr_50: self.varied.value(),
            similarity_pair: similarity_pair(&bags),
            jaccard_pair: jaccard_pair(&bags),
            jsd_speakers: jsd_speakers(&bags),
            phrases: self.phrases[0],
            repeated: self.phrases[1],
            convergence: measure_convergence(&self.said)
                .map(|found| f64::from(found.weighted_millionths(profile)) / 1e6),
        }
    }
}
