//! Bags of words, and measures of similarity between speakers.
//!
//! Words are numbers (see [`Vocabulary`](crate::text::Vocabulary)). There is no stemming, no weighting and no list of stop words.

/// A speaker's word counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bag {
    /// Words and their counts, sorted by word; no count is 0.
    counts: Vec<(u32, u32)>,
    /// The total of all counts.
    words: u64,
}

impl Bag {
    /// Counts words.
    pub fn from_words(mut words: Vec<u32>) -> Self {
        words.sort_unstable();
        let mut counts: Vec<(u32, u32)> = Vec::new();
        for word in &words {
            match counts.last_mut() {
                Some((last, count)) if last == word => *count += 1,
                _ => counts.push((*word, 1)),
            }
        }
        Self { counts, words: words.len() as u64 }
    }

    /// The number of words, with repetitions.
    pub fn word_count(&self) -> u64 {
        self.words
    }

    /// The Euclidean length of the vector of counts.
    fn vector_length(&self) -> f64 {
        let squares: u64 = self.counts.iter().map(|(_, count)| u64::from(*count) * u64::from(*count)).sum();
        libm::sqrt(squares as f64)
    }

    /// The number of different words that two speakers have in common.
    fn common_words(&self, other: &Self) -> usize {
        let (mut here, mut there) = (self.counts.iter().peekable(), other.counts.iter().peekable());
        let mut common = 0;
        while let (Some((a, _)), Some((b, _))) = (here.peek(), there.peek()) {
            common += usize::from(a == b);
            let order = a.cmp(b);
            if order.is_le() {
                here.next();
            }
            if order.is_ge() {
                there.next();
            }
        }
        common
    }
}

/// The speakers who said at least one word.
fn list_speakers(bags: &[Bag]) -> Vec<&Bag> {
    bags.iter().filter(|bag| bag.words > 0).collect()
}

/// Sums a function of each speaker's count of a word, word by word.
fn sum_by_word(speakers: &[&Bag], share: impl Fn(&Bag, u32) -> f64) -> Vec<f64> {
    let mut shares: Vec<(u32, f64)> = Vec::new();
    for bag in speakers {
        shares.extend(bag.counts.iter().map(|(word, count)| (*word, share(bag, *count))));
    }
    // A stable sort, so that a word's shares are summed in the order of the speakers.
    shares.sort_by_key(|(word, _)| *word);
    let mut last = None;
    let mut sums: Vec<f64> = Vec::new();
    for (word, share) in shares {
        match sums.last_mut() {
            Some(sum) if last == Some(word) => *sum += share,
            _ => sums.push(share),
        }
        last = Some(word);
    }
    sums
}

/// The mean over pairs of speakers of the cosine between their word counts, from 0 (no common word) to 1 (equal proportions).
///
/// It follows from the sum of all unit vectors. `None` for fewer than two speakers. Source: Salton, Wong and Yang 1975, "A vector
/// space model for automatic indexing".
pub fn similarity_pair(bags: &[Bag]) -> Option<f64> {
    let speakers = list_speakers(bags);
    let n = speakers.len() as f64;
    let sums = sum_by_word(&speakers, |bag, count| f64::from(count) / bag.vector_length());
    let squares = sums.iter().fold(0.0, |all, sum| all + sum * sum);
    (n >= 2.0).then(|| ((squares - n) / (n * (n - 1.0))).clamp(0.0, 1.0))
}

/// The mean over pairs of speakers of Jaccard's coefficient, from 0 to 1: common different words over different words of either.
///
/// `None` for fewer than two speakers. Source: Jaccard 1901.
pub fn jaccard_pair(bags: &[Bag]) -> Option<f64> {
    let speakers = list_speakers(bags);
    let mut sum = 0.0;
    for (place, bag) in speakers.iter().enumerate() {
        for other in &speakers[place + 1..] {
            let common = bag.common_words(other);
            sum += common as f64 / (bag.counts.len() + other.counts.len() - common) as f64;
        }
    }
    let n = speakers.len() as f64;
    (n >= 2.0).then(|| 2.0 * sum / (n * (n - 1.0)))
}

/// The Jensen–Shannon divergence of the speakers' word distributions with equal weights, over its maximum ln n:
/// (H(m) − Σ H(pᵢ)/n) / ln n, m = Σ pᵢ/n, from 0 (equal) to 1 (no common word). For two speakers it is the divergence in bits.
///
/// `None` for fewer than two speakers. Source: Lin 1991, "Divergence measures based on the Shannon entropy".
pub fn jsd_speakers(bags: &[Bag]) -> Option<f64> {
    let speakers = list_speakers(bags);
    let n = speakers.len() as f64;
    if n < 2.0 {
        return None;
    }
    let shares = sum_by_word(&speakers, |bag, count| f64::from(count) / bag.words as f64 / n);
    let own = speakers.iter().fold(0.0, |sum, bag| {
        sum + shannon_entropy(bag.counts.iter().map(|(_, count)| f64::from(*count) / bag.words as f64)) / n
    });
    Some(((shannon_entropy(shares.into_iter()) - own) / libm::log(n)).clamp(0.0, 1.0))
}

fn shannon_entropy(shares: impl Iterator<Item = f64>) -> f64 {
    shares.fold(0.0, |sum, share| sum - share * libm::log(share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bag(counts: &[u32]) -> Bag {
        Bag::from_words(counts.iter().zip(0..).flat_map(|(count, word)| vec![word; *count as usize]).collect())
    }

    #[test]
    fn speakers_without_a_word_do_not_count_and_one_is_no_pair() {
        let silent = Bag::default();
        for measure in [similarity_pair, jaccard_pair, jsd_speakers] {
            assert_eq!(measure(&[bag(&[1, 2]), silent.clone()]), None);
            assert_eq!(measure(&[bag(&[1]), silent.clone(), bag(&[0, 1])]), measure(&[bag(&[1]), bag(&[0, 1])]));
        }
        assert_eq!(jaccard_pair(&[bag(&[1, 1, 1, 0]), bag(&[0, 1, 1, 1])]), Some(0.5));
        assert!((similarity_pair(&[bag(&[3, 4]), bag(&[4, 3])]).unwrap() - 0.96).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn alike_and_apart_are_the_ends_and_the_order_of_speakers_does_not_matter(counts in prop::collection::vec(prop::collection::vec(0u32..5, 6), 2..6)) {
            let bags: Vec<Bag> = counts.iter().map(|counts| bag(counts)).collect();
            let mirrored: Vec<Bag> = bags.iter().rev().cloned().collect();
            for measure in [similarity_pair, jaccard_pair, jsd_speakers] {
                let (value, other) = (measure(&bags), measure(&mirrored));
                prop_assert_eq!(value.is_some(), other.is_some());
                if let Some((value, other)) = value.zip(other) {
                    prop_assert!((0.0..=1.0).contains(&value));
                    prop_assert!((value - other).abs() < 1e-12);
                }
            }
            let same = vec![bag(&[1, 2, 3]); counts.len()];
            let apart: Vec<Bag> = (0..counts.len() as u32).map(|word| Bag::from_words(vec![word; 3])).collect();
            for (measure, ends) in [(similarity_pair as fn(&[Bag]) -> Option<f64>, [1.0, 0.0]), (jaccard_pair, [1.0, 0.0]), (jsd_speakers, [0.0, 1.0])] {
                prop_assert!((measure(&same).unwrap() - ends[0]).abs() < 1e-12);
                prop_assert!((measure(&apart).unwrap() - ends[1]).abs() < 1e-12);
            }
        }

        #[test]
        fn similarity_is_the_mean_of_the_cosines_of_all_pairs(counts in prop::collection::vec(prop::collection::vec(1u32..5, 4), 2..6)) {
            let cosine = |a: &[u32], b: &[u32]| {
                let dot = |a: &[u32], b: &[u32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
                dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
            };
            let mut all = Vec::new();
            for (place, a) in counts.iter().enumerate() {
                all.extend(counts[place + 1..].iter().map(|b| cosine(a, b)));
            }
            let bags: Vec<Bag> = counts.iter().map(|counts| bag(counts)).collect();
            prop_assert!((similarity_pair(&bags).unwrap() - all.iter().sum::<f64>() / all.len() as f64).abs() < 1e-12);
        }
    }
}
