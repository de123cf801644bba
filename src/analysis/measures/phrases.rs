//! Phrases of four words, and their repetition.
//!
//! A phrase lies within one statement. Repetitions by any speaker count.

use indexmap::IndexSet;

/// The number of words of a phrase.
pub const PHRASE: usize = 4;

/// The phrases said so far.
#[derive(Debug, Clone, Default)]
pub struct Phrases {
    said: IndexSet<[u32; PHRASE]>,
}

impl Phrases {
    /// Adds a statement's words. Returns the number of its phrases, and how many of them were said before.
    pub fn count_phrases(&mut self, words: &[u32]) -> (u64, u64) {
        let (mut all, mut repeated) = (0, 0);
        for phrase in words.array_windows::<PHRASE>() {
            all += 1;
            repeated += u64::from(!self.said.insert(*phrase));
        }
        (all, repeated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_before_is_repeated_wherever_it_stands() {
        let mut phrases = Phrases::default();
        assert_eq!(phrases.count_phrases(&[1, 2, 3, 4, 5]), (2, 0));
        assert_eq!(phrases.count_phrases(&[9, 1, 2, 3, 4, 9]), (3, 1));
        assert_eq!(phrases.count_phrases(&[6, 6, 6, 6, 6, 6]), (3, 2));
        assert_eq!(phrases.count_phrases(&[1, 2, 3]), (0, 0));
    }
}
