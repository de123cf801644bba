//! The words of a round, seat by seat, as far as the measures of language need them.

use crate::analysis::measures::{
    Bag, ConvergenceProfile, Mattr, Said, convergence, jaccard_pair, jsd_speakers, similarity_pair,
};
use crate::analysis::tables::Language;
use crate::text::Placed;

/// What was said in a round; nothing in parts of phases without rounds of talk.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    /// One entry a seat.
    said: Vec<Said>,
    varied: Mattr,
    /// Phrases, and those of them that had been said before in the session.
    phrases: [u64; 2],
}

impl Spoken {
    /// Nothing said yet by this many seats.
    pub fn over(seats: usize) -> Self {
        Self { said: vec![Said::default(); seats], ..Self::default() }
    }

    /// Takes a statement, its words, and how many phrases it has and repeats.
    pub fn take(&mut self, seat: usize, text: &str, words: &[Placed], (phrases, repeated): (u64, u64)) {
        let Some(said) = self.said.get_mut(seat) else { return };
        said.take(text, words);
        words.iter().for_each(|word| self.varied.take(word.number));
        self.phrases[0] += phrases;
        self.phrases[1] += repeated;
    }

    /// What the measures make of it.
    pub fn language(&self, profile: ConvergenceProfile) -> Language {
        let bags: Vec<Bag> = self.said.iter().map(Said::bag).filter(|bag| bag.words() > 0).collect();
        Language {
            speakers: bags.len() as u64,
            mattr_50: self.varied.value(),
            similarity_pair: similarity_pair(&bags),
            jaccard_pair: jaccard_pair(&bags),
            jsd_speakers: jsd_speakers(&bags),
            phrases: self.phrases[0],
            repeated: self.phrases[1],
            convergence: convergence(&self.said).map(|found| f64::from(found.millionths(profile)) / 1e6),
        }
    }
}
