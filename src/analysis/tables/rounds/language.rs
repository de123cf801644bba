//! The similarity and variety of a round's words.

use crate::analysis::column::columns;
use crate::analysis::measures::share_of;

columns! {
    /// What was said in a round of talk.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct RoundLanguage as r {
        /// Phrases that had been said before in the session.
        pub repeated: u64,
    }

    /// seats that said a word: their pairs are the denominator of similarity_pair, jaccard_pair and convergence; empty outside rounds of
    /// talk
    speakers: u64 => Part[Spoke], "statement", unit: "seats";
    /// how varied the round's words are, whatever their number: different words over 50, from 0.02 to 1, mean over all windows of 50 words
    /// in a row, across statements in the order of the minutes; empty below 50 words
    mattr_50: Option<f64> => Part[Spoke], "statement; Covington and McFall 2010", formula: "mean over windows of (different words / 50)";
    /// how alike the words of two speakers are, mean over pairs; 0 no word in common, 1 the same words as often; empty below two speakers
    similarity_pair: Option<f64> => Part[Spoke], "statement; Salton, Wong and Yang 1975",
        formula: "mean over pairs of sum_w a_w b_w / (|a| |b|), a_w how often a speaker said word w in the round";
    /// share of two speakers' different words that both said, mean over pairs; 0 none, 1 all; empty below two speakers
    jaccard_pair: Option<f64> => Part[Spoke], "statement; Jaccard 1901",
        formula: "mean over pairs of |A and B| / |A or B|, A the set of a speaker's words";
    /// how far the speakers' distributions over words are apart, each weighing the same; 0 the same, 1 no word in common; of two speakers
    /// in bits; empty below two
    jsd_speakers: Option<f64> => Part[Spoke], "statement; Lin 1991",
        formula: "(H(m) - mean H(p_i)) / ln n, m = mean p_i, H(p) = -sum p ln p, n speakers";
    /// phrases of four words in a row within a statement: the denominator of repetition_rate; empty outside rounds of talk
    phrases: u64 => Part[Spoke], "statement", unit: "phrases";
    /// share of the round's phrases that had been said before in the session, by anyone, or earlier in the same statement; groups
    /// side by side are read one after the other; empty when phrases is 0
    repetition_rate: f64 = share_of(r.repeated, r.phrases) => SoFar[Spoke], "statement", formula: "phrases said before / phrases";
    /// how alike two speakers' statements are in words and form, mean over pairs; 0 nothing alike, 1 the same; empty below two speakers
    convergence: Option<f64> => Part[Spoke], "statement",
        formula: "weights of the profile times content, structure, sentences, length and punctuation; balanced: 0.40 0.15 0.20 0.15 0.10";
}
