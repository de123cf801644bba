//! How much a text is about some words: the weighting known as BM25.
//!
//! S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", Foundations and Trends in
//! Information Retrieval 3(4), 2009, section 3.4, with k1 = 1.2 and b = 0.75.

/// How fast further occurrences of a word stop to count.
const K1: f64 = 1.2;
/// How much a long text is held against it: 0 not at all, 1 in full.
const B: f64 = 0.75;

/// How many texts there are, and how many words they have together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bm25 {
    /// Texts.
    pub texts: u64,
    /// Words in all of them.
    pub words: u64,
}

impl Bm25 {
    /// [`Bm25::score_part`] is less than this many times the weight, however often a text holds the word.
    pub const PART_LIMIT: f64 = K1 + 1.0;

    /// The weight of a word that `texts_with` of the texts hold: ln(1 + (N − n + ½) / (n + ½)).
    ///
    /// The one within the logarithm, which later implementations share, keeps the weight of a word that most texts hold above
    /// zero. The logarithm is libm's, so that it is the same on every machine.
    pub fn weight(&self, texts_with: u64) -> f64 {
        let (all, with) = (self.texts as f64, texts_with as f64);
        libm::log(1.0 + (all - with + 0.5) / (with + 0.5))
    }

    /// What a word of this weight adds to a text of `words` words that holds it `times`:
    /// weight · tf · (k1 + 1) / (tf + k1 · (1 − b + b · words / mean words)).
    pub fn score_part(&self, weight: f64, times: u64, words: u64) -> f64 {
        let mean = self.words as f64 / self.texts as f64;
        let times = times as f64;
        weight * times * (K1 + 1.0) / (times + K1 * (1.0 - B + B * words as f64 / mean))
    }
}

/// A score in millionths, the unit in which scores are compared: what differs less is a tie.
///
/// ```
/// use ekklesia::text::{Bm25, to_millionths};
///
/// let two = Bm25 { texts: 2, words: 4 };
/// let weight = two.weight(1);
/// assert_eq!(to_millionths(weight), 693_147);
/// assert_eq!(to_millionths(two.score_part(weight, 1, 2)), 693_147);
/// ```
pub fn to_millionths(score: f64) -> u64 {
    (score * 1e6).round() as u64
}
