//! MATTR, the moving-average type-token ratio: lexical variety that does not depend on text length.
//!
//! A word takes constant time.

use std::collections::VecDeque;

/// The number of words of a window.
pub const WINDOW: usize = 50;

/// The state of MATTR for a text read word by word.
#[derive(Debug, Clone, Default)]
pub struct Mattr {
    window: VecDeque<u32>,
    /// Counts of words in the window, by word number.
    counts: Vec<u32>,
    types: u64,
    /// Different words per window, summed over all full windows.
    sum: u64,
    windows: u64,
}

impl Mattr {
    /// Adds the next word.
    pub fn add_word(&mut self, word: u32) {
        if self.window.len() == WINDOW
            && let Some(old) = self.window.pop_front()
        {
            let count = &mut self.counts[old as usize];
            *count -= 1;
            self.types -= u64::from(*count == 0);
        }
        if self.counts.len() <= word as usize {
            self.counts.resize(word as usize + 1, 0);
        }
        let count = &mut self.counts[word as usize];
        self.types += u64::from(*count == 0);
        *count += 1;
        self.window.push_back(word);
        if self.window.len() == WINDOW {
            self.sum += self.types;
            self.windows += 1;
        }
    }

    /// The mean type-token ratio over all windows of 50 consecutive words, from 1/50 to 1; `None` below 50 words.
    ///
    /// Source: Covington and McFall 2010, "Cutting the Gordian knot: the moving-average type-token ratio (MATTR)".
    pub fn value(&self) -> Option<f64> {
        (self.windows > 0).then(|| self.sum as f64 / (self.windows * WINDOW as u64) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mattr(words: &[u32]) -> Option<f64> {
        let mut text = Mattr::default();
        words.iter().for_each(|word| text.add_word(*word));
        text.value()
    }

    #[test]
    fn one_word_over_and_over_fifty_different_ones_and_too_few() {
        assert_eq!(mattr(&[7; 60]), Some(0.02));
        assert_eq!(mattr(&(0..50).collect::<Vec<u32>>()), Some(1.0));
        assert_eq!(mattr(&[1; 49]), None);
    }

    proptest! {
        #[test]
        fn it_equals_its_definition_window_by_window(words in prop::collection::vec(0u32..40, 40..90)) {
            let ratio = |window: &[u32]| {
                window.iter().collect::<std::collections::BTreeSet<_>>().len() as f64 / WINDOW as f64
            };
            let ratios: Vec<f64> = words.windows(WINDOW).map(ratio).collect();
            match mattr(&words) {
                None => prop_assert!(ratios.is_empty()),
                Some(value) => prop_assert!((value - ratios.iter().sum::<f64>() / ratios.len() as f64).abs() < 1e-12),
            }
        }
    }
}
