//! Phrases of four words, and which of them were said before.
//!
//! A phrase lies within one statement; who said it does not matter.

use indexmap::IndexSet;

/// Words of a phrase.
pub const PHRASE: usize = 4;

/// The phrases said so far.
#[derive(Debug, Clone, Default)]
pub struct Phrases {
    said: IndexSet<[u32; PHRASE]>,
}

impl Phrases {
    /// Takes a statement's words; tells how many phrases it has and how many of them had been said before, in it or earlier.
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
