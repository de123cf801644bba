//! Resampling in pieces. Each piece has its own stream, so the resamples do not depend on the number of workers.
//!
//! One resample gives one range.

use crate::chance::Draws;

/// The number of resamples per piece; the last piece may have fewer.
const PIECE: usize = 256;

/// A resampling method with its data.
#[derive(Debug, Clone, PartialEq)]
pub enum ResamplingScheme {
    /// Flips the sign of each difference with probability ½. Source: Fisher 1935, "The design of experiments", section 21; Pitman
    /// 1937, Journal of the Royal Statistical Society, supplement 4(1).
    Signs(SignedParts),
    /// Permutes the labels of the two sides in each stratum. The difference is the mean over strata of the first side's mean
    /// minus the second's. Source: Pitman 1937.
    Labels {
        /// The strata.
        strata: Vec<Stratum>,
        /// Differences up to this size count as 0, because of rounding.
        tie: f64,
    },
}

/// Pairs of numbers whose signs are flipped: the ratio of the two sums. It is a mean if all second numbers are 1.
#[derive(Debug, Clone, PartialEq)]
pub struct SignedParts {
    /// At least one.
    pub parts: Vec<(f64, f64)>,
    /// Sums up to this size count as 0, because of rounding.
    pub tie: f64,
}

/// The closed range of differences θ from which an arrangement is at least as far as the observed arrangement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NullRange {
    /// The lower end; −∞ if there is none.
    pub low: f64,
    /// The upper end; ∞ if there is none.
    pub high: f64,
}

impl NullRange {
    /// The range of the observed arrangement and of its mirror image.
    pub const EVERY: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// The range between two ends; a NaN end is ignored.
    fn from_ends(one: f64, other: f64) -> Self {
        Self { low: one.min(other), high: one.max(other) }
    }
}

/// Sums over some of the parts: first numbers, second numbers, and count.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SignedSums {
    value: f64,
    of: f64,
    count: u64,
}

impl SignedSums {
    pub fn from_parts(parts: &[(f64, f64)]) -> Self {
        parts.iter().fold(Self::default(), |sums, (value, of)| sums.with_parts(*value, *of, 1))
    }

    /// Adds `count` equal parts.
    pub fn with_parts(self, value: f64, of: f64, count: u64) -> Self {
        let times = count as f64;
        Self { value: self.value + times * value, of: self.of + times * of, count: self.count + count }
    }

    /// The range of the pattern that flips these parts of all parts.
    ///
    /// Let S be the sum of `value − θ of` over the flipped parts and R that over the others. |R − S| ≥ |R + S| if S R ≤ 0, that
    /// is, if θ lies between the ratios of the two sums.
    pub fn null_range(self, all: &Self, tie: f64) -> NullRange {
        let of_rest = all.of - self.of;
        if self.count == 0 || self.count == all.count || self.of <= 0.0 || of_rest <= 0.0 {
            return NullRange::EVERY;
        }
        let not_rounded = |sum: f64| if sum.abs() <= tie { 0.0 } else { sum };
        let (value, rest) = (not_rounded(self.value), not_rounded(not_rounded(all.value) - self.value));
        NullRange::from_ends(value / self.of, rest / of_rest)
    }
}

/// Values of two sides that are exchangeable under the null.
#[derive(Debug, Clone, PartialEq)]
pub struct Stratum {
    /// The values of the first side, then those of the second; at least one of each.
    pub values: Vec<f64>,
    /// The number of values of the first side.
    pub first: usize,
}

/// A resampling method, its key and the number of resamples.
#[derive(Debug, Clone, PartialEq)]
pub struct Resampling {
    /// The method.
    pub scheme: ResamplingScheme,
    /// The key of its streams.
    pub key: StreamKey,
    /// The number of resamples; at least 1.
    pub resamples: u32,
}

/// The key of a resampling's streams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamKey(Vec<u8>);

impl StreamKey {
    /// The key for an experiment's seed and names, such as a metric and a contrast.
    ///
    /// Format: the seed (`u64`), then each name as its length in bytes (`u32`) and its UTF-8; numbers little-endian.
    pub fn new(experiment_seed: u64, names: &[&str]) -> Self {
        let mut bytes = experiment_seed.to_le_bytes().to_vec();
        for name in names {
            let length = u32::try_from(name.len()).expect("invariant: a name is shorter than 4 GiB");
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(name.as_bytes());
        }
        Self(bytes)
    }

    /// The key that all comparisons of a design share, so that equal numbers give equal results under any name.
    pub fn of_design(experiment_seed: u64) -> Self {
        Self::new(experiment_seed, &["design"])
    }

    /// The stream of a piece: ChaCha8, keyed by BLAKE3 key derivation from the key's bytes and the piece (`u32`).
    fn piece_draws(&self, context: &str, piece: usize) -> Draws {
        let mut bytes = self.0.clone();
        let piece = u32::try_from(piece).expect("invariant: resamples are counted in 32 bits");
        bytes.extend_from_slice(&piece.to_le_bytes());
        Draws::from_key(blake3::derive_key(context, &bytes))
    }
}

impl Resampling {
    /// The number of pieces, which are numbered from 0.
    pub fn piece_count(&self) -> usize {
        (self.resamples as usize).div_ceil(PIECE)
    }

    /// The ranges of one piece.
    ///
    /// # Panics
    /// If there is no such piece, or a stratum or list of differences is empty.
    pub fn piece_ranges(&self, piece: usize) -> Vec<NullRange> {
        let count = PIECE.min((self.resamples as usize).checked_sub(piece * PIECE).expect("invariant: a piece begins"));
        match &self.scheme {
            ResamplingScheme::Signs(signed) => {
                let (table, all) = (SignTable::new(&signed.parts), SignedSums::from_parts(&signed.parts));
                let mut draws = self.key.piece_draws("ekklesia signs v1", piece);
                (0..count).map(|_| table.flipped_sums(|| draws.next_bits()).null_range(&all, signed.tie)).collect()
            }
            ResamplingScheme::Labels { strata, tie } => {
                deal_labels(strata, *tie, &mut self.key.piece_draws("ekklesia labels v1", piece), count)
            }
        }
    }

    /// The ranges of all pieces in order.
    pub fn all_ranges(&self) -> Vec<NullRange> {
        (0..self.piece_count()).flat_map(|piece| self.piece_ranges(piece)).collect()
    }
}

/// Permutes labels within each stratum, `count` times.
///
/// If a stratum's first side loses r of its n members to the second side of m, subtracting a supposed difference θ from the first
/// side reduces the permuted difference by θ (1 − r/n − r/m). With D the observed difference, D′ the permuted one and c the mean
/// of these factors, |D′ − cθ| ≥ |D − θ| between (D − D′) / (1 − c) and (D + D′) / (1 + c).
fn deal_labels(strata: &[Stratum], tie: f64, draws: &mut Draws, count: usize) -> Vec<NullRange> {
    let k = strata.len() as f64;
    let label = |stratum: &Stratum| {
        stratum.values.iter().enumerate().map(|(place, value)| (*value, place < stratum.first)).collect()
    };
    let mut cards: Vec<Vec<(f64, bool)>> = strata.iter().map(label).collect();
    let totals: Vec<f64> = strata.iter().map(|stratum| stratum.values.iter().sum()).collect();
    let observed = strata.iter().zip(&totals).map(|(stratum, total)| {
        let (n, first) = (stratum.values.len(), stratum.values[..stratum.first].iter().sum::<f64>());
        first / stratum.first as f64 - (total - first) / (n - stratum.first) as f64
    });
    let observed = observed.sum::<f64>() / k;
    let not_rounded = |difference: f64| if difference.abs() <= tie { 0.0 } else { difference };
    let mut dealt = Vec::with_capacity(count);
    for _ in 0..count {
        let (mut sum, mut factor, mut moved_at_all) = (0.0, 0.0, [0, 0]);
        for ((stratum, cards), total) in strata.iter().zip(&mut cards).zip(&totals) {
            let (n, first) = (cards.len(), stratum.first);
            // Draws the smaller side; the remaining cards are the other side.
            let small = first.min(n - first);
            for place in 0..small {
                let other = place + draws.draw_below((n - place) as u64) as usize;
                cards.swap(place, other);
            }
            let small_sum: f64 = cards[..small].iter().map(|(value, _)| value).sum();
            let difference = small_sum / small as f64 - (total - small_sum) / (n - small) as f64;
            let of_first = cards[..small].iter().filter(|(_, is_first)| *is_first).count();
            let moved = if small == first { first - of_first } else { of_first };
            sum += if small == first { difference } else { -difference };
            factor += 1.0 - moved as f64 * (1.0 / first as f64 + 1.0 / (n - first) as f64);
            // The labels that moved, and the labels that stayed on either side.
            moved_at_all[0] += moved;
            moved_at_all[1] += first - moved + (n - first - moved);
        }
        let (difference, factor) = (sum / k, factor / k);
        dealt.push(match moved_at_all {
            [0, _] | [_, 0] => NullRange::EVERY,
            _ => NullRange::from_ends(
                not_rounded(observed - difference) / (1.0 - factor),
                not_rounded(observed + difference) / (1.0 + factor),
            ),
        });
    }
    dealt
}

/// Sums of flipped parts in groups of eight, with every pattern of eight precomputed.
struct SignTable {
    /// For each group of eight parts, the sum under each bit pattern.
    sums: Vec<Vec<SignedSums>>,
}

impl SignTable {
    fn new(parts: &[(f64, f64)]) -> Self {
        let sums = parts.chunks(8).map(|eight| {
            let mut sums = vec![SignedSums::default()];
            for (value, of) in eight {
                // Doubles the patterns of the earlier bits: each without and with this part.
                let with: Vec<SignedSums> = sums.iter().map(|sum| sum.with_parts(*value, *of, 1)).collect();
                sums.extend(with);
            }
            sums
        });
        Self { sums: sums.collect() }
    }

    /// The sums of the parts that these words flip. Each word serves 64 parts, lowest bit first.
    fn flipped_sums(&self, mut word: impl FnMut() -> u64) -> SignedSums {
        let mut all = SignedSums::default();
        for eights in self.sums.chunks(8) {
            let mut signs = word();
            for eight in eights {
                // Bits beyond the last part flip nothing.
                let sum = eight[signs as usize & (eight.len() - 1)];
                all = SignedSums { value: all.value + sum.value, of: all.of + sum.of, count: all.count + sum.count };
                signs >>= 8;
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn signs(values: Vec<f64>) -> ResamplingScheme {
        ResamplingScheme::Signs(SignedParts {
            parts: values.into_iter().map(|value| (value, 1.0)).collect(),
            tie: 1e-12,
        })
    }

    fn resampling(scheme: ResamplingScheme, resamples: u32) -> Resampling {
        Resampling { scheme, key: StreamKey::new(42, &["design"]), resamples }
    }

    #[test]
    fn more_resamples_add_to_those_that_were_there() {
        let scheme = signs(vec![1.0, 2.0, -0.5]);
        let (few, many) = (resampling(scheme.clone(), 512).all_ranges(), resampling(scheme, 1_000).all_ranges());
        assert_eq!(few, many[..512]);
        assert_eq!(many.len(), 1_000);
    }

    #[test]
    fn names_and_seed_part_the_streams() {
        let values = (0..64).map(f64::from).collect::<Vec<f64>>();
        let drawn = |key| Resampling { scheme: signs(values.clone()), key, resamples: 50 }.all_ranges();
        let keys = [(1, ["ab", "c"]), (1, ["a", "bc"]), (2, ["ab", "c"])].map(|(s, names)| StreamKey::new(s, &names));
        let [one, other, third] = keys.map(drawn);
        assert!(one != other && one != third && other != third);
    }

    /// Each value is flipped half of the time, and each pair of values together a quarter of the time.
    #[test]
    fn flips_are_fair_and_independent() {
        let table = SignTable::new(&(0..70).map(|bit| (2f64.powi(bit), 1.0)).collect::<Vec<_>>());
        let mut draws = StreamKey::new(3, &[]).piece_draws("test", 0);
        let counts: Vec<u64> = (0..4_000).map(|_| table.flipped_sums(|| draws.next_bits()).count).collect();
        let mean = counts.iter().sum::<u64>() as f64 / 4_000.0;
        let spread = counts.iter().map(|count| (*count as f64 - 35.0).powi(2)).sum::<f64>() / 4_000.0;
        // Binomial(70, ½): mean 35, variance 17.5; standard errors 0.066 and 0.39.
        assert!((mean - 35.0).abs() < 0.25 && (spread - 17.5).abs() < 1.6, "{mean} {spread}");
    }

    #[test]
    fn the_smaller_side_is_dealt_whichever_it_is() {
        // One value of nine is 9, the others 0. If that one is dealt to the side of one, or to its mirror, every difference is as
        // far; else the range ends where the lone value's side has it.
        for first in [1, 8] {
            let mut values = vec![0.0; 9];
            values[if first == 1 { 0 } else { 8 }] = 9.0;
            let scheme = ResamplingScheme::Labels { strata: vec![Stratum { values, first }], tie: 1e-12 };
            let ranges = resampling(scheme, 900).all_ranges();
            let every = ranges.iter().filter(|range| **range == NullRange::EVERY).count();
            assert!((60..140).contains(&every), "{every}");
            let sign = if first == 1 { 1.0 } else { -1.0 };
            // D = 9 and D′ = −9/8 of the other sign, with one label moved: c = 1 − 1 − 1/8.
            let ends = [sign * (9.0 + 9.0 / 8.0) / (1.0 + 1.0 / 8.0), sign * (9.0 - 9.0 / 8.0) / (1.0 - 1.0 / 8.0)];
            for range in ranges.iter().filter(|range| **range != NullRange::EVERY) {
                let expected = NullRange::from_ends(ends[0], ends[1]);
                assert!(
                    (range.low - expected.low).abs() < 1e-9 && (range.high - expected.high).abs() < 1e-9,
                    "{range:?}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn the_table_of_signs_adds_up_like_a_plain_loop(
            differences in prop::collection::vec(-8i32..8, 1..200), seed: u64,
        ) {
            let parts: Vec<(f64, f64)> = differences.iter().map(|d| (f64::from(*d), 1.0)).collect();
            let key = StreamKey::new(seed, &[]);
            let mut draws = key.piece_draws("test", 0);
            let sums = SignTable::new(&parts).flipped_sums(|| draws.next_bits());
            let mut draws = key.piece_draws("test", 0);
            let flipped = differences.chunks(64).flat_map(|chunk| {
                let word = draws.next_bits();
                chunk.iter().enumerate().filter(move |(bit, _)| word >> bit & 1 == 1).map(|(_, d)| f64::from(*d))
            });
            let flipped: Vec<f64> = flipped.collect();
            prop_assert_eq!((sums.value, sums.count), (flipped.iter().sum::<f64>(), flipped.len() as u64));
        }

        /// A range is the differences under which an arrangement is at least as far: checked against the definition.
        #[test]
        fn ranges_are_what_the_definition_says(
            differences in prop::collection::vec(-4i32..5, 2..9), word: u64, null in -20i32..20,
        ) {
            let null = f64::from(null) / 4.0 + 0.01;
            let parts: Vec<(f64, f64)> = differences.iter().map(|d| (f64::from(*d), 1.0)).collect();
            let range = SignTable::new(&parts).flipped_sums(|| word).null_range(&SignedSums::from_parts(&parts), 1e-12);
            let sign = |bit: usize| if word >> bit & 1 == 1 { -1.0 } else { 1.0 };
            let signed: f64 = parts.iter().enumerate().map(|(bit, (d, _))| sign(bit) * (d - null)).sum();
            let observed: f64 = parts.iter().map(|(d, _)| d - null).sum();
            prop_assume!((signed.abs() - observed.abs()).abs() > 1e-9);
            prop_assert_eq!(signed.abs() > observed.abs(), range.low <= null && null <= range.high);
        }
    }
}
