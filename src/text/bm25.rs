//! Relevance of a text to search words: the BM25 weighting.
//!
//! S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", Foundations and Trends in
//! Information Retrieval 3(4), 2009, section 3.4, with k1 = 1.2 and b = 0.75.

/// Saturation: how quickly repeated occurrences of a word stop counting.
const K1: f64 = 1.2;
/// Length normalization: 0 ignores a text's length, 1 corrects for it in full.
const B: f64 = 0.75;

/// The size of a collection of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bm25 {
    /// Texts.
    pub texts: u64,
    /// Words in all texts.
    pub words: u64,
}

impl Bm25 {
    /// [`Bm25::score_part`] is below this multiple of the weight, however often the word occurs.
    pub const PART_LIMIT: f64 = K1 + 1.0;

    /// The weight of a word that occurs in `texts_with` of the texts: ln(1 + (N − n + ½) / (n + ½)).
    ///
    /// The 1 within the logarithm follows later implementations and keeps the weight of frequent words above zero. The logarithm
    /// is libm's, so that all machines compute equal weights.
    pub fn weight(&self, texts_with: u64) -> f64 {
        let (all, with) = (self.texts as f64, texts_with as f64);
        libm::log(1.0 + (all - with + 0.5) / (with + 0.5))
    }

    /// The contribution of a word of this weight that occurs `times` in a text of `words` words:
    /// weight · tf · (k1 + 1) / (tf + k1 · (1 − b + b · words / mean words)).
    pub fn score_part(&self, weight: f64, times: u64, words: u64) -> f64 {
        let mean = self.words as f64 / self.texts as f64;
        let times = times as f64;
        weight * times * (K1 + 1.0) / (times + K1 * (1.0 - B + B * words as f64 / mean))
    }
}

/// A score in millionths, the unit of comparison; smaller differences are ties.
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
