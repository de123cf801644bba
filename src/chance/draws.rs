//! Samplers on a raw ChaCha8 stream, written here so that no library update changes a draw.
//!
//! Each sampler documents how many 64-bit words it takes. Only `draw_unit` uses floating point.

use std::collections::BTreeSet;
use std::convert::Infallible;

use rand::rand_core::utils::fill_bytes_via_next_word;
use rand::{Rng, SeedableRng, TryRng};
use rand_chacha::ChaCha8Rng;

/// A stream of random numbers, computed lazily.
///
/// `Draws` implements the generator trait of `rand`, so the distributions of `rand_distr` can sample from it:
///
/// ```
/// use ekklesia::chance::Draws;
/// use rand_distr::{Distribution, Exp1};
///
/// let sample = || -> f64 { Exp1.sample(&mut Draws::from_key([7; 32])) };
/// assert_eq!(sample(), sample());
/// ```
#[derive(Debug, Clone)]
pub struct Draws(ChaCha8Rng);

impl Draws {
    /// Opens the stream of a key: ChaCha8 with stream number 0 from block 0.
    pub fn from_key(key: [u8; 32]) -> Self {
        Self(ChaCha8Rng::from_seed(key))
    }

    /// The next 64 bits: eight bytes of the keystream, little-endian.
    pub fn next_bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Draws an unbiased uniform integer below `n`. Rejects each word with probability below n / 2⁶⁴ and then takes the next.
    ///
    /// Source: Lemire 2019, "Fast random integer generation in an interval", ACM TOMACS 29(1), algorithm 5.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn draw_below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "invariant: there is something to draw from");
        loop {
            let product = u128::from(self.next_bits()) * u128::from(n);
            let remainder = product as u64;
            // Rejects 2⁶⁴ mod n of the 2⁶⁴ words, so that every result has equally many.
            if remainder >= n || remainder >= n.wrapping_neg() % n {
                return (product >> 64) as u64;
            }
        }
    }

    /// Draws whether an event of this probability, in parts per million, happens. Calls `draw_below` even for 0 and 1 000 000.
    pub fn draw_event(&mut self, ppm: u32) -> bool {
        self.draw_below(1_000_000) < u64::from(ppm)
    }

    /// Draws a number in [0, 1): the upper 53 bits of one word, divided by 2⁵³.
    pub fn draw_unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        (self.next_bits() >> 11) as f64 * STEP
    }

    /// Draws a position in proportion to integer weights, with one `draw_below` of their sum.
    ///
    /// # Panics
    /// If the weights sum to 0 or to more than `u64::MAX`.
    pub fn draw_weighted(&mut self, weights: &[u64]) -> usize {
        let total = weights.iter().try_fold(0u64, |sum, weight| sum.checked_add(*weight));
        let mut left = self.draw_below(total.expect("invariant: weights sum to less than 2⁶⁴"));
        for (place, weight) in weights.iter().enumerate() {
            if left < *weight {
                return place;
            }
            left -= weight;
        }
        unreachable!("invariant: a number below the sum of the weights falls into one of them")
    }

    /// Draws an order of `n` items: sorts them by one word each. An item added at the end changes no other item's word.
    pub fn draw_order(&mut self, n: u32) -> Vec<u32> {
        let mut lots: Vec<(u64, u32)> = (0..n).map(|item| (self.next_bits(), item)).collect();
        lots.sort_unstable();
        lots.into_iter().map(|(_, item)| item).collect()
    }

    /// Draws a split of a total into ordered parts, each split being equally likely: the gaps between `parts` − 1 of `total` + `parts` − 1
    /// places. Calls `draw_below` once for each of these places.
    ///
    /// Source of the sample without replacement: Bentley and Floyd 1987, "Programming pearls: a sample of brilliance", CACM 30(9).
    ///
    /// # Panics
    /// If there is no part.
    pub fn draw_split(&mut self, total: u32, parts: usize) -> Vec<u32> {
        let first = u64::from(total);
        let end = first + parts.checked_sub(1).expect("invariant: there is a part") as u64;
        let mut places = BTreeSet::new();
        for last in first..end {
            let place = self.draw_below(last + 1);
            places.insert(if places.contains(&place) { last } else { place });
        }
        let mut start = 0;
        let mut gap_before = |place| {
            let gap = place - start;
            start = place + 1;
            gap as u32
        };
        places.into_iter().chain([end]).map(&mut gap_before).collect()
    }
}

/// Each call takes complete 64-bit words; 32 bits are the upper half of a word.
impl TryRng for Draws {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next_bits() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next_bits())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        fill_bytes_via_next_word(bytes, || self.try_next_u64())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use proptest::prelude::*;
    use rand_distr::{Distribution, Exp1, StandardNormal};

    /// ChaCha8, 256-bit key of zeros, IV of zeros: TC1 of draft-strombergson-chacha-test-vectors-01.
    const ZERO_KEYSTREAM: [u8; 64] = [
        0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6, 0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09, 0xa5, 0xa1, 0x2c, 0x84,
        0x0e, 0xc3, 0xce, 0x9a, 0x7f, 0x3b, 0x18, 0x1b, 0xe1, 0x88, 0xef, 0x71, 0x1a, 0x1e, 0x98, 0x4c, 0xe1, 0x72,
        0xb9, 0x21, 0x6f, 0x41, 0x9f, 0x44, 0x53, 0x67, 0x45, 0x6d, 0x56, 0x19, 0x31, 0x4a, 0x42, 0xa3, 0xda, 0x86,
        0xb0, 0x01, 0x38, 0x7b, 0xfd, 0xb8, 0x0e, 0x0c, 0xfe, 0x42,
    ];

    #[test]
    fn the_stream_is_the_published_chacha8_keystream() {
        let mut draws = Draws::from_key([0; 32]);
        let drawn: Vec<u8> = (0..8).flat_map(|_| draws.next_bits().to_le_bytes()).collect();
        assert_eq!(drawn, ZERO_KEYSTREAM);
    }

    #[test]
    fn the_generator_trait_reads_the_same_keystream() {
        let mut draws = Draws::from_key([0; 32]);
        let mut bytes = [0; 21];
        draws.fill_bytes(&mut bytes);
        assert_eq!(bytes, ZERO_KEYSTREAM[..21]);
        // The rest of the third word is skipped; the fourth gives its upper half.
        assert_eq!(draws.next_u32().to_le_bytes(), ZERO_KEYSTREAM[28..32]);
        assert_eq!(draws.next_u64().to_le_bytes(), ZERO_KEYSTREAM[32..40]);
    }

    #[test]
    fn published_distributions_sample_from_a_seeded_stream() {
        let sample = |key: u8| -> Vec<f64> {
            let mut draws = Draws::from_key([key; 32]);
            (0..20_000)
                .map(|place| if place % 2 == 0 { StandardNormal.sample(&mut draws) } else { Exp1.sample(&mut draws) })
                .collect()
        };
        let drawn = sample(7);
        assert_eq!(drawn, sample(7));
        assert_ne!(drawn, sample(8));
        let moments = |of: Vec<f64>| {
            let mean = of.iter().sum::<f64>() / of.len() as f64;
            (mean, of.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / of.len() as f64)
        };
        let every_other = |from: usize| moments(drawn.iter().skip(from).step_by(2).copied().collect());
        // Mean and variance: 0 and 1 of the normal, 1 and 1 of the exponential distribution.
        for (drawn, expected) in [(every_other(0), 0.0), (every_other(1), 1.0)] {
            assert!((drawn.0 - expected).abs() < 0.05 && (drawn.1 - 1.0).abs() < 0.1, "{drawn:?}, mean {expected}");
        }
    }

    #[test]
    fn words_of_the_refused_kind_are_drawn_again() {
        // With n = 2⁶³ + 1 nearly half of all words are refused; what is kept is the next word that is not.
        let n = (1u64 << 63) + 1;
        let (mut draws, mut words) = (Draws::from_key([0; 32]), Draws::from_key([0; 32]));
        let mut refused = 0;
        for _ in 0..100 {
            let expected = loop {
                let product = u128::from(words.next_bits()) * u128::from(n);
                if (product & u128::from(u64::MAX)) >= (1u128 << 64) % u128::from(n) {
                    break (product >> 64) as u64;
                }
                refused += 1;
            };
            assert_eq!(draws.draw_below(n), expected);
        }
        assert!(refused > 50, "{refused} words were refused");
    }

    #[test]
    fn shares_are_as_promised() {
        let mut draws = Draws::from_key([7; 32]);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[draws.draw_below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
        let quarter = (0..10_000).filter(|_| draws.draw_event(250_000)).count();
        assert!((2_300..2_700).contains(&quarter), "{quarter}");
        let heavy = (0..10_000).filter(|_| draws.draw_weighted(&[1, 0, 3]) == 2).count();
        assert!((7_300..7_700).contains(&heavy), "{heavy}");
        let mean = (0..10_000).map(|_| draws.draw_unit()).sum::<f64>() / 10_000.0;
        assert!((0.48..0.52).contains(&mean), "{mean}");
    }

    /// The mean of a part is total / parts, and its variance total (parts − 1) (total + parts) / (parts² (parts + 1)): the multinomial
    /// distribution with Dirichlet's uniform weights. A split that drops points one by one has a variance of 18.75 here.
    #[test]
    fn every_split_is_equally_likely() {
        let mut draws = Draws::from_key([7; 32]);
        let splits: Vec<f64> = (0..20_000).map(|_| f64::from(draws.draw_split(100, 4)[2])).collect();
        let mean = splits.iter().sum::<f64>() / 20_000.0;
        let variance = splits.iter().map(|part| (part - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!((24.5..25.5).contains(&mean), "{mean}");
        assert!((375.0..405.0).contains(&variance), "{variance}, not 390");
        let mut counts = BTreeMap::new();
        for _ in 0..15_000 {
            *counts.entry(draws.draw_split(4, 3)).or_insert(0) += 1;
        }
        assert!(counts.len() == 15 && counts.values().all(|count| (880..1_120).contains(count)), "{counts:?}");
        assert_eq!((draws.draw_split(0, 3), draws.draw_split(9, 1)), (vec![0; 3], vec![9]));
    }

    #[test]
    #[should_panic(expected = "something to draw from")]
    fn there_is_no_number_below_zero() {
        Draws::from_key([0; 32]).draw_below(0);
    }

    #[test]
    #[should_panic(expected = "something to draw from")]
    fn weights_of_nothing_are_refused() {
        Draws::from_key([0; 32]).draw_weighted(&[0, 0]);
    }

    proptest! {
        #[test]
        fn a_number_below_n_is_below_n(key: [u8; 32], n in 1u64..) {
            prop_assert!(Draws::from_key(key).draw_below(n) < n);
        }

        #[test]
        fn a_unit_is_at_least_0_and_less_than_1(key: [u8; 32]) {
            let mut draws = Draws::from_key(key);
            for _ in 0..20 {
                prop_assert!((0.0..1.0).contains(&draws.draw_unit()));
            }
        }

        #[test]
        fn the_certain_happens_and_the_impossible_does_not(key: [u8; 32]) {
            let mut draws = Draws::from_key(key);
            prop_assert!(draws.draw_event(1_000_000));
            prop_assert!(!draws.draw_event(0));
        }

        #[test]
        fn certainty_takes_a_word_too(key: [u8; 32], ppm in 0u32..=1_000_000) {
            let (mut a, mut b) = (Draws::from_key(key), Draws::from_key(key));
            a.draw_event(ppm);
            b.draw_event(0);
            prop_assert_eq!(a.next_bits(), b.next_bits());
        }

        #[test]
        fn what_has_no_weight_is_never_drawn(
            key: [u8; 32],
            weights in prop::collection::vec(prop_oneof![Just(0u64), 1u64..1 << 40], 1..20),
        ) {
            prop_assume!(weights.iter().any(|weight| *weight > 0));
            prop_assert!(weights[Draws::from_key(key).draw_weighted(&weights)] > 0);
        }

        #[test]
        fn the_parts_of_a_split_add_up_to_its_total(key: [u8; 32], total: u32, parts in 1usize..20) {
            let split = Draws::from_key(key).draw_split(total, parts);
            prop_assert_eq!(split.iter().map(|part| u64::from(*part)).sum::<u64>(), u64::from(total));
            prop_assert_eq!(split.len(), parts);
        }

        #[test]
        fn lots_are_an_order_of_all_items(key: [u8; 32], n in 0u32..50) {
            let mut order = Draws::from_key(key).draw_order(n);
            order.sort_unstable();
            prop_assert_eq!(order, (0..n).collect::<Vec<_>>());
        }

        #[test]
        fn an_added_item_leaves_the_order_of_the_others(key: [u8; 32], n in 0u32..50) {
            let mut longer = Draws::from_key(key).draw_order(n + 1);
            longer.retain(|item| *item < n);
            prop_assert_eq!(longer, Draws::from_key(key).draw_order(n));
        }
    }
}
