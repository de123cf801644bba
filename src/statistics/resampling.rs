//! Resampling in pieces: each piece has a stream of its own, so that any number of workers make the same resamples.
//!
//! What is resampled is decided elsewhere; here are the streams and the arithmetic. One resample gives one number.

use crate::chance::Draws;

/// The resamples of one piece; the last piece of a resampling may have fewer.
const PIECE: usize = 256;

/// What is drawn again, and the number it gives.
#[derive(Debug, Clone, PartialEq)]
pub enum Scheme {
    /// Each group is drawn again, with replacement, apart from the others: the sum of weight × mean. One group of differences is
    /// the paired bootstrap; two groups weighted 1 and −1 are the bootstrap of independent sides. Source: Efron 1979, Annals of
    /// Statistics 7(1); Efron and Tibshirani 1993, chapters 8 and 13.
    Groups(Vec<Group>),
    /// The sign of each difference is flipped or kept with probability ½: the mean. Source: Fisher 1935, "The design of
    /// experiments", section 21; Pitman 1937, Journal of the Royal Statistical Society, supplement 4(1).
    Signs(Vec<f64>),
    /// In each stratum the labels of the two sides are dealt out again: the mean over strata of the first side's mean less the
    /// second's. Source: Pitman 1937.
    Labels(Vec<Stratum>),
}

/// Values that are drawn again together.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// What the mean counts for.
    pub weight: f64,
    /// The values; at least one.
    pub values: Vec<f64>,
}

/// Values of two sides that would be exchangeable if sides made no difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Stratum {
    /// The values of the first side, then those of the second; at least one of each.
    pub values: Vec<f64>,
    /// How many are of the first side.
    pub first: usize,
}

/// A resampling: a scheme, a key, and how often.
#[derive(Debug, Clone, PartialEq)]
pub struct Resampling {
    /// What is drawn again.
    pub scheme: Scheme,
    /// Where its streams begin.
    pub key: StreamKey,
    /// How often; at least 1.
    pub resamples: u32,
}

/// The coordinates of a resampling's streams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamKey(Vec<u8>);

impl StreamKey {
    /// The key of an experiment's seed and the names of what is resampled, such as a metric and a contrast.
    ///
    /// It is the seed (`u64`) and each name as its length in bytes (`u32`) and its UTF-8; numbers little-endian.
    pub fn new(experiment_seed: u64, names: &[&str]) -> Self {
        let mut bytes = experiment_seed.to_le_bytes().to_vec();
        for name in names {
            let length = u32::try_from(name.len()).expect("invariant: a name is shorter than 4 GiB");
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(name.as_bytes());
        }
        Self(bytes)
    }

    /// The stream of a piece: ChaCha8 keyed by BLAKE3 in key-derivation mode, of the key's bytes and the piece (`u32`).
    fn draws(&self, context: &str, piece: usize) -> Draws {
        let mut bytes = self.0.clone();
        let piece = u32::try_from(piece).expect("invariant: resamples are counted in 32 bits");
        bytes.extend_from_slice(&piece.to_le_bytes());
        Draws::keyed(blake3::derive_key(context, &bytes))
    }
}

impl Resampling {
    /// How many pieces there are, numbered from 0.
    pub fn pieces(&self) -> usize {
        (self.resamples as usize).div_ceil(PIECE)
    }

    /// The numbers of one piece, resample by resample.
    ///
    /// # Panics
    /// When there is no such piece, or a group, stratum or list of differences is empty.
    pub fn piece(&self, piece: usize) -> Vec<f64> {
        let count = PIECE.min((self.resamples as usize).checked_sub(piece * PIECE).expect("invariant: a piece begins"));
        match &self.scheme {
            Scheme::Groups(groups) => groups_drawn(groups, &mut self.key.draws("ekklesia groups v1", piece), count),
            Scheme::Signs(differences) => {
                let table = SignTable::new(differences);
                let mut draws = self.key.draws("ekklesia signs v1", piece);
                (0..count).map(|_| table.mean(|| draws.bits())).collect()
            }
            Scheme::Labels(strata) => labels_dealt(strata, &mut self.key.draws("ekklesia labels v1", piece), count),
        }
    }

    /// The numbers of all pieces, one after the other.
    pub fn all(&self) -> Vec<f64> {
        (0..self.pieces()).flat_map(|piece| self.piece(piece)).collect()
    }
}

/// The sum of weighted means of groups that are drawn again.
fn groups_drawn(groups: &[Group], draws: &mut Draws, count: usize) -> Vec<f64> {
    let extremes: Vec<(f64, f64)> = groups.iter().map(|group| extremes(&group.values)).collect();
    let mut sums = Vec::with_capacity(count);
    for _ in 0..count {
        let mut total = 0.0;
        for (group, (least, most)) in groups.iter().zip(&extremes) {
            let mean = sum_drawn(&group.values, draws) / group.values.len() as f64;
            // A mean lies between the extremes; the rounding of the sum must not move it out.
            total += group.weight * mean.clamp(*least, *most);
        }
        sums.push(total);
    }
    sums
}

/// The sum of as many values as there are, drawn with replacement. A word gives two places: each half is scaled to the length, and
/// the few halves that would favour some places are drawn again (Lemire 2019, ACM TOMACS 29(1)).
fn sum_drawn(values: &[f64], draws: &mut Draws) -> f64 {
    let n = u32::try_from(values.len()).expect("invariant: values are counted in 32 bits");
    let refused = n.wrapping_neg() % n;
    let mut sums = [0.0; 2];
    let mut left = n;
    while left > 0 {
        let word = draws.bits();
        for (half, sum) in [word as u32, (word >> 32) as u32].into_iter().zip(&mut sums) {
            let product = u64::from(half) * u64::from(n);
            if product as u32 >= refused && left > 0 {
                *sum += values[(product >> 32) as usize];
                left -= 1;
            }
        }
    }
    sums[0] + sums[1]
}

/// The mean over strata of the difference of means when labels are dealt out again.
fn labels_dealt(strata: &[Stratum], draws: &mut Draws, count: usize) -> Vec<f64> {
    let mut cards: Vec<Vec<f64>> = strata.iter().map(|stratum| stratum.values.clone()).collect();
    let totals: Vec<f64> = strata.iter().map(|stratum| stratum.values.iter().sum()).collect();
    let mut dealt = Vec::with_capacity(count);
    for _ in 0..count {
        let mut sum = 0.0;
        for ((stratum, cards), total) in strata.iter().zip(&mut cards).zip(&totals) {
            let n = cards.len();
            // The smaller side is dealt; what is left is the other's.
            let small = stratum.first.min(n - stratum.first);
            for place in 0..small {
                let other = place + draws.below((n - place) as u64) as usize;
                cards.swap(place, other);
            }
            let small_sum: f64 = cards[..small].iter().sum();
            let difference = small_sum / small as f64 - (total - small_sum) / (n - small) as f64;
            sum += if small == stratum.first { difference } else { -difference };
        }
        dealt.push(sum / strata.len() as f64);
    }
    dealt
}

/// Sums of signed differences, eight at a time: every pattern of eight signs is added up once.
pub(super) struct SignTable {
    /// For each eight differences, the sum under each pattern; a bit that is set flips a sign.
    sums: Vec<[f64; 256]>,
    n: f64,
}

impl SignTable {
    pub(super) fn new(differences: &[f64]) -> Self {
        let sums = differences.chunks(8).map(|eight| {
            let mut sums = [0.0; 256];
            for (bit, difference) in eight.iter().enumerate() {
                // The patterns of the bits before this one are there; each goes on with either sign.
                let (kept, flipped) = sums.split_at_mut(1 << bit);
                for (kept, flipped) in kept.iter_mut().zip(flipped) {
                    *flipped = *kept - difference;
                    *kept += difference;
                }
            }
            // Bits beyond the last difference flip nothing.
            let patterns = 1 << eight.len();
            for pattern in patterns..256 {
                sums[pattern] = sums[pattern % patterns];
            }
            sums
        });
        Self { sums: sums.collect(), n: differences.len() as f64 }
    }

    /// The mean under the signs of these words, of which each serves 64 differences, the lowest bit first.
    pub(super) fn mean(&self, mut word: impl FnMut() -> u64) -> f64 {
        let mut sum = 0.0;
        for eights in self.sums.chunks(8) {
            let mut signs = word();
            for eight in eights {
                sum += eight[(signs & 255) as usize];
                signs >>= 8;
            }
        }
        sum / self.n
    }
}

fn extremes(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(*value), most.max(*value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn resampling(scheme: Scheme, resamples: u32) -> Resampling {
        Resampling { scheme, key: StreamKey::new(42, &["metric", "contrast"]), resamples }
    }

    fn standard_error(numbers: &[f64]) -> f64 {
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        (numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / numbers.len() as f64).sqrt()
    }

    #[test]
    fn spreads_are_those_of_theory() {
        // 0, 1, …, 99: variance 833.25 over n, 841.67 over n − 1; the mean of squares is 3283.5.
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let second: Vec<f64> = (0..50).map(f64::from).collect();
        let groups = vec![Group { weight: 1.0, values: values.clone() }, Group { weight: -1.0, values: second }];
        // 50 values: variance 208.25.
        let cases = [
            (Scheme::Groups(groups[..1].to_vec()), (833.25f64 / 100.0).sqrt()),
            (Scheme::Groups(groups), (833.25f64 / 100.0 + 208.25 / 50.0).sqrt()),
            (Scheme::Signs(values.clone()), (3283.5f64 / 100.0).sqrt()),
            (Scheme::Labels(vec![Stratum { values, first: 20 }]), (841.67f64 * (1.0 / 20.0 + 1.0 / 80.0)).sqrt()),
        ];
        for (scheme, expected) in cases {
            let numbers = resampling(scheme.clone(), 20_000).all();
            let found = standard_error(&numbers);
            assert!((found / expected - 1.0).abs() < 0.03, "{found} for {expected}: {scheme:?}");
        }
    }

    #[test]
    fn more_resamples_add_to_those_that_were_there() {
        let scheme = Scheme::Signs(vec![1.0, 2.0, -0.5]);
        let (few, many) = (resampling(scheme.clone(), 512).all(), resampling(scheme, 1_000).all());
        assert_eq!(few, many[..512]);
        assert_eq!(many.len(), 1_000);
    }

    #[test]
    fn names_and_seed_part_the_streams() {
        let drawn = |key| Resampling { scheme: Scheme::Signs(vec![1.0; 64]), key, resamples: 50 }.all();
        let keys = [(1, ["ab", "c"]), (1, ["a", "bc"]), (2, ["ab", "c"])].map(|(s, names)| StreamKey::new(s, &names));
        let [one, other, third] = keys.map(drawn);
        assert!(one != other && one != third && other != third);
    }

    #[test]
    fn the_smaller_side_is_dealt_whichever_it_is() {
        // One value of nine is 9, the others 0: the difference is 9 when the first side has it, else −9/8, and mirrored.
        let mut values = vec![0.0; 9];
        values[4] = 9.0;
        for (first, sign) in [(1, 1.0), (8, -1.0)] {
            let numbers = resampling(Scheme::Labels(vec![Stratum { values: values.clone(), first }]), 900).all();
            let high = numbers.iter().filter(|number| **number == sign * 9.0).count();
            assert!((60..140).contains(&high), "{high}");
            assert!(numbers.iter().all(|number| [sign * 9.0, sign * -9.0 / 8.0].contains(number)));
        }
    }

    proptest! {
        #[test]
        fn the_table_of_signs_adds_up_like_a_plain_loop(
            differences in prop::collection::vec(-8i32..8, 1..200), seed: u64,
        ) {
            let differences: Vec<f64> = differences.into_iter().map(f64::from).collect();
            let key = StreamKey::new(seed, &[]);
            let mut draws = key.draws("test", 0);
            let mean = SignTable::new(&differences).mean(|| draws.bits());
            let mut draws = key.draws("test", 0);
            let signed = differences.chunks(64).flat_map(|chunk| {
                let word = draws.bits();
                chunk.iter().enumerate().map(move |(bit, d)| if word >> bit & 1 == 1 { -d } else { *d })
            });
            prop_assert_eq!(mean, signed.sum::<f64>() / differences.len() as f64);
        }

        #[test]
        fn drawn_means_lie_within_the_sample(values in prop::collection::vec(-1.0..1.0, 1..20)) {
            let (least, most) = extremes(&values);
            let numbers = resampling(Scheme::Groups(vec![Group { weight: 1.0, values }]), 60).all();
            prop_assert!(numbers.iter().all(|number| (least..=most).contains(number)));
        }
    }
}
